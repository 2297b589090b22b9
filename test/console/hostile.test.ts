// Titles, addresses, Markdown, JSON names and errors of a hostile page are shown as text, wherever
// they are shown.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { launch, openConsole, signInAsOperator, waitUntilLoaded } from "./browser.ts";

const IMAGE = "<img src=x onerror=globalThis.broken=1>";
const SCRIPT = "<script>globalThis.broken=2</script>";
const BODY = `<!doctype html><html lang="en"><head>
<title>&lt;img src=x onerror=globalThis.broken=1&gt; &amp; title</title>
<script type="application/ld+json">{"@type":"Product","name":"${IMAGE.replaceAll("<", "\\u003c")}","sku":"\\u003cscript>globalThis.broken=3\\u003c/script>"}</script>
<style>body { background: url(http://elsewhere.invalid/style.png) } @import url(http://elsewhere.invalid/a.css);</style>
</head><body onload="globalThis.broken=4"><main>
<h1>Hostile &lt;script&gt;globalThis.broken=5&lt;/script&gt;</h1>
<p onclick="globalThis.broken=6" style="background:url(http://elsewhere.invalid/inline.png)">A paragraph with enough words to be the main content of this page, so that its Markdown has something to show to whoever looks at it in the console.</p>
<p><img src="http://elsewhere.invalid/pixel.png" onerror="globalThis.broken=7" alt="a picture"> <a href="javascript:globalThis.broken=8">a script as a link</a> <a href="http://elsewhere.invalid/page">another site</a></p>
<iframe src="http://elsewhere.invalid/frame"></iframe>
<svg onload="globalThis.broken=9"><a href="javascript:globalThis.broken=10"><text>drawn</text></a></svg>
<form action="http://elsewhere.invalid/steal"><input name="password"></form>
<object data="http://elsewhere.invalid/object"></object>
</main></body></html>`;

