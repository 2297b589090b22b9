import { describe, expect, it } from "vitest";
import {
  NUMBER,
  pageOf,
  readObject,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const object = (properties: Record<string, unknown>) => ({ type: "object", properties });
const SIZES = { width_cm: NUMBER, height_cm: NUMBER, depth_cm: NUMBER, weight_kg: NUMBER };
const FIGURES = { revenue: NUMBER, profit: NUMBER };
const facts = (rows: Readonly<Record<string, string>>): string =>
  `<dl>${Object.entries(rows)
    .map(([label, value]) => `<div><dt>${label}</dt><dd>${value}</dd></div>`)
    .join("")}</dl>`;

describe("objects that group values of the page", () => {
  it.each(["dimensions", "details", "technical_specs", "key_figures"])(
    "have the few that it labels (%s)",
    (group) => {
      const html = pageOf("en", `<h1>Oak desk</h1>${facts({ Width: "140 cm" })}`);
      expect(readObject(html, { [group]: object(SIZES) })[group]).toEqual({ width_cm: 140 });
    },
  );
});

describe("objects that are a part of what the page shows", () => {
  it.each(["frame", "drawer"])("have no single value of the whole (%s)", (part) => {
    const html = pageOf("en", `<h1>Oak desk</h1>${facts({ Width: "140 cm" })}`);
    expect(readObject(html, { [part]: object(SIZES) })).toEqual({});
  });

  it("have a single value whose label names them", () => {
    const rows = { "Drawer width": "60 cm", Width: "140 cm" };
    const html = pageOf("en", `<h1>Oak desk</h1>${facts(rows)}`);
    expect(readObject(html, { drawer: object(SIZES) })).toEqual({ drawer: { width_cm: 60 } });
  });

  it("have most of their values without their name", () => {
    const rows = { Revenue: "120", Profit: "12" };
    const html = pageOf("en", `<h1>Third quarter</h1>${facts(rows)}`);
    expect(readObject(html, { quarter: object(FIGURES) })).toEqual({
      quarter: { revenue: 120, profit: 12 },
    });
  });
});

describe("objects that stand for another one than the page's", () => {
  it.each(["previous_quarter", "next_quarter", "prior_year", "competitor"])(
    "have no value of the page (%s)",
    (name) => {
      const table = tableOf(["Figure", "€m"], ["Revenue", "120"], ["Profit", "12"]);
      const html = pageOf("en", `<h1>Third quarter</h1>${table}`);
      expect(readObject(html, { [name]: object(FIGURES) })).toEqual({});
    },
  );

  it.each(["competitor", "record", "next"])("have no unlabeled price or rating (%s)", (name) => {
    const html = pageOf("en", `<h1>Oak desk</h1><p class="price">€49.00</p><p>4.5 out of 5</p>`);
    const other = object({ price: NUMBER, rating: NUMBER });
    expect(readObject(html, { price: NUMBER, [name]: other })).toEqual({ price: 49 });
  });

  it("have the labeled values below a heading with their name", () => {
    const html = pageOf(
      "en",
      `<h1>Results</h1><section><h2>This quarter</h2>${facts({ Revenue: "120", Profit: "12" })}</section><section><h2>Previous quarter</h2>${facts({ Revenue: "110", Profit: "9" })}</section>`,
    );
    expect(readObject(html, { previous_quarter: object(FIGURES) })).toEqual({
      previous_quarter: { revenue: 110, profit: 9 },
    });
  });

  it("have a labeled record", () => {
    const html = pageOf("en", `<h1>Orn Rovers</h1>${facts({ Wins: "12", Losses: "4" })}`);
    const record = object({ wins: NUMBER, losses: NUMBER });
    expect(readObject(html, { name: STRING, record }).record).toEqual({ wins: 12, losses: 4 });
  });
});
