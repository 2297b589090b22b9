import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { launchTestBrowser } from "../../test/browser/launch.ts";
import { evaluateIsolated, IS_PASSWORD } from "./isolated-script.ts";

describe("the focus in a password field", () => {
  let browser: Browser;
  let page: Page;
  let cast: CDPSession;
  beforeAll(async () => {
    browser = await launchTestBrowser();
    page = await browser.newPage();
    cast = await page.context().newCDPSession(page);
  });
  afterAll(async () => browser.close());

  const FIELDS = '<input id="text"><input id="secret" type="password">';
  it.each([
    ["of the page", FIELDS, (id: string) => page.locator(`#${id}`), false],
    [
      "of a frame of the page",
      `<iframe srcdoc='${FIELDS}'></iframe>`,
      (id: string) => page.frameLocator("iframe").locator(`#${id}`),
      false,
    ],
    [
      "of a frame of another origin, where any field may be one",
      `<iframe sandbox srcdoc='${FIELDS}'></iframe>`,
      (id: string) => page.frameLocator("iframe").locator(`#${id}`),
      true,
    ],
    [
      "of a shadow root",
      `<div><template shadowrootmode="open">${FIELDS}</template></div>`,
      (id: string) => page.locator(`#${id}`),
      false,
    ],
  ])("detects the focus in password fields %s", async (_, html, locate, isTextSecret) => {
    await page.setContent(html);
    await locate("secret").click();
    expect(await evaluateIsolated(cast, IS_PASSWORD, 5_000)).toBe(true);
    await locate("text").click();
    expect(await evaluateIsolated(cast, IS_PASSWORD, 5_000)).toBe(isTextSecret);
  });
});
