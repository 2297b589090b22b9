// The console in use: a scrape by keyboard, a running crawl, long lists, a restarted server.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { findViolations, launch, openConsole, signIn, signInAsOperator } from "./browser.ts";

const PAGES = 30;
/** It answers 404: fetched, but without content. */
const MISSING = "/part/0/page-27";
/** Its text is read from right to left. */
const ARABIC = "/arabic";
const ARABIC_WORD = "مصباح";
const ARABIC_LINE = `${ARABIC_WORD} أزرق جديد.`;

/** A site whose pages wait for a signal, so that a test can inspect a running crawl. */
async function startSlowSite() {
  let isOpen = false;
  const waiting: (() => void)[] = [];
  const server: Server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://site");
    const answer = (): void => {
      if (pathname === "/robots.txt" || pathname.endsWith(".xml"))
        return void response.writeHead(404).end();
      const links = Array.from(
        { length: PAGES - 1 },
        (_, index) => `<li><a href="/part/${index % 3}/page-${index}">Page ${index}</a></li>`,
      );
      response
        .writeHead(pathname === MISSING ? 404 : 200, { "content-type": "text/html" })
        .end(
          `<!doctype html><title>Page ${pathname}</title><main><h1>Page ${pathname}</h1><p>Words of the page ${pathname}, enough of them to be its content and to be told from the words of all the others.</p>${pathname === ARABIC ? `<p>${ARABIC_LINE}</p>` : ""}${pathname === "/" ? `<ul>${links.join("")}</ul>` : ""}</main>`,
        );
    };
    if (isOpen || !pathname.startsWith("/part/")) answer();
    else waiting.push(answer);
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    host,
    url: `http://${host}/`,
    open: () => {
      isOpen = true;
      for (const answer of waiting.splice(0)) answer();
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A recently freed port: a restarted server listens on the same one. */
async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe.skipIf(isRemote)("the console at work", () => {
  let site: Awaited<ReturnType<typeof startSlowSite>>;
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    site = await startSlowSite();
    [service, browser] = await Promise.all([
      startService(undefined, { egressAllow: [site.host] }),
      launch(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    site.close();
  });

  it("scrapes a page by keyboard alone and shows text, reasons and times", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(service.url);
    await page.getByRole("textbox", { name: "URL" }).waitFor();
    expect(await page.evaluate("document.activeElement?.ariaLabel")).toBe("URL");
    await page.keyboard.type(site.url);
    await page.keyboard.press("Enter");
    const first = page.getByRole("tab", { name: "Markdown" });
    await first.waitFor();
    await page.locator(".markdown").getByText("Words of the page /").waitFor();
    await first.focus();
    await page.keyboard.press("ArrowRight");
    await page.frameLocator("iframe.page-frame").getByText("Words of the page /").waitFor();
    await page.keyboard.press("ArrowRight");
    await page.getByRole("list", { name: "Steps" }).getByText("Convert").waitFor();
    for (const step of ["Connect", "First byte (TTFB)", "Download", "Store"])
      await page.getByRole("list", { name: "Steps" }).getByText(step).first().waitFor();
    expect(new URL(page.url()).searchParams.get("tab")).toBe("waterfall");
    opened.assertClean();
  });

  it("shows text from right to left in its direction among the labels of the reasons", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    const url = encodeURIComponent(`${site.url.slice(0, -1)}${ARABIC}`);
    await page.goto(`${service.url}/?url=${url}&tab=why&run=1`);
    await page.frameLocator("iframe.page-frame").getByText(ARABIC_LINE).waitFor();
    const frame = page.frames().find((one) => one.url().endsWith("/console/frame"));
    const measure = async (character: string): Promise<number> =>
      (await frame?.evaluate(`(() => {
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode() !== null) {
          const at = walker.currentNode.nodeValue.includes("${ARABIC_WORD}")
            ? walker.currentNode.nodeValue.indexOf("${character}")
            : -1;
          if (at < 0) continue;
          const range = new Range();
          range.setStart(walker.currentNode, at);
          range.setEnd(walker.currentNode, at + 1);
          return range.getBoundingClientRect().left;
        }
        return NaN;
      })()`)) as number;
    const [first, stop] = [await measure(ARABIC_WORD.charAt(0)), await measure(".")];
    expect(stop).toBeLessThan(first);
    opened.assertClean();
  });

  it("shows a scrape of another key of the account with its result by a link", async () => {
    const made = await service.admin("POST", "/admin/keys", { name: "<b>colleague</b>" });
    const { key } = made.body.data as unknown as { key: string };
    const url = `${site.url}shared-page`;
    await service.scrape({ url, formats: ["markdown", "links"], timeout: 21_000 }, { key });
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(service.url);
    const entry = page.getByRole("link").filter({ hasText: "shared-page" });
    await entry.getByText("<b>colleague</b>").waitFor();
    await entry.click();
    await page.locator(".markdown").getByText("Words of the page /shared-page").waitFor();
    expect(await page.getByRole("textbox", { name: "URL" }).inputValue()).toBe(url);
    await page.getByRole("tab", { name: /^Links/ }).waitFor();
    await page.getByText("Link to this result, for this account").waitFor();
    opened.assertClean();
  });

  it("runs code in the live page of a scrape, and says that a prompt needs a model", async () => {
    await using opened = await openConsole(browser, service, { expected: /status of 422/ });
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(
      `${service.url}/?mode=interact&url=${encodeURIComponent(`${site.url}live`)}&run=1`,
    );
    await page.getByRole("button", { name: "Code" }).click();
    await page
      .getByRole("textbox", { name: "Code to run on the page" })
      .fill("return `<img src=x onerror=alert(1)> ${await page.title()}`;");
    await page.getByRole("button", { name: "Run on the page" }).click();
    const steps = page.getByRole("list", { name: "Steps so far" });
    await steps.getByText("<img src=x onerror=alert(1)> Page /live").first().waitFor();
    await page.getByRole("button", { name: "Prompt" }).click();
    await page.getByRole("textbox", { name: "What to do on the page" }).fill("Click the link");
    await page.getByRole("button", { name: "Run on the page" }).click();
    await page.getByRole("alert").getByText(/model/).waitFor();
    await page.getByRole("button", { name: "Close the page" }).click();
    await page.getByText("The live page is closed.").waitFor();
    opened.assertClean();
  }, 60_000);

  it("edits a schema with colors, marks its first fault and leaves it by Tab", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/?url=${encodeURIComponent(site.url)}`);
    await page.getByRole("button", { name: "json", exact: true }).click();
    // The editor has replaced the plain field when it has lines.
    const editor = page.locator(".code-editor .cm-content").first();
    await editor.waitFor();
    const field = page.getByRole("textbox", { name: "Schema" });
    await field.fill('{"type": "object", "properties": {"name": }}');
    await page.locator(".cm-lintRange-error").getByText("}").waitFor();
    await page.getByRole("status").getByText("Line 1, column 43: Unexpected token '}'").waitFor();
    expect(await editor.locator("span[class]").count()).toBeGreaterThan(4);
    await field.press("End");
    // Faster than the screen is drawn: no key is lost.
    await page.keyboard.type("gj, gjgjgj");
    await expect
      .poll(() => editor.innerText())
      .toBe('{"type": "object", "properties": {"name": }}gj, gjgjgj');
    expect(new URL(page.url()).pathname).toBe("/");
    await field.fill('{"type": "object", "properties": {"name": {"type": "string"}}}');
    await page.locator(".cm-lintRange-error").waitFor({ state: "detached" });
    expect(JSON.parse(new URL(page.url()).searchParams.get("options") ?? "")).toEqual({
      formats: [
        "markdown",
        {
          type: "json",
          schema: { type: "object", properties: { name: { type: "string" } } },
        },
      ],
    });
    expect(await findViolations(page)).toEqual([]);
    await field.press("Tab");
    await expect
      .poll(() => page.evaluate("document.activeElement?.closest('.code-editor')"))
      .toBeNull();
    await page.keyboard.press("Shift+Tab");
    await field.press("Control+Enter");
    await page.getByRole("tab", { name: "Markdown" }).waitFor();
    opened.assertClean();
  });

  it("opens a page in the playground by the bookmark, without a key in the address", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page, context } = opened;
    await page.goto(service.url);
    const link = page.getByRole("link", { name: "Open in Quarry" });
    // A click in the console does nothing: the bookmark is meant for other pages.
    await link.click();
    const code = (await link.getAttribute("href")) ?? "";
    expect(code).toMatch(/^javascript:void open\(/);
    expect(code).not.toContain("qy-");
    opened.assertClean();
    const other = await context.newPage();
    await other.goto(`${site.url}shop?a=1&b=2#part`);
    const opening = context.waitForEvent("page");
    await other.evaluate(code.replace("javascript:", ""));
    const playground = await opening;
    const field = playground.getByRole("textbox", { name: "URL" });
    await playground.waitForLoadState();
    await expect.poll(() => field.inputValue()).toBe(`${site.url}shop?a=1&b=2#part`);
    expect(playground.url()).toBe(
      `${service.url}/?url=${encodeURIComponent(`${site.url}shop?a=1&b=2#part`)}`,
    );
  });

  it("goes to screens by the keys after g, opens the palette and lists all keys", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/health`);
    await page.getByRole("heading", { name: "Usage and health" }).waitFor();
    const jobs = page.getByRole("heading", { name: "Jobs", exact: true });
    // The screen appears a moment before it listens to keys.
    await expect
      .poll(async () => {
        await page.keyboard.press("g");
        await page.keyboard.press("j");
        return jobs.isVisible();
      })
      .toBe(true);
    // The screen has a key k of its own.
    await page.keyboard.press("g");
    await page.keyboard.press("k");
    await page.waitForURL(`${service.url}/console/keys`);
    await page.keyboard.press("Control+k");
    const palette = page.getByPlaceholder(/^Go to/);
    const results = page.getByRole("listbox", { name: "Results" });
    await palette.fill("shop.example:8080/lamps");
    await results.getByRole("option", { name: "Scrape shop.example:8080/lamps" }).waitFor();
    await palette.fill("lamps");
    await results.getByRole("option", { name: "Find jobs with “lamps”" }).click();
    await page.waitForURL(/\/console\/jobs\?text=lamps$/);
    await page.keyboard.press("Control+k");
    await palette.fill("health");
    await expect.poll(() => results.getByRole("option").first().innerText()).toMatch(/^Health/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Usage and health" }).waitFor();
    await palette.waitFor({ state: "hidden" });
    await page.keyboard.press("?");
    await page.getByRole("dialog", { name: "Keys" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Keys" }).waitFor({ state: "hidden" });
    opened.assertClean();
  });

  it("shows a running crawl, its pages as they come, and a ledger whose sums add up", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    const scrapeOptions = { headers: { Cookie: "session=secret" } };
    const options = { limit: 40, excludePaths: ["/never"], scrapeOptions };
    await page.goto(
      `${service.url}/?mode=crawl&url=${encodeURIComponent(site.url)}&options=${encodeURIComponent(JSON.stringify(options))}`,
    );
    await page.getByRole("button", { name: "Start crawl" }).click();
    await page.waitForURL(/\/console\/jobs\/crawl\//);
    await page.getByText("running", { exact: true }).waitFor();
    await page.getByRole("link", { name: /^Jobs\s*1$/ }).waitFor();
    await page.getByRole("tab", { name: /Pages/ }).click();
    const words = page.getByRole("searchbox", { name: "Words on the pages of this job" });
    await words.fill("words of the page");
    await page.getByText("1 page with these words", { exact: true }).waitFor();
    site.open();
    await page.getByText(`${PAGES} pages with these words`, { exact: true }).waitFor();
    await page.getByText("completed", { exact: true }).first().waitFor();
    await page.getByRole("tab", { name: "Ledger" }).click();
    await page.getByText(`sum ${PAGES} of ${PAGES} URLs seen`).waitFor();
    await page.getByRole("button", { name: /^part\// }).click();
    await page.getByRole("button", { name: /^0\// }).click();
    await page.getByText("page-0", { exact: true }).waitFor();
    await page
      .locator(".tree-leaf")
      .filter({ hasText: "page-27" })
      .getByText("error page")
      .waitFor();
    await page.getByRole("tab", { name: /Pages/ }).click();
    await page.getByText(`${PAGES} pages`, { exact: true }).waitFor();
    const results = page.getByRole("list", { name: "Pages" });
    await results.focus();
    await page.keyboard.press("End");
    await expect.poll(() => results.locator("[aria-posinset='30'] .page-row").count()).toBe(1);
    await results.locator(".page-row").last().click();
    await page.getByRole("complementary", { name: "Preview" }).getByText("Words of").waitFor();
    // Its settings, and the same crawl again.
    await page.getByRole("tab", { name: "Settings" }).click();
    const settings = page.getByRole("table", { name: "Settings of the job" });
    await settings.getByRole("row", { name: "excludePaths /never" }).waitFor();
    expect(await settings.innerText()).not.toContain("onlyMainContent");
    await page.getByText("All settings as JSON, with defaults").click();
    await page.getByText('"onlyMainContent": true').waitFor();
    const secret = "the header Cookie in scrapeOptions.headers";
    await page.getByText(secret).waitFor();
    expect(await page.content()).not.toContain("session=secret");
    // It cannot start before its settings are loaded.
    const shown = Promise.withResolvers<void>();
    await page.route("**/request", async (route) => {
      await shown.promise;
      await route.continue();
    });
    await page.getByRole("link", { name: "Run again" }).click();
    await page.getByText("Loading the settings of").waitFor();
    expect(await page.getByRole("button", { name: "Start crawl" }).isDisabled()).toBe(true);
    shown.resolve();
    await page.getByText(`enter again: ${secret}.`).waitFor();
    expect(await page.getByRole("textbox", { name: "URL", exact: true }).inputValue()).toBe(
      site.url,
    );
    await page.getByText("2 set", { exact: true }).waitFor();
    expect(await page.getByRole("textbox", { name: "Exclude paths" }).inputValue()).toBe("/never");
    expect(await page.content()).not.toContain("session=secret");
    // Another request takes the place of its settings.
    await page
      .getByRole("link", { name: /^crawl/ })
      .first()
      .click();
    await page.getByText(secret).waitFor({ state: "hidden" });
    opened.assertClean();
  });

  it("leaves the text of a step empty when a batch runs again, and names it", async () => {
    const actions = [
      { type: "press", key: "Tab" },
      { type: "write", text: "typed secret" },
    ];
    const body = { urls: [site.url], actions, timeout: 5_000 };
    const { id } = (await service.ask("/v2/batch/scrape", { method: "POST", body })).body;
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/jobs/batch/${String(id)}`);
    await page.getByRole("link", { name: "Run again" }).click();
    await page.getByText("enter again: the text of step 2 of the actions.").waitFor();
    const step = page.getByRole("group", { name: "2. Write" });
    await expect
      .poll(() => step.getByRole("textbox", { name: "Text" }).inputValue(), { timeout: 10_000 })
      .toBe("");
    expect(await page.content()).not.toContain("typed secret");
    opened.assertClean();
  });

  it("renders only the visible rows of a list of 100,000", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/components`);
    const list = page.getByRole("list", { name: "Rows" });
    await list.getByText("example.com/page/1", { exact: true }).waitFor();
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
    await list.getByText("example.com/page/100000").waitFor();
    expect(await list.getByRole("listitem").count()).toBeLessThan(60);
    opened.assertClean();
  });

  it("tells the kind of a job in its row on a phone, and in its column elsewhere", async () => {
    await service.ask("/v2/batch/scrape", { method: "POST", body: { urls: [site.url] } });
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/jobs?kind=batch`);
    const row = page.getByRole("row").nth(1);
    await row.waitFor();
    const kinds = () => row.getByText("batch").filter({ visible: true }).count();
    expect(await kinds()).toBe(1);
    await page.setViewportSize({ width: 390, height: 800 });
    expect(await kinds()).toBe(1);
    await row.getByText(/^batch · /).waitFor();
    opened.assertClean();
  });

  it("creates a key, shows it once, and revokes it", async () => {
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(`${service.url}/console/keys`);
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name").fill("made here");
    await page.getByLabel("Requests a minute").fill("120");
    await page.getByRole("button", { name: "Create the key" }).click();
    const shown = page.getByRole("dialog", { name: "The key “made here”" });
    const key = await shown.locator(".key-shown code").innerText();
    expect((await service.ask("/v2/jobs", { key })).status).toBe(200);
    await shown.getByRole("button", { name: "I have it" }).click();
    expect(await page.content()).not.toContain(key);
    await page.getByRole("button", { name: "Actions of made here" }).click();
    await page.getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("button", { name: "Revoke the key" }).click();
    await page
      .getByRole("row", { name: /made here/ })
      .getByText("revoked")
      .waitFor();
    expect((await service.ask("/v2/jobs", { key })).status).toBe(401);
    opened.assertClean();
  });

  it("reports that the server is gone and continues when it is back", async () => {
    const port = await findFreePort();
    const own = await startService(undefined, { port });
    const lost =
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY_RESPONSE|ERR_CONNECTION_RESET|net::ERR/;
    await using opened = await openConsole(browser, own, { expected: lost });
    await signIn(opened, own, { key: own.key });
    const { page } = opened;
    await page.goto(`${own.url}/console/jobs`);
    await page.getByText("No jobs yet").waitFor();
    const notice = page.getByText("Connection to the server lost.");
    await own.stop();
    await notice.waitFor();
    const back = await startService(undefined, { dataDir: own.dataDir, port });
    try {
      await expect.poll(() => notice.isVisible()).toBe(false);
      expect(await page.getByText("No jobs yet").isVisible()).toBe(true);
    } finally {
      await back.close();
      await own.close();
    }
  });
});
