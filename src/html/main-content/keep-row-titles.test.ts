import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { buildKnownText } from "./block-text.ts";
import { segmentPage } from "./blocks.ts";
import { keepRowTitles } from "./keep-row-titles.ts";
import type { Verdict } from "./verdict.ts";

/** Counts the kept names beside the numbers; every second name was kept before. */
function countKeptNames(html: string, buildNumberTable: Verdict = "kept"): number {
  const page = segmentPage(parseHtml(html), buildKnownText("", ""));
  const isName = page.blocks.map(({ textStart }) => page.texts[textStart]!.data.startsWith("Team"));
  const verdicts = isName.map((is, index): Verdict =>
    is ? (index % 2 === 0 ? "kept" : "dropped") : buildNumberTable,
  );
  keepRowTitles(page, verdicts);
  return verdicts.filter((verdict, index) => isName[index] && verdict === "kept").length;
}

const buildTable = (rows: number, row: (index: number) => string): string =>
  `<table>${Array.from({ length: rows }, (_, index) => `<tr>${row(index)}</tr>`).join("")}</table>`;
const names = buildTable(6, (index) => `<td>Team ${index}</td>`);
const numbers = (rows: number): string =>
  buildTable(rows, (index) => `<td>${index}</td><td>9</td>`);

describe("keepRowTitles", () => {
  it("keeps all row titles beside a kept table with as many rows", () => {
    expect(countKeptNames(`<div>${names}<div>${numbers(6)}</div></div>`)).toBe(6);
  });

  it("leaves row titles beside another table, beside a dropped table, and above text", () => {
    expect(countKeptNames(`<div>${names}${numbers(5)}</div>`)).toBe(3);
    expect(countKeptNames(`<div>${names}${numbers(6)}</div>`, "dropped")).toBe(3);
    expect(countKeptNames(`<div>${names}<p>One</p><p>Two</p>${numbers(6)}</div>`)).toBe(3);
    expect(countKeptNames(`<div>${names}${names.replaceAll("Team", "x")}</div>`)).toBe(3);
  });
});
