// Measures pages in the browser, in one command:
//   node bench/rendering.ts [--parts=application,server,texts,waits,data,life]
// application, server: CPU milliseconds per page of the whole process tree, in fresh contexts, in
//   those of a job and in bare Playwright with one page that goes from URL to URL, in alternating
//   rounds [--n=80] [--rounds=2]; downloads of the script.
// texts: sample applications in a job and in fresh contexts, whose texts must be equal [--samples=2].
// waits: their words compared with those after a wait of ten seconds.
// data: applications whose HTML holds their data: the share that is read without the browser, and
//   wrong texts, over so many pages each [--pages=40].
// life: memory and processes over many pages of one job [--life=2000]; not among the defaults.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { chromium } from "playwright-core";
import { buildBrowserEngine } from "../test/browser/engine.ts";
import { testBrowserExecutable } from "../test/browser/launch.ts";
import { SAMPLE_APPLICATIONS, serveSamples } from "../test/browser/sample-applications.ts";
import {
  DATA_APPLICATIONS,
  serveDataApplications,
  type DataApplication,
} from "../test/browser/data-applications.ts";
import { PageStates } from "../src/scrape/page-state/page-states.ts";
import { readArgument, print } from "./pages.ts";
import { measureTreeMemory, TreeCpu } from "./process-tree.ts";

const SCRIPT_BYTES = 1_100_000;
const SLOTS = 8;

/** A single-page application: one large script whose parts all run at the start, and an API. */
function buildScript(): string {
  const parts: string[] = [];
  for (let at = 0, bytes = 0; bytes < SCRIPT_BYTES; at++) {
    const part = `var Part${at}=function(){function Part(p){this.props=p;this.state={count:${at},label:"Part number ${at}",items:[]}}Part.prototype.render=function(h){var self=this;return h("div",{className:"part-"+this.props.id},this.state.items.map(function(x,i){return h("span",{key:i},x+self.state.label)}))};Part.prototype.update=function(n){for(var k=0;k<3;k++)this.state.items.push(n+k);return this};return Part}();new Part${at}({id:${at}}).update(${at}).render(function(t,a,c){return{t:t,a:a,c:c}});`;
    parts.push(part);
    bytes += part.length;
  }
  return `${parts.join("\n")}
fetch("/api/"+location.pathname.split("/").pop()).then(function(r){return r.json()}).then(function(d){
document.getElementById("app").innerHTML="<h1>"+d.title+"</h1>"+d.paragraphs.map(function(p){return"<p>"+p+"</p>"}).join("")})`;
}

/** Serves the application and the samples in a child process, so that its work is not counted. */
async function serveSite(): Promise<void> {
  const script = buildScript();
  let downloads = 0;
  // Sampled here, so that it is not counted either.
  const cpu = new TreeCpu();
  const sample = (): void => cpu.sample(process.ppid, process.pid);
  setInterval(sample, 200).unref();
  const server = createServer((request, response) => {
    const url = request.url ?? "/";
    if (url === "/application.js") {
      downloads += 1;
      response.writeHead(200, {
        "content-type": "text/javascript",
        "cache-control": "max-age=600",
      });
      response.end(script);
    } else if (url === "/downloads") {
      response.end(String(downloads));
      downloads = 0;
    } else if (url === "/cpu") {
      sample();
      response.end(String(cpu.sum()));
    } else if (/^\/api\/\d+$/.test(url)) {
      const paragraphs = Array.from(
        { length: 30 },
        (_, at) => `Paragraph ${at} of page ${url.slice(5)} comes from the data of the page.`,
      );
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ title: `Page ${url.slice(5)}`, paragraphs }));
    } else if (url.startsWith("/s/")) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(buildServerPage(Number(url.slice(3))));
    } else if (url.startsWith("/file/")) {
      response.writeHead(200, {
        "content-type": FILE_TYPES[url.split(".").pop() ?? ""] ?? "text/plain",
      });
      response.end(url.endsWith(".svg") ? PICTURE : "");
    } else if (url.startsWith("/p/")) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        `<!doctype html><title>Application</title><div id="app"></div><script src="/application.js"></script>`,
      );
    } else if (url.startsWith("/data/")) serveDataApplications(request, response, "/data");
    else serveSamples(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : undefined);
}

const PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="600" height="300"/>';
const FILE_TYPES: Readonly<Record<string, string>> = {
  svg: "image/svg+xml",
  css: "text/css",
  js: "text/javascript",
  woff2: "font/woff2",
};

/** An article as a server renders it: text, a style sheet, pictures and light scripts. */
function buildServerPage(page: number): string {
  const paragraphs = Array.from(
    { length: 30 },
    (_, at) =>
      `<p>Paragraph ${at} of page ${page} was written by the server.</p>${at % 3 === 0 ? `<img src="/file/${page}-${at}.svg" alt="">` : ""}`,
  );
  return `<!doctype html><title>Page ${page}</title><link rel="stylesheet" href="/file/site.css">
<style>@font-face{font-family:Site;src:url(/file/site.woff2)} body{font-family:Site,serif}</style>
<script src="/file/menu.js"></script><h1>Page ${page}</h1>${paragraphs.join("")}
<script>document.querySelectorAll("p").forEach(function(p,i){p.dataset.n=i});</script>`;
}

