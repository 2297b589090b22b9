import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pdfFile } from "../../../test/documents/pdf-file.ts";
import { createOcrData } from "../ocr-data.ts";
import { readPdf } from "./read-pdf.ts";

const pages = (count: number): Buffer =>
  pdfFile(
    Array.from({ length: count }, (_, at) => ({
      lines: [{ x: 72, y: 90, text: `Page ${at + 1}` }],
    })),
  );
const options = { mode: "auto", maxPages: 10_000, ocr: undefined, budgetMs: 60_000 } as const;

describe("readPdf", () => {
  it("stops at maxPages and returns the total number of pages", async () => {
    const {
      pages: read,
      totalPages,
      warnings,
    } = await readPdf(pages(40), { ...options, maxPages: 20 });
    expect([read.length, totalPages, warnings]).toEqual([20, 40, []]);
  });

  it("returns the pages read so far with a warning when the time is up", async () => {
    const { pages: read, warnings } = await readPdf(pages(40), { ...options, budgetMs: 0 });
    expect(read.length).toBeGreaterThan(0);
    expect(read.length).toBeLessThan(40);
    expect(warnings.join()).toContain(`${read.length} of 40 pages`);
  });

  it("names the pages that are images when no text can be recognized", async () => {
    const file = pdfFile([{ lines: [{ x: 72, y: 90, text: "Text" }] }, { picture: "grey" }]);
    const { wanting, warnings } = await readPdf(file, options);
    expect([...wanting]).toEqual([[2, "partial"]]);
    expect(warnings.join()).toContain("language data");
  });

  it("returns finished pages when the time is up in the middle of another", async () => {
    const { ocr } = await createOcrData(join(tmpdir(), "quarry-ocr"), ["en"]).prepare([]);
    const file = pdfFile([{ lines: [{ x: 72, y: 90, text: "Text" }] }, { picture: "grey" }]);
    const told: number[] = [];
    const reading = await readPdf(file, {
      ...options,
      ocr,
      budgetMs: 40,
      onProgress: ({ pagesDone }) => told.push(pagesDone),
    });
    expect([...reading.wanting]).toEqual([[2, "partial"]]);
    expect(reading.pages[0]?.words.map(({ text }) => text)).toEqual(["Text"]);
    expect(reading.warnings.join()).toContain("before the text of pages 2 was recognized");
    expect(Math.max(...told)).toBe(1);
  });

  it("fails with insufficient time when the first page is a scan and no time is left", async () => {
    await expect(
      readPdf(pdfFile([{ picture: "grey" }]), { ...options, budgetMs: 0 }),
    ).rejects.toMatchObject({
      code: "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
      message: expect.stringContaining("Insufficient time to process PDF") as string,
    });
  });
});
