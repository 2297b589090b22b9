// Pages that the service reads from the data in their HTML, once rendered pages showed how.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { closeAll, openSite } from "../../http-fetching.ts";
import { startService, type Service } from "../../service.ts";

const ITEMS = 8;
const toItem = (page: number) => ({
  title: `Tide table ${page}`,
  text: `High water number ${page} comes at ${page} past noon, and the harbour fills. `.repeat(12),
});
const toPage = (page: number): string =>
  `<!doctype html><html lang="en"><head><title>Harbour</title></head><body><div id="root"></div><script id="__NEXT_DATA__" type="application/json">${JSON.stringify({ props: { pageProps: toItem(page) } })}</script><script>const { title, text } = JSON.parse(document.getElementById("__NEXT_DATA__").textContent).props.pageProps; document.getElementById("root").innerHTML = "<main><h1>" + title + "</h1><p>" + text + "</p></main>";</script></body></html>`;

let service: Service;
let asked: string[] = [];

beforeAll(async () => {
  service = await startService(undefined, { egressAllow: ["127.0.0.1"], pageData: "read" });
});
afterAll(async () => {
  await service.close();
});
afterEach(closeAll);

async function openItems(): Promise<string> {
  asked = [];
  const { base } = await openSite((request, response) => {
    const page = Number((request.url ?? "").split("/").pop());
    const isBrowser = request.headers["user-agent"]?.startsWith("Mozilla") === true;
    if (!Number.isNaN(page)) asked.push(`${isBrowser ? "browser" : "http"} ${page}`);
    response.writeHead(Number.isNaN(page) ? 404 : 200, { "content-type": "text/html" });
    response.end(Number.isNaN(page) ? "" : toPage(page));
  });
  return base;
}

const scrape = (base: string, page: number, options = {}) =>
  service.page({ url: `${base}/items/${page}`, maxAge: 0, ...options });

describe("pages read from their data", () => {
  it("reads a page without the browser after rendered pages of the same kind", async () => {
    const base = await openItems();
    for (let page = 1; page <= ITEMS; page++) {
      const { markdown } = await scrape(base, page);
      expect(markdown).toContain(`# Tide table ${page}\n`);
      expect(markdown).toContain(`High water number ${page} comes at ${page} past noon`);
      expect(markdown).not.toContain(`number ${page + 1} `);
    }
    expect(asked.slice(0, 2)).toEqual(["http 1", "browser 1"]);
    const rendered = asked.filter((line) => line.startsWith("browser")).length;
    expect(rendered).toBeLessThan(ITEMS);
  });

  it("explains that a page was read from its data", async () => {
    const base = await openItems();
    const attempts: unknown[] = [];
    for (let page = 1; page <= ITEMS; page++) {
      const request = { url: `${base}/items/${page}`, maxAge: 0, formats: ["markdown"] } as const;
      const { body } = await service.scrape(request, { headers: { "x-quarry-explain": "1" } });
      attempts.push(body["explanation"]);
    }
    const text = JSON.stringify(attempts);
    expect(text).toContain("pages of this part of the site need a browser");
    expect(text).toMatch(/the data in the page, in the template of \d rendered pages/);
  });

  it("renders pages for a request with personal headers", async () => {
    const base = await openItems();
    for (let page = 1; page <= ITEMS; page++) await scrape(base, page);
    asked = [];
    await scrape(base, 20, { headers: { "x-visitor": "me" } });
    expect(asked).toContain("browser 20");
  });
});
