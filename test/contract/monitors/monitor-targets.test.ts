// Every kind of target and scope of a monitor against real local servers: JSON APIs, feeds, PDFs,
// sites, lists of URLs, searches, structure and pictures.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type {
  Monitor,
  MonitorCheck,
  MonitorPage,
} from "../../../src/contract/jobs/monitor-report.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startSearchEngine, type SearchEngine } from "../../search-provider.ts";
import { isRemote, startService, type Service } from "../../service.ts";

type Answer = {
  readonly type?: string;
  readonly status?: number;
  readonly etag?: string;
  readonly modified?: string;
  readonly location?: string;
  readonly body: string;
};

const site = new Map<string, Answer>();
/** Status codes that the site answered. */
const answers: number[] = [];
let results: readonly string[] = [];
let base: string;
let engine: SearchEngine;
let service: Service;

beforeAll(async () => {
  ({ base } = await openSite((request, response) => {
    const page: Answer = site.get(request.url ?? "") ?? { status: 404, body: "<h1>Not found</h1>" };
    const { type = "text/html; charset=utf-8", status = 200, etag, location, body } = page;
    const { modified } = page;
    const isKnown =
      (etag !== undefined && request.headers["if-none-match"] === etag) ||
      (modified !== undefined && request.headers["if-modified-since"] === modified);
    answers.push(isKnown ? 304 : status);
    response.writeHead(isKnown ? 304 : status, {
      "content-type": type,
      ...(etag !== undefined && { etag }),
      ...(modified !== undefined && { "last-modified": modified }),
      ...(location !== undefined && { location }),
    });
    response.end(isKnown ? undefined : body);
  }));
  engine = await startSearchEngine(() => ({
    body: { results: results.map((url) => ({ url, title: url, content: "Text" })) },
  }));
  service = await startService(undefined, {
    egressAllow: [new URL(base).host],
    searchProvider: "searxng",
    searchUrl: engine.url,
  });
});
beforeEach(() => site.clear());
afterAll(async () => {
  await service.close();
  await engine.close();
  await closeAll();
});

const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);
const html = (body: string): Answer => ({
  body: `<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p>${body}</main>`,
});
const json = (value: unknown): Answer => ({
  type: "application/json",
  body: JSON.stringify(value),
});

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await service.ask(path, { method, ...(body !== undefined && { body }) });
  expect(answer.status, answer.text).toBe(200);
  return (answer.body as unknown as { data: T }).data;
}

const create = (target: object, fields: object = {}): Promise<Monitor> =>
  ask("POST", "/v2/monitor", {
    name: "target",
    schedule: { text: "daily" },
    targets: [target],
    detection: { confirmations: 1, confirmAfterSeconds: 0 },
    ...fields,
  });

type WholeCheck = MonitorCheck & { readonly pages: readonly MonitorPage[] };

async function check(id: string): Promise<WholeCheck> {
  const started = await ask<MonitorCheck>("POST", `/v2/monitor/${id}/run`, {});
  const read = () => ask<WholeCheck>("GET", `/v2/monitor/${id}/checks/${started.id}`);
  await expect
    .poll(async () => (await read()).status, { timeout: 90_000 })
    .not.toMatch(/queued|running/);
  return await read();
}

const statusesOf = ({ pages }: WholeCheck): string[] => pages.map(({ status }) => status);

