// Checks an installed `quarry` on the PATH: start time, a scrape, a crawl, the browser and text recognition.
// Plain JavaScript without dependencies, because it runs where nothing but the package is installed.
//   node verify-install.mjs [--without-optional] [--max-start-ms 1500]
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";

const withoutOptional = process.argv.includes("--without-optional");
const at = process.argv.indexOf("--max-start-ms");
const maxStartMs = at === -1 ? Infinity : Number(process.argv[at + 1]);
/** Other programs of the machine make a start longer, never shorter: the shortest of several counts. */
const STARTS = 7;
const PORT = 20_000 + (process.pid % 20_000);
const BASE = `http://127.0.0.1:${PORT}`;

const PAGES = {
  "/": '<title>Shop</title><main><h1>Shop</h1><p>Three kinds of tea are on sale this week.</p><a href="/green">Green</a> <a href="/black">Black</a></main>',
  "/green": "<title>Green</title><main><h1>Green tea</h1><p>Costs 4.20 euros for a bag.</p></main>",
  "/black": "<title>Black</title><main><h1>Black tea</h1><p>Costs 3.90 euros for a bag.</p></main>",
  "/made":
    '<title>Made</title><main id="m"></main><script>m.innerHTML="<h1>Made</h1><p>This text was written by a script "+(6*7)+".</p>"</script>',
};

