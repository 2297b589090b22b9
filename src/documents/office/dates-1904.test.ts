import { describe, expect, it } from "vitest";
import { buildZip } from "../../../test/documents/zip.ts";
import { fixDates1904 } from "./dates-1904.ts";

const html = (...cells: readonly string[]): string =>
  cells.map((cell) => `<td><p>${cell}</p></td>`).join("");
const workbook = (properties: string, strings = ""): Buffer =>
  Buffer.from(
    buildZip({
      "xl/workbook.xml": `<workbook><workbookPr ${properties}/></workbook>`,
      "xl/sharedStrings.xml": `<sst><si><t>${strings}</t></si></sst>`,
    }),
  );

describe("fixDates1904", () => {
  it("shifts dates of a workbook with the 1904 date system and keeps their time", () => {
    const given = html("2011-12-31", "2012-04-27 11:30:00", "2011", "9999-99-99");
    const right = html("2016-01-01", "2016-04-28 11:30:00", "2011", "9999-99-99");
    expect(fixDates1904(given, workbook(`date1904="1"`))).toBe(right);
    expect(fixDates1904(given, workbook(`backupFile="0" date1904="true"`))).toBe(right);
  });

  it("keeps texts that only look like dates", () => {
    const given = html("2011-12-31");
    expect(fixDates1904(given, workbook(`date1904="1"`, "2011-12-31"))).toBe(given);
  });

  it("shifts dates only if the workbook declares the 1904 date system", () => {
    const given = html("2011-12-31");
    expect(fixDates1904(given, workbook(`date1904="0"`))).toBe(given);
    expect(fixDates1904(given, Buffer.from("a,b"))).toBe(given);
  });
});
