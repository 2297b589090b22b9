import { brotliCompressSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { buildEngine, closeAll, openSite, openTcp, textOf } from "../../test/http-fetching.ts";

afterEach(closeAll);

describe("bodies", () => {
  it.each([
    ["gzip", gzipSync("x".repeat(300_000))],
    ["br", brotliCompressSync("x".repeat(300_000))],
  ])("that are %s bombs stop at the limit", async (encoding, bytes) => {
    const { base } = await openSite((_, response) =>
      response.writeHead(200, { "Content-Encoding": encoding }).end(bytes),
    );
    const error = await buildEngine({ maxBodyBytes: 100_000 }).failure({ url: base });
    expect(error.code).toBe("SCRAPE_RESPONSE_TOO_LARGE");
    expect(error.message).toContain("100000");
  });

  it("without end stop at the limit or at the deadline", async () => {
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

  it("that break off are kept with a warning", async () => {
    const port = await openTcp((socket) =>
      socket.once("data", () => {
        socket.end(
          "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>half",
        );
      }),
    );
    const capture = await buildEngine().capture({ url: `http://127.0.0.1:${port}/` });
    expect(textOf(capture)).toBe("<p>half");
    expect(capture.warnings.join()).toContain("incomplete");
  });

  it("sent byte by byte do not cost a buffer per byte", async () => {
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
