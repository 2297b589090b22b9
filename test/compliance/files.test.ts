// Files behind public links on both databases: their lifetime, and what the cache keeps of them.
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Capture, CaptureEvidence } from "../../src/capture.ts";
import { createLogger } from "../../src/logger.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeDatabases } from "../databases.ts";

const HOUR = 3_600_000;
const picture = (): { mimeType: "image/png"; bytes: Uint8Array } => ({
  mimeType: "image/png",
  bytes: randomBytes(5_000),
});

const capture = (evidence: CaptureEvidence): Capture => ({
  engine: "browser",
  requestedUrl: "https://example.com/",
  finalUrl: "https://example.com/",
  redirects: [],
  statusCode: 200,
  headers: [],
  contentType: "text/html",
  mimeType: "text/html",
  body: Buffer.from("<p>x"),
  charset: "utf-8",
  fetchedAt: Date.now(),
  proxyUsed: "basic",
  warnings: [],
  evidence,
});

describeDatabases("files", (configure) => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore(await configure(), createLogger("silent"));
  });
  afterAll(async () => {
    await store.close();
  });

  it("files live until their latest promised expiry", async () => {
    const bytes = randomBytes(3_000);
    const now = Date.now();
    const ref = await store.files.keep(bytes, now + 24 * HOUR);
    expect(await store.files.keep(bytes, now + 2 * HOUR)).toBe(ref);
    await store.retention.cleanUp({ sweep: true, now: now + 23 * HOUR });
    expect(Buffer.from((await store.files.load(ref)) ?? [])).toEqual(bytes);
    await store.retention.cleanUp({ now: now + 25 * HOUR });
    expect(await store.files.load(ref)).toBeUndefined();
  });

  it("files stay with a cached capture, action results do not", async () => {
    const screenshot = picture();
    const actions = { screenshots: [picture()], scrapes: [], javascriptReturns: [], pdfs: [] };
    await store.captures.save("with files", capture({ screenshot, actions }));
    await store.flush();
    const found = await store.captures.load("with files", {});
    expect(found?.evidence?.actions).toBeUndefined();
    expect(found?.evidence?.screenshot?.mimeType).toBe("image/png");
    expect(Buffer.from(found?.evidence?.screenshot?.bytes ?? [])).toEqual(screenshot.bytes);
  });

  it("a cached capture loses its screenshot when the file is gone", async () => {
    await store.captures.save("files gone", capture({ screenshot: picture() }));
    await store.flush();
    await store.retention.cleanUp({ now: Date.now() + 26 * HOUR });
    const found = await store.captures.load("files gone", {});
    expect(found?.evidence).toEqual({});
  });
});
