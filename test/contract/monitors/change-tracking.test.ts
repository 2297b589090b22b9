// Change tracking over edits of a page, through the published client and HTTP.
import type { ServerResponse } from "node:http";
import { Firecrawl, type FormatOption } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ChangeTracking } from "../../../src/contract/page/change-tracking.ts";
import type { Document } from "../../../src/contract/page/document.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote, shareService, type Answer, type Service } from "../../service.ts";

type Page = (response: ServerResponse) => void;

let base: string;
let service: Service;
/** Responses of the site by path. */
const pages = new Map<string, Page>();
let places = 0;

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    const page = pages.get(request.url ?? "/");
    if (page === undefined) response.writeHead(404, { "content-type": "text/html" }).end(MISSING);
    else page(response);
  }));
  service = await shareService();
});
afterAll(async () => {
  if (isRemote) return;
  await service.close();
  await closeAll();
});

const MISSING = "<title>Not found</title><h1>Not found</h1>";
const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

const page =
  (lines: readonly string[], status = 200): Page =>
  (response) => {
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" });
    const body = lines.map((line) => `<p>${line}</p>`).join("\n");
    response.end(`<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p>${body}</main>`);
  };

/** Opens a page; `edit` changes its text. */
function openPage(...lines: readonly string[]) {
  const path = `/page${(places += 1)}`;
  pages.set(path, page(lines));
  return {
    url: `${base}${path}`,
    edit: (...next: readonly string[]) => void pages.set(path, page(next)),
    answer: (next: Page) => void pages.set(path, next),
    remove: () => void pages.delete(path),
  };
}

const track = { type: "changeTracking", modes: ["git-diff"] };

async function scrape(
  url: string,
  format: object = {},
  options: object = {},
): Promise<{ answer: Answer; document: Document; changes: ChangeTracking | undefined }> {
  const formats = ["markdown", { ...track, ...format }];
  // Such a small page has hardly any main content.
  const answer = await service.scrape({ url, formats, onlyMainContent: false, ...options });
  const document = answer.body.data as Document;
  expect(answer.status, answer.text).toBe(200);
  return { answer, document, changes: document.changeTracking };
}

