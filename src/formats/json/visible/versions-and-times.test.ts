import { describe, expect, it } from "vitest";
import {
  CLOCK,
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  STRINGS,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

describe("versions of releases", () => {
  const versionsOf = (
    ...releases: readonly (readonly [title: string, more?: string])[]
  ): unknown[] =>
    readRows(
      pageOf(
        "en",
        `<h1>Releases</h1><div class="space-y-8">${releases.map(([title, more = ""]) => `<article class="release border-l"><h2>${title}</h2>${more}<p>Fixes a crash when a file is closed.</p></article>`).join("")}</div>`,
      ),
      "releases",
      { title: STRING, version: STRING },
    ).map(({ version }) => version);

  it("are read at the start of the title", () => {
    expect(versionsOf(["5.3.0 Stable"], ["5.2.1 LTS"], ["2.0.1-beta.2 Preview"])).toEqual([
      "5.3.0",
      "5.2.1",
      "2.0.1-beta.2",
    ]);
  });

  it("are read from the only text that is a version", () => {
    expect(
      versionsOf(
        ["Winter release", '<span class="badge">5.3.0</span>'],
        ["Summer release", '<span class="badge">5.2.1</span>'],
      ),
    ).toEqual(["5.3.0", "5.2.1"]);
  });

  it("are not read from titles that begin with a count", () => {
    expect(versionsOf(["5 reasons to update"], ["10 things to know"])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it.each([
    ["amounts", "3.5 million downloads", "1.2 million users"],
    ["sizes", "1.5 GB archive", "2.5 GB archive"],
    ["times", "10.30 Uhr Sprechstunde", "14.00 Uhr Sprechstunde"],
    ["dates", "12.03.2026 Maintenance", "14.04.2026 Maintenance"],
    ["percentages", "99.95 % uptime", "99.99 % uptime"],
  ])("are not read from titles that begin with %s", (_, first, second) => {
    expect(versionsOf([first], [second])).toEqual([undefined, undefined]);
  });

  it("are not read when two texts are versions", () => {
    const two = "<p>5.3.0</p><p>4.9.2</p>";
    expect(versionsOf(["Winter release", two], ["Summer release", two])).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("are not read from versions of other software within sentences", () => {
    expect(
      versionsOf(["Winter release", "<p>Needs Node 24.1.0 or newer.</p>"], ["Summer release"]),
    ).toEqual([undefined, undefined]);
  });
});

describe("times as HH:MM", () => {
  const timeOf = (lang: string, label: string, text: string, property: string): unknown =>
    readObject(
      pageOf(lang, `<h1>Hotel Orn</h1><dl class="divide-y"><dt>${label}</dt><dd>${text}</dd></dl>`),
      { [property]: CLOCK },
    )[property];

  it.each([
    ["de", "Check-out", "bis 10:30 Uhr", "check_out", "10:30"],
    ["fr", "Check-out", "jusqu’à 10h30", "check_out", "10:30"],
    ["nl", "Check-out", "tot 10.30 uur", "check_out", "10:30"],
  ])("are the only time of a text (%s: %s %s)", (lang, label, text, property, time) => {
    expect(timeOf(lang, label, text, property)).toBe(time);
  });

  it.each([
    ["de", "ab 15 Uhr"],
    ["en", "from 3 p.m."],
  ])("are full hours too (%s: %s)", (lang, text) => {
    expect(timeOf(lang, "Check-in", text, "check_in")).toBe("15:00");
  });

  it.each([
    ["de", "Check-in", "15:00 bis 22:00 Uhr", "check_in"],
    ["de", "Check-out", "10:30 Uhr, sonntags 12:00 Uhr", "check_out"],
    ["en", "Check-out", "10:30 or, on request, 12:30", "check_out"],
    ["en", "Check-in", "24-hour reception", "check_in"],
    ["en", "Check-in", "by arrangement", "check_in"],
    ["fr", "Check-in", "sous 24 h", "check_in"],
  ])(
    "are not read from a text without a single time (%s: %s %s)",
    (lang, label, text, property) => {
      expect(timeOf(lang, label, text, property)).toBeUndefined();
    },
  );
});

describe("lists in cells", () => {
  const cellsOf = (head: string, property: string, type: object, ...cells: readonly string[]) =>
    readRows(
      pageOf(
        "en",
        `<h1>Courses</h1>${tableOf(["Code", "Title", head], ...cells.map((cell, at) => [`HYD50${at}0`, ["Rivers", "Lakes", "Ice"][at] ?? "", cell]))}`,
      ),
      "courses",
      { code: STRING, title: STRING, [property]: type },
    ).map((row) => row[property]);

  it("are split at commas and semicolons", () => {
    expect(
      cellsOf(
        "Prerequisites",
        "prerequisites",
        STRINGS,
        "HYD4010, STA4105",
        "HYD4010; STA4105",
        "STA4105",
      ),
    ).toEqual([["HYD4010", "STA4105"], ["HYD4010", "STA4105"], ["STA4105"]]);
  });

  it("are empty for a dash", () => {
    const lists = cellsOf("Prerequisites", "prerequisites", STRINGS, "HYD4010", "–", "STA4105");
    expect(lists.map((list) => list ?? [])).toEqual([["HYD4010"], [], ["STA4105"]]);
  });

  it("are empty for “None”", () => {
    const lists = cellsOf("Prerequisites", "prerequisites", STRINGS, "HYD4010", "None");
    expect(lists.map((list) => list ?? [])).toEqual([["HYD4010"], []]);
  });

  it("keep commas within numbers", () => {
    expect(cellsOf("Weights", "weights", STRINGS, "1,200 kg", "1,500 kg", "900 kg")).toEqual([
      ["1,200 kg"],
      ["1,500 kg"],
      ["900 kg"],
    ]);
  });

  it("stay whole for a string", () => {
    expect(
      cellsOf("Prerequisites", "prerequisites", STRING, "HYD4010, STA4105", "STA4105"),
    ).toEqual(["HYD4010, STA4105", "STA4105"]);
  });
});

describe("changes of connections", () => {
  const changesOf = (lang: string, first: string, second: string): unknown[] =>
    readRows(
      pageOf(
        lang,
        `<h1>Leeds – York</h1><ul>${[
          ["06:35", "09:20", first],
          ["07:10", "11:00", second],
        ]
          .map(
            ([from, to, more]) =>
              `<li class="flex"><span>${from ?? ""}</span><span>${to ?? ""}</span>${more ?? ""}<span>€19.90</span></li>`,
          )
          .join("")}</ul>`,
      ),
      "connections",
      { departure: STRING, arrival: STRING, changes: INTEGER, price: NUMBER },
    ).map(({ changes }) => changes);

  it.each([
    ["en", "<span>Direct</span>", "<span>1 change</span>"],
    ["de", "<span>Direkt</span>", "<span>1 Umstieg</span>"],
    ["fr", "<span>Direct</span>", "<span>1 correspondance</span>"],
  ])("are 0 for direct connections (%s)", (lang, first, second) => {
    expect(changesOf(lang, first, second)).toEqual([0, 1]);
  });

  it.each([
    ["en", "<span>Direct debit accepted</span>", "<span>Pay by direct debit</span>"],
    ["en", "<button>Book direct</button>", "<button>Book direct</button>"],
    ["de", "<span>Direkt am Bahnhof</span>", "<span>Direkt buchen</span>"],
    ["en", '<a href="/d">Directions</a>', '<a href="/d">Directions</a>'],
    ["en", "<span>Not direct</span>", "<span>Indirect</span>"],
  ])("are not read from other uses of the word (%s: %s)", (lang, first, second) => {
    const changes = changesOf(lang, first, second);
    expect(changes).toEqual(changes.map(() => undefined));
  });
});
