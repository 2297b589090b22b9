import { describe, expect, it } from "vitest";
import {
  BOOLEAN,
  NUMBER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const PLAN = { name: STRING, price: NUMBER, storage: STRING, sso: BOOLEAN };
const card = (name: string, price: string): string =>
  `<div class="rounded-2xl p-8 ring-1"><h3>${name}</h3><p class="text-4xl">${price}</p><a href="/buy" class="btn">Choose</a></div>`;
const cards = (...plans: readonly (readonly [string, string])[]): string =>
  `<div class="grid grid-cols-2">${plans.map((plan) => card(...plan)).join("")}</div>`;
const CARDS = cards(["Solo", "€9.00"], ["Crew", "€29.00"]);
const plansOf = (lang: string, body: string) =>
  readRows(pageOf(lang, `<h1>Pricing</h1>${body}`), "plans", PLAN);
const compare = (...rows: readonly (readonly string[])[]): string =>
  `<h2>Compare plans</h2>${tableOf(["Feature", "Solo", "Crew"], ...rows)}`;

describe("records with the same names in two lists", () => {
  it("complete each other, with marks and dashes as booleans", () => {
    expect(plansOf("en", CARDS + compare(["Storage", "5 GB", "50 GB"], ["SSO", "–", "✓"]))).toEqual(
      [
        { name: "Solo", price: 9, storage: "5 GB", sso: false },
        { name: "Crew", price: 29, storage: "50 GB", sso: true },
      ],
    );
  });

  it("complete each other when the table has its plans in another order", () => {
    const table = `<h2>Compare</h2>${tableOf(["Feature", "Crew", "Solo"], ["Storage", "50 GB", "5 GB"], ["SSO", "✓", "–"])}`;
    const rows = plansOf("en", CARDS + table);
    expect(rows.toSorted((a, b) => Number(a.price) - Number(b.price))).toEqual([
      { name: "Solo", price: 9, storage: "5 GB", sso: false },
      { name: "Crew", price: 29, storage: "50 GB", sso: true },
    ]);
  });

  it("keep dashes silent in a table without marks", () => {
    const rows = plansOf("en", CARDS + compare(["Storage", "5 GB", "50 GB"], ["SSO", "–", "–"]));
    expect(rows.map(({ sso }) => sso)).toEqual([undefined, undefined]);
  });

  it("are not completed by records with other names", () => {
    const table = `<h2>Compare</h2>${tableOf(["Feature", "Small", "Large"], ["Storage", "5 GB", "50 GB"], ["SSO", "–", "✓"])}`;
    for (const row of plansOf("en", CARDS + table).filter(({ price }) => price !== undefined))
      expect([row.storage, row.sso]).toEqual([undefined, undefined]);
  });

  it("are not completed when a name is used twice", () => {
    const twice = cards(["Solo", "€9.00"], ["Solo", "€90.00"], ["Crew", "€29.00"]);
    const table = `<h2>Compare</h2>${tableOf(["Feature", "Solo", "Solo", "Crew"], ["Storage", "5 GB", "8 GB", "50 GB"], ["SSO", "–", "✓", "✓"])}`;
    const solos = plansOf("en", twice + table).filter(({ name }) => name === "Solo");
    expect(solos.map(({ storage }) => storage)).toEqual(solos.map(() => undefined));
  });

  it.fails("have no price when the lists contradict each other (wrong: the price of the table)", () => {
    const rows = plansOf("en", CARDS + compare(["Price", "€90.00", "€290.00"], ["SSO", "–", "✓"]));
    for (const { name, price } of rows)
      expect([undefined, name === "Solo" ? 9 : 29]).toContain(price);
  });
});