type Engine = ReturnType<typeof buildBrowserEngine>;
type Site = { readonly base: string; readonly pid: number };

/** Undefined gives every page a fresh context. */
const toHolder = (jobId: string | undefined) =>
  jobId === undefined ? {} : { holder: { accountId: "bench", jobId } };

/** Returns the HTML of a page. */
type Load = (url: string) => Promise<string>;

const loadWith =
  (engine: Engine, jobId?: string): Load =>
  async (url) =>
    (await engine.capture({ url, blockAds: true, ...toHolder(jobId) })).text;

/** Costs what Chromium and Playwright cost: nothing is cleared, blocked or waited for. */
async function withBarePage<T>(work: (load: Load) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({
    executablePath: await testBrowserExecutable(),
    args: ["--disable-gpu"],
    chromiumSandbox: false,
  });
  try {
    const page = await browser.newPage();
    return await work(async (url) => {
      await page.goto(url, { waitUntil: "load" });
      await page.waitForSelector("h1");
      return await page.content();
    });
  } finally {
    await browser.close();
  }
}

/** CPU milliseconds per page of the whole process tree, without the site's. */
async function measure(load: Load, { base }: Site, kind: "p" | "s", concurrency = 1) {
  const count = Number(readArgument("n", "80"));
  const readDownloads = async () => Number(await (await fetch(`${base}/downloads`)).text());
  const readCpuMs = async () => Number(await (await fetch(`${base}/cpu`)).text());
  const isWhole = async (at: number): Promise<boolean> =>
    (await load(`${base}/${kind}/${at}`)).includes(`Paragraph 29 of page ${at} `);
  await isWhole(0);
  await readDownloads();
  const before = await readCpuMs();
  const from = performance.now();
  let next = 0;
  let incomplete = 0;
  await repeat(concurrency, async () => {
    while (next < count) if (!(await isWhole(next++))) incomplete += 1;
  });
  return {
    cpuMsPerPage: Math.round(((await readCpuMs()) - before) / count),
    pagesPerSecond: Math.round((count * 10_000) / (performance.now() - from)) / 10,
    downloads: await readDownloads(),
    incomplete,
  };
}

const repeat = async (times: number, work: () => Promise<void>): Promise<void> =>
  void (await Promise.all(Array.from({ length: times }, work)));

/** Fresh and shared contexts in turn, so that both see the same machine. */
async function compareCosts(engine: Engine, site: Site, kind: "p" | "s"): Promise<void> {
  const pages = kind === "p" ? "application" : "server-rendered";
  for (let round = 0; round < Number(readArgument("rounds", "2")); round++) {
    const fresh = await measure(loadWith(engine), site, kind);
    const shared = await measure(loadWith(engine, `${kind} ${round}`), site, kind);
    const bare = await withBarePage((load) => measure(load, site, kind));
    print({ pages, contexts: "fresh", ...fresh });
    print({ pages, contexts: "shared", ...shared });
    print({ pages, contexts: "bare Playwright", ...bare });
    print({
      pages,
      cpuOverFresh: toShare(shared.cpuMsPerPage, fresh.cpuMsPerPage),
      cpuOverBare: toShare(shared.cpuMsPerPage, bare.cpuMsPerPage),
    });
  }
  if (kind === "p") {
    const parallel = await measure(loadWith(engine, "parallel"), site, kind, 4);
    print({ pages, contexts: "shared, four at once", ...parallel });
  }
}

const toShare = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 1000;

/** Calls `work` for every sample application, several at once. */
async function forEachSample(work: (name: string, at: number) => Promise<void>): Promise<void> {
  const entries = [...SAMPLE_APPLICATIONS.entries()];
  await repeat(SLOTS, async () => {
    for (let entry = entries.shift(); entry !== undefined; entry = entries.shift())
      await work(entry[1].name, entry[0]);
  });
}

/** Visits each sample application in a job and in fresh contexts, and compares the texts. */
async function compareTexts(engine: Engine, { base }: Site): Promise<void> {
  const differing: string[] = [];
  const pages = Number(readArgument("samples", "2"));
  await forEachSample(async (name, at) => {
    for (let page = 0; page < pages; page++) {
      const url = `${base}/${at}/${page}`;
      const inJob = await engine.capture({ url, ...toHolder(name) });
      const fresh = await engine.capture({ url });
      if (readText(inJob.text) !== readText(fresh.text)) differing.push(`${name}, page ${page}`);
    }
  });
  const all = SAMPLE_APPLICATIONS.length * pages;
  print({
    applications: SAMPLE_APPLICATIONS.length,
    pages: all,
    equalTexts: all - differing.length,
  });
  print({ differing, ...engine.pool.state().shared });
}

