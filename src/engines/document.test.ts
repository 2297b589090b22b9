import { expect, it, vi } from "vitest";
import { warnIncomplete, type Capture } from "../capture.ts";
import { Deadline } from "../deadline.ts";
import type { DocumentPool } from "../documents/pool.ts";
import type { ParseProgress } from "../documents/protocol.ts";
import { TargetError } from "../errors.ts";
import { createDocumentEngine } from "./document.ts";

const PDF: Capture = {
  engine: "http",
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
  warnings: [],
};

const WISHES = {
  parsers: [{ type: "pdf", mode: "auto", pages: false, pageMarkers: false, blocks: false }],
  languages: [],
} as const;

/** The error of a PDF whose time passes after the process has told how far it was. */
async function fault(...told: readonly ParseProgress[]): Promise<unknown> {
  using deadline = Deadline.start(60_000);
  const pool: DocumentPool = {
    async parse(_work, late, onProgress) {
      for (const progress of told) onProgress?.(progress);
      throw late.expiry();
    },
    close: async () => undefined,
  };
  const ocr = { prepare: async () => ({ ocr: undefined, missing: [] }) };
  return await createDocumentEngine({ pool, ocr })
    .parse(PDF, WISHES, deadline)
    .catch((error: unknown) => error);
}

it("a PDF for which the time did not suffice tells how far it came, and what the rest would take", async () => {
  expect(
    await fault({ pagesDone: 1, pagesWanted: 9 }, { pagesDone: 4, pagesWanted: 9 }),
  ).toMatchObject({
    code: "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
    message: expect.stringContaining("4 of 9 pages were done"),
    details: { documentPages: 9, pagesDone: 4, estimatedRemainingSeconds: expect.any(Number) },
  });
});

it("says of a damaged file that only a part of it came", async () => {
  const pool: DocumentPool = {
    parse: () =>
      Promise.reject(new TargetError("SCRAPE_UNSUPPORTED_FILE_ERROR", "The PDF is damaged.")),
    close: async () => undefined,
  };
  const ocr = { prepare: async () => ({ ocr: undefined, missing: [] }) };
  using deadline = Deadline.start(60_000);
  const parse = (warnings: readonly string[]): Promise<Capture> =>
    createDocumentEngine({ pool, ocr }).parse({ ...PDF, warnings }, WISHES, deadline);
  await expect(parse([warnIncomplete("The site sent 5 of 9 bytes")])).rejects.toThrow(
    "The site sent 5 of 9 bytes; the page may be incomplete. The PDF is damaged.",
  );
  await expect(parse([])).rejects.toThrow(/^The PDF is damaged\.$/);
});

it("says nothing of the rest where no page was done, and nothing at all before the pages were counted", async () => {
  const none = await fault({ pagesDone: 0, pagesWanted: 9 });
  expect((none as { details: unknown }).details).toEqual({ documentPages: 9, pagesDone: 0 });
  expect(await fault()).toMatchObject({ details: undefined });
});

it("tells while it reads how far a long PDF is, not of each page", async () => {
  const told: ParseProgress[] = [];
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const pool: DocumentPool = {
    async parse(_work, late, onProgress) {
      for (let page = 1; page <= 65; page++) {
        now += 100;
        onProgress?.({ pagesDone: page, pagesWanted: 65 });
      }
      throw late.expiry();
    },
    close: async () => undefined,
  };
  using deadline = Deadline.start(60_000);
  const ear = { everyMs: 2_000, onProgress: (progress: ParseProgress) => told.push(progress) };
  const ocr = { prepare: async () => ({ ocr: undefined, missing: [] }) };
  await expect(
    createDocumentEngine({ pool, ocr, ear }).parse(PDF, WISHES, deadline),
  ).rejects.toThrow("65 of 65 pages");
  clock.mockRestore();
  expect(told.map(({ pagesDone }) => pagesDone)).toEqual([20, 40, 60, 65]);
});
