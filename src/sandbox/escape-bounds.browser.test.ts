// Tests each bound alone: each test fails without its defence, although another one behind it would
// still hold.
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchTestBrowser } from "../../test/browser/launch.ts";
import { BOUNDS } from "./outcome.ts";
import { Sandbox } from "./sandbox.ts";

let browser: Browser;
let context: BrowserContext;
let page: Page;
let sandbox: Sandbox;
let server: Server;
let origin: string;

beforeAll(async () => {
  browser = await launchTestBrowser();
  server = createServer({ maxHeaderSize: 1_000_000 }, (request, response) => {
    response.setHeader("content-type", "text/html");
    response.end(request.url === "/large" ? Buffer.alloc(10_000_001, "x") : "<title>here</title>");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser.close();
  server.close();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  sandbox = new Sandbox(context, page);
});
afterEach(async () => {
  await sandbox.close();
  await context.close();
});

const MAX_CODE_CHARACTERS = BOUNDS.codeCharacters;
const DEEP = "nested too deeply";

/** Code of maximum length that is expensive to parse, and how each ends. */
const LONGEST_CODE: Readonly<Record<string, readonly [code: string, ending: string]>> = {
  "an array of numbers": [`[${"1,".repeat(MAX_CODE_CHARACTERS / 2 - 1)}]`, "done"],
  "an array of arrays": [`[${"[],".repeat(MAX_CODE_CHARACTERS / 3 - 1)}]`, "done"],
  "objects in objects": ["({a:".repeat(MAX_CODE_CHARACTERS / 4), DEEP],
  "open brackets": ["[".repeat(MAX_CODE_CHARACTERS), DEEP],
  "open braces": ["{".repeat(MAX_CODE_CHARACTERS), DEEP],
  "open templates": ["`${".repeat(MAX_CODE_CHARACTERS / 3), DEEP],
  "a template with many parts": [`\`${"${1}".repeat(MAX_CODE_CHARACTERS / 4 - 1)}\``, "done"],
  "properties of properties": [`a${".a".repeat(MAX_CODE_CHARACTERS / 2 - 1)}`, "a is not defined"],
  "functions of functions": [`${"a=>".repeat(MAX_CODE_CHARACTERS / 3 - 1)}1`, DEEP],
  "either or": [`${"a?".repeat(MAX_CODE_CHARACTERS / 2 - 1)}1`, DEEP],
  "an expression of groups": [`/${"(".repeat(MAX_CODE_CHARACTERS - 2)}/`, DEEP],
  "empty statements": [";".repeat(MAX_CODE_CHARACTERS), "done"],
  names: [`${"var a;".repeat(MAX_CODE_CHARACTERS / 6 - 1)}`, "done"],
};

const run = (code: string, timeoutMs = 5_000) => sandbox.run(code, timeoutMs);
const value = async (code: string, timeoutMs?: number) =>
  JSON.parse((await run(code, timeoutMs)).result ?? "null") as unknown;

async function expectStillWorks(): Promise<void> {
  expect((await run("1 + 1")).result).toBe("2");
}

describe("sandbox interpreter", () => {
  test("interrupts endless code and keeps its names without ending the thread", async () => {
    await run("const kept = 7");
    expect(await run("for (;;) {}", 300)).toMatchObject({ killed: true, stateLost: false });
    expect((await run("kept")).result).toBe("7");
  });

  test("ends the thread when the interpreter cannot be interrupted", async () => {
    const outcome = await run("[].indexOf.call({ length: 2 ** 53 - 1 }, 1)", 300);
    expect(outcome).toMatchObject({ killed: true, stateLost: true, exitCode: 124 });
    await expectStillWorks();
  });

  test("bounds the interpreter's memory", async () => {
    expect((await run("new ArrayBuffer(100e6).byteLength")).error).toContain("out of memory");
    await expectStillWorks();
  });

  test("bounds the call depth with an error that code can catch", async () => {
    const outcome = await run(
      "const kept = 7; let seen; try { (function deeper() { return deeper() + 1 })() } catch (error) { seen = error.message } seen",
    );
    expect(outcome).toMatchObject({ exitCode: 0, stateLost: false });
    expect(outcome.result).toContain("stack");
    expect((await run("kept")).result).toBe("7");
  });

  test("rejects code above the maximum length", async () => {
    const error = await run(`[${"1,".repeat(3_000_000)}]`).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ name: "RequestError", code: "BAD_REQUEST" });
    expect(await run(`${"1".padEnd(MAX_CODE_CHARACTERS + 1)}`).catch(String)).toContain(
      "100001 characters",
    );
    expect((await run(`${"1".padEnd(MAX_CODE_CHARACTERS)}`)).result).toBe("1");
    await expectStillWorks();
  });

  test.each(Object.entries(LONGEST_CODE))(
    "parses the longest code within its thread's memory: %s",
    async (_name, [code, ending]) => {
      expect(code.length).toBeGreaterThan(MAX_CODE_CHARACTERS * 0.95);
      const outcome = await run(code, 20_000);
      expect(outcome).toMatchObject({ killed: false, stateLost: false });
      expect(outcome.error ?? "done").toContain(ending);
      await expectStillWorks();
    },
    60_000,
  );

  test("counts timers on the host, even when code sets them directly", async () => {
    expect((await run("for (;;) page.wire.host.setTimer(-1, 1e6)")).error).toContain("set already");
    const outcome = await run(`
      for (let at = 0; at < 2e3; at++) page.wire.host.clearTimer(0);
      for (let at = 0; at < 2e3; at++) { setTimeout(() => {}, 1e6); page.wire.host.clearTimer(0) }`);
    expect(outcome.error).toContain("timers are set");
  });
});

