// Every dialog and menu by keyboard: the focus goes in, stays inside, and comes back at Escape.
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRemote, startService, type Service } from "../service.ts";
import { launch, openConsole, signInAsOperator, waitUntilLoaded } from "./browser.ts";

/** A field of the page, or the one of these names that a menu opens. */
type Opener = { readonly button: string | RegExp; readonly item?: string };

type Place = {
  readonly path: string;
  readonly openers: readonly Opener[];
  readonly width?: number;
};

const MENUS: readonly Place[] = [
  { path: "/", openers: [{ button: "Presets" }, { button: /^Account/ }] },
  { path: "/console/keys", openers: [{ button: "Actions of first" }] },
  { path: "/console/keys?tab=accounts", openers: [{ button: "Actions of default" }] },
];

const buildDialogs = (monitor: string, extractor: string): readonly Place[] => [
  { path: "/console/live", openers: [{ button: "Open a session" }] },
  { path: "/console/changes", openers: [{ button: "New monitor" }] },
  { path: monitor, openers: [{ button: "Edit" }, { button: "Delete" }] },
  { path: `${monitor}?tab=channels`, openers: [{ button: "Add a channel" }] },
  { path: extractor, openers: [{ button: "Delete" }] },
  {
    path: "/console/keys",
    openers: [
      { button: "New key" },
      { button: "Actions of first", item: "Change limits" },
      { button: "Actions of first", item: "Rotate" },
      { button: "Actions of first", item: "Revoke" },
    ],
  },
  {
    path: "/console/keys?tab=accounts",
    openers: [
      { button: "New account" },
      { button: "Actions of default", item: "Change limits" },
      { button: "Actions of default", item: "Disable" },
    ],
  },
  { path: "/console/jobs", openers: [{ button: "Keys" }, { button: /^Search pages/ }] },
  { path: "/console/jobs", openers: [{ button: "More" }], width: 390 },
];

/** Where the focus is, as seen from the open dialog. */
const findFocus = (page: Page): Promise<string> =>
  page.evaluate(`(() => {
    const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
    const { activeElement } = document;
    if (activeElement === document.body || activeElement === null) return "body";
    return dialog?.contains(activeElement) ? "inside" : "outside";
  })()`);

const MAX_STEPS = 60;

/** Presses Tab through the whole dialog, both ways. */
async function walk(page: Page, key: string): Promise<void> {
  let wasInside = 0;
  const seen = new Set<string>();
  for (let step = 0; step < MAX_STEPS; step++) {
    await page.keyboard.press(key);
    const focus = await findFocus(page);
    expect(focus).not.toBe("outside");
    if (focus === "inside") wasInside += 1;
    // The browser's own controls come between the last and the first.
    const place = await page.evaluate(
      `[...document.querySelectorAll("*")].indexOf(document.activeElement)`,
    );
    if (seen.has(String(place))) break;
    seen.add(String(place));
  }
  expect(wasInside).toBeGreaterThan(0);
}

