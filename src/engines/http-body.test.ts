import zlib from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { buildEngine, closeAll, openSite, openTcp, textOf } from "../../test/http-fetching.ts";

afterEach(closeAll);

describe("HTTP bodies", () => {
  it("stops an endless body at the size limit or the deadline", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/slow") {
        response.write("x");
        const timer = setInterval(() => response.write("x"), 20);
        response.on("close", () => clearInterval(timer));
      } else {
        const pump = (): void => {
          while (response.write("x".repeat(16_384)));
        };
        response.on("drain", pump);
        pump();
      }
    });
    const { failure } = buildEngine({ maxBodyBytes: 1_000_000 });
    expect((await failure({ url: `${base}/fast` })).code).toBe("SCRAPE_RESPONSE_TOO_LARGE");
    const slow = await failure({ url: `${base}/slow` }, 300);
    expect([slow.code, slow.status]).toEqual(["SCRAPE_TIMEOUT", 408]);
  });

  it("does not read a body announced as too large", async () => {
    let written = 0;
    const { base } = await openSite((_, response) => {
      response.writeHead(200, { "Content-Length": 10_000_000 });
      response.write("x".repeat(1_000), () => (written += 1_000));
    });
    const error = await buildEngine({ maxBodyBytes: 1_000_000 }).failure({ url: base });
    expect(error.code).toBe("SCRAPE_RESPONSE_TOO_LARGE");
    expect(written).toBeLessThan(10_000);
  });

  it("stops reading when the requested beginning is complete", async () => {
    const { base } = await openSite((request, response) => {
      if (request.url === "/announced") response.writeHead(200, { "Content-Length": 1e12 });
      const pump = (): void => {
        while (response.write("x".repeat(16_384)));
      };
      response.on("drain", pump);
      pump();
    });
    const { capture } = buildEngine({ maxBodyBytes: 1_000_000 });
    for (const path of ["/announced", "/endless"]) {
      const page = await capture({ url: base + path, firstBytes: 100_001 });
      expect([page.body.length, page.warnings]).toEqual([100_001, []]);
    }
  });

  it("keeps a truncated body with a warning", async () => {
    const port = await openTcp((socket) =>
      socket.once("data", () => {
        socket.end(
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half",
        );
      }),
    );
    const capture = await buildEngine().capture({ url: `http://127.0.0.1:${port}/` });
    expect(textOf(capture)).toBe("<p>half");
    expect(capture.warnings).toEqual([
      "The site broke off its answer: it sent 7 bytes of the 1000 that Content-Length announces; the page may be incomplete.",
    ]);
  });

  it("keeps a chunked body truncated between chunks with a warning", async () => {
    const port = await openTcp((socket) =>
      socket.once("data", () => {
        socket.end(
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n7\r\n<p>half\r\n",
        );
      }),
    );
    const capture = await buildEngine().capture({ url: `http://127.0.0.1:${port}/` });
    expect(textOf(capture)).toBe("<p>half");
    expect(capture.warnings).toEqual([
      "The site broke off its answer after 7 bytes; the page may be incomplete.",
    ]);
  });

  it("reports sent bytes for a truncated compressed body", async () => {
    const packed = zlib.gzipSync(noise(60_000));
    const port = await openTcp((socket) =>
      socket.once("data", () => {
        socket.write(
          `HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n`,
        );
        socket.end(packed.subarray(0, packed.length - 1_000));
      }),
    );
    const capture = await buildEngine().capture({ url: `http://127.0.0.1:${port}/` });
    expect(capture.body.length).toBeGreaterThan(30_000);
    expect(capture.warnings.join()).toContain(
      `it sent ${packed.length - 1_000} bytes of the ${packed.length} that Content-Length announces`,
    );
  });

  it("uses no buffer per byte for a body sent byte by byte", async () => {
    const { base } = await openSite((_, response) => {
      response.socket?.setNoDelay(true);
      for (let index = 0; index < 20_000; index++) response.write("x");
      response.end();
    });
    const before = process.memoryUsage();
    const capture = await buildEngine().capture({ url: base });
    expect(capture.body.length).toBe(20_000);
    const after = process.memoryUsage();
    expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(20_000_000);
  });
});

const CODERS = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  br: (bytes: Uint8Array) =>
    zlib.brotliCompressSync(bytes, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } }),
  zstd: zlib.zstdCompressSync,
} as const;
const ENCODINGS = Object.keys(CODERS) as (keyof typeof CODERS)[];

const noise = (size: number): string => {
  let state = 1;
  let text = "<!doctype html><p>";
  while (text.length < size) text += (state = (state * 48_271) % 2_147_483_647).toString(36);
  return text;
};
const SMALL = noise(3_000);
const LARGE = noise(600_000);

/** Answers every path with bytes and a Content-Encoding. */
const openEncoded = (answers: Record<string, readonly [label: string, bytes: Uint8Array]>) =>
  openSite((request, response) => {
    const [label, bytes] = answers[request.url ?? ""] ?? ["", new Uint8Array()];
    response.writeHead(200, { "Content-Encoding": label, "Content-Type": "text/html" }).end(bytes);
  });

