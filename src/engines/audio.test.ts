// The audio engine over fake media: which headers are sent where, and which streams are rejected.
import { describe, expect, it } from "vitest";
import type { Capture } from "../capture.ts";
import { Deadline } from "../deadline.ts";
import { type AudioEngine, type AudioOptions, createAudioEngine } from "./audio.ts";
import type { HttpFetch } from "./http.ts";

const MP3 = Buffer.alloc(1_024);
// Two frames of MPEG audio, layer III, 128 kbit/s at 44.1 kHz: each has 417 bytes.
for (const at of [0, 417]) MP3.set([0xff, 0xfb, 0x90, 0x00], at);

const PAGE: Capture = {
  engine: "http",
  requestedUrl: "https://a.example/page",
  finalUrl: "https://a.example/page",
  redirects: [],
  statusCode: 200,
  headers: [],
  contentType: "text/html",
  mimeType: "text/html",
  body: Buffer.from("<p>Listen."),
  charset: "utf-8",
  fetchedAt: 0,
  proxyUsed: "basic",
  warnings: [],
};

const MAX_BYTES = 2 ** 26;

const engineOver = (fetch: (request: HttpFetch) => Promise<Capture>): AudioEngine =>
  createAudioEngine({
    http: {
      name: "http",
      fetch: async (request) => ({ kind: "captured", capture: await fetch(request) }),
    },
    egress: { selectProxy: () => undefined, hasProxy: () => false },
    transcoder: { available: async () => false, toMp3: async (bytes) => bytes },
    ytDlp: undefined,
    maxBytes: MAX_BYTES,
  });

const optionsFor = (page: Partial<Capture>, url: string): AudioOptions => ({
  capture: { ...PAGE, ...page },
  sources: [{ url, mimeType: "", from: "audio" }],
  headers: { authorization: "Bearer secret", "accept-language": "de" },
  skipTlsVerification: false,
  country: undefined,
});

/**
 * Fetches the audio of a page; returns the requests. `body` comes first, then MP3. `onAsked` gets
 * the byte limit of a request and returns a callback for its end.
 */
async function bring(
  page: Partial<Capture>,
  url: string,
  body: Uint8Array = MP3,
  onAsked: (bytes: number) => () => void = () => () => undefined,
) {
  const requests: HttpFetch[] = [];
  const engine = engineOver(async (request) => {
    const came = onAsked(request.maxBytes ?? 0);
    requests.push(request);
    const first = requests.length === 1;
    await new Promise((resolve) => setImmediate(resolve));
    came();
    return { ...PAGE, finalUrl: request.url, mimeType: "audio/mpeg", body: first ? body : MP3 };
  });
  using deadline = Deadline.start(10_000);
  const made = await engine.bring(optionsFor(page, url), deadline).then(
    ({ bytes }) => bytes.length,
    (error: unknown) => (error instanceof Error ? error.message : ""),
  );
  return { made, requests };
}

const ALL = { authorization: "Bearer secret", "accept-language": "de" };

describe("caller's headers in the audio engine", () => {
  it("sends the caller's headers to media of the same origin only", async () => {
    const own = await bring({}, "https://a.example/a.mp3");
    expect([own.made, own.requests[0]?.headers]).toEqual([MP3.length, ALL]);
    const other = await bring({}, "https://b.example/a.mp3");
    expect(other.requests[0]?.headers).toEqual({ "accept-language": "de" });
  });

  it("does not send the caller's headers to a site the page was redirected to", async () => {
    const away = { finalUrl: "https://b.example/x", redirects: ["https://a.example/page"] };
    const { requests } = await bring(away, "https://b.example/a.mp3");
    expect(requests[0]?.headers).toEqual({ "accept-language": "de" });
    const back = await bring(
      { finalUrl: "https://a.example/y", redirects: [PAGE.requestedUrl, "https://b.example/x"] },
      "https://a.example/a.mp3",
    );
    expect(back.requests[0]?.headers).toEqual({ "accept-language": "de" });
  });
});

describe("audio playlists", () => {
  it("rejects a playlist that is too large", async () => {
    const large = Buffer.concat([Buffer.from("#EXTM3U\n"), Buffer.alloc(9 * 2 ** 20, "\n")]);
    const { made } = await bring({}, "https://a.example/a.m3u8", large);
    expect(made).toContain("larger than 8 MiB");
  });

  it("rejects a playlist with too many segments instead of truncating it", async () => {
    const pieces = `#EXTM3U\n${"#EXTINF:1,\na.ts\n".repeat(20_001)}#EXT-X-ENDLIST\n`;
    const { made, requests } = await bring({}, "https://a.example/a.m3u8", Buffer.from(pieces));
    expect(made).toContain("too many pieces");
    expect(requests).toHaveLength(1);
  });

  it("enforces the byte limit over concurrently fetched segments", async () => {
    const list = `#EXTM3U\n${"#EXTINF:1,\na.ts\n".repeat(40)}#EXT-X-ENDLIST\n`;
    const held: number[] = [];
    let coming = 0;
    const { made } = await bring({}, "https://a.example/a.m3u8", Buffer.from(list), (asked) => {
      coming += asked;
      held.push(coming);
      return () => void (coming -= asked - MP3.length);
    });
    expect(made).toBe(40 * MP3.length);
    expect(Math.max(...held)).toBeLessThanOrEqual(MAX_BYTES + list.length);
    expect(held.length).toBe(41);
  });
});

describe("concurrent audio requests", () => {
  it("limits how many audio requests hold media in memory", async () => {
    let [now, max] = [0, 0];
    const engine = engineOver(async (request) => {
      max = Math.max(max, ++now);
      await new Promise((resolve) => setImmediate(resolve));
      now--;
      return { ...PAGE, finalUrl: request.url, mimeType: "audio/mpeg", body: MP3 };
    });
    using deadline = Deadline.start(10_000);
    const options = optionsFor(PAGE, "https://a.example/a.mp3");
    const files = await Promise.all(
      Array.from({ length: 12 }, () => engine.bring(options, deadline)),
    );
    expect(files).toHaveLength(12);
    expect(max).toBe(4);
  });
});
