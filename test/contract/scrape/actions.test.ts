// Actions and screenshots over HTTP, driven by the published JavaScript client in the service's own
// browser.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Firecrawl } from "@mendable/firecrawl-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testBrowserExecutable } from "../../browser/launch.ts";
import { pdfFile } from "../../documents/pdf-file.ts";
import { startService, type Service } from "../../service.ts";

const PARAGRAPHS = ["wind", "salt", "glass", "brass", "rope", "night"]
  .map(
    (topic) =>
      `<p>What the ${topic} does to a lamp is known to whoever has sailed with one, and the ${topic} of the north, people say, is the worst that a lamp can meet on its way across.</p>`,
  )
  .join("");
/** An article with a box beside it, which is not content, and a frame. */
const ARTICLE = `<!doctype html><meta charset=utf-8><title>Lamps of the deck</title><nav><a href="/">Home</a> <a href="/lamps">Lamps</a></nav>
  <article><h1>Lamps of the deck</h1>${PARAGRAPHS}</article>
  <aside class="sidebar widget"><ul class=menu><li>Nothing yet</li></ul><button id=check>Check</button></aside>
  <iframe src="/framed" width=600 height=300></iframe>
  <script>check.onclick = () => { document.querySelector(".menu").innerHTML = "<li>Order <b>4711</b> leaves on Friday</li>"; };</script>`;
const FRAMED = `<!doctype html><meta charset=utf-8><title>Levels</title><nav><a href="/">Menu of the frame</a></nav><main><h2>Water levels</h2><p class=level>3.20 m at noon</p></main>`;
/** UTF-8 that nothing declares. */
const UNDECLARED = `<!doctype html><title>Größen</title><article><h1>Größen</h1><p>Die Größe „klein“ misst 5 m² – für 20 €.</p><p id=late></p></article>
  <script>late.textContent = "\u65e5\u672c";</script>`;

const PAGES: Readonly<Record<string, string>> = {
  "/": `<!doctype html><title>Search</title><style>body { margin: 0; background: rgb(0, 120, 0) }</style>
    <h1>Search the quarry</h1><form action="/found"><input id=q name=q><button>Go</button></form>
    <div style="height:20000px"></div>`,
  "/article": ARTICLE,
  "/framed": FRAMED,
  "/found": `<!doctype html><title>Found</title><h1>Results</h1><ul id=list></ul>
    <script>setTimeout(() => { list.innerHTML = "<li class=hit>Result for " + new URLSearchParams(location.search).get("q"); }, 300);</script>`,
};

const PDF = pdfFile([{ lines: [{ x: 72, y: 72, text: "Only words in a file" }] }]);

let site: Server;
let url: string;
let service: Service;
let client: Firecrawl;

beforeAll(async () => {
  site = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const page = PAGES[pathname];
    if (pathname === "/undeclared") response.setHeader("content-type", "text/html").end(UNDECLARED);
    else if (pathname === "/file.pdf")
      response.setHeader("content-type", "application/pdf").end(PDF);
    else if (page === undefined) response.writeHead(404).end();
    else response.setHeader("content-type", "text/html; charset=utf-8").end(page);
  });
  await new Promise<void>((resolve) => {
    site.listen(0, "127.0.0.1", resolve);
  });
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  service = await startService(undefined, {
    egressAllow: [new URL(url).host],
    browser: await testBrowserExecutable(),
  });
  client = new Firecrawl({ apiUrl: service.url, apiKey: service.key });
});
afterAll(async () => {
  await service.close();
  site.close();
});

async function fetchFile(
  link: string | undefined,
): Promise<{ type: string | null; bytes: Buffer }> {
  const answer = await fetch(link ?? "");
  expect(answer.status).toBe(200);
  return {
    type: answer.headers.get("content-type"),
    bytes: Buffer.from(await answer.arrayBuffer()),
  };
}

const sizeOf = (png: Buffer): [number, number] => [png.readUInt32BE(16), png.readUInt32BE(20)];

