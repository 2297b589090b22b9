// crawl, batch and map from the command line in child processes: with and without a running server.
import { execFile } from "node:child_process";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  run,
  runUntil,
  runWith,
  serve,
  spawnCommand,
  type Environment,
  type Outcome,
  type ServingProcess,
} from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, closedSite, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

const LINKS: Readonly<Record<string, readonly string[]>> = {
  "/docs/": ["one.html", "two?part=1", "../outside", "gone", "/docs/private/x", "mailto:a@b.test"],
  "/docs/one.html": ["/docs/", "deep/three"],
  "/docs/two?part=1": [],
  "/docs/deep/three": ["/docs/One.html"],
  "/docs/One.html": [],
  "/slow/": ["hang"],
};

/** Runs a printed command in a shell without the server's settings. */
async function runPrinted(command = ""): Promise<string> {
  const env = { PATH: `${path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}` };
  const { stdout } = await promisify(execFile)("sh", ["-c", command], { env });
  return stdout;
}

let base: string;
let folder: string;
let environment: Environment;
/** Settles when the page that never answers is requested. */
let hanging: PromiseWithResolvers<void>;
const quarry = (...words: string[]): Promise<Outcome> => run(words, environment);
const inFolder = (...parts: string[]): string => path.join(folder, ...parts);
const events = (stdout: string): Record<string, unknown>[] =>
  stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const idIn = (text: string): string =>
  /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0] ?? "";

beforeAll(async () => {
  if (isRemote) return;
  hanging = Promise.withResolvers();
  ({ base } = await openSite((request, response) => {
    const target = request.url ?? "/";
    if (target === "/robots.txt") {
      response.writeHead(200, { "content-type": "text/plain" });
      response.end("User-agent: *\nDisallow: /docs/private/\n");
      return;
    }
    if (target === "/slow/hang") {
      hanging.resolve();
      return;
    }
    const links = LINKS[target];
    const anchors = (links ?? []).map((to) => `<a href="${to}">${to}</a>`).join(" ");
    const text = `<p>${`This is ${target}, and it has some words of its own. `.repeat(4)}</p>`;
    response.writeHead(links === undefined ? 404 : 200, { "content-type": "text/html" });
    response.end(`<title>Page ${target}</title><main><h1>${target}</h1>${text}${anchors}</main>`);
  }));
  folder = await createDataFolder();
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: "127.0.0.1" };
});
afterAll(async () => {
  if (isRemote) return;
  await rm(folder, { recursive: true, force: true });
  await closeAll();
});

