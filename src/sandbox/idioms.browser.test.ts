// 55 idioms of Playwright code, each with what it must give. They run one after the other on a page
// of a local server.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, test } from "vitest";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { launchTestBrowser } from "../../test/browser/launch.ts";
import { Sandbox } from "./sandbox.ts";

const SHOP = `<!doctype html><title>Shop</title><h1 id=top class="big bold">Goods</h1>
  <form><label>Name <input id=name name=name></label>
  <label>Size <select id=size><option value=s>Small<option value=l>Large</select></label>
  <label><input type=checkbox id=gift> Gift</label><input type=file id=file multiple>
  <button type=button id=show onclick="out.textContent = document.querySelector('#name').value">Show</button></form>
  <p id=out></p><p id=late hidden>Ready</p><ul><li>one</li><li>two</li><li>three</li></ul>
  <button id=later onclick="setTimeout(() => { late.hidden = false; document.querySelector('#count').textContent = '2' }, 300)">Later</button>
  <span id=count>1</span><button id=off disabled>Off</button>
  <button id=ask onclick="out.textContent = String(confirm('Sure?'))">Ask</button>
  <a id=next href=/next>Next</a><a id=pop href=/next target=_blank>Popup</a>
  <button id=load onclick="fetch('/data.json').then((answer) => answer.text()).then((text) => { out.textContent = text }, () => { out.textContent = 'failed' })">Load</button>
  <div id=from draggable=true ondragstart="event.dataTransfer.setData('text', 'dragged')">drag</div>
  <div id=to style="height:40px" ondragover="event.preventDefault()" ondrop="event.preventDefault(); out.textContent = event.dataTransfer.getData('text')">drop</div>
  <iframe name=inner src=/inner></iframe>`;

const PAGES: Readonly<Record<string, string>> = {
  "/": SHOP,
  "/next": "<title>Next page</title><h1>Next</h1><a href=/>Back</a>",
  "/inner": "<title>Inner</title><button onclick=\"this.textContent = 'pressed'\">inner</button>",
};

let browser: Browser;
let context: BrowserContext;
let page: Page;
let sandbox: Sandbox;
let server: Server;
let home: string;
let asked: { url: string; headers: Record<string, unknown> }[] = [];

