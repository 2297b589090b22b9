// Browsers that are killed or crash at any time: other pages are retried immediately, a page that
// crashes its browser is not.
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import type { Lease } from "../../src/browser/pool.ts";
import { Deadline } from "../../src/deadline.ts";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine, type EngineOptions } from "./engine.ts";

const engines: ReturnType<typeof buildBrowserEngine>[] = [];
function engineWith(options: EngineOptions = {}) {
  const engine = buildBrowserEngine(options);
  engines.push(engine);
  return engine;
}
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await closeAll();
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

const openPages = () =>
  openSite((request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(
      `<!doctype html><title>t</title><p>words of ${request.url}</p><script>fetch("/more")</script>`,
    );
  });

/** Returns the root processes of this process's browsers, including those that are starting. */
function ownBrowsers(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const status = readFileSync(`/proc/${pid}/status`, "utf8");
        if (!status.includes(`\nPPid:\t${process.pid}\n`) || /^State:\s+Z/m.test(status))
          return false;
        return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("--remote-debugging-pipe");
      } catch {
        return false;
      }
    });
}

function killBrowsers(): number {
  const pids = ownBrowsers();
  for (const pid of pids) process.kill(pid, "SIGKILL");
  return pids.length;
}

describe("browsers killed from outside", () => {
  it.each([0, 60, 150, 300, 450, 600, 800, 1_000, 1_400])(
    "retries scrapes when the browser is killed %i ms after they started",
    async (ms) => {
      const engine = engineWith({ slots: 6 });
      const { base } = await openPages();
      const began = performance.now();
      const captures = [1, 2, 3, 4, 5, 6].map(
        async (number) => await engine.capture({ url: `${base}/${number}` }, 60_000),
      );
      await after(ms);
      // There is no process yet in the very first moments.
      await expect.poll(killBrowsers, { interval: 1 }).toBeGreaterThan(0);
      const texts = (await Promise.all(captures)).map(({ text }) => text);
      for (const [at, text] of texts.entries()) expect(text).toContain(`words of /${at + 1}`);
      expect(performance.now() - began).toBeLessThan(30_000);
      expect(engine.pool.state().active).toBe(0);
    },
  );

  it("retries after several kills in a row, and fails with a temporary error after too many", async () => {
    const engine = engineWith();
    using deadline = Deadline.start(100_000);
    const dieUntil = (survived: number) => {
      let tries = 0;
      return async (lease: Lease): Promise<number> => {
        tries += 1;
        if (tries < survived) killBrowsers();
        return tries < survived ? await lease.gone : tries;
      };
    };
    expect(await engine.pool.use(CONTEXT, deadline, dieUntil(5))).toBe(5);
    await expect(engine.pool.use(CONTEXT, deadline, dieUntil(Infinity))).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
  });
});

/** Returns the renderers below these browsers with their place in the order of Linux's kills. */
function renderersOf(browsers: readonly number[]): { pid: number; score: string }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, "latin1");
        const group = readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.split(" ")[2];
        if (!command.includes("--type=renderer") || !browsers.includes(Number(group))) return [];
        const score = readFileSync(`/proc/${name}/oom_score_adj`, "utf8").trim();
        return [{ pid: Number(name), score }];
      } catch {
        return [];
      }
    });
}

describe.runIf(process.platform === "linux")("renderers that are killed", () => {
  it("a page is the first process that Linux ends for memory, and fails after the second time", async () => {
    const engine = engineWith();
    using deadline = Deadline.start(100_000);
    let tries = 0;
    const began = performance.now();
    const hungry = engine.pool.use(CONTEXT, deadline, async (lease) => {
      tries += 1;
      const own = () => renderersOf(engine.pool.state().pids);
      await expect
        .poll(() => own().map(({ score }) => score), { interval: 20 })
        .toEqual(expect.arrayContaining(["1000"]));
      for (const pid of engine.pool.state().pids)
        expect(readFileSync(`/proc/${pid}/oom_score_adj`, "utf8").trim()).toBe("900");
      for (const { pid } of own()) process.kill(pid, "SIGKILL");
      return await lease.gone;
    });
    await expect(hungry).rejects.toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("twice"),
    });
    expect(tries).toBe(2);
    expect(performance.now() - began).toBeLessThan(30_000);
  });
});

describe("pages that crash their browser", () => {
  it("fails a page that crashes its browser twice alone, but not the page beside it", async () => {
    const engine = engineWith();
    using deadline = Deadline.start(100_000);
    const bothOpen = Promise.withResolvers<void>();
    const tries = { bad: 0, good: 0 };
    const bad = engine.pool.use(CONTEXT, deadline, async (lease) => {
      tries.bad += 1;
      await bothOpen.promise;
      const session = await lease.context.browser()?.newBrowserCDPSession();
      await session?.send("Browser.crash");
      return await lease.gone;
    });
    const good = engine.pool.use(CONTEXT, deadline, async (lease) => {
      tries.good += 1;
      bothOpen.resolve();
      return tries.good === 1 ? await lease.gone : await lease.page.evaluate(() => "words");
    });
    await expect(bad).rejects.toMatchObject({
      code: "SCRAPE_SITE_ERROR",
      message: expect.stringContaining("twice"),
    });
    expect(await good).toBe("words");
    expect(tries).toEqual({ bad: 3, good: 2 });
    await expect.poll(() => engine.pool.state().pids).toEqual([]);
  });
});
