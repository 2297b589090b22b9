// The bundled service of the package, built and run: modules that are loaded on demand, programs of
// threads and child processes, functions whose text runs in pages, and files beside modules.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { QuarryClient } from "../../client/client.ts";
import type { Document } from "../../src/contract/page/document.ts";
import { buildService, toPublished } from "../../scripts/build-package.ts";
import { launchTestBrowser, testBrowserExecutable } from "../browser/launch.ts";
import { serveBy, spawnCommand, type ServingProcess } from "../command-line.ts";
import { openConsole } from "../console/browser.ts";
import { createDataFolder } from "../data-folder.ts";
import { pdfFile } from "../documents/pdf-file.ts";
import { buildDocx } from "../documents/zip.ts";

const ROOT = path.resolve(import.meta.dirname, "../..");
const KEY = "qy-bundle-0123456789abcdef0123456789abcdef";

const PARAGRAPH =
  "The harbour office opens at eight and closes at five, and the ferry leaves every hour from the north pier. ";
const LONG = `<title>Readings</title><main><h1>Readings</h1>${Array.from({ length: 800 }, (_, at) => `<p>Reading ${at}: ${PARAGRAPH}</p>`).join("")}</main>`;
const FEED = `<rss version="2.0"><channel><title>News</title><item><title>Ferry delayed</title><link>http://a.test/1</link></item></channel></rss>`;
const LETTER = buildDocx("<w:p><w:r><w:t>A letter from the harbour office.</w:t></w:r></w:p>");
const HTML = "text/html; charset=utf-8";
const PAGES: Readonly<Record<string, readonly [type: string, body: string | Buffer]>> = {
  "/": [
    HTML,
    `<title>Kettle</title><meta name="description" content="A kettle."><main><h1>Kettle</h1><p>${PARAGRAPH}</p><p>The kettle boils a litre of water in four minutes. It switches itself off when it runs dry. Its steel body keeps the water warm for half an hour.</p><p>Price: <b>€ 24.50</b></p><img src="/kettle.png" alt="Kettle" width="300" height="300"><table><tr><th>Day</th><th>Level</th></tr><tr><td>Monday</td><td>12 cm</td></tr></table><a href="/long">Readings</a> <a href="/made">Made</a></main>`,
  ],
  "/long": [HTML, LONG],
  "/made": [
    HTML,
    `<title>Made</title><style>body{color:#123456;font-family:Georgia}button{background:#c00}</style><main id="m"></main><button onclick="m.insertAdjacentHTML('beforeend','<p>pressed</p>')">Buy</button><script>m.innerHTML="<h1>Made</h1><p>Written by a script: "+6*7+"</p>"</script>`,
  ],
  "/price.pdf": [
    "application/pdf",
    pdfFile([{ lines: [{ x: 72, y: 120, text: "Price list of teas" }] }]),
  ],
  "/letter.docx": [
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    LETTER,
  ],
  "/levels.csv": ["text/csv", "Town,Level\nAal,12\n"],
  "/feed.xml": ["application/rss+xml", FEED],
};

/** Loads each chunk, and looks up what it would load later. */
const LOAD_ALL = `
  import { readdirSync, readFileSync } from "node:fs";
  const names = readdirSync(new URL("chunks/", import.meta.url)).filter((name) => name.endsWith(".js"));
  const faults = [];
  for (const name of names) {
    const url = new URL("chunks/" + name, import.meta.url);
    const found = readFileSync(url, "utf8").matchAll(/\\bimport\\("([^"\\n]+)"\\)/g);
    for (const [, specifier] of found)
      try { import.meta.resolve(specifier); } catch (error) { faults.push(name + ": " + error.message); }
    await import(url).catch((error) => faults.push(name + ": " + error.message));
  }
  console.log(JSON.stringify({ chunks: names.length, faults }));
  process.exit(0);`;

let folder: string;
let dist: string;
let dataDir: string;
let site: Server;
let base: string;
let serving: ServingProcess;
let client: QuarryClient;

