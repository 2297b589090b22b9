// `npm run dev` starts the server, restarts it on file changes, and stops it cleanly.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import process from "node:process";
import { afterEach, beforeEach, expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../..");

let folder: string;
const started: ChildProcess[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "quarry-dev-"));
});
afterEach(async () => {
  for (const child of started.splice(0))
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL");
      await once(child, "exit");
    }
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command of `npm run dev` in a folder with the Node that runs the tests. */
async function runDev(cwd: string, environment: Record<string, string> = {}) {
  const { scripts } = JSON.parse(await readFile(path.join(root, "package.json"), "utf8")) as {
    scripts: { dev: string };
  };
  const [node, ...words] = scripts.dev.split(" ");
  expect(node).toBe("node");
  const child = spawn(process.execPath, words, { cwd, env: { ...process.env, ...environment } });
  started.push(child);
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return { child, read: () => output };
}

const PROGRAM = (version: string): string => `
import { createServer } from "node:http";
const server = createServer().listen(0, "127.0.0.1", () => console.log("${version} started"));
process.on("SIGTERM", () => server.close(() => { console.log("${version} closed"); process.exit(0); }));
`;

it("npm run dev restarts the server when a file changes", async () => {
  await mkdir(path.join(folder, "src/cli"), { recursive: true });
  await writeFile(path.join(folder, "package.json"), `{ "type": "module" }`);
  const main = path.join(folder, "src/cli/main.ts");
  await writeFile(main, PROGRAM("first"));
  const dev = await runDev(folder);
  await expect.poll(dev.read).toContain("first started");
  await writeFile(main, PROGRAM("second"));
  await expect.poll(dev.read).toContain("second started");
  expect(dev.read()).toContain("first closed");
  const ended = once(dev.child, "exit");
  dev.child.kill("SIGTERM");
  await ended;
  expect(dev.read()).toContain("second closed");
});

it("npm run dev serves requests until it is stopped", async () => {
  const environment = { QUARRY_PORT: "0", QUARRY_DATA_DIR: folder, QUARRY_LOG_LEVEL: "info" };
  const dev = await runDev(root, environment);
  await expect.poll(dev.read, { timeout: 100_000 }).toMatch(/http:\/\/127\.0\.0\.1:\d+/u);
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/u.exec(dev.read()) ?? [];
  expect((await fetch(`${url}/health`)).status).toBe(200);
  const ended = once(dev.child, "exit");
  dev.child.kill("SIGTERM");
  await ended;
  await expect(fetch(`${url}/health`)).rejects.toThrow();
});
