import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type Socket } from "node:net";
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
import type { Lookup } from "../egress/resolver.ts";

afterEach(closeAll);

const toLoopback: Lookup = () => Promise.resolve(["127.0.0.1"]);
const login = `Basic ${Buffer.from("ann:s3cret").toString("base64")}`;

/**
 * An HTTP proxy that requires a login and sends everything to one loopback port; records its
 * requests.
 */
async function openProxy(sitePort: number) {
  const asked: string[] = [];
  const refuses = (request: IncomingMessage): boolean =>
    request.headers["proxy-authorization"] !== login;
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (refuses(request)) return void response.writeHead(407).end();
    const { pathname } = new URL(request.url ?? "");
    void fetch(`http://127.0.0.1:${sitePort}${pathname}`, { redirect: "manual" }).then(
      async (answer) => {
        const location = answer.headers.get("location");
        response.writeHead(answer.status, location ? { location } : {}).end(await answer.text());
      },
    );
  });
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    asked.push(`CONNECT ${request.url}`);
    if (refuses(request))
      return void socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
    const upstream = connect(sitePort, "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      socket.pipe(upstream).pipe(socket);
    });
    for (const each of [socket, upstream]) each.on("error", () => socket.destroy());
  });
  await listen(server);
  return { asked, host: `127.0.0.1:${readPort(server)}` };
}

const openTlsSite = async (): Promise<number> =>
  readPort(
    await listen(
      createTlsServer(
        buildCertificate(["site.example"]),
        (_, response) => void response.end("over TLS"),
      ),
    ),
  );

describe("upstream HTTP proxy", () => {
  it("opens an authenticated tunnel through the HTTP proxy for https", async () => {
    const sitePort = await openTlsSite();
    const { asked, host } = await openProxy(sitePort);
    const { capture, egress } = buildEngine(
      { proxyBasic: [`http://ann:s3cret@${host}`] },
      toLoopback,
    );
    const proxy = egress.selectProxy("basic");
    const page = await capture({ url: `https://site.example:${sitePort}/`, proxy });
    expect(textOf(page)).toBe("over TLS");
    expect(page.warnings[0]).toContain("self-signed");
    expect(asked).toEqual([`CONNECT site.example:${sitePort}`]);
  });

  it("sends http requests to the proxy in absolute form", async () => {
    const { port } = await openSite((request, response) => response.end(`plain ${request.url}`));
    const { asked, host } = await openProxy(port);
    const { capture, egress } = buildEngine(
      { proxyBasic: [`http://ann:s3cret@${host}`] },
      toLoopback,
    );
    const proxy = egress.selectProxy("basic");
    expect(textOf(await capture({ url: "http://site.example/a?b", proxy }))).toBe("plain /a");
    expect(asked).toEqual(["GET http://site.example/a?b"]);
  });

  it("reports a refusing proxy without its password", async () => {
    const { asked, host } = await openProxy(1);
    const { failure, egress } = buildEngine(
      { proxyBasic: [`http://ann:wrong@${host}`] },
      toLoopback,
    );
    const proxy = egress.selectProxy("basic");
    for (const url of ["https://site.example/", "http://site.example/"]) {
      const error = await failure({ url, proxy });
      expect(error.code).toBe("SCRAPE_PROXY_SELECTION_ERROR");
      expect(error.message).toContain(`http://${host}`);
      expect(error.message).toContain("407");
      expect(error.message).not.toContain("wrong");
    }
    expect(asked).toHaveLength(2);
  });

  it("distinguishes an unreachable proxy from an unreachable site", async () => {
    const closed = await listen(createServer());
    const host = `127.0.0.1:${readPort(closed)}`;
    closed.close();
    await once(closed, "close");
    const { failure, egress } = buildEngine({ proxyBasic: [host] }, toLoopback);
    const proxy = egress.selectProxy("basic");
    const error = await failure({ url: "https://site.example/", proxy });
    expect(error.code).toBe("SCRAPE_PROXY_SELECTION_ERROR");
  });

  it("never asks the proxy for a private target or a redirect to one", async () => {
    const { port } = await openSite((_, response) =>
      response.writeHead(302, { Location: "http://169.254.169.254/" }).end(),
    );
    const { asked, host } = await openProxy(port);
    const lookup: Lookup = (name) =>
      Promise.resolve([name === "private.example" ? "10.0.0.1" : "93.184.216.34"]);
    const { failure, egress } = buildEngine(
      { egressAllow: [], proxyBasic: [`http://ann:s3cret@${host}`] },
      lookup,
    );
    const proxy = egress.selectProxy("basic");
    for (const url of [
      "http://127.0.0.1:1/",
      "https://[::1]/",
      "http://169.254.169.254/",
      "http://localhost/",
      "https://private.example/",
    ])
      expect((await failure({ url, proxy })).code).toBe("UNSUPPORTED_SITE");
    expect(asked).toEqual([]);
    const error = await failure({ url: "http://public.example/", proxy });
    expect(error.message).toContain("redirects to an address that is refused");
    expect(asked).toHaveLength(1);
  });
});

describe("upstream SOCKS5 proxy", () => {
  /** Speaks RFC 1928 and 1929 one message at a time and connects the client with the site. */
  const openSocks = async (sitePort: number, requests: Buffer[]): Promise<number> =>
    openTcp((socket) => {
      const steps = [
        (): Buffer => Buffer.of(5, 2),
        (bytes: Buffer): Buffer => Buffer.of(1, bytes.includes("s3cret") ? 0 : 1),
        (bytes: Buffer): undefined => {
          requests.push(bytes);
          const upstream = connect(sitePort, "127.0.0.1", () => {
            socket.write(Buffer.of(5, 0, 0, 1, 0, 0, 0, 0, 0, 0));
            socket.pipe(upstream).pipe(socket);
          });
          upstream.on("error", () => socket.destroy());
          return undefined;
        },
      ];
      socket.on("data", (bytes: Buffer) => {
        const answer = steps.shift()?.(bytes);
        if (answer !== undefined) socket.write(answer);
      });
    });

  it("sends the checked address to the SOCKS5 proxy, or the name with socks5h", async () => {
    const sitePort = await openTlsSite();
    const requests: Buffer[] = [];
    const port = await openSocks(sitePort, requests);
    const proxies = [
      `socks5://ann:s3cret@127.0.0.1:${port}`,
      `socks5h://ann:s3cret@127.0.0.1:${port}`,
    ];
    const { capture, egress } = buildEngine({ proxyEnhanced: proxies }, toLoopback);
    for (let time = 0; time < 2; time++) {
      const proxy = egress.selectProxy("enhanced");
      const url = `https://site.example:${sitePort}/`;
      expect(textOf(await capture({ url, proxy }))).toBe("over TLS");
    }
    expect(requests[0]?.subarray(3, 8)).toEqual(Buffer.of(1, 127, 0, 0, 1));
    expect(requests[1]?.subarray(3, 17)).toEqual(Buffer.from("\u0003\fsite.example"));
  });

  it("reports a SOCKS5 proxy that refuses the login", async () => {
    const port = await openSocks(1, []);
    const { failure, egress } = buildEngine(
      { proxyBasic: [`socks5://ann:wrong@127.0.0.1:${port}`] },
      toLoopback,
    );
    const error = await failure({
      url: "https://site.example/",
      proxy: egress.selectProxy("basic"),
    });
    expect(error.code).toBe("SCRAPE_PROXY_SELECTION_ERROR");
    expect(error.message).toContain("rejected the name and password");
  });
});
