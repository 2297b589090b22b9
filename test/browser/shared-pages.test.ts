import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { IncomingMessage, ServerResponse } from "node:http";
import { closeAll, openSite } from "../http-fetching.ts";
import { buildBrowserEngine } from "./engine.ts";
import { SAMPLE_APPLICATIONS, serveSamples, STORAGE_SAMPLES } from "./sample-applications.ts";

const engines: ReturnType<typeof buildBrowserEngine>[] = [];
function engineWith(...options: Parameters<typeof buildBrowserEngine>) {
  const engine = buildBrowserEngine(...options);
  engines.push(engine);
  return engine;
}
/** For the tests that need no limits of their own; each has its own sites. */
const common = buildBrowserEngine();
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
  await closeAll();
});
afterAll(async () => await common.close());

type Engine = ReturnType<typeof buildBrowserEngine>;
const JOB = { accountId: "account", jobId: "job" };
const capture = async (engine: Engine, url: string, rest: object = {}) =>
  await engine.capture({ url, holder: JOB, ...rest });
const readCounts = (engine: Engine) => engine.pool.state().shared;
/** Counts since now. */
function countFrom(engine: Engine) {
  const before = readCounts(engine);
  return {
    visits: () => readCounts(engine).visits - before.visits,
    closed: (reason: string) =>
      (readCounts(engine).closed[reason] ?? 0) - (before.closed[reason] ?? 0),
  };
}

/** A site whose pages have this script, and the paths of its requests. */
async function openScripted(scripts: Readonly<Record<string, string>>) {
  const requests: string[] = [];
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    requests.push(request.url ?? "");
    if (request.url === "/app.js") {
      response.writeHead(200, {
        "content-type": "text/javascript",
        "cache-control": "max-age=600",
      });
      response.end("document.title = 'loaded'");
      return;
    }
    if (request.url === "/large") {
      response.end("x".repeat(100_000));
      return;
    }
    const script = scripts[request.url ?? ""] ?? "";
    response.writeHead(200, { "content-type": "text/html" });
    response.end(
      `<!doctype html><title>t</title><script src="/app.js"></script><p>words of ${request.url}</p><script>${script}</script>`,
    );
  };
  const { base } = await openSite(answer);
  return { base, requests };
}

/** Visits `/a`, then `/b`, and expects that `/b` got a fresh context for this reason. */
async function expectFresh(reason: string, script: string, engine = common): Promise<void> {
  const counts = countFrom(engine);
  const { base } = await openScripted({ "/a": script });
  await engine.fetch({ url: `${base}/a`, holder: JOB }, 8_000);
  const { renderedBy } = await capture(engine, `${base}/b`);
  expect(renderedBy).not.toContain("earlier");
  expect(counts.visits()).toBe(0);
  expect(counts.closed(reason)).toBe(1);
}

