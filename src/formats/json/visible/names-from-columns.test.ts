import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

describe("names from the column that has the noun of the list", () => {
  it("are texts", () => {
    const html = pageOf(
      "de",
      `<h1>Wahl</h1>${tableOf(
        ["Partei", "Stimmen", "Sitze"],
        ["Grünes Ufer", "4.120", "12"],
        ["Liste Hafen", "3.080", "9"],
      )}`,
    );
    expect(readRows(html, "parties", { name: STRING, votes: INTEGER })).toEqual([
      { name: "Grünes Ufer", votes: 4120 },
      { name: "Liste Hafen", votes: 3080 },
    ]);
  });

  it.each([
    ["en", "Campus|Students|Fee", "students"],
    ["de", "Standort|Studierende|Gebühr", "students"],
    ["fr", "Site|Équipes|Tarif", "teams"],
  ])("are not counts of the noun (%s: %s)", (lang, heads, list) => {
    const html = pageOf(
      lang,
      `<h1>Hull</h1>${tableOf(heads.split("|"), ["Harbor", "4120", "€60"], ["Hill", "3080", "€55"])}`,
    );
    const names = readRows(html, list, { name: STRING, fee: NUMBER }).map(({ name }) => name);
    expect(names).not.toContain("4120");
  });

  it("may be numbers in a column of texts", () => {
    const html = pageOf(
      "en",
      `<h1>Cinema</h1>${tableOf(["Film", "Price"], ["1917", "€9"], ["Orn", "€8"], ["Tern", "€8"])}`,
    );
    const names = readRows(html, "films", { name: STRING, price: NUMBER }).map(({ name }) => name);
    expect(names).toEqual(["1917", "Orn", "Tern"]);
  });
});
