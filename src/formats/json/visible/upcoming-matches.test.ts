import { describe, expect, it } from "vitest";
import { pageOf, readRows, STRING, tableOf } from "../../../../test/understanding/schema-pages.ts";

const GAME = { date: STRING, home_team: STRING, away_team: STRING };
const card = (date: string, middle: string, note = ""): string =>
  `<li class="match-card"><time>${date}</time><div class="teams"><span>Orn Rovers</span><b>${middle}</b><span>Gull United</span></div>${note}</li>`;
const datesOf = (main: string, list: string): unknown[] =>
  readRows(pageOf("en", `<h1>Season</h1>${main}`), list, GAME).map(({ date }) => date);
const cards = (...items: readonly string[]): string => `<ul>${items.join("")}</ul>`;

describe("lists of matches to come", () => {
  it("keep matches whose line has a kick-off time between the teams", () => {
    const line = (date: string, time: string): string =>
      `<li class="row"><p>${date}</p><p>Orn Rovers ${time} Gull United</p><p>Harbor Park</p></li>`;
    const main = cards(line("7 March 2026", "19:30"), line("14 March 2026", "15:00"));
    expect(
      readRows(pageOf("en", `<h1>Season</h1>${main}`), "fixtures", {
        date: STRING,
        venue: STRING,
      }),
    ).toHaveLength(2);
  });

  it("keep matches whose record or former meetings are shown", () => {
    const main = tableOf(
      ["Date", "Home", "Away", "Record", "H2H"],
      ["7 March 2026", "Orn Rovers", "Gull United", "12-4", "3-1"],
      ["14 March 2026", "Tern City", "Heron Town", "8-8", "0-2"],
    );
    expect(datesOf(main, "fixtures")).toEqual(["7 March 2026", "14 March 2026"]);
  });

  it("keep the final of a cup", () => {
    const main = tableOf(
      ["Date", "Round", "Home", "Away"],
      ["7 March 2026", "Semi-final", "Orn Rovers", "Gull United"],
      ["14 March 2026", "Final", "Tern City", "Heron Town"],
    );
    expect(datesOf(main, "upcoming_matches")).toEqual(["7 March 2026", "14 March 2026"]);
  });

  it("keep cards that show former meetings beside the teams", () => {
    const note = `<dl><dt>Head to head</dt><dd>3-1</dd></dl>`;
    const main = cards(card("7 March 2026", "v", note), card("14 March 2026", "v", note));
    expect(datesOf(main, "fixtures")).toEqual(["7 March 2026", "14 March 2026"]);
  });

  it("leave out cards with a score between the teams", () => {
    const main = cards(
      card("7 March 2026", "3–1"),
      card("14 March 2026", "v"),
      card("21 March 2026", "v"),
    );
    expect(datesOf(main, "fixtures")).toEqual(["14 March 2026", "21 March 2026"]);
  });

  it("leave out rows with a score in the column for results", () => {
    const main = tableOf(
      ["Date", "Home", "Result", "Away"],
      ["7 March 2026", "Orn Rovers", "3-1", "Gull United"],
      ["14 March 2026", "Tern City", "", "Heron Town"],
      ["21 March 2026", "Gull United", "", "Orn Rovers"],
    );
    expect(datesOf(main, "next_games")).toEqual(["14 March 2026", "21 March 2026"]);
  });
});

describe("lists of other things to come", () => {
  it("keep activities with ages and durations", () => {
    const rows = readRows(
      pageOf(
        "en",
        `<h1>Workshops</h1>${tableOf(
          ["Workshop", "Date", "Ages", "Duration"],
          ["Kites", "7 March 2026", "6-10", "12-14 days"],
          ["Boats", "14 March 2026", "10-14", "2 hours"],
        )}`,
      ),
      "upcoming_workshops",
      { workshop: STRING, date: STRING, ages: STRING },
    );
    expect(rows.map(({ ages }) => ages)).toEqual(["6-10", "10-14"]);
  });
});
