// Versions of a page and a monitor in the console, on a page with hostile text.
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { findViolations, launch, openConsole, signIn, waitUntilLoaded } from "./browser.ts";

const HOSTILE = "<img src=x onerror=alert(1)>";
const FILLER = "The harbour of this town is open to ships of all sizes in every season. ".repeat(4);

describe.skipIf(isRemote)("changes in the console", () => {
  let site: Server;
  let url: string;
  let fee = 20;
  let service: Service;
  let browser: Browser;

  beforeAll(async () => {
    site = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
      response.end(
        `<title>Harbour</title><main><h1>Harbour</h1><p>${FILLER}</p><p>Berth fee of &lt;img src=x onerror=alert(1)&gt;: ${fee} crowns</p><p>${fee} visitors so far</p></main>`,
      );
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => site.once("listening", resolve));
    url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/quay?q=<script>`;
    [service, browser] = await Promise.all([
      startService(undefined, { egressAllow: [new URL(url).host] }),
      launch(),
    ]);
    const formats = ["markdown", { type: "changeTracking", tag: HOSTILE }];
    for (const next of [20, 25]) {
      fee = next;
      await service.page({ url, formats, maxAge: 0 });
    }
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
    site.closeAllConnections();
    site.close();
  });

  it("lists a page, compares its versions by words and by blocks, and leads to a monitor", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/changes`);
    await page.getByRole("link", { name: /quay/ }).click();
    const diff = page.getByRole("region", { name: "Difference" });
    await diff.getByText("removed: ").first().waitFor({ state: "attached" });
    const words = diff.locator(".diff-cell:not(.noise) mark");
    expect(await words.allInnerTexts()).toEqual(["20", "25"]);
    expect(await diff.locator(".noise").first().innerText()).toContain("visitors so far");
    expect(await diff.innerText()).toContain(HOSTILE);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Blocks" }).click();
    await expect.poll(() => words.count()).toBe(0);
    await page.getByRole("switch", { name: "Ignore noise" }).click();
    await expect.poll(() => diff.locator(".noise").count()).toBe(0);
    await page.getByRole("link", { name: "Watch this page" }).click();
    const dialog = page.getByRole("dialog", { name: "New monitor" });
    await dialog.getByText(/credits a month/).waitFor();
    await dialog.getByLabel("Name").fill(HOSTILE);
    await dialog.getByRole("button", { name: "Create the monitor" }).click();
    await page.getByRole("heading", { name: HOSTILE }).waitFor();
    await page.getByText("No check yet").waitFor();
    expect(await findViolations(page)).toEqual([]);
    opened.assertClean();
  });

  it("shows what a check found and how a rule would silence it", async () => {
    const { data } = (
      await service.ask("/v2/monitor", {
        method: "POST",
        body: {
          name: "Fees",
          schedule: { text: "daily" },
          targets: [{ type: "scrape", urls: [url] }],
          detection: { confirmations: 0 },
        },
      })
    ).body as unknown as { data: { id: string } };
    const path = `/v2/monitor/${data.id}`;
    for (const next of [30, 35]) {
      fee = next;
      const before = (await service.ask(`${path}/checks`)).body.data as unknown as object[];
      await service.ask(`${path}/run`, { method: "POST", body: {} });
      const readStates = async () =>
        ((await service.ask(`${path}/checks`)).body.data as unknown as { status: string }[]).map(
          ({ status }) => status,
        );
      await expect
        .poll(readStates, { timeout: 20_000 })
        .toEqual(Array.from({ length: before.length + 1 }, () => "completed"));
    }
    await using opened = await openConsole(browser, service, { theme: "dark" });
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/changes?tab=monitors`);
    await page.getByRole("cell", { name: "1 changed" }).waitFor();
    await page.getByRole("link", { name: "Fees" }).click();
    await waitUntilLoaded(page);
    expect(await findViolations(page)).toEqual([]);
    await page.getByRole("button", { name: "Ignore changes like this" }).click();
    const dialog = page.getByRole("dialog", { name: "Ignore changes like this" });
    await dialog.getByText(/^Would have silenced \d of 1 stored notification\.$/).waitFor();
    expect(await dialog.getByRole("radio").count()).toBeGreaterThan(0);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Ignore", exact: true }).click();
    await page.getByText("Lines like this no longer count.").waitFor();
    const { detection } = (await service.ask(path)).body.data as unknown as {
      detection: { ignore: string[] };
    };
    expect(detection.ignore).toHaveLength(1);
    await page.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: "Edit Fees" });
    expect(await form.getByRole("button", { name: "Save the changes" }).isDisabled()).toBe(true);
    await form.getByText("Which differences count").click();
    expect(await form.getByLabel("Lines that never count").inputValue()).toBe(detection.ignore[0]);
    await form.getByLabel("Lines that never count").fill("");
    await form.getByRole("button", { name: "Try on stored versions" }).click();
    await form
      .getByText(/^Of 1 stored difference, 1 would notify; with the rules as they are, [01]\.$/)
      .waitFor();
    await form.getByLabel("Compare").selectOption("picture");
    await form.getByLabel("Region").fill("0 0 400 300");
    await form.getByLabel("Masks, one a line").fill("0 0 50 50");
    expect(await findViolations(page)).toEqual([]);
    await form.getByRole("button", { name: "Save the changes" }).click();
    await page.getByText("The monitor is saved.").waitFor();
    const saved = (await service.ask(path)).body.data as unknown as {
      detection: { ignore: string[]; confirmations: number };
      targets: { urls: string[]; scope: object }[];
    };
    expect(saved.detection).toMatchObject({ ignore: [], confirmations: 0 });
    expect(saved.targets).toMatchObject([
      {
        urls: [url],
        scope: {
          picture: {
            region: { x: 0, y: 0, width: 400, height: 300 },
            masks: [{ x: 0, y: 0, width: 50, height: 50 }],
          },
        },
      },
    ]);
    opened.assertClean();
  });

  it("adds, limits and removes channels of a monitor without showing their addresses", async () => {
    const host = new URL(url).host;
    const { data } = (
      await service.ask("/v2/monitor", {
        method: "POST",
        body: {
          name: "Channels",
          schedule: { text: "daily" },
          targets: [{ type: "scrape", urls: [url] }],
        },
      })
    ).body as unknown as { data: { id: string } };
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/changes/monitors/${data.id}?tab=channels`);
    await page.getByRole("button", { name: "Add a channel" }).click();
    const dialog = page.getByRole("dialog", { name: "Add a channel" });
    await dialog.getByLabel("Service").selectOption("ntfy");
    await dialog.getByLabel("Address").fill(`http://${host}/secret-topic`);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    const row = page.getByRole("listitem").filter({ hasText: host });
    await row.getByText("at most 60 an hour").waitFor();
    expect(await page.content()).not.toContain("secret-topic");
    await row.getByRole("button", { name: "Edit" }).click();
    const form = page.getByRole("dialog", { name: `Channel ${host}` });
    await form.getByLabel("Collect for minutes").fill("30");
    await form.getByLabel("At most per hour").fill("5");
    await form.getByRole("button", { name: "Save" }).click();
    await row.getByText("together every 30 min · at most 5 an hour").waitFor();
    expect(await findViolations(page)).toEqual([]);
    await row.getByRole("button", { name: "Remove" }).click();
    await page.getByText("No channels").waitFor();
    opened.assertClean();
  });
});
