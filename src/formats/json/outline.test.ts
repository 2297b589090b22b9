import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import { readOutline } from "./outline.ts";

const cpuOf = (html: string): number => {
  const page = parseHtml(html);
  const started = threadCpuMs();
  readOutline(page);
  return threadCpuMs() - started;
};

describe("labels", () => {
  it.each([
    ["<tr><td>Weight</td> <td>2 kg</td></tr>", ["Weight"]],
    ["<tr><td>Weight</td><td>2 kg</td><td>4 lb</td></tr>", []],
    ["<tr><td>alone</td></tr>", []],
  ])("of a row are the first of two cells: %s", (html, expected) => {
    const { labels } = readOutline(parseHtml(`<table>${html}</table>`));
    expect(labels.map(({ text }) => text)).toEqual(expected);
  });
});

describe("the outline of a page made to take long", () => {
  it.each([
    ["a row of 40,000 cells", `<table><tr>${"<td>x</td>".repeat(40_000)}</tr></table>`],
    ["a tower of 40,000 empty elements", "<div>".repeat(40_000)],
  ])("%s is read in little time", (_what, html) => {
    expect(cpuOf(html)).toBeLessThan(4_000);
  });
});
