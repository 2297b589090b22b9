// Pages and code that make the browser write more than fits in a string of this process.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { RefusedMessage } from "../../src/browser/chromium/bounded-messages.ts";
import { Deadline } from "../../src/deadline.ts";
import { Sandbox } from "../../src/sandbox/sandbox.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine, type EngineOptions } from "./engine.ts";
import { testBrowserExecutable } from "./launch.ts";

// The browser takes its time over hundreds of megabytes.
vi.setConfig({ testTimeout: 300_000 });

const engines: ReturnType<typeof buildBrowserEngine>[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
  await closeAll();
});

function engineWith(options: EngineOptions = {}) {
  const refused: RefusedMessage[] = [];
  const onRefused = (each: RefusedMessage): void => void refused.push(each);
  const engine = buildBrowserEngine({ ...options, launch: { onRefused, ...options.launch } });
  engines.push(engine);
  return { ...engine, refused };
}

const openPage = (script: string) =>
  openSite((_, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>t</title><p>words of the page</p><script>${script}</script>`,
    );
  });

const CONTEXT = {
  mobile: false,
  country: undefined,
  languages: [],
  skipTlsVerification: true,
  userAgent: undefined,
  agent: undefined,
  maxBytes: 1e6,
};

describe("pages that flood the browser's output", () => {
  it("scrapes a page that logs 16 MB at once without passing it on", async () => {
    const engine = engineWith();
    const { base } = await openPage(`const s = "x".repeat(4e6); console.log(s, s, s, s)`);
    const { text } = await engine.capture({ url: `${base}/` }, 200_000);
    expect(text).toContain("words of the page");
    await expect.poll(() => engine.refused.map(({ bytes }) => bytes > 1.6e7)).toContain(true);
    const [pid] = engine.pool.state().pids;
    expect((await engine.capture({ url: `${base}/` }, 200_000)).text).toContain("words");
    expect(engine.pool.state().pids).toEqual([pid]);
  });

  it("scrapes a page that logs control characters, which take six bytes each", async () => {
    const engine = engineWith();
    const { base } = await openPage(String.raw`console.log("\u0001".repeat(9e7))`);
    const { text } = await engine.capture({ url: `${base}/` }, 200_000);
    expect(text).toContain("words of the page");
    await expect.poll(() => engine.refused.map(({ bytes }) => bytes > 5.3e8)).toContain(true);
  });

  it("uses no server memory for 15 messages of 10 MB", async () => {
    const engine = engineWith();
    const { base } = await openPage(
      `const s = "x".repeat(1e7); for (let at = 0; at < 15; at++) console.log(s + at)`,
    );
    await engine.capture({ url: `${base}/warm` }, 200_000);
    const before = process.memoryUsage().rss;
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    await engine.capture({ url: `${base}/` }, 200_000);
    await expect.poll(() => engine.refused.length).toBeGreaterThanOrEqual(30);
    clearInterval(timer);
    expect(peak - before).toBeLessThan(100 * 2 ** 20);
  });

  it("does not stop a browser that writes 300 MB to stderr without a line end", async () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-noisy-"));
    folders.push(folder);
    const noisy = path.join(folder, "noisy");
    writeFileSync(
      noisy,
      `#!/bin/sh\n(head -c 300000000 /dev/zero | tr '\\\\0' x >&2) 3>&- 4>&- &\nexec '${await testBrowserExecutable()}' "$@"\n`,
    );
    chmodSync(noisy, 0o700);
    const engine = engineWith({ launch: { executable: noisy } });
    const { base } = await openPage("");
    const before = process.memoryUsage().rss;
    expect((await engine.capture({ url: `${base}/` }, 60_000)).text).toContain("words of the page");
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 2 ** 20);
  });
});

describe("code that requests too much", () => {
  it("fails code that returns two strings of 300 MB, and runs the next code, if pages may use the memory", async () => {
    const engine = engineWith({ limits: { maxPageBytes: 2 ** 40, maxTotalBytes: 2 ** 40 } });
    using deadline = Deadline.start(220_000);
    const lease = await engine.pool.open(CONTEXT, deadline);
    const sandbox = new Sandbox(lease.context, lease.page);
    const outcome = await sandbox.run(
      `try { await page.evaluate((n) => ["x".repeat(n), "y".repeat(n)], 3e8); "read" } catch (error) { error.message }`,
      180_000,
    );
    expect(outcome.result).toMatch(/page's answer has 6\d{8} bytes/);
    expect((await sandbox.run("await page.evaluate(() => 1 + 1)", 20_000)).result).toBe("2");
    await sandbox.close();
    await lease.close();
  });
});

describe("pages longer than one message", () => {
  it("reads a page longer than one message completely", async () => {
    const engine = engineWith({
      launch: { messageLimits: { maxAnswerBytes: 60 * 2 ** 20 } },
      limits: { maxPageBytes: 2 ** 40, maxTotalBytes: 2 ** 40 },
    });
    const { base } = await openPage(
      `document.body.append("€".repeat(9_999_999) + "\\u{1F600}".repeat(1_000_000) + "the end")`,
    );
    const { text } = await engine.capture({ url: `${base}/` }, 200_000);
    expect(text.endsWith("the end</body></html>")).toBe(true);
    expect(text.length).toBeGreaterThan(11_999_999);
    expect(text.includes("\u{FFFD}")).toBe(false);
    expect(engine.refused).toEqual([]);
  });
});
