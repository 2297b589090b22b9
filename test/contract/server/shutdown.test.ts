// QUARRY_SHUTDOWN_MS limits the shutdown of a busy server, and the next server completes its work.
import { createServer } from "node:http";
import { rm } from "node:fs/promises";
import { afterAll, describe, expect, it } from "vitest";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, listen, readPort } from "../../http-fetching.ts";
import { isRemote, startService } from "../../service.ts";

const SHUTDOWN_MS = 3_000;
const PAGES = 40;

afterAll(() => closeAll());

describe.skipIf(isRemote)("busy server that is stopped", () => {
  it("ends within QUARRY_SHUTDOWN_MS and the next server completes its crawl", async () => {
    let hangs = true;
    const asked: string[] = [];
    const site = await listen(
      createServer((request, response) => {
        const path = request.url ?? "/";
        asked.push(path);
        if (path === "/robots.txt") return void response.writeHead(404).end();
        response.setHeader("content-type", "text/html");
        if (path.startsWith("/loop"))
          return void response.end("<p>x</p><script>for (;;);</script>");
        const links = Array.from({ length: PAGES }, (_, at) => `<a href="/page-${at}">${at}</a>`);
        if (path === "/") return void response.end(`<main>start ${links.join(" ")}</main>`);
        // Not answered until the next server requests it.
        if (!hangs) response.end(`<main><h1>${path}</h1><p>words of ${path}</p></main>`);
        return undefined;
      }),
    );
    const url = `http://127.0.0.1:${readPort(site)}`;
    const dataDir = await createDataFolder();
    const settings = { dataDir, egressAllow: ["127.0.0.1"], shutdownMs: SHUTDOWN_MS };
    const first = await startService(undefined, settings);
    const { body } = await first.ask("/v2/crawl", {
      method: "POST",
      body: { url, limit: PAGES + 1, sitemap: "skip" },
    });
    const scrapes = [
      first.scrape({ url: `${url}/hanging`, timeout: 60_000 }),
      first.scrape({ url: `${url}/loop`, formats: ["screenshot"], timeout: 60_000 }),
    ].map((scrape) => scrape.catch(() => undefined));
    await expect
      .poll(() => asked)
      .toEqual(expect.arrayContaining(["/page-0", "/hanging", "/loop"]));
    const beganAt = performance.now();
    await first.close();
    expect(performance.now() - beganAt).toBeLessThan(SHUTDOWN_MS + 1_000);
    await Promise.all(scrapes);
    hangs = false;
    const second = await startService(undefined, settings);
    try {
      const read = async () => {
        const path = `/v2/crawl/${String(body["id"])}?limit=100`;
        return (await second.ask(path, { key: first.key })).body;
      };
      await expect.poll(async () => (await read())["status"]).toBe("completed");
      expect((await read())["completed"]).toBe(PAGES + 1);
    } finally {
      await second.close();
      await rm(dataDir, { recursive: true });
    }
  }, 90_000);
});
