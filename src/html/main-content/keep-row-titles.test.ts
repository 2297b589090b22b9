import { describe, expect, it } from "vitest";
import { parseHtml } from "../parse/parse.ts";
import { knownText } from "./block-text.ts";
import { segment } from "./blocks.ts";
import { keepRowTitles } from "./keep-row-titles.ts";
import type { Verdict } from "./verdict.ts";

/** How many names are kept beside the numbers, of which every second was. */
function keptNames(html: string, numbers: Verdict = "kept"): number {
  const page = segment(parseHtml(html), knownText("", ""));
  const isName = page.blocks.map(({ textStart }) => page.texts[textStart]!.data.startsWith("Team"));
  const verdicts = isName.map((is, index): Verdict =>
    is ? (index % 2 === 0 ? "kept" : "dropped") : numbers,
  );
  keepRowTitles(page, verdicts);
  return verdicts.filter((verdict, index) => isName[index] && verdict === "kept").length;
}

const tableOf = (rows: number, row: (index: number) => string): string =>
  `<table>${Array.from({ length: rows }, (_, index) => `<tr>${row(index)}</tr>`).join("")}</table>`;
const names = tableOf(6, (index) => `<td>Team ${index}</td>`);
const numbers = (rows: number): string => tableOf(rows, (index) => `<td>${index}</td><td>9</td>`);

describe("keepRowTitles", () => {
  it("keeps all names beside a kept table of as many rows", () => {
    expect(keptNames(`<div>${names}<div>${numbers(6)}</div></div>`)).toBe(6);
  });

  it("leaves them beside another table, one that is dropped, and above text", () => {
    expect(keptNames(`<div>${names}${numbers(5)}</div>`)).toBe(3);
    expect(keptNames(`<div>${names}${numbers(6)}</div>`, "dropped")).toBe(3);
    expect(keptNames(`<div>${names}<p>One</p><p>Two</p>${numbers(6)}</div>`)).toBe(3);
    expect(keptNames(`<div>${names}${names.replaceAll("Team", "x")}</div>`)).toBe(3);
  });
});
