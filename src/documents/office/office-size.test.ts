import { describe, expect, it } from "vitest";
import { buildZip } from "../../../test/documents/zip.ts";
import { assertOfficeFits } from "./office-size.ts";

const CELLS = 5_000;
const sheet = (cell: string, cells = CELLS): string =>
  `<worksheet><cols><col min="1"/></cols><sheetData><row>${cell.repeat(cells)}</row></sheetData></worksheet>`;
const workbook = (...sheets: readonly string[]): Buffer =>
  buildZip({
    "xl/workbook.xml": "<workbook/>",
    ...Object.fromEntries(sheets.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
  });
/** 10 MiB hold 5,000 cells. */
const MEMORY_MIB = CELLS / 500;

describe("assertOfficeFits", () => {
  it("counts the cells of all sheets, with and without a prefix, up to the limit exactly", async () => {
    const whole = workbook(sheet("<c><v>1</v></c>", 4_000), sheet('<x:c r="A1"/>', 1_000));
    await expect(assertOfficeFits(whole, MEMORY_MIB)).resolves.toBeUndefined();
    const more = workbook(sheet("<c><v>1</v></c>", 4_000), sheet('<x:c r="A1"/>', 1_001));
    await expect(assertOfficeFits(more, MEMORY_MIB)).rejects.toMatchObject({
      code: "SCRAPE_UNSUPPORTED_FILE_ERROR",
      message: expect.stringContaining("has more than 5000 cells"),
    });
  });

  it("counts cells that two pieces of the unpacked sheet share once", async () => {
    for (const pad of [0, 1, 2, 3, 4, 5, 6, 7]) {
      const padded = workbook(sheet(`<c r="A1"${" ".repeat(pad)}><v>123</v></c>`));
      await expect(assertOfficeFits(padded, MEMORY_MIB)).resolves.toBeUndefined();
      const more = workbook(sheet(`<c r="A1"${" ".repeat(pad)}><v>123</v></c>`, CELLS + 1));
      await expect(assertOfficeFits(more, MEMORY_MIB)).rejects.toThrow("more than 5000 cells");
    }
  });

  it("counts cells of OpenDocument sheets, and paragraphs of texts and slides", async () => {
    const cell = '<table:table-cell office:value="1"><text:p>1</text:p></table:table-cell>';
    const paragraph = "<w:p><w:pPr/><w:r><w:t>x</w:t></w:r></w:p>";
    for (const [name, element, kind] of [
      ["content.xml", cell, "cells"],
      ["word/document.xml", paragraph, "paragraphs"],
      ["ppt/slides/slide1.xml", '<a:p lvl="1"/>', "paragraphs"],
      ["content.xml", "<text:h>x</text:h>", "paragraphs"],
    ] as const) {
      const whole = buildZip({ [name]: element.repeat(CELLS) });
      await expect(assertOfficeFits(whole, MEMORY_MIB)).resolves.toBeUndefined();
      const more = buildZip({ [name]: element.repeat(CELLS + 1) });
      await expect(assertOfficeFits(more, MEMORY_MIB)).rejects.toThrow(
        `has more than 5000 ${kind}`,
      );
    }
  });

  it("refuses sheets that are too large unpacked, and passes damaged archives and other files", async () => {
    const blank = workbook(sheet("<c/>", 1) + " ".repeat(3_000_000));
    await expect(assertOfficeFits(blank, MEMORY_MIB)).rejects.toThrow("more than 2560000 bytes");
    const damaged = workbook(sheet("<c/>", 1));
    damaged.fill(7, damaged.indexOf("sheet1.xml") + 12, damaged.indexOf("sheet1.xml") + 30);
    await expect(assertOfficeFits(damaged, MEMORY_MIB)).resolves.toBeUndefined();
    await expect(assertOfficeFits(Buffer.from("a,b"), MEMORY_MIB)).resolves.toBeUndefined();
  });
});
