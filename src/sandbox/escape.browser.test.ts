// Code that tries to escape or to take the service down. Each test names the defence without which
// it fails.
import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Browser, BrowserContext } from "playwright-core";
import { launchTestBrowser } from "../../test/browser/launch.ts";
import { Sandbox } from "./sandbox.ts";

let browser: Browser;
let context: BrowserContext;
let sandbox: Sandbox;
let canary: Server;
let hits = 0;

beforeAll(async () => {
  browser = await launchTestBrowser();
  canary = createServer((_request, response) => {
    hits++;
    response.end("<title>canary</title>");
  });
  await new Promise<void>((resolve) => void canary.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  await browser.close();
  canary.close();
});
beforeEach(async () => {
  context = await browser.newContext();
  sandbox = new Sandbox(context, await context.newPage());
});
afterEach(async () => {
  await sandbox.close();
  await context.close();
});

const run = (code: string, timeoutMs = 5_000) => sandbox.run(code, timeoutMs);
const address = () => `http://127.0.0.1:${(canary.address() as AddressInfo).port}/`;

async function expectStillWorks(): Promise<void> {
  expect((await run("1 + 1")).result).toBe("2");
}

describe("sandbox escape: interpreter", () => {
  test("gives code no modules, no environment and no network", async () => {
    hits = 0;
    for (const attempt of [
      "require('fs')",
      "await import('node:fs')",
      "await import('data:text/javascript,export default 1')",
      `await fetch('${address()}')`,
      `new WebSocket('${address()}')`,
      "new XMLHttpRequest()",
      "new Worker('x')",
      "process.binding('fs')",
      "process.exit(1)",
      "process.kill(process.pid)",
      "std.open('/etc/passwd', 'r')",
      "os.exec(['id'])",
      "new WebAssembly.Module(new Uint8Array())",
      "Deno.readTextFileSync('/etc/passwd')",
    ])
      expect(await run(attempt), attempt).toMatchObject({ exitCode: 1 });
    expect((await run("JSON.stringify(process.env)")).result).toBe("{}");
    expect(hits).toBe(0);
  });

  test("keeps the constructors of all bridged objects inside the interpreter", async () => {
    const outcome = await run(`
      const things = [page, page.locator("x"), page.keyboard, context, console.log, process.stdout.write, setTimeout,
        page.title(), await page.evaluate(() => ({ a: [1] }))];
      try { await page.click("#none", { timeout: 20 }) } catch (error) { things.push(error) }
      try { page.wire.host.ask("{") } catch (error) { things.push(error) }
      things.map((thing) => thing.constructor.constructor("return this")() === globalThis && thing.constructor.constructor("return typeof process.mainModule")()).join()`);
    expect(outcome.result).toBe(Array.from({ length: 11 }, () => "undefined").join());
  });

  test("hides server paths in errors", async () => {
    const outcome = await run(`
      const seen = [];
      for (const attempt of [() => page.click("#none", { timeout: 20 }), () => page.goto("nowhere"), () => page.wire.call({}, "x", []),
        () => page.locator(":::").click(), async () => page.wire.host.ask("{"), async () => page.wire.host.call({}), () => page.evaluate("throw 1 +")])
        try { await attempt() } catch (error) { seen.push(error.message, error.stack) }
      seen.join("\\n")`);
    expect(outcome.result).toContain("20ms");
    expect(outcome.result).not.toMatch(/node_modules|file:\/\/|\/src\/|node:internal|\.ts\b/);
  });
});

describe("sandbox escape: bridge", () => {
  test("rejects inherited, internal and unlisted methods", async () => {
    const outcome = await run(`
      const answers = [];
      const call = async (on, name, values = [], steps = []) =>
        page.wire.call({ on, page: 1, steps }, name, values).then(() => "done", (error) => error.message);
      for (const on of ["page", "context", "keyboard", "mouse", "locator"])
        for (const name of ["constructor", "__proto__", "toString", "hasOwnProperty", "valueOf", "exposeFunction", "route", "newCDPSession", "browser", "request", "_channel", "pdf", "addInitScript", "storageState"])
          answers.push(await call(on, name, [], on === "locator" ? [["locator", "body"]] : []));
      for (const step of ["constructor", "__proto__", "page", "elementHandle", "evaluate", "toString"])
        answers.push(await call("locator", "count", [], [[step]]));
      answers.push(await call("browser", "close"));
      [answers.length, answers.filter((text) => !/not available here|no .* here|malformed/.test(text))]`);
    expect(JSON.parse(outcome.result ?? "")).toEqual([77, []]);
  });

  test("lists no method that reaches beyond the page", async () => {
    const names = `addInitScript addLocatorHandler backgroundPages browser clock connectOverCDP
      consoleMessages drop elementHandle evaluateHandle exposeBinding exposeFunction grantPermissions newCDPSession opener
      pause pdf request requests route routeFromHAR routeWebSocket serviceWorkers setGeolocation
      setHTTPCredentials setOffline setStorageState storageState tracing unrouteAll video workers`;
    const outcome = await run(`
      const answers = [];
      const call = async (on, name) => {
        const target = { on, page: 1, steps: on === "locator" ? [["locator", "body"]] : [] };
        const answer = await page.wire.call(target, name, []).then(() => "done", (error) => error.message);
        if (answer !== on + "." + name + " is not available here.") answers.push([on, name, answer]);
      };
      for (const name of ${JSON.stringify(names.split(/\s+/))})
        for (const on of ["page", "context", "keyboard", "mouse", "locator"]) await call(on, name);
      await call("context", "close");
      answers`);
    expect(JSON.parse(outcome.result ?? "")).toEqual([]);
  });

  test("rejects options that read or write a file, inherited or not", async () => {
    const file = path.join(os.tmpdir(), `escape-${process.pid}.png`);
    const outcome = await run(`
      const path = ${JSON.stringify(file)};
      const answers = [];
      for (const options of [{ path }, JSON.parse(JSON.stringify({ x: { path } }).replace('"x"', '"__proto__"')), { style: "x", path: [path] }])
        for (const target of [page, page.locator("body")])
          answers.push(await target.screenshot(options).then(() => "done", (error) => error.name));
      for (const attempt of [() => page.setInputFiles("input", "/etc/passwd"), () => page.locator("input").setInputFiles("/etc/passwd"),
        () => page.addScriptTag({ path: "/etc/passwd" }), () => page.addInitScript({ path: "/etc/passwd" }), () => page.pdf({ path }),
        () => context.storageState({ path }), () => page.evaluate({ path: "/etc/passwd" }), () => page.wire.call({ on: "page", page: 1, steps: [] }, "evaluate", ["1", 1, { exposeFunctions: true }])])
        answers.push(await (async () => attempt())().then(() => "done", (error) => "refused"));
      answers.join()`);
    expect(outcome.result).toBe(
      [
        ...Array.from({ length: 6 }, () => "TypeError"),
        ...Array.from({ length: 8 }, () => "refused"),
      ].join(),
    );
    expect(existsSync(file)).toBe(false);
  });

  test("protects the host's prototypes from arguments and answers", async () => {
    const outcome = await run(`
      const evil = JSON.parse('{"__proto__": {"polluted": 1}, "constructor": {"prototype": {"polluted": 1}}}');
      const first = await page.evaluate((value) => Object.keys(value).length, evil).catch((error) => error.message);
      const second = await page.evaluate(() => JSON.parse('{"__proto__": {"polluted": 2}, "constructor": {"prototype": {"polluted": 2}}}'));
      const third = await page.evaluate((value) => value.constructor.prototype.polluted, { constructor: { prototype: { polluted: 3 } } });
      [first, Object.keys(second).length, third, ({}).polluted === undefined]`);
    expect(JSON.parse(outcome.result ?? "")).toEqual([
      "Values with a __proto__ key are not allowed.",
      1,
      3,
      true,
    ]);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });

  test("never evaluates the text of a function on the host", async () => {
    (globalThis as { escaped?: number }).escaped = 0;
    await run(`
      const texts = ["(() => {})()); globalThis.escaped = 1; (() => {}", "}); globalThis.escaped = 1; ({", "${"${globalThis.escaped = 1}"}", "process.mainModule.require('fs')"];
      for (const text of texts) { const f = () => 1; f.toString = () => text; await page.evaluate(f).catch(() => 0); await page.evaluate(text).catch(() => 0); }`);
    expect((globalThis as { escaped?: number }).escaped).toBe(0);
    await expectStillWorks();
  });

  test("opens only web addresses, no files and no browser pages", async () => {
    const outcome = await run(`
      const answers = [];
      for (const url of ["file:///etc/passwd", "FILE:///etc/passwd", " file:///etc/passwd", "view-source:file:///etc/passwd", "chrome://version", "about:version",
        "devtools://devtools/bundled/inspector.html", "data:text/html,x", "javascript:alert(1)", "blob:null/x", "filesystem:http://x/y", "//etc/passwd", "ftp://x/"])
        answers.push(await page.goto(url).then(() => "opened " + url, (error) => error.name));
      await page.setContent("<a id=a href='file:///etc/passwd'>x</a><iframe src='file:///etc/passwd'></iframe>");
      await page.click("#a").catch(() => 0);
      await page.evaluate(() => { location.href = "file:///etc/passwd" }).catch(() => 0);
      await page.evaluate(() => void window.open("file:///etc/passwd")).catch(() => 0);
      [[...new Set(answers)], context.pages().map((one) => one.url()).filter((url) => !/^about:blank/.test(url))]`);
    expect(JSON.parse(outcome.result ?? "")).toEqual([["TypeError"], []]);
  });

  test("cannot refer to a page of another session", async () => {
    const other = await browser.newContext();
    const secret = await other.newPage();
    await secret.setContent("<title>secret</title>");
    const outcome = await run(`
      const answers = [];
      for (const id of [0, 2, 3, -1, 1.5, "1", null, { id: 2 }]) {
        answers.push(await page.wire.call({ on: "page", page: id, steps: [] }, "title", []).catch((error) => "none"));
        answers.push(await page.wire.call({ on: "locator", page: 1, steps: [["locator", "body"]] }, "dragTo", [{ $locator: { on: "locator", page: id, steps: [["locator", "body"]] } }, {}]).catch((error) => "none"));
      }
      [...new Set(answers)].join() + context.pages().length`);
    expect(outcome.result).toBe("none1");
    await other.close();
  });
});

describe("sandbox escape: bounds", () => {
  test.each([
    ["a loop", "for (;;) {}"],
    ["a loop that catches errors", "for (;;) try { for (;;) {} } catch {}"],
    ["microtasks", "const again = () => Promise.resolve().then(again); await again()"],
    ["an async loop", "for (;;) await null"],
    ["an async loop that is not awaited", "(async () => { for (;;) await null })(); for (;;) {}"],
    ["a getter of the result", "({ get x() { for (;;) {} } })"],
    ["toJSON of the result", "({ toJSON() { for (;;) {} } })"],
    [
      "toString of an error",
      "class E extends Error { get message() { for (;;) {} } } throw new E()",
    ],
    ["a then of the result", "(async () => ({ then(done) { for (;;) {} } }))()"],
    ["a pattern", "/^(a+)+$/.test('a'.repeat(60) + 'b')"],
    ["a sort", "[3, 2, 1].sort(() => { for (;;) {} })"],
    ["a promise that never settles", "await new Promise(() => {})"],
    ["a timer that never ends", "await new Promise(() => setInterval(() => {}, 0))"],
    ["endless calls", "for (;;) await page.title()"],
    ["endless synchronous calls", "for (;;) page.url()"],
  ])("ends %s at its time limit", async (_name, code) => {
    const startedAt = performance.now();
    expect(await run(code, 400)).toMatchObject({ killed: true, exitCode: 124 });
    expect(performance.now() - startedAt).toBeLessThan(400 + 1_000 + 1_500);
    await expectStillWorks();
  });

  test("stops code that exceeded its time before the next call", async () => {
    // The first call starts the interpreter, so that the second one has its full time on a busy
    // machine.
    await run("const ticks = []");
    const late = await run(
      "setInterval(() => ticks.push(1), 5); await new Promise(() => {})",
      1_000,
    );
    expect(late).toMatchObject({ killed: true });
    await run("await page.waitForTimeout(100)");
    const { result } = await run(
      "const before = ticks.length; await page.waitForTimeout(100); before > 0 && ticks.length === before",
    );
    expect(result).toBe("true");
  });

  test("terminates a script that blocks the page together with the call", async () => {
    expect(await run("await page.evaluate(() => { for (;;) {} })", 500)).toMatchObject({
      killed: true,
    });
    expect((await run("await page.evaluate(() => 7)")).result).toBe("7");
  });

  test.each([
    ["arrays", "const all = []; for (;;) all.push(new Array(1e5).fill(1))"],
    ["texts", "let text = 'x'; for (;;) text += text"],
    ["one text", "'x'.repeat(2 ** 29)"],
    ["typed arrays", "const all = []; for (;;) all.push(new Uint8Array(1e7).fill(1))"],
    ["promises", "const all = []; for (;;) all.push(new Promise(() => {}))"],
    ["a map", "const map = new Map(); for (let at = 0; ; at++) map.set(at, { at })"],
    ["depth", "let deep = []; for (;;) deep = [deep]"],
  ])("ends %s at the memory limit", async (_name, code) => {
    const before = process.memoryUsage().rss;
    const outcome = await run(code, 20_000);
    expect(outcome.exitCode).not.toBe(0);
    expect(process.memoryUsage().rss - before).toBeLessThan(400 * 1024 * 1024);
    await expectStillWorks();
  });

  test.each([
    ["recursion", "(function deeper() { return deeper() + 1 })()"],
    ["recursion in getters", "const o = { get x() { return this.x } }; o.x"],
    ["a nested text", "JSON.parse('['.repeat(1e5))"],
    [
      "a nested value",
      "let deep = []; for (let at = 0; at < 1e5; at++) deep = [deep]; JSON.stringify(deep)",
    ],
    ["nested code", `${"(".repeat(30_000)}1${")".repeat(30_000)}`],
    ["nested code at run time", "eval('('.repeat(1e6))"],
    ["a nested pattern", "new RegExp('('.repeat(1e5) + ')'.repeat(1e5))"],
    ["a nested result", "let far = []; for (let at = 0; at < 1e5; at++) far = [far]; far"],
    ["proxies", "let p = {}; for (let at = 0; at < 1e5; at++) p = new Proxy(p, {}); p.x"],
  ])("survives %s without a stack overflow of the host", async (_name, code) => {
    await run(code, 10_000);
    await expectStillWorks();
  });

  test("limits output, calls, timers and answers", async () => {
    const lines = await run(
      "for (let at = 0; at < 2e5; at++) console.log('line ' + at); 'done'",
      60_000,
    );
    expect(lines).toMatchObject({ truncated: true, result: "done" });
    expect(lines.stdout).toHaveLength(1_000_000);
    expect((await run("console.log('x'.repeat(2e7))")).stdout).toHaveLength(1_000_000);
    expect(await run("'x'.repeat(5e6)")).toMatchObject({
      truncated: true,
      result: "x".repeat(1_000_000),
    });
    expect((await run("for (let at = 0; at < 1e4; at++) page.title(); ")).error).toContain(
      "calls are pending",
    );
    expect(
      (await run("for (let at = 0; at < 1e4; at++) setTimeout(() => {}, 1e6); ")).error,
    ).toContain("timers are set");
    expect((await run("await page.evaluate(() => 'x'.repeat(2e7))", 20_000)).error).toContain(
      "larger than",
    );
    expect((await run("await page.evaluate('x'.repeat(3e6))")).error).toContain("too large");
  }, 90_000);

  test("drops excess events of a noisy page", async () => {
    await run(
      "page.on('console', () => {}); await page.evaluate(() => { setInterval(() => { for (let at = 0; at < 100; at++) console.log('x'.repeat(1e4)) }, 1) })",
    );
    await run("await page.waitForTimeout(500)");
    await expectStillWorks();
  });
});
