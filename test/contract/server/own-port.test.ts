// A server with loopback allowed is still not reachable through itself.
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../../service.ts";

let service: Service;
let siteUrl: string;
const site = createServer((request, response) => {
  const own = new URL(service.url).host;
  if (request.url === "/redirect") {
    response.writeHead(302, { location: `http://${own}/e2e-test` }).end();
    return;
  }
  response.writeHead(200, { "content-type": "text/html" });
  response.end(`<main><p>A page of the site with text of its own.</p><p id="said">waiting</p></main>
<script>fetch("http://${own}/e2e-test").then((a) => a.text(), () => "refused").then((t) => { said.textContent = "The server said: " + t; });</script>`);
});

beforeAll(async () => {
  service = await startService(undefined, { egressAllow: ["127.0.0.1", "localhost", "::1"] });
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await service.close();
  site.close();
  site.closeAllConnections();
});

describe.skipIf(isRemote)("server's own port", () => {
  it("refuses to scrape its own port under any name and behind a redirect", async () => {
    const { port } = new URL(service.url);
    const urls = ["127.0.0.1", "localhost", "127.0.0.2", "2130706433", "[::ffff:7f00:1]"].map(
      (host) => `http://${host}:${port}/e2e-test`,
    );
    for (const url of [...urls, `${siteUrl}/redirect`]) {
      const { status, text } = await service.scrape({ url, maxAge: 0 });
      expect([status, text], url).toEqual([
        expect.any(Number),
        expect.stringMatching(/this server itself|allow/),
      ]);
      expect(status, url).toBe(403);
    }
  });

  it("does not let a browser page reach the server's own port", async () => {
    const { markdown } = await service.page({ url: siteUrl, maxAge: 0, waitFor: 500 });
    expect(markdown).toContain("text of its own");
    expect(markdown).toContain("The server said: refused");
  });

  it("rejects a webhook to its own port", async () => {
    const { status, body } = await service.ask("/v2/crawl", {
      method: "POST",
      body: { url: siteUrl, limit: 1, webhook: `${service.url}/v2/scrape` },
    });
    expect([status, body.error]).toEqual([400, expect.stringContaining("this server itself")]);
  });
});