const getLauncher = (): string => path.join(dist, "bin", "quarry.mjs");
const getEnvironment = async () => ({
  QUARRY_DATA_DIR: dataDir,
  QUARRY_API_KEY: KEY,
  QUARRY_EGRESS_ALLOW: "127.0.0.1",
  QUARRY_BROWSER: await testBrowserExecutable(),
});

/** Optional packages are beside the package, as npm installs them; all others are inside of it. */
async function linkOptionalPackages(): Promise<void> {
  const manifest = JSON.parse(await readFile(path.join(ROOT, "package.json"), "utf8"));
  const { packages } = JSON.parse(await readFile(path.join(ROOT, "package-lock.json"), "utf8"));
  const { optionalDependencies } = toPublished(manifest, packages);
  for (const name of Object.keys(optionalDependencies as object)) {
    const installed = path.join(ROOT, "node_modules", name);
    if (!existsSync(installed)) continue;
    const link = path.join(folder, "node_modules", name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(installed, link);
  }
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), "quarry-bundle-"));
  dist = path.join(folder, "dist");
  dataDir = await createDataFolder();
  await buildService(dist);
  await linkOptionalPackages();
  site = createServer((request, response) => {
    const [type, body] = PAGES[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(body === "" ? 404 : 200, { "content-type": type }).end(body);
  });
  await new Promise<void>((resolve) => void site.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  serving = await serveBy(getLauncher(), await getEnvironment());
  client = new QuarryClient({ apiUrl: serving.url, apiKey: KEY, retries: 0 });
});
afterAll(async () => {
  await serving?.stop();
  site?.closeAllConnections();
  site?.close();
  for (const each of [folder, dataDir]) await rm(each, { recursive: true, force: true });
});