describe("sandbox calls", () => {
  test("limits a call without a timeout to the time of its run", async () => {
    await run(
      "globalThis.seen = ''; void page.click('#none').catch((error) => { seen = error.message })",
      3_000,
    );
    await expect
      .poll(async () => (await run("seen")).result, { timeout: 20_000 })
      .toContain("3000ms");
  });

  test("limits the steps and arguments of a call", async () => {
    const answers = await value(`
      const call = (steps, values) => page.wire.call({ on: "locator", page: 1, steps }, "count", values).then(() => "done", (error) => error.message);
      [await call([["locator", "body"], ...Array.from({ length: 49 }, () => ["first"])], []), await call([["locator", "body"], ...Array.from({ length: 50 }, () => ["first"])], []),
        await call([["locator", "body"]], [1]), await call([["locator", "body"]], [1, 2, 3, 4, 5, 6])]`);
    expect(answers).toEqual([
      "done",
      "The call is malformed.",
      "It takes at most 0 arguments.",
      "The call is malformed.",
    ]);
  });

  test("limits a session to ten pages, including popups", async () => {
    const outcome = await run(
      "const opened = []; for (let at = 0; at < 12; at++) opened.push(await context.newPage().then((one) => one.url(), (error) => error.message)); opened",
      20_000,
    );
    expect(JSON.parse(outcome.result ?? "")).toEqual([
      ...Array.from({ length: 9 }, () => "about:blank"),
      ...Array.from({ length: 3 }, () => "A session has at most 10 pages."),
    ]);
    await run(
      "await page.evaluate(() => { for (let at = 0; at < 5; at++) window.open('about:blank') })",
    );
    await expect.poll(() => context.pages().length).toBe(10);
    expect(await value("context.pages().length")).toBe(10);
  }, 60_000);
});

