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

describe("readOutline", () => {
  it.each([
    ["<tr><td>Weight</td> <td>2 kg</td></tr>", ["Weight"]],
    ["<tr><td>Weight</td><td>2 kg</td><td>4 lb</td></tr>", []],
    ["<tr><td>alone</td></tr>", []],
  ])("reads a row's label from the first of two cells: %s", (html, expected) => {
    const { labels } = readOutline(parseHtml(`<table>${html}</table>`));
    expect(labels.map(({ text }) => text)).toEqual(expected);
  });
});

describe("readOutline on slow pages", () => {
  it.each([
    ["a row of 40,000 cells", `<table><tr>${"<td>x</td>".repeat(40_000)}</tr></table>`],
    ["a tower of 40,000 empty elements", "<div>".repeat(40_000)],
  ])("reads %s quickly", (_what, html) => {
    expect(cpuOf(html)).toBeLessThan(4_000);
  });
});
