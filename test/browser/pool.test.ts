import { existsSync, readdirSync, readFileSync } from "node:fs";
import { spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, describe, expect, it, vi } from "vitest";
import { Deadline } from "../../src/deadline.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";

const PLAIN_CONTEXT = {
  mobile: false,
  country: undefined,
  languages: [],
  skipTlsVerification: true,
  userAgent: undefined,
  agent: undefined,
};

const engines: ReturnType<typeof buildBrowserEngine>[] = [];
function engineWith(...options: Parameters<typeof buildBrowserEngine>) {
  const engine = buildBrowserEngine(...options);
  engines.push(engine);
  return engine;
}
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await closeAll();
});

const html = (body: string): string => `<!doctype html><title>t</title><body>${body}`;
const openPlain = () =>
  openSite((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(html(`<p>the words of page ${request.url}</p>`));
  });

/** Returns the ids of living processes whose command line contains `text`. */
function processesWith(text: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const state = /^State:\s+(\S)/m.exec(readFileSync(`/proc/${name}/status`, "utf8"))?.[1];
        return state !== "Z" && readFileSync(`/proc/${name}/cmdline`, "latin1").includes(text);
      } catch {
        return false;
      }
    })
    .map(Number);
}

function killRenderers(browser: number): void {
  for (const pid of processesWith("--type=renderer"))
    if (descendsFrom(pid, browser)) process.kill(pid, "SIGKILL");
}

