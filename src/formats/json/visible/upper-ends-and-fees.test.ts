import { describe, expect, it } from "vitest";
import {
  INTEGER,
  NUMBER,
  pageOf,
  readObject,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const MAX = { name: STRING, max_employees: INTEGER };
const BOTH = { name: STRING, min_employees: INTEGER, max_employees: INTEGER };
const line = (text: string): string => `<p class="mt-2">${text}</p>`;
const labeled = (text: string): string => `<dl><dt>Employees</dt><dd>${text}</dd></dl>`;

describe("upper and lower ends", () => {
  const endsOf = (
    lang: string,
    properties: Record<string, unknown>,
    ...parts: readonly string[]
  ): unknown[] => {
    const cards = parts.map(
      (part, at) =>
        `<div class="card"><h3>${["Solo", "Crew"][at] ?? ""}</h3><p>€${at + 1}9.00</p>${part}</div>`,
    );
    const html = pageOf(lang, `<h1>Plans</h1><div class="grid">${cards.join("")}</div>`);
    return readRows(html, "plans", properties).map(({ min_employees, max_employees }) => [
      min_employees,
      max_employees,
    ]);
  };
  const UPPER = [
    [undefined, 15],
    [undefined, 50],
  ];
  const NONE = [
    [undefined, undefined],
    [undefined, undefined],
  ];

  it.each([
    ["en", "up to 15 employees", "up to 50 employees"],
    ["de", "bis zu 15 Mitarbeitende", "bis zu 50 Mitarbeitende"],
  ])("give the upper end for “up to” before the noun (%s)", (lang, first, second) => {
    expect(endsOf(lang, MAX, line(first), line(second))).toEqual(UPPER);
  });

  it("give only the upper end for “up to” behind a label", () => {
    expect(endsOf("en", BOTH, labeled("Up to 15"), labeled("Up to 50"))).toEqual(UPPER);
  });

  it("give the upper end without a label when the schema has both ends", () => {
    expect(endsOf("en", BOTH, line("up to 15 employees"), line("up to 50 employees"))).toEqual(
      UPPER,
    );
  });

  it("give no lower end for “up to” behind a label with the noun", () => {
    const parts = [labeled("up to 15 employees"), labeled("up to 50 employees")];
    expect(endsOf("en", BOTH, ...parts)).toEqual(UPPER);
  });

  it.each([
    ["en", "Up to 15 GB of storage", "Up to 50 GB of storage"],
    ["en", "Up to 15 % off", "Up to 50 % off"],
    ["de", "Bis zu 15 Standorte", "Bis zu 50 Standorte"],
  ])("are not read from other things (%s: %s)", (lang, first, second) => {
    expect(endsOf(lang, MAX, line(first), line(second))).toEqual(NONE);
  });

  it.each([
    ["a line", line],
    ["a label", labeled],
  ] as const)("give no upper end for “from” in %s", (_, part) => {
    expect(endsOf("en", MAX, part("From 15 employees"), part("At least 50 employees"))).toEqual(
      NONE,
    );
  });
});

describe("the fee for a dog", () => {
  const feeOf = (lang: string, body: string): unknown =>
    readObject(pageOf(lang, `<h1>Hotel Orn</h1>${body}`), { dog_fee_per_night: NUMBER })
      .dog_fee_per_night;

  it.each([
    ["en", "<dl><dt>Dog fee per night</dt><dd>€12</dd></dl>"],
    ["en", "<table><tr><th>Dog per night</th><td>€12</td></tr></table>"],
  ])("is read where a label names dog and night (%s: %s)", (lang, body) => {
    expect(feeOf(lang, body)).toBe(12);
  });

  it.fails.each([
    ["en", "<dl><dt>Dogs</dt><dd>€12 per night</dd></dl>"],
    ["en", "<dl><dt>Dog fee</dt><dd>€12 per night</dd></dl>"],
    ["de", "<dl><dt>Hund</dt><dd>12 € pro Nacht</dd></dl>"],
  ])("is read where the amount names the night (%s: %s)", (lang, body) => {
    expect(feeOf(lang, body)).toBe(12);
  });

  it.each([
    ["en", "<p>Rooms from €120 per night.</p><p>Dogs welcome.</p>"],
    ["en", "<dl><dt>Breakfast</dt><dd>€15 per night</dd><dt>Dogs</dt><dd>on request</dd></dl>"],
    ["en", "<dl><dt>Tourist tax</dt><dd>€2 per night</dd></dl>"],
    ["en", "<dl><dt>Parking</dt><dd>€10 per night</dd></dl>"],
    ["de", "<dl><dt>Hunde</dt><dd>auf Anfrage</dd><dt>Zusatzbett</dt><dd>25 € pro Nacht</dd></dl>"],
    ["fr", "<p>Chambre double : 120 € par nuit</p><p>Chiens acceptés</p>"],
    ["en", "<dl><dt>Cat fee per night</dt><dd>€8</dd></dl>"],
    ["en", "<dl><dt>Dogs</dt><dd>free, final cleaning €40</dd></dl>"],
  ])("is never the price of something else (%s: %s)", (lang, body) => {
    expect([undefined, 0]).toContain(feeOf(lang, body));
  });

  it("is never a fee per night that names no dog", () => {
    expect(feeOf("en", "<ul><li>Fee per night: €120</li></ul>")).toBeUndefined();
  });
});