describe("pages of a job", () => {
  it("loads pages of a job in one context, which fetches a cached script once", async () => {
    const engine = common;
    const { base, requests } = await openScripted({});
    const first = await capture(engine, `${base}/1`);
    const second = await capture(engine, `${base}/2`);
    const third = await capture(engine, `${base}/3`);
    expect(first.renderedBy).toMatch(/^Chromium [\d.]+$/);
    expect(second.renderedBy).toMatch(/^Chromium [\d.]+, in the context of 1 earlier page$/);
    expect(third.renderedBy).toMatch(/, in the context of 2 earlier pages$/);
    expect(third.text).toContain("words of /3");
    expect(requests.filter((path) => path === "/app.js")).toHaveLength(1);
  });

  // Everything that keeps a value for the next page; the other samples run in bench/rendering.ts.
  it.each(STORAGE_SAMPLES)("hides from a page what an earlier page left: %s", async (name) => {
    const engine = common;
    const counts = countFrom(engine);
    const { base } = await openSite(serveSamples);
    const at = SAMPLE_APPLICATIONS.findIndex((sample) => sample.name === name);
    const [first, second] = [
      await capture(engine, `${base}/${at}/1`),
      await capture(engine, `${base}/${at}/2`),
    ];
    expect(counts.visits()).toBe(1);
    const said = (text: string, page: number): string[] =>
      [...text.matchAll(/<p>(.*?)<\/p>/g)].map(([, line = ""]) => line.replace(`/${page}:`, ""));
    expect(said(second.text, 2)).toEqual(said(first.text, 1));
    expect(said(second.text, 2)).not.toEqual([]);
  });

  it("shares no context with another job, another origin or a page outside of jobs", async () => {
    const engine = common;
    const counts = countFrom(engine);
    const { base } = await openScripted({});
    const other = await openScripted({});
    await capture(engine, `${base}/1`);
    await capture(engine, `${other.base}/1`);
    await capture(engine, `${base}/2`, { holder: { ...JOB, jobId: "other" } });
    await engine.capture({ url: `${base}/3` });
    expect(counts.visits()).toBe(0);
  });

  it.each([
    ["a header", { headers: { "x-key": "secret" } }],
    ["actions", { actions: [{ type: "wait", milliseconds: 1 }] }],
    ["a screenshot", { screenshot: { fullPage: false, quality: undefined } }],
    ["limited hosts", { mayVisit: () => true }],
    ["another language", { languages: ["de"] }],
    ["a phone", { mobile: true }],
  ])("shares no context with a page that has %s", async (_name, rest) => {
    const engine = common;
    const counts = countFrom(engine);
    const { base } = await openScripted({});
    await capture(engine, `${base}/1`);
    await capture(engine, `${base}/2`, rest);
    expect(counts.visits()).toBe(0);
  });

  it("every page is fresh with the isolation page", async () => {
    const engine = engineWith({ config: { browserIsolation: "page" } });
    const { base } = await openScripted({});
    await capture(engine, `${base}/1`);
    await capture(engine, `${base}/2`);
    expect(readCounts(engine)).toEqual({ visits: 0, closed: {} });
  });

  it("timers of a page send nothing while the next URL is awaited", async () => {
    const engine = common;
    const counts = countFrom(engine);
    const { base, requests } = await openScripted({
      "/a": "setInterval(() => fetch('/poll').catch(() => undefined), 20)",
    });
    await capture(engine, `${base}/a`);
    await capture(engine, `${base}/b`);
    const before = requests.length;
    await new Promise((resolve) => {
      setTimeout(resolve, 300);
    });
    expect(requests.slice(before)).toEqual([]);
    expect(counts.visits()).toBe(1);
  });
});

describe("fresh contexts", () => {
  it("opens a fresh context after a page that opened a window", async () => {
    await expectFresh("window", "open('/popup')");
  });

  it("opens a fresh context after a page that opened a dialog", async () => {
    await expectFresh("dialog", "setTimeout(() => alert('hello'), 20)");
  });

  it("opens a fresh context after a page that led to another origin", async () => {
    const other = await openScripted({});
    await expectFresh("origin", `location.replace("${other.base}/x")`);
  });

  it("opens a fresh context after a page that has a frame of another origin", async () => {
    const other = await openScripted({});
    await expectFresh("origin", `document.write('<iframe src="${other.base}/x"></iframe>')`);
  });

  it("opens a fresh context after a page that fills the renderer's memory", async () => {
    await expectFresh(
      "memory",
      "window.kept = new ArrayBuffer(200e6); new Uint8Array(window.kept).fill(1);",
    );
  });

  it("opens a fresh context after a page that failed", async () => {
    await expectFresh("failed", "for (;;) {}");
  });

  it("opens a fresh context after a page that sent more bytes than allowed", async () => {
    await expectFresh(
      "overflow",
      "fetch('/large').then((r) => r.text())",
      engineWith({ config: { maxBodyBytes: 20_000 } }),
    );
  });

  it("opens a fresh context after a page that crashed while the next URL was awaited", async () => {
    const engine = engineWith();
    const { base } = await openScripted({});
    await capture(engine, `${base}/1`);
    await expect.poll(() => engine.pool.state().active).toBe(0);
    for (const pid of engine.pool.state().pids) process.kill(pid, "SIGKILL");
    const { text, renderedBy } = await capture(engine, `${base}/2`);
    expect(text).toContain("words of /2");
    expect(renderedBy).not.toContain("earlier");
  });

  it("opens a fresh context after a page that was the last that its context serves", async () => {
    const engine = engineWith({ limits: { maxVisits: 3 } });
    const { base } = await openScripted({});
    for (let page = 0; page < 4; page++) await capture(engine, `${base}/${page}`);
    expect(readCounts(engine)).toEqual({ visits: 2, closed: { visits: 1 } });
  });

  it("closes a context that waited too long for the next URL, or when other pages need the place", async () => {
    const engine = engineWith({ slots: 1, limits: { pages: 1 } });
    const { base } = await openScripted({});
    const other = await openScripted({});
    await capture(engine, `${base}/1`);
    await capture(engine, `${other.base}/1`);
    await capture(engine, `${base}/2`);
    expect(readCounts(engine)).toMatchObject({ visits: 0, closed: { idle: 2 } });
  });
});
