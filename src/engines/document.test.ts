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

/** The error of a PDF whose deadline passes after the process reported this progress. */
async function fault(...told: readonly ParseProgress[]): Promise<unknown> {
  using deadline = Deadline.start(60_000);
  const pool: DocumentPool = {
    async parse(_work, late, onProgress) {
      for (const progress of told) onProgress?.(progress);
      throw late.createExpiry();
    },
    close: async () => undefined,
  };
  const ocr = { prepare: async () => ({ ocr: undefined, missing: [] }) };
  return await createDocumentEngine({ pool, ocr })
    .parse(PDF, WISHES, deadline)
    .catch((error: unknown) => error);
}

it("a PDF that runs out of time reports its progress and an estimate for the rest", async () => {
  expect(
    await fault({ pagesDone: 1, pagesWanted: 9 }, { pagesDone: 4, pagesWanted: 9 }),
  ).toMatchObject({
    code: "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR",
    message: expect.stringContaining("4 of 9 pages were done"),
    details: { documentPages: 9, pagesDone: 4, estimatedRemainingSeconds: expect.any(Number) },
  });
});

it("reports a damaged file as incomplete", async () => {
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

it("a PDF timeout gives no estimate before the first page and no progress before pages are counted", async () => {
  const none = await fault({ pagesDone: 0, pagesWanted: 9 });
  expect((none as { details: unknown }).details).toEqual({ documentPages: 9, pagesDone: 0 });
  expect(await fault()).toMatchObject({ details: undefined });
});

it("progress of a long PDF is reported at intervals, not for each page", async () => {
  const told: ParseProgress[] = [];
  let now = 0;
  const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
  const pool: DocumentPool = {
    async parse(_work, late, onProgress) {
      for (let page = 1; page <= 65; page++) {
        now += 100;
        onProgress?.({ pagesDone: page, pagesWanted: 65 });
      }
      throw late.createExpiry();
    },
    close: async () => undefined,
  };
  using deadline = Deadline.start(60_000);
  const listener = { everyMs: 2_000, onProgress: (progress: ParseProgress) => told.push(progress) };
  const ocr = { prepare: async () => ({ ocr: undefined, missing: [] }) };
  await expect(
    createDocumentEngine({ pool, ocr, listener }).parse(PDF, WISHES, deadline),
  ).rejects.toThrow("65 of 65 pages");
  clock.mockRestore();
  expect(told.map(({ pagesDone }) => pagesDone)).toEqual([20, 40, 60, 65]);
});