describe("content encodings", () => {
  it.each(ENCODINGS)("decodes small and large %s bodies", async (encoding) => {
    const { base } = await openEncoded({
      "/small": [encoding, CODERS[encoding](Buffer.from(SMALL))],
      "/large": [encoding, CODERS[encoding](Buffer.from(LARGE))],
      "/empty": [encoding, new Uint8Array()],
      "/long": [encoding, CODERS[encoding](Buffer.alloc(5_000_000, "x"))],
    });
    const { capture } = buildEngine();
    expect(textOf(await capture({ url: `${base}/small` }))).toBe(SMALL);
    expect(textOf(await capture({ url: `${base}/large` }))).toBe(LARGE);
    expect(textOf(await capture({ url: `${base}/empty` }))).toBe("");
    const long = await capture({ url: `${base}/long` });
    expect([long.body.length, long.warnings]).toEqual([5_000_000, []]);
  });

  it.each(ENCODINGS)(
    "keeps the decoded part of a truncated %s body, with a warning",
    async (encoding) => {
      // A zstd block is 128 KiB: nothing is decoded before the first is complete.
      for (const text of [noise(encoding === "zstd" ? 400_000 : 60_000), LARGE]) {
        const whole = CODERS[encoding](Buffer.from(text));
        const { base } = await openEncoded({
          "/": [encoding, whole.subarray(0, whole.length >> 1)],
        });
        const capture = await buildEngine().capture({ url: base });
        expect(capture.body.length).toBeGreaterThan(text.length / 4);
        expect(text.startsWith(textOf(capture))).toBe(true);
        expect(capture.warnings.join()).toContain("incomplete");
      }
    },
  );

  it.each(ENCODINGS)("keeps a plain body that is labelled as %s", async (encoding) => {
    const { base } = await openEncoded({
      "/small": [encoding, Buffer.from(SMALL)],
      "/large": [encoding, Buffer.from(LARGE)],
    });
    const { capture } = buildEngine();
    expect(textOf(await capture({ url: `${base}/small` }))).toBe(SMALL);
    expect(textOf(await capture({ url: `${base}/large` }))).toBe(LARGE);
  });

  it("decodes chains, raw deflate, alternative names and wrong labels", async () => {
    const bytes = Buffer.from(SMALL);
    const large = Buffer.from(LARGE);
    const { base } = await openEncoded({
      "/chain": ["gzip, br", CODERS.br(CODERS.gzip(bytes))],
      "/large-chain": ["zstd, deflate, gzip", CODERS.gzip(CODERS.deflate(CODERS.zstd(large)))],
      "/raw": ["deflate", zlib.deflateRawSync(bytes)],
      "/large-raw": ["deflate", zlib.deflateRawSync(large)],
      "/old": ["x-gzip", CODERS.gzip(bytes)],
      "/swapped": ["zstd", CODERS.gzip(bytes)],
      "/none": ["identity", bytes],
      "/odd": ["utf-8", bytes],
    });
    const { capture } = buildEngine();
    for (const path of ["/chain", "/raw", "/old", "/swapped", "/none", "/odd"])
      expect([path, textOf(await capture({ url: base + path }))]).toEqual([path, SMALL]);
    for (const path of ["/large-chain", "/large-raw"])
      expect([path, textOf(await capture({ url: base + path })) === LARGE]).toEqual([path, true]);
  });

  it("rejects undecodable bytes as an error of the site", async () => {
    const bytes = Buffer.from(
      Array.from({ length: 2_000 }, (_, index) => (index * 77 + 131) % 256),
    );
    const { base } = await openEncoded({ "/": ["br", bytes] });
    expect((await buildEngine().failure({ url: base })).code).toBe("SCRAPE_SITE_ERROR");
  });

  it("keeps the decodable part of a body truncated by the network", async () => {
    const whole = CODERS.gzip(Buffer.from(LARGE));
    const port = await openTcp((socket) =>
      socket.once("data", () => {
        const head = `HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${whole.length}\r\n\r\n`;
        socket.end(Buffer.concat([Buffer.from(head), whole.subarray(0, whole.length - 1_000)]));
      }),
    );
    const capture = await buildEngine().capture({ url: `http://127.0.0.1:${port}/` });
    expect(capture.body.length).toBeGreaterThan(LARGE.length / 2);
    expect(capture.warnings).toHaveLength(1);
  });
});

describe("decompression bombs", () => {
  const zeros = Buffer.alloc(10_000_000);
  const repeat = (bytes: Uint8Array, times: number): Buffer =>
    Buffer.concat(Array.from({ length: times }, () => bytes));
  const bombs = {
    gzip: () => repeat(CODERS.gzip(zeros), 1_000),
    zstd: () => repeat(CODERS.zstd(zeros), 1_000),
    deflate: () => zlib.deflateSync(repeat(zeros, 20), { level: 1 }),
    br: () => CODERS.br(repeat(zeros, 20)),
  };

  it.each(ENCODINGS)("stops a %s bomb at the limit with bounded memory", async (encoding) => {
    const bytes = bombs[encoding]();
    const { base } = await openEncoded({
      "/": [encoding, bytes],
      "/twice": [`${encoding}, gzip`, CODERS.gzip(bytes)],
    });
    const { failure } = buildEngine({ maxBodyBytes: 4_000_000 });
    for (const path of ["/", "/twice"]) {
      const before = process.memoryUsage().arrayBuffers;
      let peak = 0;
      const timer = setInterval(() => {
        peak = Math.max(peak, process.memoryUsage().arrayBuffers - before);
      }, 1);
      const error = await failure({ url: base + path });
      clearInterval(timer);
      expect(error.code).toBe("SCRAPE_RESPONSE_TOO_LARGE");
      expect(error.message).toContain("4000000");
      expect(peak).toBeLessThan(60_000_000);
    }
  });

  it("stops a bomb that fits into one small response", async () => {
    const { base } = await openEncoded({ "/": ["gzip", CODERS.gzip(zeros)] });
    const error = await buildEngine({ maxBodyBytes: 100_000 }).failure({ url: base });
    expect(error.code).toBe("SCRAPE_RESPONSE_TOO_LARGE");
  });
});