describe("sandbox code past its time", () => {
  test("frees the call slots of interrupted code for later code", async () => {
    expect(
      await run(
        "for (let at = 0; at < 32; at++) void page.click('#none').catch(() => 0); for (;;) {}",
        1_000,
      ),
    ).toMatchObject({ killed: true, stateLost: false });
    expect(await run("await page.title()")).toMatchObject({ exitCode: 0, stateLost: false });
  });

  test("does not count the start of the thread, which takes seconds on a busy machine", async () => {
    const thread = new URL("./thread.ts", import.meta.url);
    const startMs = 1_500;
    const slow = `Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ${startMs}); await import("${thread.href}");`;
    const module = new URL(`data:text/javascript,${encodeURIComponent(slow)}`);
    await using slowly = new Sandbox(context, page, undefined, module);
    expect(BOUNDS.graceMs + 200).toBeLessThan(startMs);
    expect(await slowly.run("globalThis.kept = 7; for (;;) {}", 200)).toMatchObject({
      killed: true,
      stateLost: false,
    });
    expect((await slowly.run("kept", 5_000)).result).toBe("7");
  });

  test("ends the interpreter when pending jobs cannot be cancelled", async () => {
    // Two jobs, because the timeout may interrupt one of them.
    const outcome = await run(
      "globalThis.ticks = 0; const again = () => { ticks++; return Promise.resolve().then(again) }; await Promise.all([again(), again()])",
      300,
    );
    expect(outcome).toMatchObject({ killed: true, stateLost: true });
    expect((await run("typeof ticks")).result).toBe("undefined");
  });
});

describe("concurrent sandbox sessions", () => {
  test("hides pages, names and cookies of other sessions", async () => {
    const neighbor = await browser.newContext();
    await neighbor.addCookies([{ name: "secret", value: "1", url: origin }]);
    const first = await neighbor.newPage();
    await using other = new Sandbox(neighbor, first);
    await other.run("const secret = 1; await context.newPage()", 5_000);
    await neighbor.newPage();
    expect(
      await value("[context.pages().length, typeof secret, (await context.cookies()).length]"),
    ).toEqual([1, "undefined", 0]);
    expect((await other.run("[context.pages().length, secret]", 5_000)).result).toMatch(/3.*1/s);
    await other.close();
    await neighbor.close();
  });
});

describe("sandbox page events", () => {
  test("queues page events for code up to a limit", async () => {
    await run("globalThis.heard = 0; page.on('console', () => { heard++ }); await page.title()");
    const last = page.waitForEvent("console", (message) => message.text() === "4999");
    await page.evaluate("for (let at = 0; at < 5_000; at++) console.log(String(at))");
    await last;
    expect(await value("await page.title(); heard")).toBe(1_000);
  });

  test("cuts long texts of page events and drops those that are too long", async () => {
    await page.goto(origin);
    const seen = await value(`
      const seen = { console: [], pageerror: [], request: [] };
      page.on("console", (message) => seen.console.push(message.text().length));
      page.on("pageerror", (error) => seen.pageerror.push(error.message.length));
      page.on("request", (request) => seen.request.push(request.url().length > 100_000));
      await page.evaluate(async () => {
        console.log("x".repeat(50_000));
        setTimeout(() => { throw new Error("x".repeat(50_000)) });
        await fetch("/" + "x".repeat(100_001)).catch(() => 0);
        await fetch("/short");
      });
      seen`);
    expect(seen).toEqual({ console: [10_000], pageerror: [10_000], request: [false] });
  });

  test("keeps a limited number of responses, each up to a size", async () => {
    await page.goto(origin);
    const answers = await value(
      `
      const responses = [];
      page.on("response", (response) => responses.push(response));
      await page.evaluate(async () => { for (let at = 0; at < 201; at++) await (await fetch("/" + at)).text() });
      const first = await responses[0].text().catch((error) => error.message);
      const second = await responses[1].text().catch((error) => error.message);
      await page.evaluate(async () => { await (await fetch("/large")).text() });
      [first, second, await responses.at(-1).text().catch((error) => error.message)]`,
      20_000,
    );
    expect(answers).toEqual([
      "It is gone.",
      "<title>here</title>",
      "The body is larger than 10000000 bytes.",
    ]);
  }, 30_000);

  test("dismisses a dialog that code does not answer", async () => {
    const outcome = await run(
      "page.on('dialog', () => {}); await page.evaluate(() => confirm('?'))",
      20_000,
    );
    expect(outcome).toMatchObject({ result: "false", exitCode: 0 });
  }, 30_000);
});