/** Compares the words of each sample application with those after a wait of ten seconds. */
async function compareWaits(engine: Engine, { base }: Site): Promise<void> {
  let found = 0;
  let wanted = 0;
  let waitedMs = 0;
  const incomplete: string[] = [];
  const reasons: Record<string, number> = {};
  await forEachSample(async (name, at) => {
    const url = `${base}/${at}/7`;
    const { text, rendering } = await engine.capture({ url });
    const long = await engine.capture({ url, waitForMs: 10_000 }, 60_000);
    const words = countWords(readText(text));
    let kept = 0;
    let all = 0;
    for (const [word, count] of countWords(readText(long.text))) {
      all += count;
      kept += Math.min(count, words.get(word) ?? 0);
    }
    found += kept;
    wanted += all;
    if (kept < all) incomplete.push(`${name}: ${kept} of ${all} words`);
    waitedMs += rendering?.waitedMs ?? 0;
    const reason = rendering?.ready ?? "unknown";
    reasons[reason] = (reasons[reason] ?? 0) + 1;
  });
  print({ completeness: toShare(found, wanted), words: wanted, incomplete });
  print({ waitedMsPerPage: Math.round(waitedMs / SAMPLE_APPLICATIONS.length), reasons });
}

const readText = (html: string): string =>
  html
    .replaceAll(/<(script|style)\b[\s\S]*?<\/\1>|<title>[^<]*<\/title>|<[^>]*>/gi, " ")
    .replaceAll(/\s+/g, " ");

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of text.split(" ")) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Renders every page of the data applications, and compares those that were read from data. */
async function readData(engine: Engine, { base }: Site): Promise<void> {
  const pages = Number(readArgument("pages", "40"));
  const total = { pages: 0, read: 0, wrong: 0, late: 0, readLate: 0 };
  const measureOne = async ({ name, isReadable }: DataApplication, at: number): Promise<void> => {
    const states = new PageStates();
    let read = 0;
    let wrong = 0;
    for (let page = 0; page < pages; page++) {
      const url = `${base}/data/${at}/item/${page}`;
      const rendered = await engine.capture({ url, ...toHolder(name) }, 60_000);
      const body = new Uint8Array(await (await fetch(url)).arrayBuffer());
      const plain = { ...rendered, engine: "http", body } as const;
      const found = states.read(plain, "visitor");
      if (found === undefined) states.learn(plain, rendered, "visitor");
      else {
        read += 1;
        if (readText(Buffer.from(found.body).toString()) !== readText(rendered.text)) wrong += 1;
      }
      if (!isReadable || page < pages / 2) continue;
      total.late += 1;
      total.readLate += found === undefined ? 0 : 1;
    }
    print({ application: name, isReadable, read: toShare(read, pages), wrong });
    total.wrong += wrong;
    if (!isReadable) return;
    total.pages += pages;
    total.read += read;
  };
  const entries = [...DATA_APPLICATIONS.entries()];
  await repeat(SLOTS, async () => {
    for (let entry = entries.shift(); entry !== undefined; entry = entries.shift())
      await measureOne(entry[1], entry[0]);
  });
  print({
    wrongTexts: total.wrong,
    readShare: toShare(total.read, total.pages),
    readShareOfSecondHalf: toShare(total.readLate, total.late),
  });
}

async function measureLongRun(engine: Engine, { base, pid }: Site): Promise<void> {
  const pages = Number(readArgument("life", "2000"));
  for (let page = 0; page <= pages; page++) {
    await engine.capture({ url: `${base}/p/${page}`, ...toHolder("life") });
    if (page % Math.ceil(pages / 20) !== 0) continue;
    const { mib, processes } = measureTreeMemory(process.pid);
    const site = measureTreeMemory(pid);
    print({ page, mib: mib - site.mib, processes: processes - site.processes });
  }
  print(engine.pool.state().shared);
}

const PARTS: Readonly<Record<string, (engine: Engine, site: Site) => Promise<void>>> = {
  application: (engine, site) => compareCosts(engine, site, "p"),
  server: (engine, site) => compareCosts(engine, site, "s"),
  texts: compareTexts,
  waits: compareWaits,
  data: readData,
  life: measureLongRun,
};

async function run(): Promise<void> {
  const child = fork(import.meta.filename, ["--serve"]);
  const [port] = (await once(child, "message")) as [number];
  const site = { base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
  const names = readArgument("parts", "application,server,texts,waits").split(",");
  const engine = buildBrowserEngine({ slots: SLOTS, limits: { pages: 2 * SLOTS } });
  try {
    for (const name of names) await PARTS[name]?.(engine, site);
  } finally {
    await engine.close();
    // Processes of the browser end shortly after it.
    await sleep(2_000);
    const { processes } = measureTreeMemory(process.pid);
    print({ processesLeft: processes - measureTreeMemory(site.pid).processes - 1 });
    child.kill();
  }
}

if (process.argv.includes("--serve")) await serveSite();
else await run();
