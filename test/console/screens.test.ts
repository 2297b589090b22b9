// Every screen in both themes and at phone width: accessible, without horizontal scrolling, and
// without a request to another server (openConsole fails a test for each).
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import {
  findViolations,
  launch,
  openConsole,
  signInAsOperator,
  waitUntilLoaded,
} from "./browser.ts";

const SCREENS = [
  "/",
  "/?mode=crawl",
  "/console/jobs",
  "/console/data",
  "/console/data/new",
  "/console/agents",
  "/console/live",
  "/console/live?new=session",
  "/console/changes",
  "/console/changes?tab=monitors&new=monitor",
  "/console/search",
  "/console/search?q=pier",
  "/console/start",
  "/console/health?tab=usage",
  "/console/keys",
  "/console/keys?tab=accounts",
] as const;

const COLOR_RULES = ["color-contrast", "link-in-text-block"] as const;
const PHONE = { width: 390, height: 800 } as const;
/** A window of 1280 pixels at 200 %. */
const ZOOMED = { width: 640, height: 450 } as const;

describe.skipIf(isRemote)("the screens of the console", () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([
      startService(undefined, { egressAllow: ["127.0.0.1:9"] }),
      launch(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  it("has no violations of accessibility rules on any screen in both themes", async () => {
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    for (const path of SCREENS) {
      await page.emulateMedia({ colorScheme: "light" });
      await page.goto(`${service.url}${path}`);
      await waitUntilLoaded(page);
      expect(await findViolations(page), path).toEqual([]);
      // A theme changes colors only.
      await page.emulateMedia({ colorScheme: "dark" });
      expect(await findViolations(page, COLOR_RULES), `${path} in the dark theme`).toEqual([]);
    }
    opened.assertClean();
  });

  it("scrolls no screen horizontally at phone width and at a zoom of 200 %", async () => {
    await using opened = await openConsole(browser, service, PHONE);
    await signInAsOperator(opened, service);
    const { page } = opened;
    for (const path of SCREENS) {
      await page.setViewportSize(PHONE);
      await page.goto(`${service.url}${path}`);
      await waitUntilLoaded(page);
      for (const size of [PHONE, ZOOMED]) {
        await page.setViewportSize(size);
        const overflow = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        expect(overflow, `${path} at ${size.width}`).toBeLessThanOrEqual(0);
      }
    }
    opened.assertClean();
  });

  it("reaches every screen from the bar of a phone", async () => {
    await using opened = await openConsole(browser, service, PHONE);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(service.url);
    const bar = page.getByRole("navigation", { name: "Screens" });
    const reached: string[] = [];
    const more = bar.getByRole("button", { name: "More" });
    await more.click();
    const menu = page.getByRole("dialog", { name: "All screens" });
    expect(await findViolations(page)).toEqual([]);
    const names = (await menu.getByRole("link").allInnerTexts()).map((name) => name.trim());
    await page.keyboard.press("Escape");
    for (const name of names.filter((one) => one !== "Docs")) {
      await more.click();
      await menu.getByRole("link", { name }).click();
      await menu.waitFor({ state: "detached" });
      await expect.poll(() => page.title()).toBe(`${name} – Quarry`);
      reached.push(name);
    }
    expect(reached).toEqual([
      "Playground",
      "Jobs",
      "Data",
      "Agents",
      "Live",
      "Changes",
      "Search",
      "Start",
      "Health",
      "Keys",
    ]);
    opened.assertClean();
  });

  it("transfers at most 150 KB for the first screen", async () => {
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page, context } = opened;
    const network = await context.newCDPSession(page);
    await network.send("Network.enable");
    let bytes = 0;
    network.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await page.goto(service.url);
    await page.getByRole("group", { name: "What to do" }).waitFor();
    // The options are made from the last file that is requested.
    await page.getByLabel("Only main content").first().waitFor({ state: "attached" });
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThanOrEqual(150_000);
    opened.assertClean();
  });

  it("leads from the playground to the first steps and ticks the crawl that was started there", async () => {
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(service.url);
    await page.getByRole("link", { name: /^New here/ }).click();
    await page.getByLabel("URL of a site").fill("http://127.0.0.1:9/");
    await page.getByRole("button", { name: "Crawl" }).click();
    await page.getByRole("heading", { name: "Crawl a site (done)" }).waitFor();
    await page.getByRole("link", { name: "Watch it" }).click();
    await page.waitForURL(/\/console\/jobs\/crawl\//);
    opened.assertClean();
  });
});
