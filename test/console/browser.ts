// A browser on the console of a server in this process. A page fails its test when the policy
// blocks something, a script throws, or a request leaves the server.
import type { Browser, BrowserContext, Page } from "playwright-core";
import axe from "axe-core";
import { expect } from "vitest";
import { launchTestBrowser } from "../browser/launch.ts";
import type { Service } from "../service.ts";

export type Theme = "light" | "dark";

export type OpenOptions = {
  readonly theme?: Theme;
  readonly width?: number;
  readonly height?: number;
  /** Errors in the log of the browser that are part of the test. */
  readonly expected?: RegExp;
};

export type ConsolePage = AsyncDisposable & {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Asserts that nothing was blocked, thrown or sent elsewhere so far. */
  readonly assertClean: () => void;
};

const NOTHING = /^$/;

export async function openConsole(
  browser: Browser,
  service: Pick<Service, "url">,
  { theme = "light", width = 1_280, height = 900, expected = NOTHING }: OpenOptions = {},
): Promise<ConsolePage> {
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: theme,
    reducedMotion: "reduce",
    locale: "en-US",
  });
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: service.url });
  const page = await context.newPage();
  const faults: string[] = [];
  const note = (text: string): void => {
    if (!expected.test(text)) faults.push(text);
  };
  page.on("pageerror", (error) => note(`thrown: ${error.message}`));
  page.on("console", (message) => {
    if (message.type() === "error") note(`logged: ${message.text()}`);
  });
  page.on("dialog", (dialog) => {
    note(`a dialog opened: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOwn = origin === service.url || protocol === "data:" || protocol === "blob:";
    if (!isOwn) note(`left the server: ${request.url()}`);
  });
  return {
    page,
    context,
    assertClean: () => expect(faults).toEqual([]),
    [Symbol.asyncDispose]: () => context.close(),
  };
}

/** Signs the page's browser in with a key, without the form. */
export async function signIn(
  { context }: Pick<ConsolePage, "context">,
  { url }: Pick<Service, "url">,
  given: { readonly key: string } | { readonly link: string },
): Promise<void> {
  const response = await context.request.post(`${url}/console/session`, { data: given });
  expect(response.status()).toBe(200);
}

/** Settles when the screen shows its content instead of a skeleton. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.locator("h1").first().waitFor({ state: "attached" });
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

/** A link of the operator, as the server prints it at its start. */
export async function createLink(service: Service): Promise<string> {
  const { body } = await service.admin("POST", "/admin/console-links", {});
  return (body.data as unknown as { path: string }).path;
}

export async function signInAsOperator(opened: ConsolePage, service: Service): Promise<void> {
  const path = await createLink(service);
  await signIn(opened, service, { link: path.replace("/#sign-in=", "") });
}

type Violation = { readonly id: string; readonly help: string; readonly nodes: readonly string[] };

/** Runs axe on the page, by default with all rules. Run over the DevTools protocol: the policy blocks foreign scripts. */
export async function findViolations(page: Page, rules?: readonly string[]): Promise<Violation[]> {
  await page.evaluate(axe.source);
  return await page.evaluate(async (only) => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run: (
            context: object,
            options: object,
          ) => Promise<{
            violations: { id: string; help: string; nodes: { html: string }[] }[];
          }>;
        };
      }
    ).axe.run(
      { exclude: ["iframe"] },
      { resultTypes: ["violations"], ...(only && { runOnly: { type: "rule", values: only } }) },
    );
    return violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)),
    }));
  }, rules);
}

export const launch = launchTestBrowser;
