// An extractor made by pointing at two records of a page with hostile text.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { findViolations, launch, openConsole, signIn } from "./browser.ts";

const HOSTILE = "<img src=x onerror=alert(1)>";
const NAMES = ["Fjell Jacket", "Skarv Anorak", "Tind Trousers", HOSTILE, "Bre Gloves"];

const escape = (text: string): string => text.replaceAll("<", "&lt;");

describe.skipIf(isRemote)("data in the console", () => {
  let site: Server;
  let url: string;
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    site = createServer((_request, response) => {
      const items = NAMES.map(
        (name, at) =>
          `<article class="item"><h2>${escape(name)}</h2><p class="price">$${at + 1}84.00</p><p>Warm, light, and made for wind and rain.</p></article>`,
      );
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<title>Shop</title><main><h1>Shop</h1>${items.join("")}</main><script>parent.postMessage({type:"picked",text:"forged"},"*")</script>`,
      );
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => site.once("listening", resolve));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/shop`;
    [service, browser] = await Promise.all([
      startService(undefined, { egressAllow: [new URL(url).host] }),
      launch(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    site.closeAllConnections();
    site.close();
  });

  it("learns from two clicked records, lights up the rest, and runs on other pages", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/data`);
    await page.getByRole("link", { name: "Point at values" }).click();
    await page.getByRole("textbox", { name: "URL of a page" }).fill(url);
    await page.keyboard.press("Enter");
    const frame = page.frameLocator("iframe.page-frame");
    await frame.getByText("Fjell Jacket").click();
    await frame.getByText("Skarv Anorak").click();
    await page.getByRole("button", { name: "Add a field" }).click();
    await page.getByLabel("Name of field 2").fill("price");
    await frame.getByText("$184.00").click();
    await frame.getByText("$284.00").click();
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Learn", exact: true }).click();
    await page.getByText("10 values found on this page.").waitFor();
    const lit = (): Promise<number> =>
      page
        .frames()
        .find((one) => one.url().endsWith("/console/frame"))
        ?.evaluate(`CSS.highlights.get("place")?.size ?? 0`) as Promise<number>;
    await expect.poll(lit).toBe(10);
    await page.getByRole("link", { name: "Open the extractor" }).click();
    await page.getByLabel(/^URLs/).fill(`${url}?other`);
    await page.getByRole("button", { name: "Run" }).click();
    await page.getByRole("button", { name: HOSTILE }).click();
    await page.getByRole("status").getByText(HOSTILE).waitFor();
    await page.getByRole("button", { name: "Show on the page" }).click();
    await page.getByText("1 place on the page.").waitFor();
    await expect.poll(lit).toBe(1);
    await page.getByRole("button", { name: HOSTILE }).click();
    await expect.poll(lit).toBe(10);
    expect(await findViolations(page)).toEqual([]);
    opened.assertClean();
  });
});
