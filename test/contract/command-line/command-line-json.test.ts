// Every command with --json, from the program's own command table: a new command without it fails
// here.
import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Command } from "commander";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildProgram } from "../../../src/cli/program.ts";
import {
  interrupt,
  run,
  serve,
  spawnCommand,
  type Environment,
  type Outcome,
  type ServingProcess,
} from "../../command-line.ts";
import { createDataFolder } from "../../data-folder.ts";
import { closeAll, openSite } from "../../http-fetching.ts";
import { isRemote } from "../../service.ts";

/** Commands that do something themselves, as word lists. */
function listPaths(command: Command, words: readonly string[] = []): string[] {
  const below = command.commands.flatMap((inner) => listPaths(inner, [...words, inner.name()]));
  const acts = command.registeredArguments.length > 0 || below.length === 0;
  return [
    ...(words.length > 0 && (acts || words[0] === "jobs" || words[0] === "mcp")
      ? [words.join(" ")]
      : []),
    ...below,
  ];
}

let base: string;
let folder: string;
let environment: Environment;
let server: ServingProcess;
let crawl: string;
let batch: string;
const quarry = (...words: string[]): Promise<Outcome> => run(words, environment);
/**
 * Commands of each kind run as a user runs them, so that their process must end by itself: over the
 * server, over a stream, with files, with a data folder and without anything. The others run in this
 * process, which takes a fifth of the CPU.
 */
const SPAWNED: readonly string[] = [
  "scrape",
  "crawl",
  "parse",
  "jobs",
  "doctor",
  "backup",
  "gc",
  "migrate",
  "lists show",
  "monitor run",
  "extractor learn",
  "version",
  "interact",
  "restore",
];
const runOnce = (command: string, words: readonly string[]): Promise<Outcome> => {
  const all = [...command.split(" "), ...words, "--json"];
  return SPAWNED.includes(command) ? spawnCommand(all, environment) : run(all, environment);
};

beforeAll(async () => {
  if (isRemote) return;
  ({ base } = await openSite((request, response) => {
    if (request.url === "/slow") return;
    if (request.url === "/broken") {
      request.socket.destroy();
      return;
    }
    response.writeHead(200, { "content-type": "text/html" });
    if (request.url === "/list") {
      const rows = ["one", "two", "three"].map(
        (name) => `<li><h2><a href="/${name}">News of pier ${name}</a></h2></li>`,
      );
      response.end(`<title>News</title><main><h1>News</h1><ul>${rows.join("")}</ul></main>`);
      return;
    }
    response.end(
      `<title>Harbour</title><main><h1>Harbour</h1><p>${"The harbour is open all year. ".repeat(9)}</p></main>`,
    );
  }));
  folder = await createDataFolder();
  environment = { QUARRY_DATA_DIR: folder, QUARRY_EGRESS_ALLOW: "127.0.0.1", HOME: folder };
  await writeFile(path.join(folder, "boats.csv"), "boat,metres\nHeron,12\n");
  await writeFile(path.join(folder, "urls.txt"), `${base}/one\n`);
  server = await serve(environment);
  await quarry("accounts", "create", "first-guest");
  await quarry("keys", "create", "rotated");
  await quarry("keys", "create", "revoked");
  crawl = (await quarry("crawl", `${base}/`, "--no-follow")).stdout.trim();
  batch = (await quarry("batch", path.join(folder, "urls.txt"), "--no-follow")).stdout.trim();
});
afterAll(async () => {
  if (isRemote) return;
  await server.stop();
  await closeAll();
  await rm(folder, { recursive: true, force: true });
});