describe("actions", () => {
  it("runs actions in order and derives formats from the page after them", async () => {
    const document = await client.scrape(`${url}/`, {
      formats: ["markdown"],
      actions: [
        { type: "screenshot", fullPage: true },
        { type: "click", selector: "#q" },
        { type: "write", text: "granite" },
        { type: "press", key: "Enter" },
        { type: "wait", selector: ".hit" },
        { type: "scrape" },
        { type: "executeJavascript", script: "document.querySelectorAll('.hit').length" },
        { type: "pdf", format: "A4" },
        { type: "screenshot", viewport: { width: 640, height: 480 } },
      ],
    });
    expect(document.markdown).toContain("Result for granite");
    expect(document.metadata).toMatchObject({ url: `${url}/found?q=granite`, creditsUsed: 1 });
    expect(document.metadata?.cacheState).toBeUndefined();
    const actions = document.actions as unknown as {
      screenshots: string[];
      scrapes: { url: string; html: string }[];
      javascriptReturns: unknown[];
      pdfs: string[];
    };
    expect(actions.javascriptReturns).toEqual([{ type: "number", value: 1 }]);
    expect(actions.scrapes[0]?.url).toBe(`${url}/found?q=granite`);
    expect(actions.scrapes[0]?.html).toContain("Result for granite");
    const [page, window] = await Promise.all(actions.screenshots.map(fetchFile));
    expect(page?.type).toBe("image/png");
    expect(sizeOf(page?.bytes ?? Buffer.alloc(0))[1]).toBeGreaterThan(20_000);
    expect(sizeOf(window?.bytes ?? Buffer.alloc(0))).toEqual([640, 480]);
    const pdf = await fetchFile(actions.pdfs[0]);
    expect(pdf.bytes.toString("latin1")).toMatch(/^%PDF-/);
    expect(actions.screenshots[0]).toMatch(new RegExp(`^${service.url}/blobs/`));
  });

  it("reports a failed action with index, type, selector and reason and charges nothing", async () => {
    const { status, body } = await service.scrape({
      url: `${url}/`,
      actions: [{ type: "scrape" }, { type: "write", text: "nowhere" }],
    });
    expect([status, body.code]).toEqual([500, "SCRAPE_ACTION_ERROR"]);
    expect(body.error).toMatch(/Action 1 \(write\) failed: no field has the focus/);
  });

  it("returns text that an action added to the page, which is not content otherwise", async () => {
    const before = await client.scrape(`${url}/article`, {
      formats: ["markdown"],
      actions: [{ type: "wait", milliseconds: 10 }],
    });
    expect(before.markdown).toContain("What the rope does");
    expect(before.markdown).not.toContain("Nothing yet");
    const after = await client.scrape(`${url}/article`, {
      formats: ["markdown"],
      actions: [{ type: "click", selector: "#check" }],
    });
    expect(after.markdown).toContain("What the rope does");
    expect(after.markdown).toContain("Order **4711** leaves on Friday");
  });

  it("rejects actions on a PDF", async () => {
    const { status, body } = await service.scrape({
      url: `${url}/file.pdf`,
      actions: [{ type: "scrape" }],
    });
    expect([status, body.code]).toEqual([400, "SCRAPE_ACTIONS_NOT_SUPPORTED"]);
  });
});

describe("frames of the page's own site", () => {
  const scrape = async (more: object = {}): Promise<string> =>
    (await client.scrape(`${url}/article`, { formats: ["markdown"], waitFor: 1, ...more }))
      .markdown ?? "";

  it("returns the content of frames of the page's own site without their menus", async () => {
    const markdown = await scrape();
    expect(markdown).toContain("## Water levels\n\n3.20 m at noon");
    expect(markdown).not.toContain("Menu of the frame");
    expect(markdown).toContain("What the rope does");
  });

  it("selects frames by iframe in includeTags, and searches them with the selectors after it", async () => {
    expect(await scrape({ includeTags: ["iframe"] })).toContain("3.20 m at noon");
    expect(await scrape({ includeTags: ["iframe .level"] })).toBe("3.20 m at noon");
    expect(await scrape({ excludeTags: ["iframe"] })).not.toContain("3.20 m at noon");
  });
});

