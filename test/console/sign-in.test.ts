import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { createLink, launch, openConsole, signIn } from "./browser.ts";

/** The browser logs every unsuccessful response. */
const REFUSED = /status of 401/;

describe.skipIf(isRemote)("signing in to the console", () => {
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(undefined), launch()]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  it("signs in with a key by keyboard alone and keeps the key out of the address and the storage", async () => {
    await using opened = await openConsole(browser, service);
    const { page, context } = opened;
    await page.goto(service.url);
    await page.getByLabel("API key").focus();
    await page.keyboard.type(service.key);
    await page.keyboard.press("Enter");
    await page.getByRole("textbox", { name: "URL" }).waitFor();
    const kept = await page.evaluate(
      "JSON.stringify([{ ...localStorage, ...sessionStorage }, location.href, document.cookie])",
    );
    expect(kept).not.toContain(service.key);
    const cookie = (await context.cookies()).find(({ name }) => name.startsWith("quarry_session"));
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict" });
    opened.assertClean();
  });

  it("explains why a key is not accepted", async () => {
    await using opened = await openConsole(browser, service, { expected: REFUSED });
    await opened.page.goto(service.url);
    await opened.page.getByLabel("API key").fill("qy-wrong");
    await opened.page.getByRole("button", { name: "Sign in" }).click();
    await opened.page.getByText("This key is unknown, expired or revoked.").waitFor();
    opened.assertClean();
  });

  it("signs the operator in by a link and removes the link from the address", async () => {
    await using opened = await openConsole(browser, service);
    const { page } = opened;
    await page.goto(`${service.url}${await createLink(service)}`);
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("row", { name: "first" }).waitFor();
    expect(page.url()).not.toContain("sign-in");
    opened.assertClean();
  });

  it("signs the operator in by a link that is opened in a tab with the sign-in form", async () => {
    await using opened = await openConsole(browser, service);
    const { page } = opened;
    await page.goto(service.url);
    await page.getByLabel("API key").waitFor();
    await page.goto(`${service.url}${await createLink(service)}`);
    await page.getByRole("link", { name: "Keys" }).click();
    await page.getByRole("row", { name: "first" }).waitFor();
    expect(page.url()).not.toContain("sign-in");
    opened.assertClean();
  });

  it("signs out and shows the sign-in form again", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    await opened.page.goto(service.url);
    await opened.page.getByRole("button", { name: "Account" }).click();
    await opened.page.getByRole("button", { name: "Sign out" }).click();
    await opened.page.getByLabel("API key").waitFor();
    const read = await opened.context.request.get(`${service.url}/v2/jobs`);
    expect(read.status()).toBe(401);
    opened.assertClean();
  });

  it("asks to sign in again after the session has ended, and keeps the typed text", async () => {
    const { id, key } = await service.createKey();
    await using opened = await openConsole(browser, service, { expected: REFUSED });
    const { page } = opened;
    await signIn(opened, service, { key });
    await page.goto(service.url);
    await page.getByRole("textbox", { name: "URL" }).fill("https://example.com/typed");
    await service.admin("DELETE", `/admin/keys/${id}`);
    await page.getByRole("button", { name: "Scrape", exact: true }).last().click();
    await page.getByText("Your session has ended.").waitFor();
    await page.getByLabel("API key").fill(service.key);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Your session has ended.").waitFor({ state: "hidden" });
    expect(await page.getByRole("textbox", { name: "URL" }).inputValue()).toBe(
      "https://example.com/typed",
    );
    opened.assertClean();
  });

  it("reports that a screen needs another scope, and sends no request for it", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    await opened.page.goto(`${service.url}/console/keys`);
    await opened.page.getByText("Keys needs the scope “admin”").waitFor();
    opened.assertClean();
  });
});