describe.skipIf(isRemote)("dialogs and menus by keyboard", () => {
  let service: Service;
  let browser: Browser;
  let dialogs: readonly Place[];

  beforeAll(async () => {
    [service, browser] = await Promise.all([startService(undefined), launch()]);
    const monitor = await service.ask("/v2/monitor", {
      method: "POST",
      body: {
        name: "Lamps",
        schedule: { cron: "0 8 * * *" },
        targets: [{ type: "scrape", urls: ["https://example.com/"] }],
      },
    });
    const extractor = await service.ask("/v2/extractors", {
      method: "POST",
      body: {
        name: "lamps",
        program: { version: 1, fields: { name: { type: "string", path: "h1" } } },
      },
    });
    const readId = ({ body }: typeof monitor): string =>
      (body.data as unknown as { id: string }).id;
    dialogs = buildDialogs(
      `/console/changes/monitors/${readId(monitor)}`,
      `/console/data/${readId(extractor)}`,
    );
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  async function open(width = 1_280) {
    const opened = await openConsole(browser, service, { width });
    await signInAsOperator(opened, service);
    const show = async ({ path }: Pick<Place, "path">): Promise<void> => {
      await opened.page.goto(`${service.url}${path}`);
      await waitUntilLoaded(opened.page);
    };
    return { opened, page: opened.page, show };
  }

  it("keeps the focus inside each dialog and returns it at Escape", async () => {
    const walked: string[] = [];
    const { opened, page, show } = await open();
    await using _closing = opened;
    for (const place of dialogs) {
      await page.setViewportSize({ width: place.width ?? 1_280, height: 900 });
      await show(place);
      for (const { button, item } of place.openers) {
        const trigger = page.getByRole("button", { name: button }).first();
        await trigger.focus();
        await page.keyboard.press("Enter");
        if (item !== undefined) {
          const choice = page.getByRole("button", { name: item, exact: true });
          await choice.waitFor();
          await choice.focus();
          await page.keyboard.press("Enter");
        }
        const dialog = page.getByRole("dialog");
        await dialog.waitFor();
        await expect.poll(() => findFocus(page)).toBe("inside");
        await walk(page, "Tab");
        await walk(page, "Shift+Tab");
        await page.keyboard.press("Escape");
        await dialog.waitFor({ state: "hidden" });
        await expect
          .poll(() => trigger.evaluate((it) => it === it.ownerDocument.activeElement))
          .toBe(true);
        walked.push(`${place.path} ${item ?? String(button)}`);
      }
    }
    opened.assertClean();
    expect(walked).toHaveLength(dialogs.flatMap(({ openers }) => openers).length);
  }, 120_000);

  it("moves in each menu by the arrow keys and closes it at Escape and Tab", async () => {
    const { opened, page, show } = await open();
    await using _closing = opened;
    for (const place of MENUS) {
      await show(place);
      for (const { button } of place.openers) {
        const trigger = page.getByRole("button", { name: button }).first();
        const items = page.locator(".menu button, .menu a");
        await trigger.focus();
        await page.keyboard.press("Enter");
        await items.first().waitFor();
        const count = await items.count();
        const isAt = (index: number) =>
          expect
            .poll(() => items.nth(index).evaluate((it) => it === it.ownerDocument.activeElement))
            .toBe(true);
        await isAt(0);
        await page.keyboard.press("ArrowDown");
        await isAt(1 % count);
        await page.keyboard.press("End");
        await isAt(count - 1);
        await page.keyboard.press("ArrowDown");
        await isAt(0);
        await page.keyboard.press("Escape");
        await items.first().waitFor({ state: "detached" });
        expect(await trigger.evaluate((it) => it === it.ownerDocument.activeElement)).toBe(true);
        await page.keyboard.press("Enter");
        await items.first().waitFor();
        await page.keyboard.press("Tab");
        await items.first().waitFor({ state: "detached" });
      }
    }
    opened.assertClean();
  }, 60_000);

  it("opens the palette over a dialog and closes only the upper one", async () => {
    const { opened, page, show } = await open();
    await using _closing = opened;
    await show({ path: "/console/live" });
    await page.getByRole("button", { name: "Open a session" }).click();
    const below = page.getByRole("dialog", { name: "Open a session" });
    await below.waitFor();
    await page.keyboard.press("Control+k");
    const palette = page.getByRole("combobox", { name: /^Search screens/ });
    await palette.waitFor();
    await page.keyboard.type("health");
    await page.keyboard.press("Escape");
    await palette.waitFor({ state: "detached" });
    expect(await below.isVisible()).toBe(true);
    await expect.poll(() => findFocus(page)).toBe("inside");
    await page.keyboard.press("Escape");
    await below.waitFor({ state: "hidden" });
    opened.assertClean();
  });
});