describe.skipIf(isRemote)("a hostile page in the console", () => {
  let site: Server;
  let siteUrl: string;
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    site = createServer((request, response) => {
      if (request.url === "/hook") {
        response.writeHead(410, IMAGE, { "content-type": "text/html" }).end(`${IMAGE}${SCRIPT}`);
        return;
      }
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(BODY);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => site.once("listening", resolve));
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    siteUrl = `http://${host}/${encodeURIComponent(SCRIPT)}?a="><img src=x onerror=globalThis.broken=11>`;
    [service, browser] = await Promise.all([
      startService(undefined, { egressAllow: [host] }),
      launch(),
    ]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    site.closeAllConnections();
    site.close();
  });

  const isBroken = "globalThis.broken";

  it("shows markup of a hostile page as text in every tab of the playground", async () => {
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        sku: { type: "string" },
        [IMAGE]: { type: "string" },
      },
    };
    const formats = [
      "markdown",
      "html",
      "rawHtml",
      "links",
      "images",
      { type: "json", evidence: true, schema },
    ];
    const query = new URLSearchParams({
      url: siteUrl,
      options: JSON.stringify({ formats, onlyMainContent: false }),
      run: "1",
    });
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(`${service.url}/?${query.toString()}`);
    const tabs = page.getByRole("tablist", { name: "Result" }).getByRole("tab");
    await tabs.first().waitFor();
    const names = await tabs.allInnerTexts();
    expect(names.length).toBeGreaterThan(9);
    for (let index = 0; index < names.length; index += 1) {
      await tabs.nth(index).click();
      await page.waitForTimeout(150);
      expect(await page.evaluate(isBroken), names[index]).toBeUndefined();
    }
    await page.getByRole("tab", { name: "Markdown" }).click();
    const rendered = page.locator(".markdown");
    await rendered.waitFor();
    expect(await rendered.locator("img, script, style, iframe, form, svg").count()).toBe(0);
    expect(await rendered.locator("a[href^='javascript:']").count()).toBe(0);
    opened.assertClean();
  });

  it("keeps a hostile page inside a frame without origin", async () => {
    const query = new URLSearchParams({
      url: siteUrl,
      options: JSON.stringify({ formats: ["rawHtml"] }),
      tab: "rawHtml",
      run: "1",
    });
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    await opened.page.goto(`${service.url}/?${query.toString()}`);
    const frame = opened.page.frameLocator("iframe.page-frame");
    await frame.getByText("A paragraph with enough words").waitFor();
    expect(
      await frame
        .locator("script:not(:empty), iframe, form, svg, [onclick], [src^='http']")
        .count(),
    ).toBe(0);
    const inside = opened.page.frames().find((one) => one.url().endsWith("/console/frame"));
    expect(await inside?.evaluate("origin")).toBe("null");
    opened.assertClean();
  });

  it("shows hostile markup as text among jobs, results, ledger, recent requests and usage", async () => {
    const job = await service.client.batch([
      siteUrl,
      "http://elsewhere.invalid/<img src=x onerror=globalThis.broken=12>",
    ]);
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    for (const path of [
      "/console/jobs",
      ...["ledger", "pages", "errors", "webhooks"].map(
        (tab) => `/console/jobs/batch/${job.id}?tab=${tab}`,
      ),
      "/console/health?tab=usage",
      "/",
    ]) {
      await page.goto(`${service.url}${path}`);
      await waitUntilLoaded(page);
      expect(await page.evaluate(isBroken), path).toBeUndefined();
      if (path === "/console/jobs")
        expect(
          await page
            .locator(".table-wrap")
            .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
        ).toBe(0);
    }
    await page.goto(`${service.url}/console/jobs/batch/${job.id}?tab=pages`);
    await page.getByRole("button", { name: "<img src=x onerror" }).first().click();
    await page.getByRole("complementary", { name: "Preview" }).waitFor();
    expect(await page.evaluate(isBroken)).toBeUndefined();
    opened.assertClean();
  });

  it("shows hostile markup as text in agent runs, their steps and tables, and in search", async () => {
    const prompt = `${SCRIPT} ${IMAGE} the name and sku`;
    const schema = {
      type: "object",
      properties: {
        name: { type: "string" },
        sku: { type: "string" },
        [IMAGE]: { type: "string" },
      },
    };
    const run = await service.client.agents.start(prompt, { urls: [siteUrl], schema });
    await run.wait();
    await service.scrape({ url: siteUrl });
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    await page.goto(`${service.url}/console/agents`);
    await page.getByRole("link", { name: /the name and sku/ }).click();
    await waitUntilLoaded(page);
    await page.getByRole("heading", { name: SCRIPT }).waitFor();
    await page.getByText("the name and sku").first().waitFor();
    expect(await page.locator("main script, main img, main svg a").count()).toBe(0);
    for (const tab of await page.getByRole("tab").all()) {
      await tab.click();
      expect(await page.evaluate(isBroken)).toBeUndefined();
    }
    await page.goto(`${service.url}/console/search?q=${encodeURIComponent(`paragraph ${IMAGE}`)}`);
    await waitUntilLoaded(page);
    await page.goto(`${service.url}/console/search?q=paragraph`);
    await page
      .getByRole("link", { name: /Hostile|img src/ })
      .first()
      .waitFor();
    expect(await page.locator("main script, main img, main iframe").count()).toBe(0);
    expect(await page.evaluate(isBroken)).toBeUndefined();
    opened.assertClean();
  }, 60_000);

  it("shows hostile markup as text in file names, webhook answers, extractors and the palette", async () => {
    const name = "<img src=x onerror=globalThis.broken=13>.html";
    const hook = `${new URL(siteUrl).origin}/hook`;
    const job = await service.client.batch([siteUrl], { webhook: { url: hook } });
    const made = await service.ask("/v2/extractors", {
      method: "POST",
      body: {
        name: IMAGE,
        urls: [siteUrl],
        schema: { type: "object", properties: { name: { type: "string" } } },
      },
    });
    expect(made.status, made.text).toBe(200);
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    const { page } = opened;
    const assertText = async (place: string): Promise<void> => {
      expect(await page.locator("main script, main img, main svg a").count(), place).toBe(0);
      expect(await page.evaluate(isBroken), place).toBeUndefined();
    };
    await page.goto(`${service.url}/?mode=parse`);
    await page
      .locator("input[type=file]")
      .setInputFiles({ name, mimeType: "text/html", buffer: Buffer.from(BODY) });
    await page.getByText(name).first().waitFor();
    await page.getByRole("button", { name: "Parse", exact: true }).last().click();
    await page.locator(".markdown").getByText("A paragraph with enough words").waitFor();
    await assertText("parse");

    await page.goto(`${service.url}/console/jobs/batch/${job.id}?tab=webhooks`);
    await page.getByText("410").filter({ visible: true }).first().waitFor();
    await assertText("webhooks");
    await page.setViewportSize({ width: 390, height: 800 });
    await page.getByText("410").filter({ visible: true }).first().waitFor();
    const measureExcess = (): Promise<unknown> =>
      page.evaluate("document.documentElement.scrollWidth - innerWidth");
    expect(await measureExcess()).toBe(0);
    await page.goto(`${service.url}/console/keys`);
    await page
      .getByRole("button", { name: /^Actions of/ })
      .first()
      .waitFor();
    expect(await measureExcess()).toBe(0);
    await page.setViewportSize({ width: 1_280, height: 900 });

    await page.goto(`${service.url}/console/data`);
    await page.getByRole("link", { name: IMAGE }).click();
    await page.getByRole("heading", { name: IMAGE }).waitFor();
    await assertText("extractor");

    await page.keyboard.press("Control+k");
    await page.getByPlaceholder(/^Go to/).fill(IMAGE);
    await page.getByRole("listbox", { name: "Results" }).getByText(IMAGE).first().waitFor();
    await assertText("palette");
    opened.assertClean();
  }, 120_000);

  it("shows hostile markup as text in the names of keys and accounts", async () => {
    await using opened = await openConsole(browser, service);
    await signInAsOperator(opened, service);
    await service.admin("POST", "/admin/accounts", { name: IMAGE });
    await service.admin("POST", "/admin/keys", { name: SCRIPT });
    for (const tab of ["keys", "accounts"]) {
      await opened.page.goto(`${service.url}/console/keys?tab=${tab}`);
      await opened.page
        .getByText(tab === "keys" ? SCRIPT : IMAGE)
        .first()
        .waitFor();
      expect(await opened.page.evaluate(isBroken)).toBeUndefined();
    }
    opened.assertClean();
  });
});
