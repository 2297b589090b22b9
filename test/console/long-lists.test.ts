// Long lists of a real account, scrolled in the browser: few rows in the document, no place that
// stays blank, and no long pause of the page.
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestConfig } from "../../src/config.ts";
import { isRemote, startService, type Service } from "../service.ts";
import { launch, openConsole, signIn, waitUntilLoaded, type OpenOptions } from "./browser.ts";
import { seedLists, seededUrl, type SeededLists } from "./seed-lists.ts";

const URLS = 100_000;
const JOBS = 2_000;
/** Of the window. */
const HEIGHT = 900;
/** Rows of a window and those kept beyond it. */
const MAX_ROWS = 90;
/** Ten times what the lists take on a machine without other work. */
const MAX_TASK_MS = 1_500;

/** Collects how long the page was busy at once. */
async function watchTasks(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.longestTask = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longestTask = Math.max(longestTask, duration);
    }).observe({ type: "longtask", buffered: true });`);
}

const readLongestTask = (page: Page): Promise<number> => page.evaluate("longestTask");

/** Returns how many of the rows are in the window and have text. */
const countInSight = (rows: Locator): Promise<number> =>
  rows.evaluateAll(
    (all, height) =>
      all.filter((row) => {
        const { top, bottom } = row.getBoundingClientRect();
        return bottom > 0 && top < height && row.textContent !== "";
      }).length,
    HEIGHT,
  );

describe.skipIf(isRemote)("long lists of the console", () => {
  let service: Service;
  let browser: Browser;
  let lists: SeededLists;

  beforeAll(async () => {
    const empty = await startService(undefined);
    await empty.stop();
    const { dataDir } = empty;
    lists = await seedLists(createTestConfig({ dataDir }), {
      urls: URLS,
      jobs: JOBS,
      requests: 1_000,
    });
    const [started, launched] = await Promise.all([startService(undefined, { dataDir }), launch()]);
    service = { ...started, key: empty.key, close: empty.close, stop: started.stop };
    browser = launched;
  }, 120_000);
  afterAll(async () => {
    await browser.close();
    await service.stop();
    await service.close();
  });

  async function open(path: string, options: OpenOptions = {}) {
    const opened = await openConsole(browser, service, { height: HEIGHT, ...options });
    await signIn(opened, service, { key: service.key });
    await watchTasks(opened.page);
    await opened.page.goto(`${service.url}${path}`);
    await waitUntilLoaded(opened.page);
    return opened;
  }

  it("scrolls through jobs, keeps them when a page fails, and comes back to the same place", async () => {
    await using opened = await open("/console/jobs", { expected: /ERR_INTERNET_DISCONNECTED/ });
    const { page, context } = opened;
    const rows = page.locator("table.jobs tbody tr:not(.spacer)");
    await rows.nth(20).waitFor();
    await page.mouse.move(700, 500);
    for (let turn = 0; turn < 20; turn++) {
      await page.mouse.wheel(0, 700);
      await expect.poll(() => countInSight(rows)).toBeGreaterThan(10);
      expect(await rows.count()).toBeLessThan(MAX_ROWS);
    }
    await context.setOffline(true);
    const fault = page.getByRole("main").getByRole("alert");
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        return await fault.count();
      })
      .toBe(1);
    await expect.poll(() => countInSight(rows)).toBeGreaterThan(5);
    expect(await countInSight(fault)).toBe(1);
    await context.setOffline(false);
    await fault.getByRole("button", { name: "Try again" }).click();
    await fault.waitFor({ state: "hidden" });
    for (let turn = 0; turn < 40; turn++) {
      await page.keyboard.press("End");
      if (await page.locator(".more-rows").isHidden()) break;
      await page.waitForTimeout(50);
    }
    await expect
      .poll(async () => {
        await page.keyboard.press("End");
        return await page.getByText(`shop.example/list-${JOBS - 1}`, { exact: true }).count();
      })
      .toBe(1);
    expect(await rows.count()).toBeLessThan(MAX_ROWS);
    expect(await readLongestTask(page)).toBeLessThan(MAX_TASK_MS);
    const last = page.getByText(`shop.example/list-${JOBS - 1}`, { exact: true });
    await last.click();
    await page.locator("h1.job-title").waitFor();
    // Another visit of the list, which is left at its top.
    await page.getByRole("main").getByRole("link", { name: "Jobs" }).click();
    await page.getByText("shop.example/list-1", { exact: true }).click();
    await page.locator("h1.job-title").waitFor();
    for (let turn = 0; turn < 3; turn++) await page.goBack();
    await last.waitFor();
    expect(await countInSight(rows)).toBeGreaterThan(10);
    await page.evaluate("scrollTo(0, 0)");
    await page.keyboard.press("/");
    await page.keyboard.type(`list-${JOBS - 100}`);
    await page.getByText(`shop.example/list-${JOBS - 100}`, { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBe(1);
    opened.assertClean();
  }, 120_000);

  it("keeps the job of j and k in view, and counts the states of one kind", async () => {
    await using opened = await open("/console/jobs");
    const { page } = opened;
    await page.locator("table.jobs tbody tr").nth(20).waitFor();
    for (let turn = 0; turn < 45; turn++) await page.keyboard.press("j");
    const current = page.locator("tr.current");
    await current.getByText("shop.example/list-44", { exact: true }).waitFor();
    const box = await current.boundingBox();
    expect(box?.y).toBeGreaterThan(40);
    expect(box?.y).toBeLessThan(HEIGHT);
    // Faster than the screen is drawn.
    await page.evaluate(`for (const key of ["k", "x", "j", "x"])
      dispatchEvent(new KeyboardEvent("keydown", { key }))`);
    await page.getByText("2 selected", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    const totals = page.getByRole("group", { name: "State" });
    await totals.getByText(`Failed ${lists.failedJobs}`, { exact: true }).waitFor();
    await page.getByRole("combobox", { name: "Kind" }).selectOption("crawl");
    await totals.getByText("Failed 0", { exact: true }).waitFor();
    await page.locator("table.jobs").getByRole("link").first().click();
    await page.locator("h1.job-title").waitFor();
    await page.goBack();
    await totals.getByText("Failed 0", { exact: true }).waitFor();
    opened.assertClean();
  });

  it("shows a ledger of 100,000 URLs while it is read, opens its folders and filters it", async () => {
    await using opened = await open(`/console/jobs/crawl/${lists.crawlId}`);
    const { page } = opened;
    await page.locator(".tree-folder").nth(5).waitFor();
    await page.getByText("sum 100,000 of 100,000 URLs seen").waitFor();
    await page.getByText(/ read …$/).waitFor({ state: "hidden" });
    const tree = page.getByRole("list", { name: "The site as a tree" });
    await expect.poll(() => tree.getByText("100,000", { exact: true }).count()).toBe(1);
    await page.locator(".tree-folder").nth(1).click();
    await page.locator(".tree-leaf").first().waitFor();
    await tree.hover();
    for (let turn = 0; turn < 20; turn++) {
      await page.mouse.wheel(0, 500);
      expect(await tree.getByRole("listitem").count()).toBeLessThan(MAX_ROWS);
    }
    await expect.poll(() => countInSight(tree.getByRole("listitem"))).toBeGreaterThan(10);
    await page.getByRole("button", { name: /^out of scope/ }).click();
    const flat = page.getByRole("list", { name: "URLs" });
    await flat.focus();
    await page.keyboard.press("End");
    await flat.getByText(seededUrl(URLS - 1).replace("https://", "")).waitFor();
    await page.keyboard.press("PageUp");
    await expect.poll(() => countInSight(flat.getByRole("listitem"))).toBeGreaterThan(10);
    await page.getByRole("searchbox", { name: "Part of the URL" }).fill("product-77777");
    await page.getByText("1 URL", { exact: true }).waitFor();
    expect(await readLongestTask(page)).toBeLessThan(MAX_TASK_MS);
    opened.assertClean();
  }, 120_000);

  it("loads results where the list is scrolled to, and searches all of them", async () => {
    await using opened = await open(`/console/jobs/crawl/${lists.crawlId}?tab=pages`);
    const { page } = opened;
    const list = page.getByRole("list", { name: "Pages" });
    await list.getByText("Product 1", { exact: true }).waitFor();
    await list.focus();
    await page.keyboard.press("End");
    const last = list.getByText(`Product ${URLS - 19}`, { exact: true });
    await last.waitFor();
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight / 2));
    await list.locator(".skeleton").first().waitFor({ state: "detached" });
    await expect.poll(() => countInSight(list.getByRole("listitem"))).toBeGreaterThan(8);
    expect(await list.getByRole("listitem").count()).toBeLessThan(MAX_ROWS);
    await list.focus();
    await page.keyboard.press("End");
    await last.click();
    const preview = page.getByRole("complementary", { name: "Preview" });
    await preview.getByText(`It is number ${lists.results} of the results.`).waitFor();
    await page
      .getByRole("searchbox", { name: "Words on the pages of this job" })
      .fill("number 1234 of");
    await list.getByText("Product 24661", { exact: true }).waitFor();
    await page.getByText("1 page with these words", { exact: true }).waitFor();
    expect(await readLongestTask(page)).toBeLessThan(MAX_TASK_MS);
    opened.assertClean();
  }, 120_000);

  it("loads older requests of the account as its list is scrolled", async () => {
    await using opened = await open("/");
    const { page } = opened;
    const list = page.getByRole("list", { name: "Requests of this account" });
    await list.getByText("shop.example/request-1", { exact: true }).waitFor();
    const last = list.getByText("shop.example/request-1000", { exact: true });
    await expect
      .poll(async () => {
        await list.evaluate((element) => element.scrollTo(0, element.scrollHeight));
        return await last.count();
      })
      .toBe(1);
    expect(await list.getByRole("listitem").count()).toBeLessThan(MAX_ROWS);
    opened.assertClean();
  });
});