/** Calls of each command; add a row for a new command. */
const CALLS: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  scrape: async () => [`${base}/`],
  parse: async () => [path.join(folder, "boats.csv")],
  crawl: async () => [crawl],
  "crawl list": async () => [],
  "crawl status": async () => [crawl],
  "crawl cancel": async () => [await startSlowCrawl()],
  "crawl errors": async () => [crawl],
  "crawl ledger": async () => [crawl],
  "crawl feed": async () => [crawl],
  "crawl sitemap": async () => [crawl],
  batch: async () => [batch],
  "batch status": async () => [batch],
  "batch cancel": async () => [batch],
  "batch errors": async () => [batch],
  "batch ledger": async () => [batch],
  "batch feed": async () => [batch],
  "batch sitemap": async () => [batch],
  jobs: async () => [],
  "jobs show": async () => [crawl],
  "jobs cancel": async () => [await startSlowCrawl()],
  "jobs retry": async () => [await runFailedBatch()],
  map: async () => [`${base}/`],
  search: async () => ["harbour"],
  feed: async () => [`${base}/list`],
  "llms-txt": async () => [`${base}/`, "--limit", "3"],
  console: async () => [],
  version: async () => ["--verbose"],
  "extractor learn": async () => [`${base}/`, "--data", '{"title": "Harbour"}'],
  "extractor run": async () => [await learnExtractor(), `${base}/two`],
  "extractor show": async () => [await learnExtractor()],
  "extractor test": async () => [await learnExtractor()],
  "extractor list": async () => {
    await learnExtractor();
    return [];
  },
  "extractor delete": async () => [await learnExtractor()],
  "monitor add": async () => [`${base}/two`, "--every", "1h"],
  "monitor import": async () => [path.join(folder, "urls.txt")],
  "monitor list": async () => {
    await addMonitor();
    return [];
  },
  "monitor run": async () => [await addMonitor()],
  "monitor checks": async () => (await addCheckedMonitor()).slice(0, 1),
  "monitor diff": addCheckedMonitor,
  "monitor pause": async () => [await addMonitor()],
  "monitor test": async () => [await addMonitor()],
  "monitor delete": async () => [await addMonitor()],
  "accounts create": async () => ["guests"],
  "accounts list": async () => [],
  "accounts set": async () => ["default", "--concurrency", "500"],
  "accounts disable": async () => ["first-guest"],
  "accounts enable": async () => ["first-guest"],
  "keys create": async () => ["made"],
  "keys list": async () => [],
  "keys set": async () => ["rotated", "--credits", "none"],
  "keys rotate": async () => ["rotated"],
  "keys revoke": async () => ["revoked"],
  "webhooks secret": async () => [],
  "mcp install": async () => ["cursor", "--yes"],
  hostile: async () => ["--list"],
  "lists show": async () => [],
  doctor: async () => [],
  backup: async () => [path.join(folder, "backup.tar")],
  export: async () => [path.join(folder, "export.tar"), "--account", "default"],
  gc: async () => [],
  migrate: async () => ["--check"],
  egress: async () => [new URL(base).host],
  completion: async () => ["bash"],
  "exit-codes": async () => [],
};

/**
 * These need a browser or a download. `agent` and `serve` have separate tests below; the output of
 * `mcp` is a protocol.
 */
const FAILING: Readonly<Record<string, () => readonly string[]>> = {
  interact: () => [`${base}/`, "--code", "1 + 1"],
  "lists update": () => [],
  // These need a server that is stopped; test/contract/command-line/data-commands.test.ts has their results.
  restore: () => [path.join(folder, "none.tar")],
  move: () => ["--to", "postgresql://127.0.0.1:9/none"],
};

async function learnExtractor(): Promise<string> {
  const learned = await quarry("extractor", "learn", `${base}/`, "--data", '{"title": "Harbour"}');
  return learned.stdout.trim();
}

/** Without confirming fetches, which take 40 seconds. */
async function addMonitor(): Promise<string> {
  const key = await readFile(path.join(folder, "key"), "utf8");
  const response = await fetch(`${server.url}/v2/monitor`, {
    method: "POST",
    headers: { authorization: `Bearer ${key.trim()}`, "content-type": "application/json" },
    body: JSON.stringify({
      name: "Harbour",
      schedule: { text: "hourly" },
      targets: [{ type: "scrape", urls: [`${base}/two`] }],
      channels: [{ type: "webhook", url: `${base}/receiver` }],
      detection: { confirmations: 0 },
    }),
  });
  const { data } = (await response.json()) as { readonly data: { readonly id: string } };
  return data.id;
}

