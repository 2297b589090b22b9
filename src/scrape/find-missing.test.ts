import { describe, expect, it } from "vitest";
import type { Capture, ParsedFile } from "../capture.ts";
import type { Parser } from "../contract/page/parsers.ts";
import { findMissing } from "./find-missing.ts";
import { judgeFacts } from "../html/evidence/verdict.ts";
import { collectFacts } from "./judge-capture.ts";

type Status = ParsedFile["pages"][number]["status"];

/** A PDF of `totalPages` pages with these read. */
function pdf(totalPages: number, statuses: readonly Status[], warnings: readonly string[] = []) {
  const pages = statuses.map((status, index) => ({
    pageNumber: index + 1,
    width: 100,
    height: 100,
    status,
    blocks: [],
  }));
  const capture: Capture = {
    engine: "document",
    requestedUrl: "https://a.example/a.pdf",
    finalUrl: "https://a.example/a.pdf",
    redirects: [],
    statusCode: 200,
    headers: [],
    contentType: "application/pdf",
    mimeType: "application/pdf",
    body: Buffer.from("%PDF-1.7"),
    charset: undefined,
    fetchedAt: 0,
    proxyUsed: "basic",
    parsed: { markdown: "", html: "", pages, totalPages, warnings: [] },
    warnings,
  };
  return capture;
}

const parsers = (fields: { mode?: "fast" | "auto"; maxPages?: number } = {}): Parser[] => [
  { type: "pdf", mode: "auto", pages: false, pageMarkers: false, blocks: false, ...fields },
];

describe("findMissing", () => {
  it("names the pages of a PDF that ran out of time", () => {
    expect(findMissing(pdf(5, ["ok", "ok"]), { parsers: parsers() })).toBe(
      "2 of 5 pages were read completely",
    );
    expect(findMissing(pdf(2, ["ok", "partial"]), { parsers: parsers() })).toContain("1 of 2");
  });

  it("does not count pages beyond maxPages, nor pictures in mode fast, as missing", () => {
    const short = pdf(5, ["ok", "ok"]);
    expect(findMissing(short, { parsers: parsers({ maxPages: 2 }) })).toBeUndefined();
    const scans = pdf(2, ["ok", "partial"]);
    expect(findMissing(scans, { parsers: parsers({ mode: "fast" }) })).toBeUndefined();
    expect(findMissing(pdf(1, ["ok"]), { parsers: parsers() })).toBeUndefined();
  });

  it("reports nothing missing for a file that is returned unparsed", () => {
    expect(findMissing(pdf(5, ["ok"]), { parsers: [] })).toBeUndefined();
  });

  it("reports a truncated body", () => {
    const cut = pdf(1, ["ok"], ["The site broke off its answer; the page may be incomplete."]);
    expect(findMissing(cut, { parsers: parsers() })).toContain("The site broke off its answer");
  });
});

const judgeKind = (capture: Capture): string =>
  judgeFacts(collectFacts(capture, { parsers: parsers() }), undefined).kind;

it("a PDF that was read in part gets the verdict partial, one without text the verdict empty", () => {
  const whole = pdf(1, ["ok"]);
  expect(judgeKind(pdf(5, ["ok"]))).toBe("partial");
  expect(judgeKind(whole)).toBe("empty");
  const text = { type: "paragraph", markdown: "Text.", box: [0, 0, 1, 1], source: "text" } as const;
  const pages = whole.parsed?.pages.map((page) => ({
    ...page,
    blocks: [{ ...text, confidence: null }],
  }));
  const parsed = { markdown: "", html: "", totalPages: 1, warnings: [], pages: pages ?? [] };
  expect(judgeKind({ ...whole, parsed })).toBe("content");
  // The warning says it already.
  const silent = { ...parsed, pages: [], warnings: ["No text was recognized in the image."] };
  expect(judgeKind({ ...whole, parsed: { ...silent, totalPages: undefined } })).toBe("content");
});
