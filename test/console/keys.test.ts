// Rotation of keys: the new secret works at once, the old one as long as was chosen.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { findViolations, launch, openConsole, signInAsOperator } from "./browser.ts";

describe.skipIf(isRemote)("rotation of keys in the console", () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(undefined), launch()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  it.each([
    { grace: "24 hours", statusOfOld: 200 },
    { grace: "not at all: it may be known to others", statusOfOld: 401 },
  ])("accepts the old secret for the chosen time: $grace", async ({ grace, statusOfOld }) => {
    const name = `rotated ${statusOfOld}`;
    const made = await service.admin("POST", "/admin/keys", { name });
    const { key: old } = made.body.data as unknown as { key: string };
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(`${service.url}/console/keys`);
    await page.getByRole("button", { name: `Actions of ${name}` }).click();
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    const dialog = page.getByRole("dialog");
    const choice = dialog.getByLabel("The old secret works for");
    expect(await choice.locator("option:checked").innerText()).toBe("24 hours");
    expect(await findViolations(page)).toEqual([]);
    await choice.selectOption({ label: grace });
    await dialog.getByRole("button", { name: "Rotate the key" }).click();
    await dialog.getByRole("button", { name: "I have it" }).waitFor();
    const secret = /qy-[\w-]+/.exec(await dialog.innerText())?.[0] ?? "";
    expect(secret).not.toBe(old);
    const statusOf = async (key: string): Promise<number> =>
      (await service.ask("/v2/team/credit-usage", { key })).status;
    expect(await statusOf(secret)).toBe(200);
    expect(await statusOf(old)).toBe(statusOfOld);
    opened.assertClean();
  });
});