/** Ids of a monitor and of its check. */
async function addCheckedMonitor(): Promise<readonly string[]> {
  const id = await addMonitor();
  const check = JSON.parse((await quarry("monitor", "run", id, "--json")).stdout) as {
    readonly id: string;
  };
  return [id, check.id];
}

/** Its only page fails. */
async function runFailedBatch(): Promise<string> {
  const file = path.join(folder, "broken.txt");
  await writeFile(file, `${base}/broken\n`);
  const id = (await quarry("batch", file, "--no-follow")).stdout.trim();
  await quarry("batch", id);
  return id;
}

async function startSlowCrawl(): Promise<string> {
  return (await quarry("crawl", `${base}/slow`, "--no-follow")).stdout.trim();
}

/** JSON in one piece, or one value per line. */
function readJson(text: string): unknown[] {
  try {
    return [JSON.parse(text) as unknown];
  } catch {
    return text
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
  }
}

describe.skipIf(isRemote)("--json output", () => {
  it("every command of the program has a --json test", () => {
    const paths = listPaths(buildProgram(() => undefined));
    expect(paths.toSorted()).toEqual(
      [...Object.keys(CALLS), ...Object.keys(FAILING), "agent", "serve", "mcp"].toSorted(),
    );
  });

  it.each(Object.keys(CALLS))("prints nothing but JSON on standard output: %s", async (command) => {
    const words = (await CALLS[command]?.()) ?? [];
    const { code, stdout, stderr } = await runOnce(command, words);
    expect([0, 3], stderr).toContain(code);
    expect(readJson(stdout).length).toBeGreaterThan(0);
  });

  it.each(Object.keys(FAILING))(
    "reports a failure as JSON on standard error: %s",
    async (command) => {
      const words = FAILING[command]?.() ?? [];
      const { code, stdout, stderr } = await runOnce(command, words);
      expect([1, 2, 3]).toContain(code);
      expect(stdout).toBe("");
      expect(JSON.parse(stderr)).toMatchObject({ success: false, exitCode: code });
    },
  );

  it("prints a failed agent run with what it found, and the failure on standard error", async () => {
    // Rules find the passages but cannot judge whether they answer the question, and the server has
    // no model.
    const words = ["the opening times of the harbour", "--url", `${base}/`, "--strict", "--json"];
    const { code, stdout, stderr } = await quarry("agent", ...words);
    expect(code).toBe(1);
    expect(readJson(stdout)).toEqual([
      expect.objectContaining({
        status: "failed",
        code: "AGENT_NEEDS_MODEL",
        partial: expect.anything() as unknown,
      }),
    ]);
    expect(JSON.parse(stderr.trim().split("\n").at(-1) ?? "")).toMatchObject({
      success: false,
      code: "AGENT_NEEDS_MODEL",
      exitCode: 1,
    });
  });

  it("reports an invalid option as JSON for every command", async () => {
    for (const command of ["scrape", "jobs", "keys list", "doctor", "crawl status"]) {
      const { code, stdout, stderr } = await quarry(...command.split(" "), "--nonsense", "--json");
      expect([code, stdout], command).toEqual([2, ""]);
      expect(JSON.parse(stderr), command).toMatchObject({
        code: "WRONG_CALL",
        error: expect.stringContaining("--nonsense") as string,
      });
    }
  });

  it("serve --json reports its start as events", async () => {
    const other = await createDataFolder();
    try {
      const inside = { ...environment, QUARRY_DATA_DIR: other };
      const isReady = async (said: string): Promise<boolean> => said.includes('"ready"');
      const { code, stdout } = await interrupt(inside, isReady, "--json");
      const events = readJson(stdout) as { event: string }[];
      expect(code).toBe(0);
      expect(events[0]).toMatchObject({ event: "listening", url: expect.any(String) as string });
      expect(events.map(({ event }) => event)).toEqual(
        expect.arrayContaining(["finding", "key", "ready"]),
      );
    } finally {
      await rm(other, { recursive: true, force: true });
    }
  });
});

