// Pages for browser tests, fulfilled inside the browser: no server, no network.
import type { Browser, BrowserContextOptions, Page } from "playwright-core";

export const ORIGIN = "http://site.example";

/**
 * Opens a page whose context knows only these addresses; all others return 404. The caller closes
 * the context.
 */
export async function openPages(
  browser: Browser,
  pages: Readonly<Record<string, string>>,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 720 }, ...options });
  await context.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    const body = pages[pathname];
    await route.fulfill(
      body === undefined
        ? { status: 404, body: "not found" }
        : { status: 200, contentType: "text/html; charset=utf-8", body },
    );
  });
  const page = await context.newPage();
  await page.goto(`${ORIGIN}/`);
  return page;
}
