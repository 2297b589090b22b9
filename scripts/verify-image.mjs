// Runs an unpacked image with crun as compose.yaml runs it, and checks it; scripts/verify-image.sh builds it.
//   node verify-image.mjs ROOTFS FOLDER TARGET
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";

const [rootfs, folder, target] = process.argv.slice(2);
const REPOSITORY = fileURLToPath(new URL("..", import.meta.url));
// oxlint-disable-next-line node/no-process-env -- a script, not the service
const { PORT = "34872", MAX_START_MS = "3000" } = process.env;
const BASE = `http://127.0.0.1:${PORT}`;
const KEY = "key-of-the-verification";
const ID = `quarry-verify-${target}`;
const hasBrowser = target === "full";

function check(isTrue, what, detail = "") {
  process.stdout.write(
    `${isTrue ? "ok  " : "FAIL"} ${what}${detail === "" ? "" : `: ${detail}`}\n`,
  );
  if (!isTrue) process.exitCode = 1;
}

const config = JSON.parse(readFileSync(path.join(folder, `config-${target}.json`), "utf8"));
const seccomp = JSON.parse(readFileSync(path.join(REPOSITORY, "deploy/seccomp.json"), "utf8"));
const bundle = path.join(folder, `bundle-${target}`);
const data = path.join(bundle, "data");
rmSync(bundle, { recursive: true, force: true });
mkdirSync(data, { recursive: true });
chmodSync(data, 0o777);
const [uid, gid] = config.User.split(":").map(Number);
const tmpfs = (destination, ...options) => ({
  destination,
  type: "tmpfs",
  source: "tmpfs",
  options: ["nosuid", "nodev", ...options],
});

/** What compose.yaml sets, in the words of the OCI runtime specification; the network is the host's. */
writeFileSync(
  path.join(bundle, "config.json"),
  JSON.stringify({
    ociVersion: "1.0.2",
    root: { path: rootfs, readonly: true },
    process: {
      user: { uid, gid },
      cwd: config.WorkingDir,
      args: [...config.Entrypoint, ...config.Cmd],
      env: [
        ...config.Env,
        `QUARRY_API_KEY=${KEY}`,
        `QUARRY_PORT=${PORT}`,
        "QUARRY_HOST=127.0.0.1",
        "QUARRY_EGRESS_ALLOW=127.0.0.1",
        "QUARRY_BROWSER_SANDBOX=always",
      ],
      noNewPrivileges: true,
      capabilities: { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] },
    },
    mounts: [
      { destination: "/proc", type: "proc", source: "proc" },
      tmpfs("/dev", "mode=755", "size=65536k"),
      tmpfs("/tmp", "mode=1777", "size=2g"),
      tmpfs("/dev/shm", "mode=1777", "size=64m"),
      { destination: "/data", type: "bind", source: data, options: ["bind", "rw"] },
    ],
    linux: {
      namespaces: ["pid", "mount", "ipc", "uts"].map((type) => ({ type })),
      maskedPaths: ["/proc/kcore", "/proc/keys", "/proc/timer_list"],
      readonlyPaths: ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"],
      seccomp,
    },
  }),
);