describe.skipIf(isRemote)("quarry jobs", () => {
  it("lists jobs of all kinds with filters and the id first on each line", async () => {
    const all = await quarry("jobs");
    expect(all.stdout).toMatch(/^ID +KIND +STATE +PAGES +STARTED \(UTC\) +URL$/m);
    expect(all.stdout).toMatch(new RegExp(`^${crawl} +crawl +completed +1/1 `, "m"));
    expect(all.stdout).toMatch(new RegExp(`^${batch} +batch +completed +1/1 `, "m"));
    const batches = await quarry("jobs", "--kind", "batch", "--state", "completed", "--json");
    const { jobs } = JSON.parse(batches.stdout) as { jobs: { id: string; kind: string }[] };
    expect(jobs.map(({ id }) => id)).toContain(batch);
    expect(new Set(jobs.map(({ kind }) => kind))).toEqual(new Set(["batch"]));
    expect((await quarry("jobs", "--host", "nowhere.example")).stdout).toBe("No job matches.\n");
    expect((await quarry("jobs", "--kind", "nonsense")).code).toBe(2);
  });

  it("shows one job of any kind and refuses to cancel an ended one", async () => {
    expect((await quarry("jobs", "show", batch)).stdout).toMatch(/^kind +batch$/m);
    const ended = await quarry("jobs", "cancel", batch);
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toContain(`The batch ${batch} has already ended: completed.`);
    const id = await startSlowCrawl();
    expect((await quarry("jobs", "cancel", id)).stdout).toMatch(/^state +cancelled$/m);
  });
});

const asks = async (url: string, key: string): Promise<number> =>
  (await fetch(`${url}/v2/team/credit-usage`, { headers: { authorization: `Bearer ${key}` } }))
    .status;

describe.skipIf(isRemote)("commands that ask the running server", () => {
  it("doctor and egress report the settings of the running server, not of the shell", async () => {
    const shell = { ...environment, QUARRY_EGRESS_ALLOW: "" };
    const { stdout } = await run(["doctor"], shell);
    expect(stdout).toMatch(/^ {2}egress +public addresses, and 127\.0\.0\.1/m);
    const allowed = await run(["egress", new URL(base).host, "--json"], shell);
    expect(allowed.code).toBe(0);
    expect(JSON.parse(allowed.stdout)).toMatchObject({ allowed: true, server: server.url });
  });

  it("keys have unique names that rotate and revoke accept", async () => {
    const made = await quarry("keys", "create", "team", "--json");
    const { id, key: first } = JSON.parse(made.stdout) as { id: string; key: string };
    const again = await quarry("keys", "create", "team");
    expect([again.code, again.stdout]).toEqual([2, ""]);
    expect(again.stderr).toContain(`Key "team" already exists (${id})`);
    const rotated = await quarry("keys", "rotate", "team", "--grace", "0");
    expect(await asks(server.url, first)).toBe(401);
    expect(await asks(server.url, rotated.stdout.trim())).toBe(200);
    expect((await quarry("keys", "revoke", "team")).stdout).toBe(
      `The key team (${id}) is revoked.\n`,
    );
    expect((await quarry("keys", "create", "team")).code).toBe(0);
  });
});

describe.skipIf(isRemote)("help", () => {
  it("prints help and version", async () => {
    expect((await quarry("--version")).stdout).toMatch(/^\d+\.\d+\.\d+/);
    const help = await quarry("--help");
    for (const command of ["serve", "scrape", "keys", "doctor", "egress"])
      expect(help.stdout).toContain(command);
    expect((await quarry("dance")).code).toBe(2);
  });

  it("refers an invalid command to its own help", async () => {
    const { code, stderr } = await quarry("keys", "create");
    expect(code).toBe(2);
    expect(stderr).toContain("missing required argument 'name'");
    expect(stderr).toContain("bin/quarry.mjs keys create --help");
  });
});
