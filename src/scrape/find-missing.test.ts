import { describe, expect, it } from "vitest";
import type { Capture, ParsedFile } from "../capture.ts";
import type { Parser } from "../contract/page/parsers.ts";
import { findMissing } from "./find-missing.ts";
import { judgeCapture } from "./judge-capture.ts";

type Status = ParsedFile["pages"][number]["status"];

/** A PDF of `totalPages` pages, of which these were read. */
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
  it("names the pages of a PDF for which the time did not suffice", () => {
    expect(findMissing(pdf(5, ["ok", "ok"]), { parsers: parsers() })).toBe(
      "2 of 5 pages were read completely",
    );
    expect(findMissing(pdf(2, ["ok", "partial"]), { parsers: parsers() })).toContain("1 of 2");
  });

  it("misses no pages beyond maxPages, and no pictures in mode fast", () => {
    const short = pdf(5, ["ok", "ok"]);
    expect(findMissing(short, { parsers: parsers({ maxPages: 2 }) })).toBeUndefined();
    const scans = pdf(2, ["ok", "partial"]);
    expect(findMissing(scans, { parsers: parsers({ mode: "fast" }) })).toBeUndefined();
    expect(findMissing(pdf(1, ["ok"]), { parsers: parsers() })).toBeUndefined();
  });

  it("misses nothing of a file that is returned as it is", () => {
    expect(findMissing(pdf(5, ["ok"]), { parsers: [] })).toBeUndefined();
  });

  it("names a body that was cut off", () => {
    const cut = pdf(1, ["ok"], ["The site broke off its answer; the page may be incomplete."]);
    expect(findMissing(cut, { parsers: parsers() })).toContain("The site broke off its answer");
  });
});

it("judges a PDF that was read in part as partial", () => {
  const none = { evidence: undefined };
  expect(judgeCapture(pdf(5, ["ok"]), none, { parsers: parsers() }).kind).toBe("partial");
  expect(judgeCapture(pdf(1, ["ok"]), none, { parsers: parsers() }).kind).toBe("content");
});