const crun = (...args) =>
  execFileSync(
    "crun",
    ["--root", path.join(folder, "crun"), "--cgroup-manager=disabled", ...args],
    {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
const run = (...command) => crun("exec", "--user", `${uid}:${gid}`, ID, ...command);
function runs(...command) {
  try {
    run(...command);
    return true;
  } catch {
    return false;
  }
}

async function start() {
  try {
    crun("delete", "--force", ID);
  } catch {
    // No container is left from an earlier run.
  }
  const startedAt = performance.now();
  const container = spawn(
    "crun",
    [
      "--root",
      path.join(folder, "crun"),
      "--cgroup-manager=disabled",
      "run",
      "--bundle",
      bundle,
      ID,
    ],
    { stdio: ["ignore", "pipe", "pipe"] },
  );
  let log = "";
  for (const stream of [container.stdout, container.stderr])
    stream.on("data", (bytes) => (log += bytes));
  for (;;) {
    const answer = await fetch(`${BASE}/v0/health/readiness`).catch(() => undefined);
    if (answer?.ok === true) break;
    if (container.exitCode !== null || performance.now() - startedAt > 120_000)
      throw new Error(`The container does not start:\n${log}`);
    await wait(20);
  }
  return { container, ms: Math.round(performance.now() - startedAt), log: () => log };
}

async function stop({ container }) {
  const ended = new Promise((resolve) => void container.once("exit", resolve));
  const startedAt = performance.now();
  crun("kill", ID, "TERM");
  await ended;
  return Math.round(performance.now() - startedAt);
}

const PAGE_COUNT = 40;
const site = http.createServer((request, response) => {
  const page = Number(/^\/page\/(\d+)$/.exec(request.url)?.[1] ?? -1);
  const links = Array.from(
    { length: PAGE_COUNT },
    (_, at) => `<a href="/page/${at}">Page ${at}</a> `,
  );
  const bodies = {
    "/": `<h1>All pages</h1><p>The list of this site.</p>${links.join("")}`,
    "/made":
      '<div id="m"></div><script>m.innerHTML="<h1>Made</h1><p>Written by a script: "+(6*7)+".</p>"</script>',
  };
  const body =
    page < 0
      ? bodies[request.url]
      : `<h1>Page ${page}</h1><p>Text of page ${page}, which costs ${page}.50 euros.</p>`;
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "text/html" });
  response.end(`<!doctype html><title>Site</title><main>${body ?? "none"}</main>`);
});
await new Promise((resolve) => void site.listen(0, "127.0.0.1", resolve));
const origin = `http://127.0.0.1:${site.address().port}`;

/** The Dockerfile has the limits and enforces them. */
const [size = "?"] = execFileSync("du", ["-smx", rootfs], { encoding: "utf8" }).split("\t");
check(true, "size of the unpacked image", `${size} MB`);

const first = await start();
check(true, "first start, which creates the database", `${first.ms} ms`);
await stop(first);
let server = await start();
const starts = [server.ms];
// Other programs of the machine make a start longer, never shorter: the shortest of several counts.
while (Math.min(...starts) > Number(MAX_START_MS) && starts.length < 7) {
  await stop(server);
  server = await start();
  starts.push(server.ms);
}
const [machineLoad = 0] = os.loadavg();
// A limit by the clock says nothing while several programs share each processor.
if (Math.min(...starts) > Number(MAX_START_MS) && machineLoad > 2 * os.availableParallelism())
  process.stdout.write(
    `??   start within ${MAX_START_MS} ms: not judged, the load is ${machineLoad.toFixed(0)} (${starts.join(", ")} ms)\n`,
  );
else
  check(
    Math.min(...starts) <= Number(MAX_START_MS),
    `start within ${MAX_START_MS} ms`,
    `${starts.join(", ")} ms`,
  );
