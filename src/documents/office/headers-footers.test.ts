import { describe, expect, it } from "vitest";
import { buildZip } from "../../../test/documents/zip.ts";
import { readParts } from "./archive-parts.ts";
import { readHeadersFooters, readSheetNames } from "./headers-footers.ts";

const part = (root: string, text: string): string =>
  `<?xml version="1.0"?><${root} xmlns:w="w"><w:p><w:r><w:t>${text}</w:t></w:r></w:p></${root}>`;

describe("readHeadersFooters and readSheetNames", () => {
  it("returns each header and footer once, without page numbers", () => {
    const file = buildZip({
      "word/document.xml": part("w:document", "Body"),
      "word/header1.xml": part("w:hdr", "Report &amp; annex"),
      "word/header2.xml": part("w:hdr", "Report &amp; annex"),
      "word/footer1.xml": `<w:ftr><w:p><w:r><w:t>Page </w:t></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>3</w:t></w:r></w:p><w:p><w:r><w:t>In</w:t></w:r><w:r><w:tab/><w:t>confidence</w:t></w:r></w:p></w:ftr>`,
    });
    expect(readHeadersFooters(file)).toEqual({
      headers: ["Report & annex"],
      footers: ["In confidence"],
    });
  });

  it("reads headers and footers only from the styles of OpenDocument files", () => {
    const file = buildZip({
      "content.xml": "<office:text><text:p>Body</text:p></office:text>",
      "styles.xml":
        "<office:master-styles><text:p>No</text:p><style:header><text:p>Head <text:span>words</text:span></text:p></style:header><style:footer><text:p>Foot</text:p></style:footer></office:master-styles>",
    });
    expect(readHeadersFooters(file)).toEqual({ headers: ["Head words"], footers: ["Foot"] });
  });

  it("reads the names of a workbook's sheets", () => {
    const xlsx = buildZip({
      "xl/workbook.xml": `<workbook><sheets><sheet name="Ships &amp; ports" sheetId="1"/><sheet name="Two" sheetId="2"/></sheets></workbook>`,
    });
    expect(readSheetNames(xlsx)).toEqual(["Ships & ports", "Two"]);
    const ods = buildZip({
      "content.xml": `<office:spreadsheet><table:table table:name="Ships"/></office:spreadsheet>`,
    });
    expect(readSheetNames(ods)).toEqual(["Ships"]);
  });

  it("returns nothing for files that are no archives, damaged, or too large when unpacked", () => {
    expect(readHeadersFooters(Buffer.from("{\\rtf1 text}"))).toEqual({ headers: [], footers: [] });
    const whole = buildZip({ "word/header1.xml": part("w:hdr", "Head") });
    for (let length = 0; length < whole.length; length += 7) {
      const cut = whole.subarray(0, length);
      expect(readHeadersFooters(cut)).toEqual({ headers: [], footers: [] });
    }
    const lying = Buffer.from(whole);
    lying.writeUInt32LE(0xff_ff_ff_f0, lying.length - 6);
    expect(readParts(lying, /header/).size).toBe(0);
    const bomb = buildZip({ "word/header1.xml": Buffer.alloc(50_000_000, 32) });
    expect(readParts(bomb, /header/).size).toBe(0);
    const large = Buffer.alloc(5_000_000, 32);
    const many = {
      "word/header1.xml": large,
      "word/header2.xml": large,
      "word/header3.xml": large,
    };
    expect([...readParts(buildZip(many), /header/).keys()]).toEqual(["word/header1.xml"]);
  });
});
