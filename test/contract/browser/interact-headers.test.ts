// Headers of a scrape are sent again when its page is reopened, to its own origin only, and are
// stored encrypted.
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, startService, type Service } from "../../service.ts";

const SECRET = "token-9f86d081884c7d65";
let service: Service;

/** host:port and path of each request, and the checked header. */
async function open() {
  const seen: [string, unknown][] = [];
  const listen = () =>
    openSite((request, response) => {
      seen.push([`${request.headers.host}${request.url}`, request.headers["x-token"]]);
      response.setHeader("content-type", "text/html");
      if (request.url === "/leave") response.writeHead(302, { location: `${other.base}/there` });
      response.end(
        request.url === "/"
          ? `<h1>Mine</h1><p>${"Only for those who know. ".repeat(20)}</p><img src="/own.png"><img src="${other.base}/other.png"><a href="/leave">leave</a>`
          : "<h1>Elsewhere</h1>",
      );
    });
  const other = await listen();
  const site = await listen();
  const host = (base: string): string => new URL(base).host;
  return { site: site.base, own: host(site.base), other: host(other.base), seen };
}

const interact = (id: unknown, code: string) =>
  service.ask(`/v2/scrape/${String(id)}/interact`, { method: "POST", body: { code } });

async function findInFiles(folder: string, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    if ((await readFile(file)).includes(text)) found.push(file);
  }
  return found;
}

describe.skipIf(isRemote)("headers of a reopened scrape", () => {
  beforeAll(async () => {
    service = await startService(undefined, { egressAllow: ["127.0.0.1"] });
  });
  afterEach(closeAll);
  afterAll(() => service.close());

  it("sends a scrape's headers to its origin during the whole session and to no other", async () => {
    const { site, own, other, seen } = await open();
    const document = await service.page({ url: `${site}/`, headers: { "X-Token": SECRET } });
    seen.length = 0;
    const { scrapeId } = document.metadata;
    const first = await interact(scrapeId, "await page.textContent('h1')");
    expect(first.body).toMatchObject({ result: "Mine", stderr: "" });
    const second = await interact(
      scrapeId,
      "await page.evaluate(() => fetch('/later').then((answer) => answer.text())); await page.click('a'); await page.textContent('h1')",
    );
    expect(second.body).toMatchObject({ result: "Elsewhere" });
    const headers = Object.fromEntries(seen);
    expect(headers).toMatchObject({
      [`${own}/`]: SECRET,
      [`${own}/own.png`]: SECRET,
      [`${own}/later`]: SECRET,
      [`${own}/leave`]: SECRET,
    });
    expect(headers[`${other}/other.png`]).toBeUndefined();
    expect(seen.map(([address]) => address)).toContain(`${other}/there`);
    expect(headers[`${other}/there`]).toBeUndefined();
    const kept = await service.ask(`/v2/scrape/${String(scrapeId)}`);
    expect(kept.text).not.toContain(SECRET);
  });

  it("includes credentials from the URL and a user agent", async () => {
    const agents: unknown[] = [];
    const site = await openSite((request, response) => {
      agents.push([request.url, request.headers["user-agent"], request.headers.authorization]);
      response.setHeader("content-type", "text/html");
      response.end(`<h1>Mine</h1><p>${"Only for those who know. ".repeat(20)}</p>`);
    });
    const url = `${site.base.replace("//", "//ada:love@")}/page`;
    const { metadata } = await service.page({ url, headers: { "user-agent": "Mine/1" } });
    agents.length = 0;
    expect((await interact(metadata.scrapeId, "page.url()")).body["result"]).toBe(
      `${site.base}/page`,
    );
    expect(agents).toContainEqual(["/page", "Mine/1", `Basic ${btoa("ada:love")}`]);
  });

  it("stores no header in plain text in the data folder", async () => {
    const { site } = await open();
    await service.page({ url: `${site}/`, headers: { "X-Token": SECRET, "X-Other": "plain" } });
    await service.stop();
    expect(await findInFiles(service.dataDir, "X-Token")).not.toEqual([]);
    expect(await findInFiles(service.dataDir, SECRET)).toEqual([]);
  });
});
