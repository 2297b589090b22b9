import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchTestBrowser } from "../../test/browser/launch.ts";
import { Sandbox } from "./sandbox.ts";

const PAGE = `<title>Shop</title><h1>Goods</h1>
  <label>Name <input id=name></label><button onclick="document.querySelector('#out').textContent=document.querySelector('#name').value">Show</button>
  <p id=out></p><ul><li>one</li><li>two</li><li>three</li></ul>
  <iframe srcdoc="<button>inner</button>"></iframe>`;

let browser: Browser;
let context: BrowserContext;
let page: Page;
let sandbox: Sandbox;

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterAll(async () => {
  await browser.close();
});
beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
  await page.setContent(PAGE);
  sandbox = new Sandbox(context, page);
});
afterEach(async () => {
  await sandbox.close();
  await context.close();
});

const run = (code: string, timeoutMs = 10_000) => sandbox.run(code, timeoutMs);

test("returns the awaited last expression as text", async () => {
  expect(await run("await page.title()")).toMatchObject({
    result: "Shop",
    exitCode: 0,
    killed: false,
    stderr: "",
  });
  expect((await run("({ a: 1 })")).result).toBe('{\n  "a": 1\n}');
  expect((await run("page.title()")).result).toBe("Shop");
  expect((await run("return await page.title()")).result).toBe("Shop");
  expect(await run("const quiet = 1;")).not.toHaveProperty("result");
});

test("keeps names between calls and allows redeclaring them", async () => {
  await run("const name = 'a'; let n = 1; class Box { v = 2 } function twice(x) { return x * 2 }");
  expect((await run("const name = 'b'; name + n + new Box().v + twice(4)")).result).toBe("b128");
});

test("writes console and process output to stdout and stderr", async () => {
  const outcome = await run(
    "console.log('x', {a: [1]}, 2); process.stdout.write('y'); console.error(new Error('bad'))",
  );
  expect(outcome.stdout).toBe('x {\n  "a": [\n    1\n  ]\n} 2\ny');
  expect(outcome.stderr).toBe("Error: bad\n");
});

test("fills, clicks, chains and reads with locators", async () => {
  const outcome = await run(`
    await page.getByLabel("Name").fill("Ada");
    await page.getByRole("button", { name: /show/i }).click();
    await page.fill("#name", "Ada!");
    await page.click("text=Show");
    const items = await page.locator("li").filter({ hasText: /t/ }).allTextContents();
    const all = await page.locator("li").all();
    [await page.textContent("#out"), items, await all[2].innerText(), await page.frameLocator("iframe").getByRole("button").innerText(),
     await page.locator("ul").filter({ has: page.locator("li") }).count()]`);
  expect(JSON.parse(outcome.result ?? "")).toEqual(["Ada!", ["two", "three"], "three", "inner", 1]);
});

test("runs functions in the page with JSON arguments", async () => {
  expect(
    (
      await run(
        "const k = 2; await page.evaluate(({ n, list }) => n * list.length + document.title, { n: 3, list: [1, 2] })",
      )
    ).result,
  ).toBe("6Shop");
  expect(
    (
      await run(
        "await page.$$eval('li', (all, sep) => all.map((li) => li.textContent).join(sep), '-')",
      )
    ).result,
  ).toBe("one-two-three");
  expect((await run("await page.evaluate('1 + 1')")).result).toBe("2");
});

test("delivers page events to the code", async () => {
  const outcome = await run(`
    page.on("console", (message) => console.log(message.type() + ":" + message.text()));
    page.once("dialog", (dialog) => dialog.accept("yes"));
    await page.evaluate(() => { console.log("from the page"); });
    const said = await page.evaluate(() => prompt("sure?"));
    const [popup] = await Promise.all([page.waitForEvent("popup"), page.evaluate(() => void window.open("about:blank"))]);
    [said, popup.url(), context.pages().length]`);
  expect(outcome.stdout).toContain("log:from the page");
  expect(JSON.parse(outcome.result ?? "")).toEqual(["yes", "about:blank", 2]);
});

test("reports what failed and where", async () => {
  const outcome = await run("const a = 1;\nnull.x");
  expect(outcome).toMatchObject({ exitCode: 1, killed: false, stateLost: false });
  expect(outcome.error).toMatch(/^TypeError: .*\n\s+at .*code\.js:2/);
  expect((await run("let x = ;")).error).toMatch(/SyntaxError: Unexpected token \(1:8\)/);
  expect((await run("await page.click('#nothing', { timeout: 50 })")).error).toMatch(
    /TimeoutError: .*50ms/,
  );
  expect((await run("1 + 1")).result).toBe("2");
});

test("supports timers, waitForTimeout and screenshot", async () => {
  const outcome = await run(`
    const order = [];
    await new Promise((done) => {
      const every = setInterval(() => {
        if (order.push("i") < 3) return;
        clearInterval(every);
        setTimeout(done, 1);
      }, 5);
    });
    const picture = await page.screenshot({ type: "jpeg" });
    [order.length === 3, picture.toString("base64").slice(0, 4), picture.length > 500]`);
  expect(JSON.parse(outcome.result ?? "")).toEqual([true, "/9j/", true]);
});
