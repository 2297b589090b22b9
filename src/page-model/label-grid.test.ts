import { describe, expect, it } from "vitest";
import { parseHtml } from "../html/parse/parse.ts";
import { PageModel } from "./page-model.ts";

const modelOf = (html: string): PageModel => new PageModel(parseHtml(html));
const pairsOf = (html: string): string[] =>
  modelOf(html).pairs.map(({ label, value }) => `${label} = ${value}`);

const cells = (texts: readonly string[]): string =>
  texts.map((text) => `<div>${text}</div>`).join("");
const PERSON = cells(["E-mail", "ada@site.example", "Office", "3.05", "Phone", "555 0308"]);
const PAIRS = ["E-mail = ada@site.example", "Office = 3.05", "Phone = 555 0308"];

describe("grids of labels and values", () => {
  it.each([
    ["a fixed column", 'style="display:grid;grid-template-columns:120px 1fr"'],
    ["a column as wide as its labels", 'style="grid-template-columns: max-content auto"'],
    ["a class for that", 'class="grid grid-cols-[auto_1fr]"'],
  ])("reads labels as pairs, not as a table, in a grid with %s", (_, attribute) => {
    const html = `<div ${attribute}>${PERSON}</div>`;
    expect(pairsOf(html)).toEqual(PAIRS);
    expect(modelOf(html).grids).toEqual([]);
  });

  it("reads pairs where a style sheet declares the columns for a class", () => {
    const html = `<style>@media (min-width:40em){.who , .x{gap:4px;grid-template-columns:120px 1fr}}</style><div class="who">${PERSON}</div>`;
    expect(pairsOf(html)).toEqual(PAIRS);
  });

  it("reads a table where a style sheet declares more columns", () => {
    const html = `<style>.week{display:grid;grid-template-columns:repeat(3,minmax(0,1fr))}.week{gap:2px}@media (max-width:40em){.week{grid-template-columns:1fr}}</style>
      <div class="week">${cells(["Day", "High", "Low", "Mon", "11°", "4°", "Tue", "13°", "6°"])}</div>`;
    const [grid] = modelOf(html).grids;
    expect(grid?.headers).toEqual(["Day", "High", "Low"]);
    expect(grid?.rows.map(({ cells: row }) => row.map((cell) => cell?.text))).toEqual([
      ["Mon", "11°", "4°"],
      ["Tue", "13°", "6°"],
    ]);
  });

  it.each([
    [".other{grid-template-columns:repeat(3,1fr)}"],
    [".a .week{grid-template-columns:repeat(3,1fr)}"],
    [".week{grid-template-columns:repeat(auto-fill,100px)}"],
  ])("does not read a label grid as a table with the styles %s", (css) => {
    const html = `<style>${css}</style><div class="week">${cells(["Day", "High", "Low", "Mon", "11°", "4°", "Tue", "13°", "6°"])}</div>`;
    expect(modelOf(html).grids).toEqual([]);
  });

  it.each([
    ["columns of one width", 'style="grid-template-columns:1fr 1fr"', PERSON],
    [
      "a label that is a number",
      'style="grid-template-columns:120px 1fr"',
      cells(["2024", "Ada", "2025", "Bo"]),
    ],
    [
      "one label twice",
      'style="grid-template-columns:120px 1fr"',
      cells(["Name", "Ada", "Name", "Bo"]),
    ],
    ["a cell too many", 'style="grid-template-columns:120px 1fr"', `${PERSON}<div>More</div>`],
  ])("assumes no label grid with %s", (_, attribute, html) => {
    expect(pairsOf(`<div ${attribute}>${html}</div>`)).toEqual([]);
  });

  it("does not read an address as a column name", () => {
    const html = `<div style="grid-template-columns:1fr 1fr">${PERSON}</div>`;
    expect(modelOf(html).grids).toEqual([]);
  });
});

describe("words before a value", () => {
  it("uses all words before a value as its label, unless the last one is a month", () => {
    expect(pairsOf("<p>Mean wave height 2.1 m</p>")).toEqual(["Mean wave height = 2.1 m"]);
    expect(pairsOf("<p>Posted May 5</p>")).toEqual(["Posted = May 5"]);
  });
});