/** A PDF with one line of text, built by hand. */
function buildPdf(text) {
  const stream = `BT /F1 24 Tf 72 700 Td (${text}) Tj ET`;
  const objects = [
    "<</Type/Catalog/Pages 2 0 R>>",
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
    `<</Length ${stream.length}>>\nstream\n${stream}\nendstream`,
    "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
  ];
  let file = "%PDF-1.4\n";
  const offsets = objects.map((body, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${body}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  return `${file}xref\n0 6\n0000000000 65535 f \n${table}trailer<</Size 6/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF`;
}

/** A second of silence, which is no MP3. */
function buildWav() {
  const samples = 8_000;
  const file = Buffer.alloc(44 + samples * 2);
  file.write("RIFF", 0);
  file.writeUInt32LE(36 + samples * 2, 4);
  file.write("WAVEfmt ", 8);
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(1, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(samples, 24);
  file.writeUInt32LE(samples * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write("data", 36);
  file.writeUInt32LE(samples * 2, 40);
  return file;
}

function check(isTrue, what, detail = "") {
  process.stdout.write(
    `${isTrue ? "ok  " : "FAIL"} ${what}${detail === "" ? "" : `: ${detail}`}\n`,
  );
  if (!isTrue) process.exitCode = 1;
}

const site = http.createServer((request, response) => {
  if (request.url === "/price.pdf") {
    response.setHeader("content-type", "application/pdf");
    return response.end(buildPdf("Price list of teas"));
  }
  if (request.url === "/silence.wav") {
    response.setHeader("content-type", "audio/wav");
    return response.end(buildWav());
  }
  const page = PAGES[request.url];
  response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" });
  return response.end(`<!doctype html>${page ?? "none"}`);
});
await new Promise((resolve) => void site.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${site.address().port}`;

const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-verify-"));
const env = {
  ...process.env,
  QUARRY_PORT: String(PORT),
  QUARRY_DATA_DIR: folder,
  QUARRY_AUTH: "false",
  QUARRY_EGRESS_ALLOW: "127.0.0.1",
};

async function isReady() {
  const answer = await fetch(`${BASE}/v0/health/readiness`).catch(() => undefined);
  return answer?.ok === true;
}

async function start() {
  const startedAt = performance.now();
  const child = spawn("quarry", ["serve"], { env, stdio: ["ignore", "ignore", "pipe"] });
  let log = "";
  child.stderr.on("data", (bytes) => (log += bytes));
  while (!(await isReady())) {
    if (child.exitCode !== null || performance.now() - startedAt > 120_000)
      throw new Error(`quarry serve does not start:\n${log}`);
    await wait(20);
  }
  const ms = Math.round(performance.now() - startedAt);
  return { child, ms, cpuMs: measureCpuMs(child.pid), log: () => log };
}

/** CPU milliseconds of a process and its children so far; getconf CLK_TCK is 100 on Linux. */
function measureCpuMs(pid) {
  let sum = 0;
  for (const name of readdirSync("/proc").filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
      if (name === String(pid)) sum += (Number(fields[11]) + Number(fields[12])) * 10;
      else if (fields[1] === String(pid)) sum += measureCpuMs(Number(name));
    } catch {
      // It ended meanwhile.
    }
  }
  return sum;
}

async function stop(child) {
  const ended = new Promise((resolve) => void child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

async function call(route, body) {
  const answer = await fetch(`${BASE}${route}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, body: await answer.json() };
}

const first = await start();
check(true, "first start, which creates the database", `${first.ms} ms`);
await stop(first.child);
const starts = [];
let second = await start();
starts.push(second);
while (Math.min(...starts.map(({ ms }) => ms)) > maxStartMs && starts.length < STARTS) {
  await stop(second.child);
  second = await start();
  starts.push(second);
}
const fastest = starts.reduce((one, other) => (other.ms < one.ms ? other : one));
const measured = `${fastest.ms} ms, ${(fastest.cpuMs / 1_000).toFixed(2)} s of CPU; starts: ${starts.map(({ ms }) => ms).join(", ")} ms`;
const [load = 0] = os.loadavg();
// A limit by the clock says nothing while several programs share each processor.
if (fastest.ms > maxStartMs && load > 2 * os.availableParallelism())
  process.stdout.write(
    `??   start within ${maxStartMs} ms: not judged, the load is ${load.toFixed(0)} (${measured})\n`,
  );
else
  check(
    fastest.ms <= maxStartMs,
    maxStartMs === Infinity ? "start" : `start within ${maxStartMs} ms`,
    measured,
  );
try {
  const page = await call("/v2/scrape", { url: `${origin}/green`, formats: ["markdown"] });
  check(
    page.body.data?.markdown?.includes("4.20 euros"),
    "scrape",
    JSON.stringify(page.body).slice(0, 120),
  );

  const { body: job } = await call("/v2/crawl", { url: origin, limit: 10 });
  let crawl;
  do {
    await wait(200);
    ({ body: crawl } = await call(`/v2/crawl/${job.id}`));
  } while (crawl.status === "scraping");
  check(crawl.completed === 3, "crawl of three pages", `${crawl.status}, ${crawl.completed} pages`);

  const made = await call("/v2/scrape", {
    url: `${origin}/made`,
    formats: ["markdown", "screenshot"],
  });
  const text = JSON.stringify(made.body);
  if (withoutOptional)
    check(
      /install/i.test(text) && !made.body.success,
      "a screenshot says what to install",
      text.slice(0, 300),
    );
  else
    check(
      made.body.data?.markdown?.includes("script 42") && Boolean(made.body.data?.screenshot),
      "a page made by a script, with screenshot",
      text.slice(0, 160),
    );

  const pdf = await call("/v2/scrape", { url: `${origin}/price.pdf`, formats: ["markdown"] });
  const read = JSON.stringify(pdf.body);
  if (withoutOptional)
    check(
      /install/i.test(read) && !pdf.body.success,
      "a PDF says what to install",
      read.slice(0, 300),
    );
  else check(pdf.body.data?.markdown?.includes("Price list of teas"), "PDF", read.slice(0, 160));

  // No variant brings ffmpeg; the machine may have one.
  const audio = await call("/v2/scrape", { url: `${origin}/silence.wav`, formats: ["audio"] });
  check(
    Boolean(audio.body.data?.audio) || /install ffmpeg/.test(audio.body.error),
    "other audio than MP3 is converted, or says what to install",
    JSON.stringify(audio.body).slice(0, 300),
  );
} finally {
  await stop(second.child);
  site.close();
  rmSync(folder, { recursive: true, force: true });
}