describe("browser pool", () => {
  it("starts the browser with the first page and ends it when idle", async () => {
    const engine = engineWith({ limits: { idleMs: 300 } });
    expect(engine.pool.state()).toMatchObject({ running: false });
    const { base } = await openPlain();
    await engine.capture({ url: `${base}/a` });
    const [pid = 0] = engine.pool.state().pids;
    expect(pid).toBeGreaterThan(0);
    await expect.poll(() => engine.pool.state().running).toBe(false);
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    expect((await engine.capture({ url: `${base}/b` })).text).toContain("page /b");
  });

  it("reports a start that takes longer than the request's time, and serves the next request", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const engine = engineWith({ before: promise });
    const { base } = await openPlain();
    const error = await engine.failure({ url: `${base}/a` }, 300);
    expect(error).toMatchObject({ code: "SCRAPE_TIMEOUT", retryAfterMs: 5_000 });
    expect(error.message).toContain("still starting");
    resolve();
    expect((await engine.capture({ url: `${base}/b` })).text).toContain("page /b");
  });

  it("opens every page in its own context and returns each result for its page", async () => {
    const { base } = await openSite((request, response) => {
      response.setHeader("content-type", "text/html");
      response.setHeader("set-cookie", `seen=${request.url}`);
      response.end(
        html(`<p>page ${request.url} cookie ${request.headers.cookie ?? "none"}</p>
        <script>document.body.append(" stored " + (localStorage.x ?? "nothing")); localStorage.x = 1</script>`),
      );
    });
    const engine = engineWith();
    const numbers = Array.from({ length: 24 }, (_, index) => index);
    const captures = await Promise.all(
      numbers.map((number) => engine.capture({ url: `${base}/${number}` })),
    );
    for (const number of numbers) {
      expect(captures[number]?.text).toContain(`page /${number} cookie none`);
      expect(captures[number]?.text).toContain("stored nothing");
    }
    expect(engine.pool.state().active).toBe(0);
  });

  it("retries once when a renderer is killed", async () => {
    const engine = engineWith();
    let asked = 0;
    const { base } = await openSite((request, response) => {
      if (request.url === "/image" || request.url === "/favicon.ico") {
        // The renderer dies while the page waits for its image, only the first time.
        if (request.url === "/image" && asked === 1) {
          const [browser = 0] = engine.pool.state().pids;
          killRenderers(browser);
        }
        response.end();
        return;
      }
      asked += 1;
      response.setHeader("content-type", "text/html");
      response.end(
        html(`<p>words that came the ${asked}. time</p><script>fetch("/image")</script>`),
      );
    });
    const { text } = await engine.capture({ url: `${base}/` });
    expect(text).toContain("came the 2. time");
    expect((await engine.capture({ url: `${base}/` })).text).toContain("came the 3. time");
  });

  it("retries once when a browser is killed, and leaves no process behind", async () => {
    const engine = engineWith();
    let asked = 0;
    const killed: number[] = [];
    const { base } = await openSite((request, response) => {
      if (request.url === "/image" && asked === 1) {
        const [pid = 0] = engine.pool.state().pids;
        killed.push(pid);
        process.kill(pid, "SIGKILL");
      }
      if (request.url !== "/") {
        response.end();
        return;
      }
      asked += 1;
      response.setHeader("content-type", "text/html");
      response.end(
        html(`<p>words that came the ${asked}. time</p><script>fetch("/image")</script>`),
      );
    });
    expect((await engine.capture({ url: `${base}/` })).text).toContain("came the 2. time");
    expect(engine.pool.state().pids).not.toContain(killed[0]);
    const [pid = 0] = engine.pool.state().pids;
    await engine.close();
    await expect
      .poll(() => [pid, killed[0] ?? 0].filter((each) => existsSync(`/proc/${each}`)), {
        timeout: 5_000,
      })
      .toEqual([]);
  });

  it("stops retrying a page that crashes its renderer", async () => {
    const engine = engineWith();
    let asked = 0;
    const { base } = await openSite((request, response) => {
      if (request.url === "/") asked += 1;
      else if (request.url === "/image") {
        const [browser = 0] = engine.pool.state().pids;
        killRenderers(browser);
      }
      response.setHeader("content-type", "text/html");
      response.end(html(`<p>x</p><script>fetch("/image")</script>`));
    });
    const failure = await engine.failure({ url: `${base}/` });
    expect(failure.message).toContain("twice");
    expect(asked).toBe(2);
  });

  it("retains nothing of a closed page while its browser lives on", async () => {
    const engine = engineWith();
    const { base } = await openPlain();
    const visitOnce = async (path: string): Promise<WeakRef<object>> => {
      using deadline = Deadline.start(20_000);
      const lease = await engine.pool.open({ ...PLAIN_CONTEXT, maxBytes: 1e6 }, deadline);
      await lease.page.goto(`${base}${path}`);
      await lease.close();
      return new WeakRef(lease.page);
    };
    const pages: WeakRef<object>[] = [];
    for (let at = 0; at < 5; at++) pages.push(await visitOnce(`/${at}`));
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const alive = (): number => {
      collect();
      return pages.filter((page) => page.deref() !== undefined).length;
    };
    // Playwright itself retains the last one for a while.
    await expect.poll(alive).toBeLessThan(2);
    expect(engine.pool.state().running).toBe(true);
  });

  it("replaces the browser by count while pages are open, without losing one", async () => {
    const engine = engineWith({ limits: { maxContexts: 3 } });
    const { base } = await openPlain();
    const seen = new Set<number>();
    for (let round = 0; round < 3; round++) {
      const captures = await Promise.all(
        [0, 1, 2, 3].map((number) => engine.capture({ url: `${base}/${round}-${number}` })),
      );
      captures.forEach(({ text }, number) => expect(text).toContain(`page /${round}-${number}<`));
      for (const pid of engine.pool.state().pids) seen.add(pid);
    }
    expect(seen.size).toBeGreaterThan(1);
    await expect.poll(() => engine.pool.state().pids.length).toBeLessThan(2);
  });

  it("keeps a browser per list of languages of enhanced pages, and at most four", async () => {
    const { base: url } = await openPlain();
    const engine = engineWith();
    const capture = (languages: string[]) =>
      engine.capture({ url, enhanced: true, languages, waitForMs: 300 });
    await engine.capture({ url });
    const [plain] = engine.pool.state().pids;
    const pages = [["de-DE"], ["fr-FR"], ["it-IT"], ["pl-PL"], ["cs-CZ"]].map(capture);
    for (const { text } of await Promise.all(pages)) expect(text).toContain("the words of page");
    await vi.waitFor(() => expect(engine.pool.state().pids).toHaveLength(4), 10_000);
    const before = engine.pool.state().pids;
    expect(before).not.toContain(plain);
    await capture(["cs-CZ"]);
    expect(engine.pool.state().pids).toEqual(before);
    await engine.capture({ url });
    await vi.waitFor(() => expect(engine.pool.state().pids).toHaveLength(4), 10_000);
    expect(engine.pool.state().pids).not.toEqual(before);
  });

  it("replaces a browser that has grown too large or too old", async () => {
    const { base } = await openPlain();
    const small = engineWith({ limits: { maxMemoryBytes: 1 } });
    for (let number = 0; number < 10; number++) await small.capture({ url: `${base}/${number}` });
    await expect.poll(() => small.pool.state().running).toBe(false);
    const old = engineWith({ limits: { maxAgeMs: 0 } });
    await old.capture({ url: `${base}/` });
    await expect.poll(() => old.pool.state().running).toBe(false);
  });

  it("ends a page above the memory limit without a retry, and no other page", async () => {
    const engine = engineWith({ limits: { maxPageBytes: 300 * 2 ** 20 } });
    let asked = 0;
    const release = Promise.withResolvers<void>();
    const { base } = await openSite((request, response) => {
      response.setHeader("content-type", "text/html");
      if (request.url === "/large") {
        asked += 1;
        response.end(
          html(`<script>const kept = []; setInterval(() => kept.push(new Uint8Array(4e7).fill(1)), 20);
          fetch("/never")</script><p>x`),
        );
      } else if (request.url === "/small") {
        response.end(html(`<p>words of the small page</p><script>fetch("/later")</script>`));
      } else if (request.url === "/later") void release.promise.then(() => response.end());
    });
    const small = engine.capture({ url: `${base}/small` });
    const failure = await engine.failure({ url: `${base}/large`, waitForMs: 20_000 });
    release.resolve();
    expect(failure).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    expect(failure.message).toContain("300 MiB");
    expect(asked).toBe(1);
    expect((await small).text).toContain("words of the small page");
  });

  it("ends the largest pages when the total memory exceeds the limit", async () => {
    const maxTotalBytes = 600 * 2 ** 20;
    const engine = engineWith({ limits: { maxPageBytes: 2 ** 40, maxTotalBytes } });
    const release = Promise.withResolvers<void>();
    const { base } = await openSite((request, response) => {
      response.setHeader("content-type", "text/html");
      if (request.url?.startsWith("/large") === true)
        response.end(
          html(`<script>const kept = []; setInterval(() => kept.push(new Uint8Array(1e7).fill(1)), 20);
          fetch("/never")</script><p>x`),
        );
      else if (request.url === "/small")
        response.end(html(`<p>words of the small page</p><script>fetch("/later")</script>`));
      else if (request.url === "/later") void release.promise.then(() => response.end());
    });
    let peak = 0;
    const timer = setInterval(() => (peak = Math.max(peak, rendererBytes(engine))), 20);
    const small = engine.capture({ url: `${base}/small` }, 60_000);
    const failures = await Promise.all(
      [1, 2, 3].map((number) =>
        engine.failure({ url: `${base}/large${number}`, waitForMs: 60_000 }, 80_000),
      ),
    );
    clearInterval(timer);
    release.resolve();
    for (const failure of failures) {
      expect(failure).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
      expect(failure.message).toContain("600 MiB");
    }
    expect((await small).text).toContain("words of the small page");
    expect(peak).toBeGreaterThan(maxTotalBytes / 2);
    // The kernel takes a moment to end a process, and the machine may be busy.
    expect(peak).toBeLessThan(maxTotalBytes * 3);
  });

  it("aborts a page that keeps opening windows, directly or through its windows", async () => {
    const engine = engineWith();
    const { base } = await openSite((request, response) => {
      response.setHeader("content-type", "text/html");
      const script = {
        "/few": "for (let at = 0; at < 5; at++) open('/blank')",
        "/storm": "setInterval(() => open('/nest'), 10); fetch('/never')",
        "/nest": "for (let at = 0; at < 5; at++) open('/nest')",
      }[request.url ?? ""];
      if (request.url !== "/never")
        response.end(html(`<p>some words</p><script>${script ?? ""}</script>`));
    });
    expect((await engine.capture({ url: `${base}/few` })).text).toContain("some words");
    const failure = await engine.failure({ url: `${base}/storm`, waitForMs: 20_000 });
    expect(failure.message).toContain("keeps opening windows");
  });

  it("reports a page that reloads itself endlessly", async () => {
    const engine = engineWith();
    const { base } = await openSite((_, response) => {
      response.setHeader("content-type", "text/html");
      response.end(html(`<p>some words</p><script>location.reload()</script>`));
    });
    const failure = await engine.failure({ url: `${base}/` });
    expect(failure).toMatchObject({ code: "SCRAPE_SITE_ERROR" });
    expect(failure.message).toContain("keeps reloading");
  });

  it("ends the browser with its process, even if that is killed", async () => {
    const script = path.join(import.meta.dirname, "pool-child.ts");
    const child = spawn(process.execPath, [script], { stdio: ["ignore", "pipe", "inherit"] });
    const [chunk] = (await once(child.stdout, "data")) as [Buffer];
    const pid = Number(chunk.toString());
    expect(existsSync(`/proc/${pid}`)).toBe(true);
    child.kill("SIGKILL");
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});

/** Returns the private memory of the renderers of an engine's browsers. */
function rendererBytes(engine: ReturnType<typeof buildBrowserEngine>): number {
  const browsers = engine.pool.state().pids;
  let total = 0;
  for (const pid of processesWith("--type=renderer")) {
    if (!browsers.some((browser) => descendsFrom(pid, browser))) continue;
    try {
      const fields = readFileSync(`/proc/${pid}/statm`, "utf8").split(" ").map(Number);
      total += ((fields[1] ?? 0) - (fields[2] ?? 0)) * 4_096;
    } catch {
      // It has just ended.
    }
  }
  return total;
}

function descendsFrom(pid: number, ancestor: number): boolean {
  for (let at = pid; at > 1;) {
    if (at === ancestor) return true;
    try {
      at = Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${at}/status`, "utf8"))?.[1] ?? 0);
    } catch {
      return false;
    }
  }
  return false;
}