const ask = async (target: string, body?: object) => {
  const response = await fetch(`${serving.url}${target}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${KEY}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, `${target}: ${text}`).toBeLessThan(300);
  return JSON.parse(text);
};
const scrape = async (target: string, options: object = {}): Promise<Document> =>
  (await ask("/v2/scrape", { url: base + target, maxAge: 0, ...options })).data;

describe("the bundled service", () => {
  it("has every module that it imports, and every module loads", async () => {
    const file = path.join(dist, "load-all.mjs");
    await writeFile(file, LOAD_ALL);
    const { stdout } = await promisify(execFile)(process.execPath, [file]);
    const { chunks, faults } = JSON.parse(stdout);
    expect(faults).toEqual([]);
    expect(chunks).toBeGreaterThan(50);
  });

  it("makes the formats that need no browser", async () => {
    const schema = { type: "object", properties: { price: { type: "number" } } };
    const page = await scrape("/", {
      formats: [
        "markdown",
        "html",
        "rawHtml",
        "links",
        "images",
        "summary",
        { type: "json", schema },
        { type: "changeTracking", modes: ["git-diff"] },
        { type: "attributes", selectors: [{ selector: "img", attribute: "alt" }] },
        { type: "highlights", query: "When does the ferry leave?" },
      ],
    });
    expect(page.markdown).toContain("ferry leaves every hour");
    expect(page.html).toContain("<table>");
    expect(page.rawHtml).toContain("<title>Kettle</title>");
    expect(page.links).toContain(`${base}/long`);
    expect(page.images).toContain(`${base}/kettle.png`);
    expect(page.summary).toContain("kettle");
    expect(page.json).toEqual({ price: 24.5 });
    expect(page.changeTracking?.changeStatus).toBe("new");
    expect(page.attributes?.[0]?.values).toEqual(["Kettle"]);
    expect(JSON.stringify(page["highlights"])).toContain("ferry");
  });

  it("reads feeds and tables, and large pages in a thread", async () => {
    expect((await scrape("/feed.xml", { formats: ["feed", "markdown"] })).feed?.title).toBe("News");
    expect((await scrape("/levels.csv")).markdown).toContain("| Aal | 12 |");
    expect((await scrape("/long")).markdown).toContain("Reading 799");
  });

  it("reads PDF and office files in a child process", async () => {
    expect((await scrape("/price.pdf")).markdown).toContain("Price list of teas");
    expect((await scrape("/letter.docx")).markdown).toContain("A letter from the harbour office.");
  });

  it("runs its functions in pages of the browser", async () => {
    const page = await scrape("/made", {
      formats: ["markdown", { type: "screenshot", fullPage: true }, "branding"],
      actions: [
        { type: "wait", selector: "h1" },
        { type: "click", selector: "button" },
        { type: "scroll", direction: "down" },
        { type: "executeJavascript", script: "return document.title;" },
        { type: "scrape" },
      ],
      scroll: "auto",
    });
    expect(page.markdown).toContain("Written by a script: 42");
    expect(page.markdown).toContain("pressed");
    expect(page.screenshot).toBeDefined();
    expect(page.branding?.colors?.["textPrimary"]).toBe("#123456");
    expect(page.actions?.javascriptReturns?.[0]?.value).toBe("Made");
    expect(page.warning).toBeUndefined();
  });

  it("runs code of callers in a live session", async () => {
    const { id } = await ask("/v2/browser", {});
    const ran = await ask(`/v2/browser/${id}/execute`, {
      code: `await page.goto("${base}/made"); await page.getByRole("button").click(); return await page.locator("main").innerText();`,
      language: "node",
    });
    expect(JSON.stringify(ran)).toContain("pressed");
  });

  it("crawls, maps and searches", async () => {
    const { documents } = await client.crawl(base, { limit: 5 });
    const titles = documents.map(({ metadata }) => metadata.title);
    expect(new Set(titles)).toEqual(new Set(["Kettle", "Made", "Readings"]));
    expect(JSON.stringify(await ask("/v2/map", { url: base }))).toContain("/long");
    expect(await ask("/v2/search", { query: "kettle ferry" })).toMatchObject({ success: true });
  });

  it("serves its tools to agents over MCP", async () => {
    const agent = new Client({ name: "test", version: "1" });
    await agent.connect(
      new StreamableHTTPClientTransport(new URL(`${serving.url}/mcp`), {
        requestInit: { headers: { authorization: `Bearer ${KEY}` } },
      }),
    );
    const { tools } = await agent.listTools();
    expect(tools.length).toBeGreaterThan(5);
    const read = await agent.callTool({ name: "read", arguments: { target: `${base}/` } });
    expect(JSON.stringify(read)).toContain("ferry leaves every hour");
    await agent.close();
  });

  it("serves the documentation and the modules of the console", async () => {
    const docs = await fetch(`${serving.url}/docs`);
    expect(docs.status).toBe(200);
    expect(await ask("/openapi.json")).toMatchObject({ openapi: expect.stringContaining("3.") });
    const link = /Console: (\S+)/.exec(serving.stdout())?.[1] ?? "";
    const browser = await launchTestBrowser();
    try {
      await using screen = await openConsole(browser, serving);
      await screen.page.goto(link);
      await screen.page.getByRole("navigation").first().waitFor();
      for (const name of await screen.page.getByRole("navigation").getByRole("link").all())
        await name.click();
      screen.assertClean();
    } finally {
      await browser.close();
    }
  });

  it("runs its commands", async () => {
    const environment = await getEnvironment();
    const help = await spawnCommand(["--help"], environment, getLauncher());
    expect(help).toMatchObject({ code: 0, stderr: "" });
    const commands = [...help.stdout.matchAll(/^ {2}([a-z][\w-]+)/gm)].map(
      ([, name]) => name ?? "",
    );
    expect(commands).toContain("scrape");
    const read = await spawnCommand(["scrape", `${base}/`], environment, getLauncher());
    expect(read, read.stderr).toMatchObject({ code: 0 });
    expect(read.stdout).toContain("ferry leaves every hour");
    const version = await spawnCommand(["version", "--verbose"], environment, getLauncher());
    expect(version).toMatchObject({ code: 0 });
    const diagnosis = await spawnCommand(["doctor", "--json"], environment, getLauncher());
    expect(diagnosis.stdout).toContain("browser");
  });
});
