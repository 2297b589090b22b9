// Starts what a service benchmark needs: a static site of the pages, and the server as a user would start it.
import { spawn, type ChildProcess } from "node:child_process";
import { createServer, get } from "node:http";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { endWithParent } from "./end-with-parent.ts";
import { readPage } from "./pages.ts";

export const BENCH_KEY = "qy-bench-0123456789abcdef0123456789abcdef";
const root = path.resolve(import.meta.dirname, "..");

/** Serves the folder on loopback from this process; pages are read once and kept. */
export async function serveFolder(
  folder: string,
  files: readonly string[],
): Promise<{ url: string; close(): void }> {
  const kept = new Map(
    files.map((file) => [`/${file.split(path.sep).join("/")}`, readPage(folder, file)]),
  );
  return await servePages((target) => kept.get(target));
}

/** Serves on loopback, from this process, what `page` gives for a path; 404 where it gives nothing. */
export async function servePages(
  page: (target: string) => Buffer | undefined,
): Promise<{ url: string; close(): void }> {
  const server = createServer((request, response) => {
    const body = page(request.url ?? "");
    if (body === undefined) response.writeHead(404).end();
    else
      response
        .writeHead(200, {
          "content-type": `text/${request.url?.endsWith(".css") ? "css" : "html"}; charset=utf-8`,
          "content-length": body.length,
        })
        .end(body);
  });
  server.keepAliveTimeout = 60_000;
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, "127.0.0.1", resolve);
  await promise;
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the site has no port");
  return { url: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}

export type RunningService = {
  child: ChildProcess;
  pid: number;
  base: string;
  upMs: number;
  stop(): Promise<void>;
};

/**
 * GET in a connection of its own, which breaks off after ten silent seconds. A fetch whose process was killed when it went out
 * in a connection that was still open has been seen to wait for ever.
 */
export async function getOnce(
  url: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const request = get(url, { headers, agent: false, timeout: 10_000 }, (response) => {
    const chunks: Buffer[] = [];
    response.on("data", (chunk: Buffer) => chunks.push(chunk));
    response.on("error", reject);
    response.on("end", () =>
      resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }),
    );
    // Comes after "end" where there was one.
    response.on("close", () => reject(new Error("the connection was lost")));
  });
  request.on("error", reject);
  request.on("timeout", () => request.destroy(new Error("no answer")));
  return await promise;
}

/** Starts `serve` on the port with the data folder and further settings, and waits until it answers. */
export async function startService(
  port: number,
  dataDir: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<RunningService> {
  const started = performance.now();
  const child = spawn(process.execPath, [path.join(root, "bin/quarry.mjs"), "serve"], {
    cwd: root,
    stdio: ["ignore", "ignore", process.env["QUARRY_BENCH_LOG"] ? "inherit" : "ignore"],
    env: {
      ...process.env,
      QUARRY_PORT: String(port),
      QUARRY_DATA_DIR: dataDir,
      QUARRY_API_KEY: BENCH_KEY,
      QUARRY_EGRESS_ALLOW: "127.0.0.1",
      QUARRY_LOG_LEVEL: "warn",
      // Unpacks before the measurement starts.
      QUARRY_BROWSER: "none",
      ...settings,
    },
  });
  endWithParent(child);
  const base = `http://127.0.0.1:${port}`;
  for (;;) {
    try {
      if ((await getOnce(`${base}/v0/health/liveness`)).status === 200) break;
    } catch {
      if (performance.now() - started > 30_000) throw new Error("the server did not come up");
    }
    await sleep(5);
  }
  return {
    child,
    pid: child.pid ?? 0,
    base,
    upMs: performance.now() - started,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = new Promise((resolve) => child.once("close", resolve));
      child.kill("SIGTERM");
      await ended;
    },
  };
}

const READY_MS = 180_000;

/** Waits until the service can work: its database is open. Ends one that does not get there. */
export async function waitUntilReady(running: RunningService): Promise<void> {
  const until = performance.now() + READY_MS;
  for (;;) {
    // On a busy machine an answer may take longer than getOnce waits.
    const answer = await getOnce(`${running.base}/v0/health/readiness`).catch(() => undefined);
    if (answer?.status === 200) return;
    if (performance.now() > until || running.child.exitCode !== null) {
      await running.stop();
      throw new Error(
        `the service on ${running.base} did not become ready: ${answer?.text ?? "no answer"}`,
      );
    }
    await sleep(50);
  }
}

export function createTemporaryFolder(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-bench-"));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
