import { once } from "node:events";
import { constants, createSecureServer, type ServerHttp2Stream } from "node:http2";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { buildCertificate } from "../../test/certificate.ts";
import {
  buildEngine,
  closeAll,
  listen,
  openSite,
  openTcp,
  readPort,
  textOf,
} from "../../test/http-fetching.ts";
import { createTestConfig } from "../config.ts";
import type { Lookup } from "../egress/resolver.ts";

afterEach(closeAll);

describe("plain HTTP fetch", () => {
  it("returns status, headers with repeats, body and MIME type", async () => {
    const { base } = await openSite((request, response) => {
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.writeHead(404, { "Content-Type": "text/html; charset=utf-8" });
      response.end(`<p>${request.headers["user-agent"]} ${request.headers["accept-language"]}</p>`);
    });
    const capture = await buildEngine().capture({
      url: `${base}/x?y#z`,
      languages: ["de-AT", "fr"],
    });
    expect(capture).toMatchObject({
      engine: "http",
      requestedUrl: `${base}/x?y#z`,
      finalUrl: `${base}/x?y#z`,
      redirects: [],
      statusCode: 404,
      mimeType: "text/html",
      proxyUsed: "basic",
      warnings: [],
    });
    expect(textOf(capture)).toBe(`<p>${createTestConfig().userAgent} de-AT,de;q=0.9,fr;q=0.8</p>`);
    expect(capture.headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
  });

  it("reads raw UTF-8 in response headers", async () => {
    const port = await openTcp((socket) =>
      socket.end(Buffer.from("HTTP/1.1 200 OK\r\nX-Name: Zürich\r\nContent-Length: 2\r\n\r\nhi")),
    );
    const capture = await buildEngine().capture({ url: `http://127.0.0.1:${port}/` });
    expect(capture.headers).toContainEqual(["x-name", "Zürich"]);
  });

  it("refuses loopback unless host and port are allowed", async () => {
    const { base, port } = await openSite((_, response) => response.end("hi"));
    for (const egressAllow of [[], [`127.0.0.1:${port + 1}`]]) {
      const { failure, metrics } = buildEngine({ egressAllow });
      const error = await failure({ url: base });
      expect([error.code, error.status]).toEqual(["UNSUPPORTED_SITE", 403]);
      expect(error.message).toContain(`QUARRY_EGRESS_ALLOW=127.0.0.1:${port}`);
      expect((await metrics.egressRefused.get()).values[0]?.value).toBe(1);
    }
    const { capture } = buildEngine({ egressAllow: [`127.0.0.1:${port}`] });
    expect(textOf(await capture({ url: base }))).toBe("hi");
  });

  it("sends a URL's credentials once and shows them nowhere", async () => {
    const seen: (string | undefined)[] = [];
    const { port } = await openSite((request, response) => {
      seen.push(request.headers.authorization);
      response.end("hi");
    });
    const capture = await buildEngine().capture({ url: `http://ann:s3cret@127.0.0.1:${port}/` });
    expect(seen).toEqual([`Basic ${Buffer.from("ann:s3cret").toString("base64")}`]);
    expect(capture.finalUrl).toBe(`http://127.0.0.1:${port}/`);
  });

  it("retries exactly once when the connection dies before a response", async () => {
    let connections = 0;
    const port = await openTcp((socket) => {
      const fails = ++connections % 2 === 1;
      socket.on("data", (request: Buffer) => {
        if (fails || request.includes("/never")) socket.destroy();
        else socket.end("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
      });
    });
    const { capture, failure } = buildEngine();
    expect(textOf(await capture({ url: `http://127.0.0.1:${port}/` }))).toBe("hi");
    expect(connections).toBe(2);
    const error = await failure({ url: `http://127.0.0.1:${port}/never` });
    expect([error.code, connections]).toEqual(["SCRAPE_SITE_ERROR", 4]);
  });

  it("describes connection errors", async () => {
    const { failure } = buildEngine({}, () => Promise.reject(new Error("nope")));
    expect((await failure({ url: "http://missing.example/" })).code).toBe(
      "SCRAPE_DNS_RESOLUTION_ERROR",
    );
    const port = await openTcp((socket) => socket.destroy());
    const reset = await failure({ url: `http://127.0.0.1:${port}/` });
    expect([reset.code, reset.message]).toEqual([
      "SCRAPE_SITE_ERROR",
      `127.0.0.1:${port} closed the connection without an answer.`,
    ]);
    const rubbish = await openTcp((socket) => socket.end("\u0000\u0001rubbish\r\n\r\n"));
    expect((await failure({ url: `http://127.0.0.1:${rubbish}/` })).message).toBe(
      `127.0.0.1:${rubbish} sent an answer that is not valid HTTP.`,
    );
    for (const [head, reason] of [
      ["HTTP/1.1 000 No\r\nContent-Length: 2", "sent an answer that is not valid HTTP"],
      [
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 20",
        "sent an answer of another length than it announced",
      ],
    ] as const) {
      const odd = await openTcp((socket) => socket.end(`${head}\r\n\r\nhi`));
      expect((await failure({ url: `http://127.0.0.1:${odd}/` })).message).toBe(
        `127.0.0.1:${odd} ${reason}.`,
      );
    }
    const closed = await listen(createTcpServer());
    const closedPort = readPort(closed);
    closed.close();
    await once(closed, "close");
    const refused = await failure({ url: `http://127.0.0.1:${closedPort}/` });
    expect(refused.message).toBe(`127.0.0.1:${closedPort} refused the connection.`);
    expect(refused.cause).toBeDefined();
    expect((await failure({ url: "ftp://127.0.0.1/" })).code).toBe("BAD_REQUEST");
  });

  it("does not wait for a response after endless interim responses", async () => {
    const hint = "HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n";
    const few = await openTcp((socket) =>
      socket.end(`${hint.repeat(100)}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi`),
    );
    const { capture, failure } = buildEngine();
    expect(textOf(await capture({ url: `http://127.0.0.1:${few}/` }))).toBe("hi");
    const endless = await openTcp((socket) => {
      const goOn = (): void => {
        while (!socket.destroyed && socket.write(hint));
      };
      socket.on("drain", goOn).on("error", () => undefined);
      goOn();
    });
    expect((await failure({ url: `http://127.0.0.1:${endless}/` })).message).toBe(
      `127.0.0.1:${endless} sent more headers than are read.`,
    );
  });
});

describe("names and addresses", () => {
  it("connects to the checked address even if later DNS answers differ", async () => {
    const { port } = await openSite((request, response) => response.end(request.headers.host));
    let asked = 0;
    const lookup: Lookup = () => Promise.resolve([["127.0.0.1"], ["10.0.0.1"]][asked++ % 2] ?? []);
    const { capture } = buildEngine({}, lookup);
    const page = await capture({ url: `http://rebind.example:${port}/` });
    expect(textOf(page)).toBe(`rebind.example:${port}`);
    expect(asked).toBe(1);
  });

  it("waits for a name server no longer than the deadline", async () => {
    const { failure, egress } = buildEngine(
      { proxyBasic: ["http://127.0.0.1:1"] },
      () => Promise.withResolvers<string[]>().promise,
    );
    for (const proxy of [undefined, egress.selectProxy("basic")]) {
      const error = await failure({ url: "http://slow.example/", proxy }, 100);
      expect(error.code).toBe("SCRAPE_TIMEOUT");
    }
  });

  it("tries the next checked address when one does not answer", async () => {
    const { port } = await openSite((_, response) => response.end("hi"));
    const lookup: Lookup = () => Promise.resolve(["127.0.0.9", "127.0.0.1"]);
    const { capture } = buildEngine({ egressAllow: ["127.0.0.0/8"] }, lookup);
    expect(textOf(await capture({ url: `http://two.example:${port}/` }))).toBe("hi");
  });

  it("refuses a host name if any of its addresses is private", async () => {
    let visits = 0;
    const { port } = await openSite((_, response) => {
      visits++;
      response.end();
    });
    const { failure } = buildEngine({ egressAllow: [] }, () =>
      Promise.resolve(["93.184.216.34", "127.0.0.1", "93.184.216.35"]),
    );
    const error = await failure({ url: `http://mixed.example:${port}/` });
    expect(error.code).toBe("UNSUPPORTED_SITE");
    expect(visits).toBe(0);
  });
});

describe("request headers", () => {
  it("rejects invalid request headers by name", async () => {
    const { failure } = buildEngine();
    const bad = fc.oneof(
      fc
        .tuple(
          fc.string(),
          fc.constantFrom("\r", "\n", "\0", "\r\nX: y", "\x7f", "\x1b"),
          fc.string(),
        )
        .map((parts) => ["X-Custom", parts.join("")] as const),
      fc
        .string({ unit: "binary" })
        .filter((name) => !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name))
        .map((name) => [name, "value"] as const),
      fc.constantFrom([":authority", "x"] as const, ["", "x"] as const),
    );
    await fc.assert(
      fc.asyncProperty(bad, async ([name, value]) => {
        const error = await failure({ url: "http://127.0.0.1:1/", headers: { [name]: value } });
        expect(error.code).toBe("BAD_REQUEST");
        expect(error.message).toContain(JSON.stringify(name.slice(0, 100)));
      }),
      { numRuns: 300 },
    );
  });

  it("drops connection headers with a warning and sends others unchanged", async () => {
    const { base, port } = await openSite((request, response) => {
      response.end(JSON.stringify(request.headers));
    });
    const capture = await buildEngine().capture({
      url: base,
      headers: {
        Host: "evil.example",
        "Content-Length": "5",
        "Transfer-Encoding": "chunked",
        "Proxy-Authorization": "x",
        TE: "x",
        Upgrade: "h2c",
        "User-Agent": "me",
        "X-Name": "Zoë 東京",
      },
    });
    const sent = JSON.parse(textOf(capture)) as Record<string, string>;
    expect(sent).toMatchObject({ host: `127.0.0.1:${port}`, "user-agent": "me" });
    expect(Buffer.from(sent["x-name"] ?? "", "latin1").toString()).toBe("Zoë 東京");
    for (const name of [
      "content-length",
      "transfer-encoding",
      "proxy-authorization",
      "te",
      "upgrade",
    ])
      expect(sent).not.toHaveProperty(name);
    expect(capture.warnings[0]).toContain("Host, Content-Length");
  });
});

describe("TLS and HTTP/2", () => {
  const lookup: Lookup = () => Promise.resolve(["127.0.0.1"]);

  it("fails on an invalid certificate when verifying and warns otherwise", async () => {
    const yesterday = new Date(Date.now() - 86_400_000);
    const server = await listen(
      createTlsServer(
        buildCertificate(["site.example"], { from: new Date(0), to: yesterday }),
        (_, response) => void response.end("secret page"),
      ),
    );
    const url = `https://site.example:${readPort(server)}/`;
    const { capture, failure } = buildEngine({}, lookup);
    const error = await failure({ url, skipTlsVerification: false });
    expect(error.code).toBe("SCRAPE_SSL_ERROR");
    expect(error.message).toMatch(/self-signed|expired/);
    for (let time = 0; time < 2; time++) {
      const page = await capture({ url, skipTlsVerification: true });
      expect(textOf(page)).toBe("secret page");
      expect(page.warnings).toEqual([
        expect.stringMatching(
          /^The site's TLS certificate is not valid \(it .*\); it was not verified\.$/,
        ),
      ]);
    }
    const forced = buildEngine({ forceTlsVerification: true }, lookup);
    expect((await forced.failure({ url, skipTlsVerification: true })).code).toBe(
      "SCRAPE_SSL_ERROR",
    );
  });

  it("uses HTTP/2 when the site offers it", async () => {
    const server = createSecureServer(buildCertificate(["site.example"]), (request, response) => {
      response.setHeader("Set-Cookie", ["a=1", "b=2"]);
      response.setHeader("Content-Type", "text/html");
      if (request.url === "/big") response.write(Buffer.alloc(300_000, "x"));
      response.end(request.httpVersion);
    });
    await listen(server);
    const { capture, failure } = buildEngine({ maxBodyBytes: 4_000_000 }, lookup);
    const url = `https://site.example:${readPort(server)}`;
    const page = await capture({ url });
    expect(textOf(page)).toBe("2.0");
    expect(page.headers.filter(([name]) => name === "set-cookie")).toHaveLength(2);
    expect(page.headers.some(([name]) => name.startsWith(":"))).toBe(false);
    const pages = await Promise.all(
      Array.from({ length: 20 }, () => capture({ url: `${url}/big` })),
    );
    expect(new Set(pages.map(({ body }) => body.length))).toEqual(new Set([300_003]));
    const error = await failure({ url: `${url}/big`, maxBytes: 10_000 });
    expect(error.code).toBe("SCRAPE_RESPONSE_TOO_LARGE");
    expect(textOf(await capture({ url }))).toBe("2.0");
  });

  it.each([
    ["ends its stream early", (stream: ServerHttp2Stream) => stream.end()],
    [
      "resets its stream",
      (stream: ServerHttp2Stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
    ],
    ["closes the connection", (stream: ServerHttp2Stream) => stream.session?.destroy()],
  ])("keeps a short HTTP/2 body with a warning when the server %s", async (_how, cut) => {
    const server = createSecureServer(buildCertificate(["site.example"]));
    server.on("stream", (stream, headers) => {
      stream.on("error", () => undefined);
      if (headers[":path"] === "/whole") {
        stream.respond({ ":status": 200, "content-type": "text/html", "content-length": 5 });
        stream.end("whole");
        return;
      }
      stream.respond({ ":status": 200, "content-type": "text/html", "content-length": 1_000 });
      stream.write("<p>part", () => setTimeout(() => cut(stream), 50));
    });
    await listen(server);
    const { capture } = buildEngine({}, lookup);
    const url = `https://site.example:${readPort(server)}`;
    // The first warning is about the certificate.
    const page = await capture({ url });
    expect(textOf(page)).toBe("<p>part");
    expect(page.warnings.slice(1)).toEqual([
      "The site broke off its answer: it sent 7 bytes of the 1000 that Content-Length announces; the page may be incomplete.",
    ]);
    const whole = await capture({ url: `${url}/whole` });
    expect([textOf(whole), whole.warnings.slice(1)]).toEqual(["whole", []]);
  });

  it("reports a server that does not speak TLS", async () => {
    const { port } = await openSite((_, response) => response.end());
    const error = await buildEngine({}, lookup).failure({ url: `https://site.example:${port}/` });
    expect(error.code).toBe("SCRAPE_SSL_ERROR");
  });
});
