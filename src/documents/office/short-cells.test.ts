import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { buildZip } from "../../../test/documents/zip.ts";
import { toMarkdown } from "../../html/markdown/markdown.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import { readPartBytes } from "./archive-parts.ts";
import { readOffice } from "./read-office.ts";
import { addCellColumns } from "./short-cells.ts";

const SHEET = "xl/worksheets/sheet1.bin";
const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};
const record = (id: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content);
  const length = body.length < 128 ? [body.length] : [(body.length % 128) | 0x80, body.length >> 7];
  return Buffer.concat([Buffer.from([id, ...length]), body]);
};
const style = number(7);
const row = record(0, Buffer.alloc(25));
const words = Buffer.from("x".repeat(126));
/** Two bytes, of which the first alone would mean a short cell. */
const other = Buffer.from([0x8d, 0x01, 2, 9, 9]);

const workbook = (sheet: Buffer): Buffer =>
  buildZip({ "xl/workbook.bin": "book", [SHEET]: sheet, "docProps/app.xml": "<a/>" });
const lengthened = (sheet: Buffer): Buffer | undefined =>
  readPartBytes(addCellColumns(workbook(sheet)), /./, 1e6).get(SHEET);

describe("addCellColumns", () => {
  it("adds the column to each cell of a binary workbook that omits it", () => {
    const sheet = Buffer.concat([
      row,
      other,
      record(2, number(3), style, number(40)),
      record(13, style, number(44)),
      record(17, style, words),
      row,
      record(15, style, Buffer.from([1])),
      record(62, number(5), style),
      record(12, style),
    ]);
    const whole = Buffer.concat([
      row,
      other,
      record(2, number(3), style, number(40)),
      record(2, number(4), style, number(44)),
      record(6, number(5), style, words),
      row,
      record(4, number(0), style, Buffer.from([1])),
      record(62, number(5), style),
      record(1, number(6), style),
    ]);
    expect(lengthened(sheet)).toEqual(whole);
    const again = workbook(whole);
    expect(addCellColumns(again)).toBe(again);
  });

  it("leaves damaged workbooks and other files unchanged", () => {
    for (const file of [
      workbook(Buffer.concat([record(13, style, number(4)), Buffer.from([13, 100, 1])])),
      workbook(Buffer.alloc(0)),
      buildZip({ [SHEET]: record(13, style) }),
      Buffer.from("no archive"),
    ])
      expect(addCellColumns(file)).toBe(file);
  });

  it("lets the parser read all columns, dates and sheets of a binary workbook", async () => {
    const file = readFileSync(new URL("../../../test/documents/short-cells.xlsb", import.meta.url));
    const { html } = await readOffice(file, undefined, 1_024);
    const markdown = toMarkdown(parseHtml(html), { base: "http://localhost/" });
    expect(markdown.split("\n").filter((line) => line !== "")).toEqual([
      "## Harbours",
      "| Town | Ships | Since | Share | Open |",
      "| --- | --- | --- | --- | --- |",
      "| Aal | 12 | 1998-05-17 | 0.25 | TRUE |",
      "| Größe & \\<b> | 3.5 | 2024-02-29 | 1 | FALSE |",
      "| Sum | 15.5 |  |  |  |",
      "## Second",
      "| x | y |",
      "| --- | --- |",
      "| 1 | 2 |",
    ]);
  });
});
