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

const SALARY = { type: "object", properties: { min: NUMBER, max: NUMBER } };
const SPACES = [
  ["normal", " "],
  ["no-break", "\u00a0"],
  ["thin", "\u2009"],
  ["narrow no-break", "\u202f"],
] as const;
const facts = (lang: string, label: string, value: string): string =>
  pageOf(
    lang,
    `<h1>${lang === "fr" ? "Boulanger" : "Baker"}</h1><dl class="grid"><dt>${label}</dt><dd>${value}</dd></dl>`,
  );

describe("ranges whose numbers have spaces", () => {
  it.each(SPACES)("fill min and max of a salary with a %s space", (_, space) => {
    const value = `38${space}000${space}à${space}44${space}000${space}€ brut par an`;
    expect(readObject(facts("fr", "Salaire", value), { salary: SALARY })["salary"]).toEqual({
      min: 38_000,
      max: 44_000,
    });
  });

  it.each(SPACES)("fill salary_min and salary_max with a %s space", (_, space) => {
    const value = `38${space}000 – 44${space}000 €`;
    expect(
      readObject(facts("fr", "Rémunération", value), { salary_min: NUMBER, salary_max: NUMBER }),
    ).toEqual({ salary_min: 38_000, salary_max: 44_000 });
  });

  it.each(SPACES)("fill price_max with a %s space", (_, space) => {
    const value = `1${space}200 - 1${space}500 zł`;
    expect(
      readObject(facts("pl", "Cena", value), { price_min: NUMBER, price_max: NUMBER }),
    ).toMatchObject({ price_max: 1500 });
  });

  it.fails.each(SPACES)("fill price_min and price_max with a %s space", (_, space) => {
    const value = `1${space}200 - 1${space}500 zł`;
    expect(
      readObject(facts("pl", "Cena", value), { price_min: NUMBER, price_max: NUMBER }),
    ).toEqual({ price_min: 1200, price_max: 1500 });
  });

  it.each([
    ["a dash", "95–120k"],
    ["a dash with a currency", "$95–120k"],
    ["a letter behind both numbers", "95k–120k"],
    ["a letter behind both numbers and spaces", "$95k – $120k per year"],
  ])("fill salary_min and salary_max in thousands with %s", (_, value) => {
    expect(
      readObject(facts("en", "Salary", value), { salary_min: NUMBER, salary_max: NUMBER }),
    ).toEqual({ salary_min: 95_000, salary_max: 120_000 });
  });

  it.each([
    ["lines of a job", `<p class="salary">Salaire : 38 000 à 44 000 € brut annuel</p>`],
    ["de … à", `<dl><dt>Salaire</dt><dd>De 38 000 € à 44 000 €</dd></dl>`],
  ])("fill salary_min and salary_max from %s", (_, main) => {
    expect(
      readObject(pageOf("fr", `<h1>Boulanger</h1>${main}`), {
        salary_min: NUMBER,
        salary_max: NUMBER,
      }),
    ).toEqual({ salary_min: 38_000, salary_max: 44_000 });
  });

  it("fill a column of ranges row by row", () => {
    const table = tableOf(
      ["Poste", "Salaire"],
      ["Boulanger", "28\u202f000 à 32\u202f500 €"],
      ["Chef de projet", "45 000 – 52 000 €"],
      ["Pâtissier", "30\u00a0000 à 34\u00a0000 €"],
    );
    const rows = readRows(pageOf("fr", `<h1>Offres</h1>${table}`), "jobs", {
      title: STRING,
      salary_min: NUMBER,
      salary_max: NUMBER,
    });
    expect(rows).toEqual([
      { title: "Boulanger", salary_min: 28_000, salary_max: 32_500 },
      { title: "Chef de projet", salary_min: 45_000, salary_max: 52_000 },
      { title: "Pâtissier", salary_min: 30_000, salary_max: 34_000 },
    ]);
  });

  it("do not join a number before a comma to a range", () => {
    const { participants_min: min, participants_max: max } = readObject(
      facts("en", "Participants", "phase 3, 100–200"),
      { participants_min: INTEGER, participants_max: INTEGER },
    );
    expect([min ?? 100, max ?? 200]).toEqual([100, 200]);
  });

  it("do not join the number of a phase to a range of a price", () => {
    const { price_min: min, price_max: max } = readObject(
      facts("en", "Price", "phase 3, €100–200"),
      { price_min: NUMBER, price_max: NUMBER },
    );
    expect([min ?? 100, max ?? 200]).toEqual([100, 200]);
  });

  it.each([["Band 6, 38 000 – 44 000 €"], ["24 months, 38 000 – 44 000 €"]])(
    "start behind the comma of another number: %s",
    (value) => {
      expect(
        readObject(facts("en", "Salary", value), { salary_min: NUMBER, salary_max: NUMBER }),
      ).toEqual({ salary_min: 38_000, salary_max: 44_000 });
    },
  );

  it("do not join two numbers that are no thousands", () => {
    const { salary_min: min } = readObject(facts("en", "Salary", "Grade 12 38 000 – 44 000 €"), {
      salary_min: NUMBER,
      salary_max: NUMBER,
    });
    expect(min ?? 38_000).toBe(38_000);
  });

  it("are no range when a single amount has spaces", () => {
    const { salary_min: min, salary_max: max } = readObject(
      facts("fr", "Salaire", "à partir de 38 000 €"),
      { salary_min: NUMBER, salary_max: NUMBER },
    );
    expect([min ?? 38_000, max]).toEqual([38_000, undefined]);
  });
});