describe.skipIf(isRemote)("targets of monitors", () => {
  it("compares the values at JSON paths of an API, and nothing beside them", async () => {
    const api = (price: number, at: string) =>
      json({
        at,
        items: [
          { name: "Lamp", price },
          { name: "Chair", price: 80 },
        ],
      });
    site.set("/api", api(20, "10:00:00"));
    const { id } = await create({
      type: "scrape",
      urls: [`${base}/api`],
      scope: { jsonPaths: ["$.items[*].price"] },
    });
    expect(statusesOf(await check(id))).toEqual(["new"]);
    site.set("/api", api(20, "11:00:00"));
    expect(statusesOf(await check(id))).toEqual(["same"]);
    site.set("/api", api(25, "12:00:00"));
    const changed = await check(id);
    expect(changed.pages).toMatchObject([
      {
        status: "changed",
        diff: { json: { "$.items[*].price": { previous: [20, 80], current: [25, 80] } } },
      },
    ]);
    site.set("/api", json({ error: "maintenance" }));
    expect((await check(id)).pages).toMatchObject([
      { status: "error", error: expect.stringContaining("match nothing") as string },
    ]);
    site.set("/api", html("<p>Down</p>"));
    expect((await check(id)).pages).toMatchObject([
      { status: "error", error: "The response is not JSON." },
    ]);
  });

  it("reports a new entry of a feed", async () => {
    const feed = (...titles: readonly string[]): Answer => ({
      type: "application/rss+xml",
      body: `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title>${titles
        .map((title) => `<item><title>${title}</title><link>${base}/${title}</link></item>`)
        .join("")}</channel></rss>`,
    });
    site.set("/feed.xml", feed("Bridge", "Market"));
    const { id } = await create({ type: "scrape", urls: [`${base}/feed.xml`] });
    await check(id);
    expect(statusesOf(await check(id))).toEqual(["same"]);
    site.set("/feed.xml", feed("Ferry", "Bridge", "Market"));
    const [page] = (await check(id)).pages;
    expect(page?.status).toBe("changed");
    expect(page?.diff?.text).toContain("Ferry");
  });

  it("reports a change in a PDF and in a table file", async () => {
    const files = (text: string): void => {
      site.set("/plan.pdf", { type: "application/pdf", body: writePdf(text) });
      site.set("/plan.csv", { type: "text/csv", body: `day,opens\nMonday,${text}\n` });
    };
    files("Open from 9 to 17");
    const { id } = await create({ type: "scrape", urls: [`${base}/plan.pdf`, `${base}/plan.csv`] });
    expect(statusesOf(await check(id))).toEqual(["new", "new"]);
    expect(statusesOf(await check(id))).toEqual(["same", "same"]);
    files("Closed on Monday");
    const found = await check(id);
    expect(statusesOf(found)).toEqual(["changed", "changed"]);
    for (const { diff } of found.pages) expect(diff?.text).toContain("Closed on Monday");
  });

  it("reports new and changed pages of a site, and pages that are gone", async () => {
    const start = (...names: readonly string[]) =>
      html(names.map((name) => `<p><a href="/${name}">${name}</a></p>`).join(""));
    site.set("/", start("a", "b"));
    site.set("/a", html("<p>Page a opens at nine.</p>"));
    site.set("/b", html("<p>Page b opens at ten.</p>"));
    const { id } = await create({ type: "crawl", url: `${base}/`, crawlOptions: { limit: 10 } });
    expect((await check(id)).summary).toMatchObject({ new: 3 });
    expect((await check(id)).summary).toMatchObject({ same: 3, changed: 0, new: 0 });
    site.set("/", start("a", "c"));
    site.set("/a", html("<p>Page a opens at noon.</p>"));
    site.set("/c", html("<p>Page c is new.</p>"));
    site.delete("/b");
    const { pages } = await check(id);
    const byPath = Object.fromEntries(
      pages.map(({ url, status }) => [new URL(url).pathname, status]),
    );
    expect(byPath).toEqual({ "/": "changed", "/a": "changed", "/b": "removed", "/c": "new" });
  });

  it("reports a new URL of a site map target", async () => {
    const map = (...names: readonly string[]): Answer => ({
      type: "application/xml",
      body: `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${names
        .map((name) => `<url><loc>${base}/${name}</loc></url>`)
        .join("")}</urlset>`,
    });
    site.set("/robots.txt", { type: "text/plain", body: `Sitemap: ${base}/sitemap.xml\n` });
    site.set("/", html(""));
    site.set("/sitemap.xml", map("one", "two"));
    const { id } = await create({ type: "map", url: `${base}/` });
    await check(id);
    expect(statusesOf(await check(id))).toEqual(["same"]);
    site.set("/sitemap.xml", map("one", "two", "three"));
    const [page] = (await check(id)).pages;
    expect(page?.status).toBe("changed");
    expect(page?.diff?.text).toContain(`+${base}/three`);
  });

  it("reports new results of a search, not results that drop out", async () => {
    results = ["https://one.example/", "https://two.example/"];
    const { id } = await create(
      { type: "search", queries: ["harbour"], searchWindow: "24h" },
      { judgeEnabled: false },
    );
    expect((await check(id)).pages).toMatchObject([{ status: "new", url: "search:harbour" }]);
    results = ["https://two.example/"];
    expect(statusesOf(await check(id))).toEqual(["same"]);
    results = ["https://three.example/", "https://two.example/"];
    const [page] = (await check(id)).pages;
    expect(page?.status).toBe("changed");
    expect(page?.diff?.text).toContain("+https://three.example/");
    expect(page?.diff?.text).not.toContain("-https");
  });

  it("asks the server whether a page is unchanged, and confirms changes with whole fetches", async () => {
    site.set("/tagged", { ...html("<p>Open at nine.</p>"), etag: '"v1"' });
    const { id } = await create({ type: "scrape", urls: [`${base}/tagged`] });
    await check(id);
    answers.length = 0;
    expect(statusesOf(await check(id))).toEqual(["same"]);
    expect(answers).toEqual([304]);
    site.set("/tagged", { ...html("<p>Open at noon.</p>"), etag: '"v2"' });
    answers.length = 0;
    const [page] = (await check(id)).pages;
    expect(page?.status).toBe("changed");
    expect(page?.diff?.text).toContain("+Open at noon.");
    expect(answers).toEqual([200, 200]);
    expect(statusesOf(await check(id))).toEqual(["same"]);
    site.set("/tagged", { status: 302, location: "/moved", body: "" });
    site.set("/moved", { ...html("<p>Open at noon.</p>"), etag: '"v2"' });
    answers.length = 0;
    await check(id);
    expect(answers.at(-1)).toBe(200);
  });

  it("asks by Last-Modified when a page has no ETag", async () => {
    const modified = "Wed, 04 Mar 2026 08:00:00 GMT";
    site.set("/dated", { ...html("<p>Open at nine.</p>"), modified });
    const { id } = await create({ type: "scrape", urls: [`${base}/dated`] });
    await check(id);
    answers.length = 0;
    expect(statusesOf(await check(id))).toEqual(["same"]);
    expect(answers).toEqual([304]);
    site.set("/dated", {
      ...html("<p>Open at noon.</p>"),
      modified: "Thu, 05 Mar 2026 08:00:00 GMT",
    });
    answers.length = 0;
    expect(statusesOf(await check(id))).toEqual(["changed"]);
    expect(answers).toEqual([200, 200]);
  });

  it.each([
    { kind: "a 304", etag: '"v1"' },
    { kind: "the same bytes", etag: undefined },
  ])("does not convert a page again after $kind", async ({ kind, etag }) => {
    const countConversions = async (): Promise<number> => {
      const text = await (await fetch(`${service.url}/metrics`)).text();
      return Number(/step_seconds_count\{step="derive"\} (\d+)/.exec(text)?.[1]);
    };
    const path = `/still-${kind.length}`;
    site.set(path, { ...html("<p>Open at nine.</p>"), ...(etag !== undefined && { etag }) });
    const { id } = await create({ type: "scrape", urls: [`${base}${path}`] });
    const first = await check(id);
    const before = await countConversions();
    expect(before).toBeGreaterThan(0);
    const second = await check(id);
    expect(await countConversions()).toBe(before);
    expect(second).toMatchObject({ actualCredits: 1, pages: [{ status: "same", diff: null }] });
    // The document of these bytes stays readable.
    const [page] = second.pages;
    expect(page?.currentScrapeId).toBe(first.pages[0]?.currentScrapeId);
    expect(page?.metadata).toMatchObject({ title: "Harbour", url: `${base}${path}` });
    await ask("PATCH", `/v2/monitor/${id}`, {
      detection: { confirmations: 1, confirmAfterSeconds: 0, ignoreNoise: false },
    });
    await check(id);
    expect(await countConversions()).toBe(before + 1);
    site.set(path, html("<p>Open at noon.</p>"));
    expect(statusesOf(await check(id))).toEqual(["changed"]);
  });

  it("compares the structure of a page without its text", async () => {
    site.set("/login", html("<form><input name='q'></form><p>Since 1990</p>"));
    const { id } = await create({
      type: "scrape",
      urls: [`${base}/login`],
      scrapeOptions: { onlyMainContent: false },
      scope: { structure: true },
    });
    await check(id);
    site.set("/login", html("<form><input name='q'></form><p>A wholly different text.</p>"));
    expect(statusesOf(await check(id))).toEqual(["same"]);
    site.set("/login", html("<form><input name='q'></form><table><tr><td>1</td></tr></table>"));
    const [page] = (await check(id)).pages;
    expect(page?.status).toBe("changed");
    expect(page?.diff?.text).toMatch(/\+ +table/);
  });

  it("compares the picture of a region, without its masks, and returns the three pictures", async () => {
    const shop = (color: string, clock: string, below = "white"): Answer => ({
      body: `<title>Shop</title><style>body{margin:0}div{position:absolute;left:0;width:200px;height:100px}</style>
<p style="position:absolute;top:400px">${FILLER}</p><div style="top:0;background:${color}"></div>
<div style="top:100px;background:${clock}"></div><div style="top:250px;background:${below}"></div>`,
    });
    site.set("/shop", shop("white", "white"));
    const { id } = await create({
      type: "scrape",
      urls: [`${base}/shop`],
      scope: {
        picture: {
          region: { x: 0, y: 0, width: 200, height: 200 },
          masks: [{ x: 0, y: 100, width: 200, height: 100 }],
        },
      },
    });
    expect((await check(id)).pages).toMatchObject([{ status: "new" }]);
    site.set("/shop", shop("white", "blue", "green"));
    expect(statusesOf(await check(id))).toEqual(["same"]);
    site.set("/shop", shop("red", "blue"));
    const [page] = (await check(id)).pages;
    expect(page).toMatchObject({
      status: "changed",
      diff: { picture: { share: 0.5, box: { x: 0, y: 0, width: 200, height: 100 } } },
    });
    for (const link of [
      page?.diff?.picture?.before,
      page?.diff?.picture?.after,
      page?.diff?.picture?.difference,
    ]) {
      const picture = await fetch(link ?? "");
      expect(picture.headers.get("content-type")).toBe("image/png");
      expect(Buffer.from(await picture.arrayBuffer()).readUInt32BE(16)).toBe(200);
    }
    expect(statusesOf(await check(id))).toEqual(["same"]);
  });

  it.each([
    [{ jsonPaths: ["items"] }, "must be a JSON path"],
    [{ jsonPaths: ["$.a[?@.b]"] }, "JSON path"],
    [{ jsonPaths: ["$.a"], structure: true }, "cannot be combined"],
    [{ picture: { region: { x: -1, y: 0, width: 1, height: 1 } } }, "region"],
    [{ picture: { threshold: 2 } }, "threshold"],
  ])("rejects the scope %j and names the field", async (scope, text) => {
    const answer = await service.ask("/v2/monitor/estimate", {
      method: "POST",
      body: {
        name: "bad",
        schedule: { text: "daily" },
        targets: [{ type: "scrape", urls: [`${base}/`], scope }],
      },
    });
    expect(answer.status, answer.text).toBe(400);
    expect(answer.text).toContain(text);
  });
});

/** A PDF of one page with one line. */
function writePdf(text: string): string {
  const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  const objects = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>",
    `<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`,
    "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  ];
  let file = "%PDF-1.4\n";
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  return `${file}xref\n0 6\n0000000000 65535 f \n${table}trailer\n<< /Size 6 /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
}