try {
  check(uid !== 0, "runs as another user than root", `${uid}`);
  const status = run("cat", "/proc/1/status");
  check(
    /NoNewPrivs:\s1/.test(status) && /Seccomp:\s2/.test(status),
    "no new privileges, seccomp on",
  );
  check(/CapBnd:\s0+\n/.test(status) && /CapEff:\s0+\n/.test(status), "no capabilities");
  check(run("cat", "/proc/1/comm").trim() === "tini", "tini is process 1");
  check(!runs("touch", "/usr/local/x") && !runs("touch", "/x"), "the root is read-only");
  check(runs(...config.Healthcheck.Test.slice(1)), "the health check passes");
  for (const label of ["title", "licenses", "version", "revision", "created"])
    check(
      Boolean(config.Labels[`org.opencontainers.image.${label}`]),
      `label ${label}`,
      config.Labels[`org.opencontainers.image.${label}`],
    );

  // The client as it is published, and the client that others publish for this API family.
  const { QuarryClient } = await import(
    pathToFileURL(path.join(REPOSITORY, "client/dist/client/index.js")).href
  );
  const client = new QuarryClient({ apiUrl: BASE, apiKey: KEY });
  const page = await client.scrape(`${origin}/page/7`, { formats: ["markdown"] });
  check(page.markdown.includes("7.50 euros"), "client: scrape");
  const job = await client.startCrawl(origin, { limit: 100 });
  const ended = await job.wait();
  const urls = new Set();
  for await (const { metadata } of job.documents()) urls.add(metadata.url);
  check(
    ended.status === "completed" && urls.size === PAGE_COUNT + 1,
    "client: crawl",
    `${ended.status}, ${urls.size} pages`,
  );

  const { Firecrawl } = await import("@mendable/firecrawl-js");
  const published = new Firecrawl({ apiUrl: BASE, apiKey: KEY });
  const scraped = await published.scrape(`${origin}/page/3`, { formats: ["markdown", "links"] });
  check(scraped.markdown.includes("3.50 euros"), "published client: scrape");
  const batch = await published.batchScrape([`${origin}/page/1`, `${origin}/page/2`], {
    pollInterval: 1,
  });
  check(
    batch.completed === 2,
    "published client: batch",
    `${batch.status}, ${batch.completed} pages`,
  );
  const crawl = await published.crawl(origin, { limit: 10, pollInterval: 1 });
  check(
    crawl.completed === 10,
    "published client: crawl",
    `${crawl.status}, ${crawl.completed} pages`,
  );
  const map = await published.map(origin);
  check(map.links.length > PAGE_COUNT, "published client: map", `${map.links.length} links`);
  const refused = await new Firecrawl({ apiUrl: BASE, apiKey: "wrong" })
    .scrape(origin)
    .catch((error) => error);
  check(refused?.status === 401, "published client: a wrong key is refused", `${refused?.status}`);

  const made = await client
    .scrape(`${origin}/made`, { formats: ["markdown", "screenshot"] })
    .catch((error) => error);
  if (hasBrowser) {
    check(
      made.markdown?.includes("script: 42") && Boolean(made.screenshot),
      "a page made by a script, with screenshot",
      made.message ?? "",
    );
    await checkSandbox(client);
  } else
    check(
      made instanceof Error && /browser|chromium/i.test(made.message),
      "without a browser the answer says so",
      made.message,
    );
  check(
    !/"sandboxed":false|without its own sandbox/.test(server.log()),
    "the log has no warning about the sandbox",
  );
} catch (error) {
  check(
    false,
    "verification",
    `${error instanceof Error ? error.stack : String(error)}\n${server.log().slice(-3000)}`,
  );
} finally {
  const ms = await stop(server);
  check(ms < 40_000, "SIGTERM ends the container", `${ms} ms`);
  site.close();
}

/** A renderer has more seccomp filters than tini, and lives in a PID namespace below the container's. */
async function checkSandbox(client) {
  const script = `
    const fs = require("node:fs");
    const rows = fs.readdirSync("/proc").filter((name) => /^\\d+$/.test(name)).map((pid) => {
      try {
        const status = fs.readFileSync("/proc/" + pid + "/status", "utf8");
        const read = (name) => (status.match(new RegExp(name + ":\\\\s*(.*)")) || [])[1];
        return { pid, command: fs.readFileSync("/proc/" + pid + "/cmdline", "utf8").replaceAll("\\0", " "),
          filters: Number(read("Seccomp_filters")), depth: read("NSpid").split(/\\s+/).length };
      } catch { return undefined; }
    }).filter(Boolean);
    console.log(JSON.stringify(rows));`;
  const isRenderer = ({ command }) => command.includes("--type=renderer");
  // Renderers end with their pages, so one is kept open.
  const actions = [{ type: "wait", milliseconds: 20_000 }];
  const open = client.scrape(`${origin}/made`, { actions, maxAge: 0 }).catch(() => undefined);
  let rows = [];
  for (let at = 0; at < 60 && !rows.some(isRenderer); at++) {
    await wait(250);
    rows = JSON.parse(run("node", "-e", script));
  }
  await open;
  const own = rows.find(({ pid }) => pid === "1");
  const browsers = rows.filter(
    ({ command }) => command.includes("chromium") && !command.includes("--type="),
  );
  const renderers = rows.filter(isRenderer);
  check(
    browsers.length > 0 && browsers.every(({ command }) => !command.includes("--no-sandbox")),
    "Chromium runs with its sandbox",
    `${browsers.length} browser`,
  );
  check(
    renderers.length > 0 &&
      renderers.every(({ filters, depth }) => filters > own.filters && depth > own.depth),
    "renderers have a filter and a PID namespace of their own",
    renderers.map(({ filters, depth }) => `filters ${filters}, depth ${depth}`).join("; ") +
      ` (tini: ${own.filters}, ${own.depth})`,
  );
}
