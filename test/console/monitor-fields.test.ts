// Markup in the fields of a monitor, in its page and in what its checks found is shown as text on
// every screen of the console that shows it.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { launch, openConsole, signIn, waitUntilLoaded } from "./browser.ts";

const IMAGE = "<img src=x onerror=globalThis.broken=1>";
const SCRIPT = "<script>globalThis.broken=2</script>";
const LINK = "[a](javascript:globalThis.broken=3)";
const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);
const toHtml = (text: string): string => text.replaceAll("<", "&lt;");

describe.skipIf(isRemote)("hostile fields of a monitor in the console", () => {
  let site: Server;
  let url: string;
  let line = "Open";
  let isDown = false;
  let service: Service;
  let browser: Browser;
  let id: string;

  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.writeHead(isDown ? 500 : 200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<title>${toHtml(IMAGE)}</title><main><h1>${toHtml(SCRIPT)}</h1><p>${FILLER}</p><p>${line}: ${toHtml(SCRIPT)} ${toHtml(IMAGE)} ${LINK}</p></main>`,
      );
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => site.once("listening", resolve));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/q?a="><img src=x onerror=globalThis.broken=4>`;
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

  /** Makes a monitor with markup in every text, and checks that find a change and an outage. */
  async function prepare(): Promise<void> {
    const made = await service.ask("/v2/monitor", {
      method: "POST",
      body: {
        name: IMAGE,
        goal: `${SCRIPT} opens or closes`,
        schedule: { text: "daily" },
        targets: [
          {
            id: SCRIPT,
            type: "scrape",
            urls: [url],
            scope: { linesNotMatching: [`${IMAGE}never`] },
            scrapeOptions: { excludeTags: [`[title="${SCRIPT}"]`], headers: { "x-a": IMAGE } },
          },
        ],
        detection: {
          confirmations: 0,
          brokenAfter: 1,
          ignore: ["<script>never", `${IMAGE}never`],
          watch: ["Open|Closed"],
        },
        when: {
          conditions: [
            { type: "textAdded", text: "Closed" },
            { type: "textAppears", text: IMAGE },
            { type: "numberBelow", near: SCRIPT, value: 1 },
          ],
        },
        webhook: { url: `${new URL(url).origin}/hook`, metadata: { [IMAGE]: SCRIPT } },
        channels: [
          { type: "webhook", id: IMAGE, url: `${new URL(url).origin}/channel` },
          {
            type: "telegram",
            id: SCRIPT,
            url: new URL(url).origin,
            token: "t",
            chatId: IMAGE,
          },
        ],
      },
    });
    expect(made.status, made.text).toBe(200);
    ({ id } = made.body.data as unknown as { id: string });
    const check = async (): Promise<void> => {
      const started = await service.ask(`/v2/monitor/${id}/run`, { method: "POST", body: {} });
      const { id: checkId } = started.body.data as unknown as { id: string };
      await expect
        .poll(
          async () =>
            (
              (await service.ask(`/v2/monitor/${id}/checks/${checkId}`)).body.data as unknown as {
                status: string;
              }
            ).status,
          { timeout: 60_000 },
        )
        .not.toMatch(/queued|running/);
    };
    await check();
    line = "Closed";
    await check();
    isDown = true;
    await check();
  }

  it("shows markup as text in the list, its checks, channels, rules and forms", async () => {
    await prepare();
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    const assertText = async (at: string): Promise<void> => {
      expect(await page.evaluate("globalThis.broken"), at).toBeUndefined();
      expect(
        await page.locator("main script, main img[src=x], dialog img[src=x]").count(),
        at,
      ).toBe(0);
      expect(await page.locator("a[href^='javascript:' i]").count(), at).toBe(0);
    };
    const path = `${service.url}/console/changes/monitors/${id}`;

    await page.goto(`${service.url}/console/changes?tab=monitors`);
    await page.getByRole("link", { name: IMAGE }).waitFor();
    await page.getByText(/^changed /).waitFor();
    await assertText("list");

    await page.goto(path);
    await page.getByRole("heading", { name: IMAGE }).waitFor();
    await waitUntilLoaded(page);
    await page.getByText(`${SCRIPT} opens or closes`).first().waitFor();
    await assertText("broken check");
    await page.getByRole("link", { name: "RSS" }).waitFor();
    await page.getByText("1 changed").first().click();
    await page
      .getByText(/Closed: /)
      .first()
      .waitFor();
    await assertText("changed check");

    await page.goto(`${path}?tab=channels`);
    const channels = page.getByRole("tabpanel").getByRole("listitem");
    await channels.filter({ hasText: "webhook" }).getByText(IMAGE).waitFor();
    await channels.filter({ hasText: "telegram" }).getByText(SCRIPT).waitFor();
    expect(await channels.count()).toBe(2);
    await channels
      .filter({ hasText: "webhook" })
      .getByRole("button", { name: "Send a test" })
      .click();
    await channels.getByRole("status").getByText(/500/).waitFor();
    await assertText("channels");

    await page.goto(`${path}?tab=rules`);
    const rules = page.getByRole("region", { name: "JSON" });
    await rules.waitFor();
    const shown = JSON.parse(await rules.innerText()) as {
      targets: { id: string; urls: string[]; scrapeOptions: object }[];
      when: object;
      detection: object;
      goal: string;
    };
    expect(shown).toMatchObject({
      goal: `${SCRIPT} opens or closes`,
      targets: [
        {
          id: SCRIPT,
          urls: [url],
          scope: { linesNotMatching: [`${IMAGE}never`] },
          scrapeOptions: { excludeTags: [`[title="${SCRIPT}"]`] },
        },
      ],
      detection: { ignore: ["<script>never", `${IMAGE}never`] },
      when: { conditions: [{}, { text: IMAGE }, { near: SCRIPT }] },
    });
    await assertText("rules");

    await page.goto(path);
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: `Edit ${IMAGE}` });
    await form.getByText("Which differences count").click();
    expect(await form.getByLabel("Lines that never count").inputValue()).toContain(IMAGE);
    await form.getByRole("button", { name: "Try on stored versions" }).click();
    await form.getByText(/would notify/).waitFor();
    await assertText("form");
    opened.assertClean();
  }, 120_000);
});
