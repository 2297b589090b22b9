// Compares pages of a job that follow each other in one context with pages in a fresh one, in
// alternating rounds: CPU milliseconds per page of the whole process tree, downloads of the
// application's script, and the text of sample applications, which must be equal.
//   node bench/shared-pages.ts [--n=80] [--rounds=2] [--concurrency=1] [--samples=3] [--life=0]
// --samples=N visits N pages of each sample application; --life=N visits N pages in one job and
// prints memory and processes along the way.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import process from "node:process";
import { buildBrowserEngine } from "../test/browser/engine.ts";
import { SAMPLE_APPLICATIONS, serveSamples } from "../test/browser/sample-applications.ts";
import { argument, print } from "./pages.ts";
import { cpuMsOf, memoryOf } from "./process-tree.ts";

const SCRIPT_BYTES = 1_100_000;

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
    } else if (/^\/api\/\d+$/.test(url)) {
      const paragraphs = Array.from(
        { length: 30 },
        (_, at) => `Paragraph ${at} of page ${url.slice(5)} comes from the data of the page.`,
      );
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ title: `Page ${url.slice(5)}`, paragraphs }));
    } else if (url.startsWith("/p/")) {
      response.writeHead(200, { "content-type": "text/html" });
      response.end(
        `<!doctype html><title>Application</title><div id="app"></div><script src="/application.js"></script>`,
      );
    } else serveSamples(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  process.send?.(typeof address === "object" ? address?.port : undefined);
}

type Engine = ReturnType<typeof buildBrowserEngine>;
type Site = { readonly base: string; readonly pid: number };

/** Undefined gives every page a fresh context. */
const toHolder = (jobId: string | undefined) =>
  jobId === undefined ? {} : { holder: { accountId: "bench", jobId } };

async function measure(engine: Engine, { base, pid }: Site, jobId: string | undefined) {
  const count = Number(argument("n", "80"));
  const readDownloads = async () => Number(await (await fetch(`${base}/downloads`)).text());
  const cpu = (): number => cpuMsOf(process.pid) - cpuMsOf(pid);
  const load = async (at: number): Promise<boolean> => {
    const { text } = await engine.capture({
      url: `${base}/p/${at}`,
      blockAds: true,
      ...toHolder(jobId),
    });
    return text.includes(`Paragraph 29 of page ${at} `);
  };
  await load(0);
  await readDownloads();
  const before = cpu();
  const from = performance.now();
  let next = 0;
  let incomplete = 0;
  await Promise.all(
    Array.from({ length: Number(argument("concurrency", "1")) }, async () => {
      while (next < count) if (!(await load(next++))) incomplete += 1;
    }),
  );
  return {
    cpuMsPerPage: Math.round((cpu() - before) / count),
    pagesPerSecond: Math.round((count * 10_000) / (performance.now() - from)) / 10,
    downloads: await readDownloads(),
    incomplete,
  };
}

/** Visits each sample application in a job and in fresh contexts, and compares the texts. */
async function compareTexts(engine: Engine, { base }: Site, pages: number): Promise<void> {
  const differing: string[] = [];
  for (const [at, { name }] of SAMPLE_APPLICATIONS.entries())
    for (let page = 0; page < pages; page++) {
      const url = `${base}/${at}/${page}`;
      const inJob = await engine.capture({ url, ...toHolder(name) });
      const fresh = await engine.capture({ url });
      if (inJob.text !== fresh.text) differing.push(`${name}, page ${page}`);
    }
  print({
    applications: SAMPLE_APPLICATIONS.length,
    pages: SAMPLE_APPLICATIONS.length * pages,
    equal: SAMPLE_APPLICATIONS.length * pages - differing.length,
    differing,
    ...engine.pool.state().shared,
  });
}

async function liveLong(engine: Engine, { base, pid }: Site, pages: number): Promise<void> {
  for (let page = 0; page <= pages; page++) {
    await engine.capture({ url: `${base}/p/${page}`, ...toHolder("life") });
    if (page % Math.ceil(pages / 20) !== 0) continue;
    const { mib, processes } = memoryOf(process.pid);
    const site = memoryOf(pid);
    print({ page, mib: mib - site.mib, processes: processes - site.processes });
  }
  print(engine.pool.state().shared);
}

async function run(): Promise<void> {
  const child = fork(import.meta.filename, ["--serve"]);
  const [port] = (await once(child, "message")) as [number];
  const site = { base: `http://127.0.0.1:${port}`, pid: child.pid ?? 0 };
  const engine = buildBrowserEngine({ slots: 4 });
  try {
    for (let round = 0; round < Number(argument("rounds", "2")); round++) {
      const fresh = await measure(engine, site, undefined);
      const shared = await measure(engine, site, `round ${round}`);
      print({ contexts: "fresh", ...fresh });
      print({ contexts: "shared", ...shared });
      print({ cpuOverFresh: Math.round((shared.cpuMsPerPage / fresh.cpuMsPerPage) * 100) / 100 });
    }
    const samples = Number(argument("samples", "3"));
    if (samples > 0) await compareTexts(engine, site, samples);
    const life = Number(argument("life", "0"));
    if (life > 0) await liveLong(engine, site, life);
  } finally {
    await engine.close();
    child.kill();
  }
}

if (process.argv.includes("--serve")) await serveSite();
else await run();
