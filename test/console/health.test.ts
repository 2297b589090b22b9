// The load over time: stored samples from before the screen was opened, then live readings.
import { rm } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestConfig } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { openStore } from "../../src/store/store.ts";
import { createDataFolder } from "../data-folder.ts";
import { isRemote, startService, type Service } from "../service.ts";
import {
  findViolations,
  launch,
  openConsole,
  signIn,
  signInAsOperator,
  waitUntilLoaded,
} from "./browser.ts";

const MINUTE = 60_000;

/** Stores samples of an earlier process: of 40 minutes until 10 minutes ago, and of a day before. */
async function seedSamples(dataDir: string): Promise<void> {
  const store = await openStore(createTestConfig({ dataDir }), createLogger("silent"));
  const now = Date.now();
  const times = Array.from({ length: 40 }, (_, index) => now - (50 - index) * MINUTE);
  for (const at of [now - 26 * 60 * MINUTE, ...times])
    await store.loadSamples.record({
      at,
      process: "earlier:1",
      role: "all",
      load: {
        memoryBytes: 321_000_000,
        browserPages: 3,
        browserWaiting: 7,
        scrapes: 120,
        jobPages: 30,
        coveredMs: MINUTE,
      },
      blobs: { bytes: 5_000_000, measuredAt: at },
    });
  await store.close();
}

describe.skipIf(isRemote)("the load over time", () => {
  let service: Service;
  let browser: Browser;
  let dataDir: string;

  beforeAll(async () => {
    dataDir = await createDataFolder();
    await seedSamples(dataDir);
    [service, browser] = await Promise.all([startService(undefined, { dataDir }), launch()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  const panel = (page: Page, title: string) =>
    page
      .locator("section.panel")
      .filter({ has: page.getByRole("heading", { name: title, exact: true }) });

  it("draws stored samples with the chosen range and shows the values below the pointer", async () => {
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(`${service.url}/console/health`);
    await waitUntilLoaded(page);
    const pages = panel(page, "Browser pages");
    await page.getByText("One sample a minute. First sample:").waitFor();
    await pages.locator("canvas").waitFor();
    // Two processes have samples, each with a line of its own.
    await panel(page, "Memory").getByText("all earlier:1").waitFor();
    const picture = pages.getByRole("img", { name: "Browser pages" });
    await picture.scrollIntoViewIfNeeded();
    const box = await picture.boundingBox();
    if (box === null) throw new Error("The chart has no box.");
    const pointAt = (share: number) =>
      page.mouse.move(box.x + 52 + (box.width - 60) * share, box.y + box.height / 3);
    await pointAt(0.5);
    await pages.getByText("in use 3").waitFor();
    await pages.getByText("waiting 7").waitFor();
    // Nothing ran five minutes ago.
    await pointAt(1 - 5 / 60);
    await pages.getByText("in use –").waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await findViolations(page), colorScheme).toEqual([]);
    }
    const loaded = page.waitForResponse((response) => response.url().includes("/admin/history"));
    await page.getByRole("button", { name: "7 days" }).click();
    const { data } = (await (await loaded).json()) as { data: { stepMs: number } };
    expect(data.stepMs).toBe(15 * MINUTE);
    await page.getByText("Highest value of each 15 minutes; rates are averages.").waitFor();
    expect(page.url()).toContain("range=7d");
    opened.assertClean();
  });

  it("tells keys without the scope admin that their charts begin now", async () => {
    await using opened = await openConsole(browser, service, { width: 390, height: 800 });
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/health`);
    await waitUntilLoaded(page);
    await page.getByText("The charts start when you open this screen.").waitFor();
    expect(await page.getByRole("group", { name: "Range" }).count()).toBe(0);
    await panel(page, "Memory").locator("canvas").waitFor();
    expect(await findViolations(page)).toEqual([]);
    const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(overflow).toBeLessThanOrEqual(0);
    opened.assertClean();
  });
});
