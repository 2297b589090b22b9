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
    await dialog.getByLabel("Goal").fill(HOSTILE);
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
    const words = page.getByRole("region", { name: "Difference" }).locator("mark");
    expect(await words.allInnerTexts()).toContain("35");
    await page.getByRole("button", { name: "Blocks" }).click();
    await expect.poll(() => words.count()).toBe(0);
    await page.getByRole("button", { name: "Ignore changes like this" }).click();
    const dialog = page.getByRole("dialog", { name: "Ignore changes like this" });
    await dialog.getByText(/^Would have silenced \d of 1 stored notification\.$/).waitFor();
    expect(await dialog.getByRole("radio").count()).toBeGreaterThan(0);
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Ignore", exact: true }).click();
    await page.getByText("Lines like this are now ignored.").waitFor();
    await page.getByRole("button", { name: "This matters" }).click();
    const matters = page.getByRole("dialog", { name: "This matters" });
    await matters.getByText(/^Would have notified of \d more stored differences?\.$/).waitFor();
    await matters.getByRole("button", { name: "Cancel" }).click();
    const { detection } = (await service.ask(path)).body.data as unknown as {
      detection: { ignore: string[] };
    };
    expect(detection.ignore).toHaveLength(1);
    const history = await opened.context.newPage();
    await history.goto(`${service.url}/console/health?tab=usage`);
    await history.getByRole("link", { name: /^Fees/ }).first().waitFor();
    expect(await history.locator("main").innerText()).not.toContain(data.id);
    await history.close();
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
    await form.getByLabel("Region", { exact: true }).fill("0 0 400 300");
    await form.getByLabel("Masks, one per line").fill("0 0 50 50");
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

  it("says that a check is running, not that nothing changed, while a change is confirmed", async () => {
    const made = await service.ask("/v2/monitor", {
      method: "POST",
      body: {
        name: "Slow",
        schedule: { text: "daily" },
        targets: [{ type: "scrape", urls: [url] }],
        detection: { confirmations: 1, confirmAfterSeconds: 600 },
      },
    });
    const path = `/v2/monitor/${(made.body.data as unknown as { id: string }).id}`;
    const readStates = async () =>
      ((await service.ask(`${path}/checks`)).body.data as unknown as { status: string }[]).map(
        ({ status }) => status,
      );
    await service.ask(`${path}/run`, { method: "POST", body: {} });
    await expect.poll(readStates, { timeout: 20_000 }).toEqual(["completed"]);
    fee = 77;
    await service.ask(`${path}/run`, { method: "POST", body: {} });
    await expect.poll(readStates, { timeout: 20_000 }).toEqual(["running", "completed"]);
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}${path.replace("/v2/monitor", "/console/changes/monitors")}`);
    await page.getByText("The check is running").waitFor();
    expect(await page.getByText("Nothing changed").count()).toBe(0);
    opened.assertClean();
  });

  it("draws the region and masks of a picture by pointer and by keyboard", async () => {
    await using opened = await openConsole(browser, service, { theme: "dark" });
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/changes?new=monitor&url=${encodeURIComponent(url)}`);
    const form = page.getByRole("dialog", { name: "New monitor" });
    await form.getByLabel("Compare").selectOption("picture");
    await form.getByRole("button", { name: "Draw on the page" }).click();
    const picture = form.getByRole("region", { name: "Picture of the page" });
    const image = picture.locator("img");
    await form.getByText(/^1280 × \d+ pixels/).waitFor();
    await image.scrollIntoViewIfNeeded();
    const frame = await image.boundingBox();
    const scale = (frame?.width ?? 0) / 1_280;
    const moveTo = async (x: number, y: number): Promise<void> =>
      page.mouse.move((frame?.x ?? 0) + x * scale, (frame?.y ?? 0) + y * scale, { steps: 4 });
    const drag = async (from: [number, number], to: [number, number]): Promise<void> => {
      await moveTo(...from);
      await page.mouse.down();
      await moveTo(...to);
      await page.mouse.up();
    };
    const region = form.getByLabel("Region", { exact: true });
    const readRegion = async (): Promise<number[]> =>
      (await region.inputValue()).split(" ").map(Number);
    const expectRegion = async (wanted: readonly number[]): Promise<void> => {
      const found = await readRegion();
      expect(found).toHaveLength(4);
      for (const [at, value] of wanted.entries())
        expect(Math.abs((found[at] ?? Number.NaN) - value), found.join(" ")).toBeLessThan(4);
    };
    await drag([500, 200], [100, 20]);
    await expectRegion([100, 20, 400, 180]);
    await drag([300, 100], [350, 140]);
    await expectRegion([150, 60, 400, 180]);
    await drag([550, 240], [650, 260]);
    await expectRegion([150, 60, 500, 200]);
    const [x = 0, y = 0, width = 0, height = 0] = await readRegion();
    const box = picture.getByRole("button", { name: /^Region: left/ });
    await box.focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Shift+ArrowDown");
    expect(await readRegion()).toEqual([x + 10, y - 1, width, height + 10]);
    await form.getByRole("button", { name: "Draw masks" }).click();
    await form.getByRole("button", { name: "Add a mask" }).press("Enter");
    await drag([1_000, 20], [1_200, 120]);
    const masks = form.getByLabel("Masks, one per line");
    expect((await masks.inputValue()).split("\n")).toHaveLength(2);
    expect(await findViolations(page)).toEqual([]);
    await picture.getByRole("button", { name: /^Mask 1: left/ }).press("Delete");
    expect(await masks.inputValue()).toMatch(/^\d+ \d+ \d+ \d+$/);
    const drawn = (await masks.inputValue()).split(" ").map(Number);
    await form.getByRole("button", { name: "Create the monitor" }).click();
    await page.getByText("No check yet").waitFor();
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    const { data } = (await service.ask(`/v2/monitor/${id}`)).body as unknown as {
      data: { targets: [{ scope: { picture: { region: object; masks: object[] } } }] };
    };
    const { picture: saved } = data.targets[0].scope;
    expect(saved.region).toEqual({ x: x + 10, y: y - 1, width, height: height + 10 });
    expect(saved.masks.map((mask) => Object.values(mask))).toEqual([drawn]);
    opened.assertClean();
  });

  it("takes elements of a monitor by clicks on its page, as selectors that find only them", async () => {
    await using opened = await openConsole(browser, service);
    await signIn(opened, service, { key: service.key });
    const { page } = opened;
    await page.goto(`${service.url}/console/changes?new=monitor&url=${encodeURIComponent(url)}`);
    const form = page.getByRole("dialog", { name: "New monitor" });
    await form.getByRole("button", { name: "Pick on the page" }).click();
    const shown = page.frameLocator("iframe");
    await shown.getByText(/^Berth fee/).click();
    const include = form.getByLabel("Only these elements");
    await expect.poll(() => include.inputValue()).toBe("main > p:nth-of-type(2)");
    expect(await shown.locator("[data-outline=kept]").allInnerTexts()).toEqual([
      expect.stringMatching(/^Berth fee/),
    ]);
    await form.getByRole("button", { name: "Wider" }).click();
    await expect.poll(() => include.inputValue()).toBe("main");
    await form.getByRole("button", { name: "Leaves one out" }).click();
    await shown.getByText("visitors so far").click();
    await expect
      .poll(() => form.getByLabel("Without these elements").inputValue())
      .toBe("main > p:nth-of-type(3)");
    expect(await findViolations(page)).toEqual([]);
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
    await page.getByRole("button", { name: "Add a channel" }).click();
    await dialog.getByLabel("Service").selectOption("matrix");
    await dialog.getByLabel("Address").fill(`http://${host}/`);
    await dialog.getByLabel("Access token").fill("syt_secret");
    expect(await dialog.getByRole("button", { name: "Add", exact: true }).isDisabled()).toBe(true);
    await dialog.getByLabel("Room").fill("!room:example.org");
    expect(await findViolations(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("listitem").filter({ hasText: "matrix" }).waitFor();
    expect(await page.content()).not.toContain("syt_secret");
    opened.assertClean();
  });
});
