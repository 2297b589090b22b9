import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const HEADS = ["Code", "Title", "Credits"];
const kind = (description: string) => ({ type: "string", description });
const MODULE = { code: STRING, title: STRING, credits: INTEGER };
const part = (heading: string, ...rows: readonly (readonly string[])[]): string =>
  `<section class="mt-8"><h2 class="text-xl font-semibold">${heading}</h2>${tableOf(HEADS, ...rows)}</section>`;
const KNOTS = ["SEA101", "Knots", "5"];
const SAILS = ["SEA102", "Sails", "10"];
const TIDES = ["SEA201", "Tides", "5"];
const STARS = ["SEA202", "Stars", "10"];
const modulesOf = (lang: string, body: string, description: string) =>
  readRows(pageOf(lang, `<h1>Seamanship</h1>${body}`), "modules", {
    ...MODULE,
    kind: kind(description),
  });

describe("tables in parts", () => {
  it("joins tables with the same columns in page order, with the option that each heading names", () => {
    const body = part("Elective modules", TIDES, STARS) + part("Compulsory modules", KNOTS, SAILS);
    expect(modulesOf("en", body, "Compulsory or elective")).toEqual([
      { code: "SEA201", title: "Tides", credits: 5, kind: "Elective" },
      { code: "SEA202", title: "Stars", credits: 10, kind: "Elective" },
      { code: "SEA101", title: "Knots", credits: 5, kind: "Compulsory" },
      { code: "SEA102", title: "Sails", credits: 10, kind: "Compulsory" },
    ]);
  });

  it("joins three tables when the headings are siblings of the tables", () => {
    const body = [
      ["Year 1", KNOTS],
      ["Year 2", SAILS],
      ["Year 3", TIDES],
    ]
      .map(
        ([heading, row]) =>
          `<h3>${heading as string}</h3>${tableOf(HEADS, row as string[], STARS)}`,
      )
      .join("");
    const rows = readRows(pageOf("en", `<h1>Seamanship</h1>${body}`), "modules", MODULE);
    expect(rows.map(({ code }) => code)).toEqual([
      "SEA101",
      "SEA202",
      "SEA102",
      "SEA202",
      "SEA201",
      "SEA202",
    ]);
  });

  it.fails("takes the option of a French heading in the plural", () => {
    const body = part("Cours obligatoires", KNOTS, SAILS) + part("Cours facultatifs", TIDES, STARS);
    expect(
      modulesOf("fr", body, "Obligatoire ou facultatif").map(({ kind }) =>
        String(kind).toLowerCase(),
      ),
    ).toEqual(["obligatoire", "obligatoire", "facultatif", "facultatif"]);
  });

  it("fills a property named like one part only from that part", () => {
    const list = { type: "array", items: { type: "object", properties: MODULE } };
    const body = part("Compulsory", KNOTS, SAILS) + part("Elective", TIDES, STARS);
    const value = readObject(pageOf("en", `<h1>Seamanship</h1>${body}`), {
      compulsory: list,
      elective: list,
    });
    const codes = (name: keyof typeof value): unknown =>
      (value[name] as readonly { readonly code?: string }[] | undefined)?.map(({ code }) => code);
    expect([codes("compulsory"), codes("elective")]).toEqual([
      ["SEA101", "SEA102"],
      ["SEA201", "SEA202"],
    ]);
  });

  it("leaves out tables with other columns", () => {
    const lecturers = `<h2>Lecturers</h2>${tableOf(["Name", "Office", "Telephone"], ["Ada Holm", "B 12", "0113 496 0001"], ["Jon Lind", "B 14", "0113 496 0002"])}`;
    const body = part("Compulsory", KNOTS, SAILS) + lecturers + part("Elective", TIDES, STARS);
    expect(modulesOf("en", body, "Compulsory or elective").map(({ title }) => title)).toEqual([
      "Knots",
      "Sails",
      "Tides",
      "Stars",
    ]);
  });

  it.each([
    ["no option", "Autumn term", "Spring term"],
    ["both options", "Compulsory and elective modules", "Compulsory or elective: ask us"],
    ["the opposite of an option", "Non-compulsory modules", "Non-elective modules"],
  ])("takes no option from a heading that names %s", (_, first, second) => {
    const rows = modulesOf(
      "en",
      part(first, KNOTS, SAILS) + part(second, TIDES, STARS),
      "Compulsory or elective",
    );
    expect(rows.map(({ kind }) => kind)).toEqual(rows.map(() => undefined));
    expect(rows).toHaveLength(4);
  });

  it("takes no option behind “not”", () => {
    const body = part("Not compulsory", KNOTS, SAILS) + part("Not elective", TIDES, STARS);
    const kinds = modulesOf("en", body, "Compulsory or elective").map(({ kind }) => kind);
    expect(kinds).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("does not take the German option that is only part of another option's word", () => {
    const rows = modulesOf(
      "de",
      part("Pflichtmodule", KNOTS, SAILS) + part("Wahlpflichtmodule", TIDES, STARS),
      "Pflicht oder Wahlpflicht",
    );
    expect(rows).toHaveLength(4);
    expect(rows.slice(2).map(({ kind }) => kind)).not.toContain("Pflicht");
  });
});

describe("columns as records", () => {
  const plansOf = (lang: string, table: string, properties: Record<string, unknown>) =>
    readRows(pageOf(lang, `<h1>Boats</h1>${table}`), "boats", properties);

  it("reads columns with distinct names as records", () => {
    const table = tableOf(
      ["", "Heron", "Gull", "Tern"],
      ["Length", "7.2 m", "9.1 m", "5.4 m"],
      ["Builder", "Orn Yard", "Voss & Sons", "Orn Yard"],
      ["Price", "€9,000", "€12,500", "€4,000"],
    );
    expect(plansOf("en", table, { name: STRING, builder: STRING, price: NUMBER })).toEqual([
      { name: "Heron", builder: "Orn Yard", price: 9000 },
      { name: "Gull", builder: "Voss & Sons", price: 12500 },
      { name: "Tern", builder: "Orn Yard", price: 4000 },
    ]);
  });

  it("reads columns as records on a German page whose row labels are header cells", () => {
    const table =
      '<table><thead><tr><td></td><th>Reiher</th><th>Möwe</th></tr></thead><tbody><tr><th scope="row">Werft</th><td>Orn</td><td>Voss</td></tr><tr><th scope="row">Preis</th><td>9.000,00 €</td><td>12.500,00 €</td></tr></tbody></table>';
    expect(plansOf("de", table, { name: STRING, werft: STRING, preis: NUMBER })).toEqual([
      { name: "Reiher", werft: "Orn", preis: 9000 },
      { name: "Möwe", werft: "Voss", preis: 12500 },
    ]);
  });

  it.each([
    ["quarters", ["", "Q1 2026", "Q2 2026", "Q3 2026"]],
    ["repeated changes", ["", "2026", "Change", "Change"]],
    ["repeated names", ["", "Heron", "Heron", "Heron"]],
    ["periods of German reports", ["", "1. Halbjahr 2026", "1. Halbjahr 2025", "Veränderung"]],
  ])("does not read columns as records when their heads are %s", (_, heads) => {
    const table = tableOf(
      heads,
      ["Price", "€9,000", "€12,500", "€4,000"],
      ["Builder", "Orn", "Voss", "Krag"],
    );
    const rows = plansOf("en", table, { name: STRING, builder: STRING, price: NUMBER });
    expect(rows.filter(({ name }) => heads.includes(String(name)))).toEqual([]);
  });

  it("does not read columns as records when their heads are months", () => {
    const table = tableOf(
      ["", "January", "February", "March"],
      ["Price", "€9,000", "€12,500", "€4,000"],
      ["Builder", "Orn", "Voss", "Krag"],
    );
    expect(plansOf("en", table, { name: STRING, builder: STRING, price: NUMBER })).toEqual([]);
  });
});