beforeAll(async () => {
  browser = await launchTestBrowser();
  server = createServer((request, response) => {
    const url = request.url ?? "/";
    asked.push({ url, headers: request.headers });
    if (url === "/away") {
      const { port } = server.address() as AddressInfo;
      response.writeHead(302, { location: `http://localhost:${port}/next` }).end();
      return;
    }
    const isJson = url.startsWith("/data.json");
    response.writeHead(PAGES[url] === undefined && !isJson ? 404 : 200, {
      "content-type": isJson ? "application/json" : "text/html",
    });
    response.end(isJson ? '{"from":"server"}' : (PAGES[url] ?? "not found"));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  home = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
});
afterAll(async () => {
  await browser.close();
  server.close();
});
beforeEach(async () => {
  asked = [];
  context = await browser.newContext();
  page = await context.newPage();
  await page.goto(home);
  sandbox = new Sandbox(context, page);
});
afterEach(async () => {
  await sandbox.close();
  await context.close();
});

const run = (code: string, timeoutMs = 15_000) =>
  sandbox.run(`const home = ${JSON.stringify(home)}; ${code}`, timeoutMs);

/** Idiom, code, and its result as text. */
const IDIOMS: readonly (readonly [name: string, code: string, result: string])[] = [
  [
    "goto and its response",
    "const r = await page.goto(home + 'next'); [r.status(), r.ok(), r.url() === home + 'next', r.headers()['content-type']].join()",
    "200,true,true,text/html",
  ],
  [
    "title and content",
    "[await page.title(), (await page.content()).includes('Goods')].join()",
    "Shop,true",
  ],
  [
    "getByRole and click",
    "await page.getByLabel('Name').fill('Ada'); await page.getByRole('button', { name: 'Show' }).click(); await page.locator('#out').textContent()",
    "Ada",
  ],
  [
    "page.fill and page.click by selector",
    "await page.fill('#name', 'Bo'); await page.click('#show'); await page.textContent('#out')",
    "Bo",
  ],
  [
    "press on the keyboard",
    "await page.locator('#name').focus(); await page.keyboard.type('Cy'); await page.keyboard.press('Backspace'); await page.inputValue('#name')",
    "C",
  ],
  [
    "pressSequentially",
    "await page.locator('#name').pressSequentially('abc'); await page.locator('#name').inputValue()",
    "abc",
  ],
  [
    "check and isChecked",
    "await page.getByLabel('Gift').check(); await page.isChecked('#gift')",
    "true",
  ],
  [
    "selectOption by label",
    "await page.selectOption('#size', { label: 'Large' }); await page.inputValue('#size')",
    "l",
  ],
  ["allTextContents", "(await page.locator('li').allTextContents()).join()", "one,two,three"],
  [
    "locator.all with for of",
    "const found = []; for (const item of await page.locator('li').all()) found.push(await item.innerText()); found.join()",
    "one,two,three",
  ],
  [
    "filter, nth, first and last",
    "[await page.locator('li').filter({ hasText: 't' }).count(), await page.locator('li').nth(1).innerText(), await page.locator('li').last().innerText()].join()",
    "2,two,three",
  ],
  [
    "$eval and $$eval",
    "[await page.$eval('h1', (element) => element.id), (await page.$$eval('li', (all) => all.map((one) => one.textContent))).length].join()",
    "top,3",
  ],
  [
    "$ and $$",
    "[await (await page.$('h1')).innerText(), (await page.$$('li')).length, await page.$('.none')].join()",
    "Goods,3,",
  ],
  [
    "evaluate with an argument",
    "await page.evaluate(({ n }) => document.querySelectorAll('li').length * n, { n: 2 })",
    "6",
  ],
  ["getAttribute", "await page.getAttribute('#next', 'href')", "/next"],
  [
    "waitForSelector",
    "await page.click('#later'); await page.waitForSelector('#late', { state: 'visible' }); await page.innerText('#late')",
    "Ready",
  ],
  [
    "waitForFunction",
    "await page.click('#later'); await page.waitForFunction(() => document.querySelector('#count').textContent === '2'); 'done'",
    "done",
  ],
  [
    "waitForURL with a glob",
    "await page.click('#next'); await page.waitForURL('**/next'); await page.title()",
    "Next page",
  ],
  [
    "waitForNavigation beside the click",
    "await Promise.all([page.waitForNavigation(), page.click('#next')]); await page.title()",
    "Next page",
  ],
  [
    "waitForLoadState",
    "await page.goto(home + 'next'); await page.waitForLoadState('networkidle'); await page.title()",
    "Next page",
  ],
  [
    "waitForResponse beside the click",
    "const [answer] = await Promise.all([page.waitForResponse('**/data.json'), page.click('#load')]); (await answer.json()).from",
    "server",
  ],
  [
    "waitForRequest",
    "const [request] = await Promise.all([page.waitForRequest(/data/), page.click('#load')]); request.method()",
    "GET",
  ],
  [
    "dialog",
    "page.once('dialog', (dialog) => dialog.accept()); await page.click('#ask'); await page.innerText('#out')",
    "true",
  ],
  [
    "popup",
    "const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pop')]); await popup.waitForLoadState(); await popup.title()",
    "Next page",
  ],
  [
    "second page of the context",
    "const other = await context.newPage(); await other.goto(home + 'next'); const title = await other.title(); await other.close(); [title, context.pages().length].join()",
    "Next page,1",
  ],
  [
    "cookies",
    "await context.addCookies([{ name: 'a', value: 'b', url: home }]); (await context.cookies(home))[0].value",
    "b",
  ],
  ["goBack", "await page.goto(home + 'next'); await page.goBack(); await page.title()", "Shop"],
  ["screenshot to base64", "(await page.screenshot()).toString('base64').slice(0, 4)", "iVBO"],
  [
    "frameLocator",
    "await page.frameLocator('iframe').getByRole('button').click(); await page.frameLocator('iframe').getByRole('button').innerText()",
    "pressed",
  ],
  [
    "page.frame by name",
    "const inner = page.frame('inner'); await inner.click('button'); [await inner.title(), await inner.locator('button').innerText()].join()",
    "Inner,pressed",
  ],
  [
    "page.frame by url",
    "const inner = page.frame({ url: /inner/ }); await inner.evaluate(() => document.title)",
    "Inner",
  ],
  [
    "page.frames",
    "[page.frames().length, page.frames()[1].name(), page.frames()[1].url() === home + 'inner', page.frames()[1].parentFrame() === page.mainFrame()].join()",
    "2,inner,true,true",
  ],
  [
    "dragAndDrop",
    "await page.dragAndDrop('#from', '#to'); await page.innerText('#out')",
    "dragged",
  ],
  [
    "dragTo",
    "await page.locator('#from').dragTo(page.locator('#to')); await page.innerText('#out')",
    "dragged",
  ],
  [
    "mouse wheel and hover",
    "await page.hover('#show'); await page.mouse.wheel(0, 100); 'done'",
    "done",
  ],
  [
    "expect toBeVisible waits",
    "await page.click('#later'); await expect(page.locator('#late')).toBeVisible(); 'done'",
    "done",
  ],
  [
    "expect toHaveText with text, pattern and list",
    "await expect(page.locator('h1')).toHaveText('Goods'); await expect(page.locator('h1')).toHaveText(/goo/i); await expect(page.locator('li')).toHaveText(['one', 'two', 'three']); 'done'",
    "done",
  ],
  [
    "expect toContainText, toHaveCount and not",
    "await expect(page.locator('h1')).toContainText('oo'); await expect(page.locator('li')).toHaveCount(3); await expect(page.locator('h1')).not.toHaveText('Bads'); await expect(page.locator('#none')).not.toBeVisible(); await expect(page.locator('#none')).toBeHidden(); 'done'",
    "done",
  ],
  [
    "expect toHaveURL and toHaveTitle",
    "await page.click('#next'); await expect(page).toHaveURL(/next$/); await expect(page).toHaveTitle('Next page'); 'done'",
    "done",
  ],
  [
    "expect of states and attributes",
    "await expect(page.locator('#off')).toBeDisabled(); await expect(page.locator('#name')).toBeEditable(); await expect(page.locator('#name')).toBeEmpty(); await expect(page.locator('#gift')).not.toBeChecked(); await expect(page.locator('#next')).toHaveAttribute('href', '/next'); await expect(page.locator('h1')).toHaveId('top'); await expect(page.locator('h1')).toHaveClass(/bold/); await page.fill('#name', 'x'); await expect(page.locator('#name')).toHaveValue('x'); await expect(page.locator('#name')).toBeFocused(); 'done'",
    "done",
  ],
  [
    "expect of values",
    "expect(1 + 1).toBe(2); expect({ a: [1] }).toEqual({ a: [1] }); expect([1, 2]).toContain(2); expect('abc').toMatch(/b/); expect(3).toBeGreaterThan(2); expect(null).not.toBeDefined === undefined; expect(() => { throw new Error('bad') }).toThrow('bad'); 'done'",
    "done",
  ],
  [
    "expect.poll and toPass",
    "await page.click('#later'); await expect.poll(() => page.innerText('#count')).toBe('2'); await expect(async () => { expect(await page.innerText('#count')).toBe('2') }).toPass(); 'done'",
    "done",
  ],
  [
    "route abort",
    "await page.route('**/data.json', (route) => route.abort()); await page.click('#load'); await expect(page.locator('#out')).toHaveText('failed'); 'done'",
    "done",
  ],
  [
    "route fulfill with json",
    "await page.route('**/*.json', (route) => route.fulfill({ json: { from: 'route' } })); await page.click('#load'); await expect(page.locator('#out')).toHaveText('{\"from\":\"route\"}'); 'done'",
    "done",
  ],
  [
    "route fulfill a document",
    "await page.route('https://mocked.example/', (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<title>Mock</title>' })); await page.goto('https://mocked.example/'); await page.title()",
    "Mock",
  ],
  [
    "route by kind and continue",
    "const kinds = []; await page.route('**/*', (route) => { kinds.push(route.request().resourceType()); return route.request().resourceType() === 'image' ? route.abort() : route.continue() }); await page.goto(home + 'next'); [kinds.join(), await page.title()].join()",
    "document,Next page",
  ],
  [
    "unroute",
    "const stop = (route) => route.abort(); await page.route('**/data.json', stop); await page.unroute('**/data.json', stop); await page.click('#load'); await expect(page.locator('#out')).toContainText('server'); 'done'",
    "done",
  ],
  [
    "setInputFiles with a buffer",
    "await page.setInputFiles('#file', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('héllo') }); await page.evaluate(async () => { const [file] = document.querySelector('#file').files; return [file.name, file.type, await file.text()].join() })",
    "a.txt,text/plain,héllo",
  ],
  [
    "setExtraHTTPHeaders",
    "await page.setExtraHTTPHeaders({ 'X-Test': 'yes' }); await page.goto(home + 'next'); 'sent'",
    "sent",
  ],
  [
    "setDefaultTimeout",
    "page.setDefaultTimeout(200); const began = Date.now(); await page.click('#none').catch(() => 0); Date.now() - began < 3000",
    "true",
  ],
  [
    "URL and searchParams",
    "const url = new URL('?page=1&q=a+b#x', home); url.searchParams.set('page', '2'); url.searchParams.append('sort', 'up & down'); url.hash = ''; [url.href === home + '?page=2&q=a+b&sort=up+%26+down', url.searchParams.get('q'), new URLSearchParams({ a: '1' }).toString()].join()",
    "true,a b,a=1",
  ],
  [
    "TextEncoder and TextDecoder",
    "new TextDecoder().decode(new TextEncoder().encode('grüße 👋'))",
    "grüße 👋",
  ],
  [
    "Buffer and base64",
    "[Buffer.from('hällo').toString('base64'), Buffer.from('aMOkbGxv', 'base64').toString(), Buffer.concat([Buffer.from('a'), Buffer.from('b')]).toString('hex'), atob(btoa('xy'))].join()",
    "aMOkbGxv,hällo,6162,xy",
  ],
  [
    "addStyleTag",
    "await page.addStyleTag({ content: '#late { display: block !important }' }); await page.isVisible('#late')",
    "true",
  ],
  [
    "setViewportSize and emulateMedia",
    "await page.setViewportSize({ width: 500, height: 400 }); await page.emulateMedia({ colorScheme: 'dark' }); [page.viewportSize().width, await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)].join()",
    "500,true",
  ],
];

test("the table has 55 idioms", () => {
  expect(IDIOMS).toHaveLength(55);
});

describe("idioms of Playwright code", () => {
  test.each(IDIOMS)("%s", async (_name, code, result) => {
    const outcome = await run(code);
    expect([outcome.error, outcome.stderr, outcome.result]).toEqual([undefined, "", result]);
  });
});

describe("bounds of what code can change about requests", () => {
  test("extra headers go to the origin of the page only, not along a redirect", async () => {
    const outcome = await run(
      "await page.setExtraHTTPHeaders({ 'X-Secret': 'me' }); await page.goto(home + 'away'); page.url()",
    );
    expect(outcome.result).toMatch(/^http:\/\/localhost:\d+\/next$/);
    const secrets = asked.filter(
      ({ url }) => url !== "/" && url !== "/inner" && url !== "/favicon.ico",
    );
    expect(secrets.map(({ url, headers }) => [url, headers["x-secret"]])).toEqual([
      ["/away", "me"],
      ["/next", undefined],
    ]);
  });

  test("passes requests unchanged while no code runs and after a handler that never responds", async () => {
    await run("await page.route('**/*', () => undefined)");
    await page.goto(`${home}next`);
    expect(await page.title()).toBe("Next page");
    const outcome = await run(
      "page.goto(home).catch(() => 0); await page.waitForTimeout(200); 'left'",
    );
    expect(outcome.result).toBe("left");
    await expect.poll(() => page.title()).toBe("Shop");
  });

  test("a key limited to hosts cannot answer a document of another host", async () => {
    await using limited = new Sandbox(context, page, ({ hostname }) => hostname === "127.0.0.1");
    const outcome = await limited.run(
      "await page.route('https://other.example/', (route) => route.fulfill({ body: 'x', contentType: 'text/html' }).catch((error) => console.log(error.message))); await page.goto('https://other.example/').catch(() => 0); 'done'",
      15_000,
    );
    expect(outcome.stdout).toContain("may not open other.example");
    expect(page.url()).not.toContain("other.example");
  });

  test.each([
    ["route.fulfill({ path: '/etc/passwd' })", "path is not available here"],
    ["route.fulfill({ status: 99 })", "route.fulfill: status"],
    ["route.fulfill({ headers: { a: 'b\\r\\nc: d' } })", "no line breaks"],
    ["route.continue({ url: 'http://169.254.169.254/' })", "use page.goto or route.fulfill"],
    ["route.continue({ headers: { a: 'b' } })", "use page.setExtraHTTPHeaders"],
    ["route.fetch()", "use route.fulfill"],
    ["route.abort('nonsense')", "route.abort: reason"],
  ])("%s throws an error that says what to do", async (call, text) => {
    const outcome = await run(
      `let said = ""; await page.route('**/data.json', async (route) => { try { await ${call} } catch (error) { said = error.message; if (!route.isHandled) await route.continue() } });
       await page.click('#load'); await expect(page.locator('#out')).not.toBeEmpty(); said`,
    );
    expect(outcome.result).toContain(text);
  });

  test.each([
    ["await page.setInputFiles('#file', '/etc/passwd')", "give { name, mimeType, buffer }"],
    ["await page.setExtraHTTPHeaders({ a: 'b\\nc' })", "without line breaks"],
    ["await page.pdf()", "use a scrape with a pdf action"],
    ["await page.exposeFunction('f', () => 1)", "use page.evaluate"],
    ["await expect(page).toHaveScreenshot()", "there are toHaveURL, toHaveTitle"],
    ["expect(1).toBeOdd()", "expect(value).toBeOdd is not available here"],
    ["require('fs')", "page, context and expect are there already"],
    ["await fetch('http://127.0.0.1/')", "use page.evaluate(() => fetch(…))"],
    ["await page.frame('inner').goto('http://example.com/')", "frame.goto"],
  ])("%s names what is not available and the alternative", async (code, text) => {
    const outcome = await run(code);
    expect(outcome.exitCode).toBe(1);
    expect(outcome.error ?? outcome.stderr).toContain(text);
  });

  test("expect says what it expected, what it got and how long it waited", async () => {
    const outcome = await run(
      "await expect(page.locator('h1')).toHaveText('Bads', { timeout: 300 })",
    );
    expect(outcome.error).toContain("expect(locator).toHaveText(expected) failed");
    expect(outcome.error).toContain("Expected: Bads");
    expect(outcome.error).toContain("Received: Goods");
    expect(outcome.error).toContain("300ms");
  });
});
