import { describe, expect, it } from "vitest";
import {
  INTEGER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const MATCH = {
  home_team: STRING,
  away_team: STRING,
  home_goals: INTEGER,
  away_goals: INTEGER,
};
const league = (lang: string, matches: readonly string[]) =>
  readRows(
    pageOf(
      lang,
      `<h1>League</h1><ul class="divide-y">${matches.map((match) => `<li class="py-2">${match}</li>`).join("")}</ul>`,
    ),
    "matches",
    MATCH,
  );
const matchesOf = (lang: string, ...lines: readonly string[]) =>
  league(
    lang,
    lines.map((line) => `<p class="text-xs">Saturday, 7 March 2026</p><p>${line}</p>`),
  );
const result = (home: string, away: string, homeGoals: number, awayGoals: number) => ({
  home_team: home,
  away_team: away,
  home_goals: homeGoals,
  away_goals: awayGoals,
});
const fixture = (home: string, away: string) => ({ home_team: home, away_team: away });
const goalsIn = (rows: ReturnType<typeof league>): unknown[] =>
  rows.flatMap((row) => [row.home_goals, row.away_goals]).filter((goals) => goals !== undefined);
const teamsIn = (rows: ReturnType<typeof league>): unknown[] =>
  rows.flatMap((row) => [row.home_team, row.away_team]);
const TEAMS = ["Orn Rovers", "Gull United", "Tern City", "Heron Town"];

describe("matches", () => {
  it.each([
    ["en", "Orn Rovers 3–1 Gull United", "Tern City 0–2 Heron Town"],
    ["fr", "Orn Rovers 3 - 1 Gull United", "Tern City 0 - 2 Heron Town"],
    ["de", "Orn Rovers 3:1 Gull United", "Tern City 0:2 Heron Town"],
  ])("are read from results in one line (%s: %s)", (lang, first, second) => {
    expect(matchesOf(lang, first, second)).toEqual([
      result("Orn Rovers", "Gull United", 3, 1),
      result("Tern City", "Heron Town", 0, 2),
    ]);
  });

  it.each([
    ["cs", "<small>pp</small>", "(1:0, 1:1, 0:1, 1:0)"],
    ["de", "<abbr>n. V.</abbr>", "(1:0, 1:1, 0:1, 1:0)"],
    ["en", "<i>OT</i>", "(1–0, 1–1, 0–1, 1–0)"],
  ])("are read across notes on the score (%s: %s)", (lang, decided, periods) => {
    const line = (home: string, score: string, note: string, away: string): string =>
      `<a href="/t/${home.length}">${home}</a> <a href="/m/1"><strong>${score}</strong> ${note} <small>${periods}</small></a> <a href="/t/9">${away}</a>`;
    const rows = league(lang, [
      line("Orn Rovers", "3–2", decided, "Gull United"),
      line("Tern City", "4–1", "", "Heron Town"),
    ]);
    expect(rows).toEqual([
      result("Orn Rovers", "Gull United", 3, 2),
      result("Tern City", "Heron Town", 4, 1),
    ]);
  });

  it.fails("have the goals of a match without goals", () => {
    expect(
      goalsIn(matchesOf("en", "Orn Rovers 3–1 Gull United", "Tern City 0–0 Heron Town")),
    ).toEqual([3, 1, 0, 0]);
  });

  it.fails("are read from list items that hold only the line", () => {
    expect(league("en", ["Orn Rovers 3–1 Gull United", "Tern City 0–2 Heron Town"])).toHaveLength(
      2,
    );
  });

  it.each(["v", "vs."])("are read from fixtures without goals (%s)", (sign) => {
    expect(
      matchesOf("en", `Orn Rovers ${sign} Gull United`, `Tern City ${sign} Heron Town`),
    ).toEqual([fixture("Orn Rovers", "Gull United"), fixture("Tern City", "Heron Town")]);
  });

  it("are read from elements of their own", () => {
    const match = (home: string, score: string, away: string): string =>
      `<div class="flex"><span class="w-1/3 text-right">${home}</span><span class="font-mono">${score}</span><span class="w-1/3">${away}</span></div>`;
    const rows = league("en", [
      match("Orn Rovers", "3–1", "Gull United"),
      match("Tern City", "0–2", "Heron Town"),
    ]);
    expect(rows).toEqual([
      result("Orn Rovers", "Gull United", 3, 1),
      result("Tern City", "Heron Town", 0, 2),
    ]);
  });

  it.each([
    ["dates", "Orn Rovers v Gull United, 3–1 March", "Tern City v Heron Town, 2–4 April"],
    ["seasons", "Orn Rovers v Gull United 2025–26", "Tern City v Heron Town 2024–25"],
    ["missing", "Orn Rovers P–P Gull United", "Tern City P–P Heron Town"],
    [
      "those of a shoot-out",
      "Orn Rovers v Gull United (4–2 pens)",
      "Tern City v Heron Town (3–1 pens)",
    ],
  ])("have no goals when the numbers are %s", (_, first, second) => {
    expect(goalsIn(matchesOf("en", first, second))).toEqual([]);
  });

  it("have no goals when the numbers are kick-off times", () => {
    const rows = matchesOf("en", "Orn Rovers 15:30 Gull United", "Tern City 18:00 Heron Town");
    expect(goalsIn(rows)).toEqual([]);
  });

  it.each([
    ["a shoot-out or half-time score", "1–1", " (4–2 pens)", " (HT 0–2)"],
    ["a season", "v", " 2025–26", " 2024–25"],
    ["a date", "v", ", 3–5 March", ", 2–4 April"],
  ])("have teams without %s behind their name", (_, sign, first, second) => {
    const rows = matchesOf(
      "en",
      `Orn Rovers ${sign} Gull United${first}`,
      `Tern City ${sign} Heron Town${second}`,
    );
    for (const team of teamsIn(rows)) expect([undefined, ...TEAMS]).toContain(team);
  });

  it.each([
    ["en", "Date|Home|Result|Away"],
    ["de", "Datum|Heim|Ergebnis|Gast"],
    ["es", "Fecha|Local|Resultado|Visitante"],
  ])("have teams from columns for each side before there is a score (%s)", (lang, heads) => {
    const table = tableOf(
      heads.split("|"),
      ["7.3.2026", "Orn Rovers", "", "Gull United"],
      ["14.3.2026", "Tern City", "", "Heron Town"],
    );
    const rows = readRows(pageOf(lang, `<h1>League</h1>${table}`), "matches", MATCH);
    expect(rows).toEqual([
      fixture("Orn Rovers", "Gull United"),
      fixture("Tern City", "Heron Town"),
    ]);
  });

  it("stay silent when a record has two matches", () => {
    const rows = matchesOf(
      "en",
      "Orn Rovers 3–1 Gull United</p><p>Tern City 0–2 Heron Town",
      "Gull United 1–1 Tern City</p><p>Heron Town 2–2 Orn Rovers",
    );
    expect(goalsIn(rows)).toEqual([]);
  });

  it("stay silent when a heading and a paragraph hold a match each", () => {
    const rows = league("en", [
      "<h3>Orn Rovers 3–1 Gull United</h3><p>Tern City 0–2 Heron Town</p><p>7 March 2026</p>",
      "<h3>Gull United 1–1 Tern City</h3><p>Heron Town 2–2 Orn Rovers</p><p>8 March 2026</p>",
    ]);
    expect(goalsIn(rows)).toEqual([]);
  });

  it("stay silent for a span of hours between words", () => {
    expect(goalsIn(matchesOf("en", "Won 3–1", "Open 2–5 daily"))).toEqual([]);
  });
});
