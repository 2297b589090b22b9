import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toMarkdown } from "../../html/markdown/markdown.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import { readCsv } from "./read-csv.ts";

const markdownOf = (text: string): string => readCsv(Buffer.from(text)).markdown;
const bodyOf = (text: string): string =>
  /<body>\n(.*)\n<\/body>/s.exec(readCsv(Buffer.from(text)).html)?.[1] ?? "";
const lines = (...text: string[]): string => text.join("\n");

describe("readCsv", () => {
  it("converts comma-separated values to one table, in Markdown and in HTML", () => {
    expect(readCsv(Buffer.from('Name,Value\nA,"1, 2"\n'))).toEqual({
      markdown: lines("| Name | Value |", "| --- | --- |", "| A | 1, 2 |"),
      html: '<!doctype html><html><head><meta charset="utf-8"></head><body>\n<table><tr><th>Name</th><th>Value</th></tr>\n<tr><td>A</td><td>1, 2</td></tr>\n</table>\n</body></html>',
      pages: [],
      totalPages: undefined,
      warnings: [],
    });
  });

  it.each([
    ["nothing", "", ""],
    ["empty lines", "\n \r\n,\n", ""],
    ["one cell", "1. just *one*\n", "1. just \\*one\\*"],
    ["names and nothing else", "a,b\n", lines("| a | b |", "| --- | --- |")],
    ["one column", "a\nb\n", lines("| a |", "| --- |", "| b |")],
  ])("converts a file with %s", (_, text, markdown) => {
    expect(markdownOf(text)).toBe(markdown);
  });

  it("keeps the column names when a row is wider or narrower", () => {
    expect(markdownOf("a,b\n1,2,3\n4\n")).toBe(
      lines("| a | b |  |", "| --- | --- | --- |", "| 1 | 2 | 3 |", "| 4 |  |  |"),
    );
    expect(markdownOf("a,a,\nx,y,z\n")).toBe(
      lines("| a | a |  |", "| --- | --- | --- |", "| x | y | z |"),
    );
  });

  it.each([
    ["numbers above numbers", "1,2\n3,4\n", false],
    ["a date above a date", "2024-01-02,x\n2024-01-03,y\n", false],
    ["a number beside a text, above a number", "Aal,12\nBo,13\n", false],
    ["years above years", "2019,2020\n2021,2022\n", false],
    ["years above other numbers", "town,2019,2020\nAal,3,4\n", true],
    ["numbers above text", "1,2\na,b\n", true],
    ["texts above texts", "a,b\nc,d\n", true],
  ])("detects if the first row is a header: %s", (_, text, isHeader) => {
    expect(markdownOf(text).startsWith("|  |")).toBe(!isHeader);
    expect(bodyOf(text).includes("<th>")).toBe(isHeader);
  });

  it("drops empty columns and rows", () => {
    expect(markdownOf("\na,,c\n,,\n1, ,3\n\n")).toBe(
      lines("| a | c |", "| --- | --- |", "| 1 | 3 |"),
    );
  });

  it("does not pad rows when one is much wider than all others", () => {
    const wide = Array.from({ length: 5_000 }, (_, at) => `w${at}`).join(",");
    const table = markdownOf(`a,b\n${"1,2\n".repeat(5_000)}${wide}\n`);
    expect(table.length).toBeLessThan(200_000);
    const [names, rule, first] = table.split("\n");
    expect(names).toBe(`| a | b |${"  |".repeat(4_998)}`);
    expect(rule).toBe(`|${" --- |".repeat(5_000)}`);
    expect(first).toBe("| 1 | 2 |");
  });

  it("keeps numbers and dates as written, and escapes text", () => {
    expect(markdownOf("n,d\n0012,1/2/2020\n1e5,TRUE\n1.50,1 000\n")).toContain(
      lines("| 0012 | 1/2/2020 |", "| 1e5 | TRUE |", "| 1.50 | 1 000 |"),
    );
    expect(
      markdownOf('a,b\n*x*,y | z\n<b>,"one\ntwo  three"\n&amp;,\\|\n').split("\n").slice(2),
    ).toEqual(["| \\*x\\* | y \\| z |", "| \\<b> | one two three |", "| \\&amp; | \\\\\\| |"]);
    expect(bodyOf('a,b\n<b>&,"x\n\t""y""\0"\n')).toContain(
      "<td>&lt;b&gt;&amp;</td><td>x  &quot;y&quot;</td>",
    );
  });

  it("decodes the file's charset with and without a byte order mark", () => {
    const latin = Buffer.from("Stra\xDFe;Gr\xF6\xDFe\nA;B\n", "latin1");
    expect(readCsv(latin, "text/csv; charset=iso-8859-1").markdown).toContain("| Straße | Größe |");
    const wide = Buffer.from("\uFEFFä,b\n1,2\n", "utf16le");
    expect(readCsv(wide).markdown).toContain("| ä | b |");
    expect(markdownOf('\uFEFF"ä",b\n1,2\n')).toContain("| ä | b |");
  });

  it("warns about a quote without an end", () => {
    const { markdown, warnings } = readCsv(Buffer.from('a,b\n1,"two\n3,4\n'));
    expect(markdown).toContain(lines('| 1 | "two |', "| 3 | 4 |"));
    expect(warnings).toEqual(["The quote in line 2 is never closed and was read as a character."]);
  });

  it("keeps a long table whole in Markdown, and warns when its HTML is cut", () => {
    const { markdown, html, warnings } = readCsv(Buffer.from(`a,b\n${"1,x\n".repeat(300_000)}`));
    expect(markdown.split("\n")).toHaveLength(300_002);
    expect(html.match(/<tr>/g)).toHaveLength(250_000);
    expect(html.endsWith("<tr><td>1</td><td>x</td></tr>\n</table>\n</body></html>")).toBe(true);
    expect(warnings).toEqual([
      "The HTML contains only the first 250000 of 300001 table rows; the Markdown contains all of them.",
    ]);
  });

  it("writes every character of a cell as in a page", () => {
    const cells: string[] = [];
    for (let code = 32; code < 0xff_ff; code++)
      if (code < 0xd8_00 || code > 0xdf_ff) cells.push(`${code},a${String.fromCharCode(code)}b`);
    for (let code = 0x1_00_00; code < 0x11_00_00; code += 97)
      cells.push(`${code},a${String.fromCodePoint(code)}b`);
    const text = `code,sign\n${cells.join("\n").replace('a"b', '"a""b"').replace("a,b", '"a,b"')}`;
    const { markdown, html } = readCsv(Buffer.from(text));
    expect(markdown.split("\n")).toEqual(toMarkdown(parseHtml(html)).split("\n"));
  });

  it("converts its own HTML to the same Markdown", () => {
    const cell = fc.string({
      unit: fc.constantFrom(...Array.from('ab1 *_`~<&[]()!\\|#-.é東\u00A0\u200B\n",;')),
      maxLength: 12,
    });
    const row = fc.array(cell, { minLength: 1, maxLength: 4 });
    const toRow = (cells: readonly string[]): string =>
      cells.map((value) => `"${value.replaceAll('"', '""')}"`).join(",");
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const file = readCsv(Buffer.from(["name,other", ...rows.map(toRow)].join("\n")));
        expect(file.markdown).toBe(toMarkdown(parseHtml(file.html)));
      }),
      { numRuns: 500 },
    );
  });
});
