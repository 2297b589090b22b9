// Records what a model did in a page as code that does the same without a model. Elements are named
// by role, label or text: the references of a snapshot are void on the next visit.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import { SCROLL_PIXELS, type PageCall } from "./page-tools.ts";

const TIMEOUT_MS = 1_000;

/**
 * Returns the statement for a call, to be asked for before the call runs. Returns a comment for an
 * element that has no lasting name.
 */
export async function recordStep(page: Page, call: PageCall, leftMs: number): Promise<string> {
  const { ref } = call.given as { readonly ref?: string };
  if (ref === undefined) return writeStep("page", call);
  const name = await nameElement(page, ref, leftMs);
  return name === undefined
    ? `// ${call.name}: the element has no name to find it again.`
    : writeStep(`page.${name}`, call);
}

export const recordOpening = (url: string): string => `await page.goto(${quote(url)});`;

async function nameElement(page: Page, ref: string, leftMs: number): Promise<string | undefined> {
  const locator = page.locator(`aria-ref=${ref}`);
  if ((await locator.count()) === 0) return undefined;
  const named = locator.normalize().then(
    (lasting) => lasting.toString(),
    () => undefined,
  );
  const late = sleep(Math.min(TIMEOUT_MS, leftMs), undefined, { ref: false });
  const name = await Promise.race([named, late]);
  return name === undefined || name.includes("aria-ref") ? undefined : name;
}

function writeStep(target: string, call: PageCall): string {
  const { name, given } = call;
  switch (name) {
    case "click":
      return `await ${target}.click();`;
    case "type": {
      const filled = `await ${target}.fill(${quote(given.text)});`;
      return given.submit === true ? `${filled}\nawait ${target}.press("Enter");` : filled;
    }
    case "select":
      return `await ${target}.selectOption(${quote(given.option)});`;
    case "press":
      return `await page.keyboard.press(${quote(given.key)});`;
    case "scroll":
      return given.ref === undefined
        ? `await page.mouse.wheel(0, ${given.direction === "up" ? -SCROLL_PIXELS : SCROLL_PIXELS});`
        : `await ${target}.scrollIntoViewIfNeeded();`;
    case "wait":
      return `await page.waitForTimeout(${given.milliseconds});`;
    case "extract":
      return given.ref === undefined
        ? 'await page.locator("body").innerText();'
        : `await ${target}.innerText();`;
    case "back":
      return "await page.goBack();";
    case "finish":
      return "";
  }
}

const quote = (text: string): string => JSON.stringify(text);
