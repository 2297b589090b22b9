import { describe, expect, it } from "vitest";
import { QuarryClient } from "./client.ts";
import { ConnectionError, RateLimitError, TimeoutError } from "./errors.ts";
import type { Fetch } from "./transport.ts";
import type { ReadingProgress } from "./wire.ts";

const URL = "https://example.com/scan.pdf";
const progress = (pagesDone: number) => ({ type: "progress", pagesDone, pagesWanted: 8 });
const document = { markdown: "Grüße\naus Aal", metadata: { statusCode: 200 } };
const answer = (status: number, body: object, more: object = {}) => ({
  type: "answer",
  status,
  ...more,
  body,
});
const page = answer(200, { success: true, data: document });
const toText = (lines: readonly unknown[]): string =>
  lines.map((line) => `${JSON.stringify(line)}\n`).join("");

type Seen = { readonly accept: string | null };

/** A client whose server sends this NDJSON text in chunks of the given size. */
function buildClient(text: string, bytes = 7) {
  const seen: Seen[] = [];
  const fetch: Fetch = async (_url, init) => {
    seen.push({ accept: new Headers(init.headers).get("accept") });
    const whole = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (let at = 0; at < whole.length; at += bytes)
          controller.enqueue(whole.slice(at, at + bytes));
        controller.close();
      },
    });
    return new Response(body, { headers: { "content-type": "application/x-ndjson" } });
  };
  const clock = { now: () => 0, sleep: () => Promise.resolve() };
  return { client: new QuarryClient({ fetch, clock }), seen };
}

describe("NDJSON answers", () => {
  it.each([1, 7, 10_000])("reads an NDJSON answer in chunks of %i bytes", async (bytes) => {
    const { client, seen } = buildClient(toText([progress(2), progress(8), page]), bytes);
    const told: ReadingProgress[] = [];
    const options = { onProgress: (each: ReadingProgress) => void told.push(each) };
    expect(await client.scrape(URL, {}, options)).toEqual(document);
    expect(told).toEqual([
      { pagesDone: 2, pagesWanted: 8 },
      { pagesDone: 8, pagesWanted: 8 },
    ]);
    expect(await client.parse({ filename: "a.pdf", data: "%PDF" }, {}, options)).toEqual(document);
    expect(told).toHaveLength(4);
    expect(seen.map(({ accept }) => accept)).toEqual(
      Array(2).fill("application/x-ndjson, application/json;q=0.9"),
    );
  });

  it("reads an NDJSON answer without a final line break and skips unknown lines", async () => {
    const text = `${toText([{ type: "news" }, progress(1)])}no JSON\n\n${toText([page]).trimEnd()}`;
    expect(await buildClient(text).client.scrape(URL, {}, { onProgress: () => undefined })).toEqual(
      document,
    );
  });

  it("requests NDJSON only with a listener, and accepts JSON from older servers", async () => {
    const asked: (string | null)[] = [];
    const fetch: Fetch = async (_url, init) => {
      asked.push(new Headers(init.headers).get("accept"));
      return Response.json({ success: true, data: document });
    };
    const client = new QuarryClient({ fetch });
    expect(await client.scrape(URL)).toEqual(document);
    expect(await client.scrape(URL, {}, { onProgress: () => undefined })).toEqual(document);
    expect(asked[0]).toBe("application/json");
  });

  it("throws a failed NDJSON answer like a JSON one and retries it", async () => {
    const failure = { success: false, code: "SCRAPE_PDF_INSUFFICIENT_TIME_ERROR", error: "Late." };
    const details = { pagesDone: 3 };
    const late = buildClient(toText([progress(3), answer(408, { ...failure, details })]));
    const thrown = await late.client
      .scrape(URL, {}, { onProgress: () => undefined })
      .catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(TimeoutError);
    expect(thrown).toMatchObject({ code: failure.code, status: 408, message: "Late.", details });
    expect(late.seen).toHaveLength(1);
    const busy = { success: false, error: "Too many." };
    const full = buildClient(toText([progress(1), answer(429, busy, { retryAfter: 2 })]));
    const refused = await full.client
      .scrape(URL, {}, { onProgress: () => undefined })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ retryAfterMs: 2_000 });
    expect(full.seen).toHaveLength(3);
  });

  it.each([
    ["before its end", toText([progress(1)])],
    ["within it", toText([page]).slice(0, -9)],
    ["at once", ""],
  ])("throws when an NDJSON answer breaks off %s", async (_, text) => {
    const call = buildClient(text).client.scrape(URL, {}, { onProgress: () => undefined });
    await expect(call).rejects.toBeInstanceOf(ConnectionError);
  });

  it("ends the call when its listener throws or its signal aborts", async () => {
    const text = toText([progress(1), progress(2), page]);
    const mine = new Error("mine");
    const fail = (): void => {
      throw mine;
    };
    await expect(buildClient(text).client.scrape(URL, {}, { onProgress: fail })).rejects.toBe(mine);
    const controller = new AbortController();
    const told: number[] = [];
    const onProgress = ({ pagesDone }: ReadingProgress): void => {
      told.push(pagesDone);
      controller.abort(mine);
    };
    const call = buildClient(text).client.scrape(
      URL,
      {},
      { onProgress, signal: controller.signal },
    );
    await expect(call).rejects.toBe(mine);
    expect(told).toEqual([1]);
  });
});