describe("pages that do not declare UTF-8", () => {
  it("decodes pages without a UTF-8 declaration in the browser as over plain HTTP", async () => {
    const plain = await client.scrape(`${url}/undeclared`, { formats: ["markdown"] });
    const rendered = await client.scrape(`${url}/undeclared`, {
      formats: ["markdown"],
      waitFor: 1,
    });
    expect(plain.markdown).toContain("Die Größe „klein“ misst 5 m² – für 20 €.");
    expect(rendered.markdown).toContain("Die Größe „klein“ misst 5 m² – für 20 €.");
    expect(rendered.markdown).toContain("日本");
    expect(rendered.metadata?.title).toBe("Größen");
  });
});

describe("screenshots", () => {
  it("returns no screenshot of a PDF and says so", async () => {
    const { status, body } = await service.scrape({
      url: `${url}/file.pdf`,
      formats: ["markdown", "screenshot"],
    });
    expect(status).toBe(200);
    expect(body.data?.screenshot).toBeUndefined();
    expect(body.data?.warning).toMatch(/screenshot/i);
  });

  it("returns the same link on a cache hit and a new screenshot for other options", async () => {
    const shoot = async (fullPage: boolean) =>
      await client.scrape(`${url}/`, { formats: [{ type: "screenshot", fullPage }] });
    const first = await shoot(false);
    const second = await shoot(false);
    expect([first.metadata?.cacheState, second.metadata?.cacheState]).toEqual(["miss", "hit"]);
    expect(second.screenshot).toBe(first.screenshot);
    const full = await shoot(true);
    expect(full.metadata?.cacheState).toBe("miss");
    expect(sizeOf((await fetchFile(full.screenshot)).bytes)[1]).toBeGreaterThan(20_000);
  });

  it("returns a JPEG of the requested viewport", async () => {
    const { screenshot } = await client.scrape(`${url}/`, {
      formats: [{ type: "screenshot", quality: 40, viewport: { width: 800, height: 600 } }],
    });
    expect((await fetchFile(screenshot)).type).toBe("image/jpeg");
  });

  it("signs the path of a screenshot so that it cannot be changed", async () => {
    const { screenshot } = await client.scrape(`${url}/`, { formats: ["screenshot"] });
    const forged = (screenshot ?? "").replace(/expires=\d+/, "expires=99999999999999");
    expect((await fetch(forged)).status).toBe(403);
  });

  it("returns reachable screenshot links in the results of a batch", async () => {
    const { data } = await client.batchScrape([`${url}/found`], {
      options: { formats: ["screenshot"] },
      pollInterval: 1,
    });
    expect(data[0]?.screenshot).toMatch(new RegExp(`^${service.url}/blobs/`));
    expect((await fetchFile(data[0]?.screenshot)).type).toBe("image/png");
  });
});

it.each([
  ["executeJavascript", { type: "executeJavascript", script: "new Promise(() => undefined)" }],
  ['wait "#never"', { type: "wait", selector: "#never" }],
])("names the action %s that was running at the timeout", async (name, step) => {
  // On a busy machine the page may take longer than the first timeout.
  let message = "";
  let limit = 0;
  for (const timeout of [5_000, 20_000, 60_000]) {
    const { status, body } = await service.ask("/v2/scrape", {
      method: "POST",
      body: { url: `${url}/`, timeout, actions: [{ type: "scrape" }, step] },
    });
    expect([status, body.code]).toEqual([408, "SCRAPE_TIMEOUT"]);
    [message, limit] = [body.error ?? "", timeout];
    if (message.includes("Action")) break;
  }
  expect(message).toBe(
    `The scrape did not finish within its timeout of ${limit} ms. Action 1 (${name}) was running.`,
  );
});

it("lists the supported actions when a type is unknown", async () => {
  const { status, body } = await service.ask("/v2/scrape", {
    method: "POST",
    body: { url: `${url}/`, actions: [{ type: "hover" }] },
  });
  expect(status).toBe(400);
  expect(body.details?.[0]?.message).toMatch(/^actions\[0\]\.type must be one of "wait", "click",/);
});