describe.skipIf(isRemote)("job commands with a running server", () => {
  let server: ServingProcess;
  let id: string;
  beforeAll(async () => {
    server = await serve(environment);
  });
  afterAll(async () => {
    await server.stop();
  });

  it("crawl --out FOLDER writes one file per page and reports the fate of every URL", async () => {
    const { code, stdout, stderr } = await quarry(
      "crawl",
      `${base}/docs/`,
      "--out",
      inFolder("out"),
    );
    expect(code, stderr).toBe(0);
    expect(stdout).toBe("");
    id = idIn(stderr);
    const lines = stderr.split("\n");
    expect(lines[0]).toBe(`Crawling ${base}/docs/, as crawl ${id}`);
    expect(stderr).toMatch(/^Done: 6 pages in .*, 6 credits\.$/m);
    expect(stderr).toMatch(/^ {2}fetched +6 {2}in the results$/m);
    expect(stderr).toMatch(/^ {2}robots +1 {2}forbidden by robots\.txt$/m);
    expect(stderr).toMatch(/^ {2}scope +\d+ {2}out of scope$/m);
    expect(stderr).toContain("1 page answered with an error status");
    expect(stderr).toMatch(/^warning: .*robots\.txt/m);
    expect(stderr).toContain(
      `6 pages written to ${inFolder("out")}; index.ndjson there lists them.`,
    );
    const hints = [...stderr.matchAll(/: (node bin\/quarry\.mjs crawl .*)$/gm)].map(
      ([, hint]) => hint,
    );
    expect(hints).toEqual([`node bin/quarry.mjs crawl ledger ${id} --data-dir ${folder}`]);
    for (const hint of hints) expect(await runPrinted(hint)).toMatch(/^fetched +0 {2}/m);
    expect(stderr).not.toContain("\u001b");
    const host = new URL(base).host.replace(":", "_");
    const files = (await readdir(inFolder("out"), { recursive: true })).toSorted();
    const pages = files.filter((file) => file.endsWith(".md"));
    expect(pages).toHaveLength(6);
    expect(pages).toContain(path.join(host, "docs/index.md"));
    expect(pages).toContain(path.join(host, "docs/deep/three.md"));
    expect(pages.filter((file) => /\/one(~\w+)?\.md$/i.test(file))).toHaveLength(2);
    const text = await readFile(inFolder("out", host, "docs/two_part=1.md"), "utf8");
    expect(text).toMatch(/^---\nurl: ".*\/docs\/two\?part=1"\ntitle: .*\nstatus: 200\n---\n\n# /);
    expect(await readFile(inFolder("out", host, "docs/gone.md"), "utf8")).toContain("status: 404");
  });

  it("crawl ID resumes an earlier run and writes nothing twice", async () => {
    const list = await readFile(inFolder("out/index.ndjson"), "utf8");
    await writeFile(inFolder("out/index.ndjson"), `${list.split("\n").slice(0, 4).join("\n")}\n`);
    const again = await quarry("crawl", id, "--out", inFolder("out"));
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain("6 pages written");
    expect(await readFile(inFolder("out/index.ndjson"), "utf8")).toBe(list);
    const lines = await quarry("crawl", id, "--out", inFolder("pages.ndjson"));
    expect(lines.code, lines.stderr).toBe(0);
    expect(events(await readFile(inFolder("pages.ndjson"), "utf8"))).toHaveLength(6);
  });

  it("crawl ID rewrites a page whose file was removed and says so", async () => {
    const host = new URL(base).host.replace(":", "_");
    const file = inFolder("out", host, "docs/deep/three.md");
    const before = await readFile(file, "utf8");
    const list = await readFile(inFolder("out/index.ndjson"), "utf8");
    await rm(file);
    const again = await quarry("crawl", id, "--out", inFolder("out"));
    expect(again.code, again.stderr).toBe(0);
    expect(again.stderr).toContain(
      `6 pages written to ${inFolder("out")}, 1 of them again because it was missing; index.ndjson there lists them.`,
    );
    expect(await readFile(file, "utf8")).toBe(before);
    expect(await readFile(inFolder("out/index.ndjson"), "utf8")).toBe(list);
    const whole = await quarry("crawl", id, "--out", inFolder("out"), "--json");
    expect(events(whole.stdout).at(-1)).toMatchObject({ written: 6, restored: 0 });
  });

  it("crawl --out - prints documents, --json events, --no-follow only the id", async () => {
    const documents = await quarry("crawl", id, "--out", "-");
    expect(events(documents.stdout).every((document) => "markdown" in document)).toBe(true);
    expect(events(documents.stdout)).toHaveLength(6);
    const told = events((await quarry("crawl", `${base}/docs/`, "--limit", "2", "--json")).stdout);
    expect(told[0]).toMatchObject({ event: "started", kind: "crawl", target: `${base}/docs/` });
    expect(told.filter(({ event }) => event === "page")).toHaveLength(2);
    expect(told.at(-1)).toMatchObject({ event: "ended", status: "completed", completed: 2 });
    const started = await quarry("crawl", `${base}/docs/one.html`, "--no-follow", "--depth", "0");
    expect(started.stdout.trim()).toBe(idIn(started.stdout));
    expect(started.code).toBe(0);
    expect((await quarry("crawl", started.stdout.trim())).stderr).toMatch(/^Done: 1 page /m);
  });

  it("status, ledger and errors agree; csv has a header and a fate filters its URLs", async () => {
    const state = JSON.parse((await quarry("crawl", "status", id, "--json")).stdout) as object;
    expect(state).toMatchObject({
      status: "completed",
      completed: 6,
      fates: { fetched: 6, robots: 1 },
    });
    expect((await quarry("crawl", "status", id)).stdout).toMatch(/^Done: 6 pages/);
    const csv = await quarry("crawl", "ledger", id, "--format", "csv");
    expect(csv.stdout.split("\r\n")[0]).toBe("url,fate,reason,parent,depth,verdict");
    const robots = await quarry("crawl", "ledger", id, "--fate", "robots");
    expect(robots.stdout).toMatch(
      /^robots +1 {2}\S+\/docs\/private\/x {2}\(.*Disallow: \/docs\/private\/.*\)$/m,
    );
    expect(robots.stdout).not.toMatch(/^fetched +\d+ {2}http/m);
    const file = inFolder("ledger.ndjson");
    await quarry("crawl", "ledger", id, "-f", "ndjson", "-o", file);
    expect(events(await readFile(file, "utf8")).length).toBeGreaterThan(7);
    expect((await quarry("crawl", "errors", id)).stdout).toMatch(
      /private\/x\n {2}forbidden by robots\.txt/,
    );
    expect((await quarry("crawl", "list")).stdout).toBe("No crawl is running.\n");
  });

  it("crawl of a start URL blocked by robots.txt exits with 3 and prints the command that explains it", async () => {
    const { code, stderr } = await quarry("crawl", `${base}/docs/private/`, "--sitemap", "skip");
    expect(code).toBe(3);
    expect(stderr).toMatch(/^Done: 0 pages/m);
    expect(stderr).toContain(`crawl errors ${idIn(stderr)} --data-dir ${folder} lists them`);
    expect(stderr).not.toMatch(/GET \/v2|Results:/);
  });

  it("SIGINT without a terminal leaves the crawl running with exit code 130, and cancel ends it", async () => {
    const words = ["crawl", `${base}/slow/`];
    const { code, stderr } = await runUntil(hanging.promise, words, environment);
    expect(code, stderr).toBe(130);
    const left = idIn(stderr);
    expect(stderr).toContain("The crawl continues on the server.");
    expect(stderr).toContain(`crawl cancel ${left} --data-dir ${folder}`);
    expect((await quarry("crawl", "list")).stdout).toContain(left);
    const cancelled = await quarry("crawl", "cancel", left);
    expect(cancelled.stdout).toMatch(/^Cancelled: 1 page finished/);
    expect((await quarry("crawl", left)).code).toBe(1);
  });

  it("batch reads a file or standard input and names invalid URLs", async () => {
    const file = inFolder("urls.txt");
    await writeFile(
      file,
      `\uFEFF${base}/docs/\r\n# a comment\n\nnonsense:/x\n${base}/docs/one.html`,
    );
    const made = await quarry("batch", file, "--out", inFolder("batch"));
    expect(made.code, made.stderr).toBe(0);
    expect(made.stderr).toContain('Left out, as it is no URL that can be fetched: "nonsense:/x"');
    expect(made.stderr).toContain(`Scraping 2 URLs of ${file}, as batch `);
    expect(made.stderr).toMatch(/^Done: 2 pages/m);
    const read = await runWith(
      `${base}/docs/\n`,
      ["batch", "-", "--out", "-", "-f", "links"],
      environment,
    );
    expect(events(read.stdout)).toEqual([
      expect.objectContaining({ links: expect.any(Array) as unknown }),
    ]);
    expect((await quarry("batch", "status", idIn(made.stderr))).stdout).toMatch(/^Done: 2 pages/);
  });

  it("map prints one URL per line, and links with --json", async () => {
    const { code, stdout, stderr } = await quarry("map", `${base}/docs/`, "--limit", "50");
    expect(code, stderr).toBe(0);
    const urls = stdout.trimEnd().split("\n");
    expect(urls).toContain(`${base}/docs/one.html`);
    expect(urls.every((url) => url.startsWith(`${base}/docs/`))).toBe(true);
    const found = await quarry("map", `${base}/docs/`, "--search", "three", "--json");
    const links = JSON.parse(found.stdout) as { url: string }[];
    expect(links[0]?.url).toContain("three");
  });

  it("reports a wrong job command in one line with exit code 2", async () => {
    const cases: [words: string[], text: string][] = [
      [["crawl", "ftp://a.test/"], "unsupported protocol"],
      [["crawl", `${base}/docs/`, "--include", "(?=a)"], "look-ahead"],
      [["crawl", `${base}/docs/`, "--delay", "99"], "delay "],
      [["crawl", `${base}/docs/`, "--out", "pages.json"], "--out must be a folder"],
      [
        ["crawl", id, "--limit", "3", "--whole-page"],
        "--limit, --whole-page: only valid for a new crawl",
      ],
      [
        ["crawl", "0199f0c0-0000-7000-8000-000000000001"],
        "Job not found. The results may have expired",
      ],
      [["crawl", "status", "nonsense"], "Invalid job ID"],
      [["batch", inFolder("none.txt")], "cannot be read (ENOENT)"],
      [["batch", inFolder("words.txt")], "Nothing to scrape. Left out, as they are no URLs"],
    ];
    await writeFile(inFolder("words.txt"), "two words\nnonsense:/x\n");
    const check = async ([words, text]: [string[], string]): Promise<void> => {
      const { code, stdout, stderr } = await quarry(...words);
      expect(code, words.join(" ")).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toMatch(/quarry: .*\n$/);
      expect(stderr).toContain(text);
    };
    for (const one of cases) await check(one);
  });

  it("a crawl whose start URL cannot be fetched fails with the reason", async () => {
    const start = await closedSite();
    const { code, stderr } = await quarry("crawl", `${start}/`);
    expect(code).toBe(3);
    expect(stderr).toContain(new URL(start).host);
    expect(stderr).toMatch(/^Failed: /m);
  });

  it("a crawl whose start URL can never be reached is not started", async () => {
    const { code, stderr } = await quarry("crawl", "http://10.0.0.1/");
    expect(code).toBe(3);
    expect(stderr).toMatch(/^quarry: 10\.0\.0\.1 may not be reached from this server/m);
    expect(stderr).not.toContain("Failed: ");
  });

  it("options may precede or follow a subcommand, and help has examples", async () => {
    const after = await quarry("crawl", "status", id, "--data-dir", folder, "--json");
    expect(after.code, after.stderr).toBe(0);
    const help = await quarry("crawl", "--help");
    for (const word of ["--limit", "--out", "ledger", "Examples:", "Exit codes: 0"])
      expect(help.stdout).toContain(word);
  });
});

describe.skipIf(isRemote)("job commands without a running server", () => {
  it(
    "a crawl runs in its own process, is stored, and can be read and resumed",
    { timeout: 120_000 },
    async () => {
      const words = ["crawl", `${base}/docs/`, "--out", inFolder("own")];
      const { code, stderr } = await spawnCommand(words, environment);
      expect(code, stderr).toBe(0);
      expect(stderr).toMatch(/^Done: 6 pages/m);
      const started = await quarry("crawl", `${base}/docs/`, "--no-follow");
      const id = started.stdout.trim();
      expect(started.stderr).toContain("No server runs on the data folder");
      expect((await quarry("crawl", id)).stderr).toMatch(/^Done: 6 pages/m);
      expect((await quarry("crawl", "status", id)).stdout).toMatch(/^Done: 6 pages/);
    },
  );
});