describe.skipIf(isRemote)("change tracking", () => {
  it("reports each edit of a page to the published client", async () => {
    const client = new Firecrawl({ apiKey: service.key, apiUrl: service.url });
    const { url, edit, remove } = openPage("Starter: $9", "Open all year");
    const scrapeNow = async () => {
      const formats: FormatOption[] = [
        "markdown",
        { type: "changeTracking", modes: ["git-diff"], tag: "client" },
      ];
      const options = { formats, onlyMainContent: false };
      return (await client.scrape(url, options)).changeTracking ?? {};
    };
    expect(await scrapeNow()).toEqual({
      previousScrapeAt: null,
      changeStatus: "new",
      visibility: "visible",
    });
    const same = await scrapeNow();
    expect(same).toMatchObject({ changeStatus: "same" });
    expect(Date.parse(String(same["previousScrapeAt"]))).toBeGreaterThan(Date.now() - 60_000);

    edit("Starter: $12", "Open all year");
    const changed = (await scrapeNow()) as ChangeTracking;
    expect(changed.changeStatus).toBe("changed");
    expect(changed.diff?.text).toContain("-Starter: $9\n+Starter: $12");
    const [file] = changed.diff?.json.files ?? [];
    expect(file?.chunks[0]?.changes).toContainEqual({
      type: "add",
      add: true,
      ln: 5,
      content: "+Starter: $12",
    });
    expect(changed.json).toBeUndefined();

    remove();
    const removed = await scrapeNow();
    expect(removed).toMatchObject({ changeStatus: "removed", visibility: "visible" });
    expect(removed).not.toHaveProperty("diff");
    edit("Starter: $12", "Open all year");
    expect(await scrapeNow()).toMatchObject({ changeStatus: "same" });
  });

  it("returns a diff with git-diff only and no cacheState; the page fills the cache", async () => {
    const { url, edit } = openPage("one");
    const first = await scrape(url, { modes: [] });
    expect(first.document.metadata).not.toHaveProperty("cacheState");
    const plain = await service.page({ url, formats: ["markdown"] });
    expect(plain.metadata.cacheState).toBe("hit");
    edit("two");
    const { changes, document } = await scrape(url, { modes: [] });
    expect(changes).toMatchObject({ changeStatus: "changed" });
    expect(changes).not.toHaveProperty("diff");
    expect(document.markdown).toContain("two");
    expect(Object.keys(document).toSorted()).toEqual(["changeTracking", "markdown", "metadata"]);
  });

  it("keeps a history per tag, URL spelling and account", async () => {
    const { url } = openPage("one");
    pages.set(new URL(`${url}/`).pathname, page(["one"]));
    expect((await scrape(url)).changes?.changeStatus).toBe("new");
    for (const format of [{ tag: "" }, { tag: "daily" }])
      expect((await scrape(url, format)).changes?.changeStatus).toBe("new");
    expect((await scrape(`${url}/`)).changes?.changeStatus).toBe("new");
    for (const format of [{}, { tag: null }, { tag: "" }, { tag: "daily" }])
      expect((await scrape(url, format)).changes?.changeStatus).toBe("same");
  });

  it("ignores volatile text, reports it, and counts it on request", async () => {
    const lines = (views: string, age: string): string[] => [views, `Posted ${age} by Ann`];
    const { url, edit } = openPage(...lines("1,204 views", "2 hours ago"));
    await scrape(url);
    await scrape(url, { tag: "all", ignoreNoise: false });
    edit(...lines("1,377 views", "3 days ago"));
    const quiet = await scrape(url);
    expect(quiet.changes).toMatchObject({
      changeStatus: "same",
      noise: { lines: 2, kinds: ["counter", "age"] },
    });
    const all = await scrape(url, { tag: "all", ignoreNoise: false });
    expect(all.changes).toMatchObject({ changeStatus: "changed" });
    expect(all.changes).not.toHaveProperty("noise");
  });

  it.each([
    ["a server error", page(["The harbour is on fire"], 500)],
    ["no access", page(["Who are you?"], 403)],
    [
      "a page without text",
      (response: ServerResponse) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end("<title>x</title><main></main>"),
    ],
    [
      "a bot check",
      (response: ServerResponse) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end(
            `<title>Just a moment...</title><script src="/cdn-cgi/challenge-platform/x.js"></script><p>Checking your browser</p>`,
          ),
    ],
    [
      "a page that says it does not exist",
      (response: ServerResponse) =>
        void response
          .writeHead(200, { "content-type": "text/html" })
          .end("<title>404 Page not found</title><p>No such page.</p>"),
    ],
  ])("%s is no version of the page and is returned with a warning", async (_, broken) => {
    const { url, edit, answer } = openPage("one");
    await scrape(url, {}, { proxy: "basic" });
    answer(broken);
    const { document, changes } = await scrape(url, {}, { proxy: "basic" });
    expect(changes).toBeUndefined();
    expect(document.warning).toContain("it was not compared, and its history is unchanged");
    edit("one");
    expect((await scrape(url)).changes?.changeStatus).toBe("same");
  });

  it("reports a page that never existed as removed, and treats 410 like 404", async () => {
    const gone = openPage("x");
    gone.answer(page(["gone"], 410));
    for (const url of [`${base}/never`, gone.url])
      expect((await scrape(url)).changes).toEqual({
        previousScrapeAt: null,
        changeStatus: "removed",
        visibility: "visible",
      });
  });

  it("stores nothing with zero data retention, says so, and does not charge for it", async () => {
    const { url } = openPage("one");
    const json = {
      modes: ["json"],
      schema: { type: "object", properties: { a: { type: "string" } } },
    };
    const { document, changes } = await scrape(url, json, { zeroDataRetention: true });
    expect(changes).toBeUndefined();
    expect(document.warning).toContain("zeroDataRetention");
    expect(document.metadata.creditsUsed).toBe(2);
    expect((await scrape(url)).changes?.changeStatus).toBe("new");
  });

  it("with lockdown compares the cached page with what was known when it was fetched", async () => {
    const { url, edit } = openPage("one");
    await scrape(url);
    edit("two");
    await scrape(url);
    const { changes, document } = await scrape(url, {}, { lockdown: true });
    expect(document.metadata.cacheState).toBe("hit");
    expect(changes).toMatchObject({ changeStatus: "same" });
  });

  it("warns when the snapshot was made with other options", async () => {
    const { url, edit } = openPage("one");
    await scrape(url);
    edit("two");
    const { document } = await scrape(url, {}, { onlyMainContent: true });
    expect(document.warning).toContain("made with other options");
  });

  it("charges one page for change tracking", async () => {
    const { url } = openPage("one");
    expect((await scrape(url)).document.metadata.creditsUsed).toBe(1);
  });

  it("tracks changes in /v1 and in batches", async () => {
    const { url, edit } = openPage("one");
    const formats = ["markdown", "changeTracking"] as const;
    const first = await service.ask("/v1/scrape", { method: "POST", body: { url, formats } });
    expect((first.body.data as Document).changeTracking?.changeStatus).toBe("new");
    edit("two");
    const { documents } = await service.client.batch([url], { formats: [...formats] });
    expect(documents[0]?.changeTracking?.changeStatus).toBe("changed");
  });
});
