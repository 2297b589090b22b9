import type { BrowserContext, Frame, Page } from "playwright-core";
import { z } from "zod";
import {
  validateCall,
  type Calls,
  type ContextCalls,
  type Evaluator,
  type PageCalls,
} from "./call.ts";
import {
  dragOptions,
  loadState,
  navigationOptions,
  pageFunction,
  pagePictureOptions,
  pageValue,
  polling,
  reloadOptions,
  selector,
  text,
  timed,
  viewport,
} from "./arguments.ts";

const ALLOWED_SCHEMES = ["http:", "https:"];
/** Maximum pages per session. */
export const MAX_PAGES = 10;

/** Throws for anything but a web address: files, browser pages, data URLs with an origin. */
export function checkAddress(address: string): string {
  if (address === "about:blank") return address;
  const url = URL.parse(address);
  if (url === null)
    throw new TypeError(
      `page.goto: ${JSON.stringify(address.slice(0, 200))} is not an absolute URL.`,
    );
  if (!ALLOWED_SCHEMES.includes(url.protocol))
    throw new TypeError(
      `page.goto: addresses of ${url.protocol} are not opened here; use http or https.`,
    );
  return url.href;
}

const address = text.transform(checkAddress);

const toEvaluator = (page: Page): Evaluator => page as unknown as Evaluator;

type ResponseSurface = {
  status(): number;
  statusText(): string;
  url(): string;
  ok(): boolean;
  headers(): Record<string, string>;
} | null;
const describe = (response: ResponseSurface): unknown =>
  response === null
    ? null
    : {
        $response: true,
        status: response.status(),
        statusText: response.statusText(),
        url: response.url(),
        ok: response.ok(),
        headers: response.headers(),
      };

/** Resolves to true when the page has left `url`, to false on timeout. */
async function waitForMove(page: Page, url: string, timeoutMs: number): Promise<boolean> {
  if (page.url() !== url) return true;
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const look = (): void => {
    if (page.url() !== url) resolve(true);
  };
  const timer = setTimeout(() => resolve(false), timeoutMs);
  page.on("framenavigated", look);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    page.off("framenavigated", look);
  }
}

/** Maximum wait for the browser's own error page after a failed navigation. */
const ERROR_PAGE_MS = 500;

/**
 * Opens an address. After a failure the browser shows its own error page, which is awaited because
 * it would interrupt the next call.
 */
async function navigate(
  page: Page,
  url: string,
  options: Parameters<Page["goto"]>[1],
): ReturnType<Page["goto"]> {
  const { promise: shown, resolve } = Promise.withResolvers<void>();
  const look = (frame: Frame): void => {
    if (frame.url().startsWith("chrome-error:")) resolve();
  };
  page.on("framenavigated", look);
  try {
    return await page.goto(url, options);
  } catch (error) {
    const timer = setTimeout(resolve, ERROR_PAGE_MS);
    await shown;
    clearTimeout(timer);
    throw error;
  } finally {
    page.off("framenavigated", look);
  }
}

export const PAGE_CALLS: PageCalls = {
  goto: validateCall([address, navigationOptions], async (page: Page, url, options) =>
    describe(await navigate(page, url, options)),
  ),
  reload: validateCall([reloadOptions], async (page: Page, options) =>
    describe(await page.reload(options)),
  ),
  goBack: validateCall([reloadOptions], async (page: Page, options) =>
    describe(await page.goBack(options)),
  ),
  goForward: validateCall([reloadOptions], async (page: Page, options) =>
    describe(await page.goForward(options)),
  ),
  title: validateCall([], (page: Page) => page.title()),
  content: validateCall([], (page: Page) => page.content()),
  setContent: validateCall(
    [z.string().max(5_000_000), reloadOptions],
    (page: Page, html, options) => page.setContent(html, options),
  ),
  bringToFront: validateCall([], (page: Page) => page.bringToFront()),
  close: validateCall([], (page: Page) => page.close()),
  evaluate: validateCall([pageFunction, pageValue], (page: Page, run, value) =>
    toEvaluator(page).evaluate(run, value),
  ),
  screenshot: validateCall([pagePictureOptions], (page: Page, options) => page.screenshot(options)),
  waitForTimeout: validateCall([z.number().min(0).max(300_000)], (page: Page, ms) =>
    page.waitForTimeout(ms),
  ),
  waitForLoadState: validateCall([loadState, timed], (page: Page, state, options) =>
    state === "commit" ? undefined : page.waitForLoadState(state, options),
  ),
  waitForFunction: validateCall(
    [pageFunction, pageValue, polling],
    async (page: Page, run, value, options) => {
      const handle = await toEvaluator(page).waitForFunction(run, value, options);
      const found = await handle.jsonValue();
      await handle.dispose();
      return found;
    },
  ),
  waitForMove: validateCall([text, z.number().max(300_000)], waitForMove),
  waitForNavigation: validateCall([reloadOptions], async (page: Page, options) =>
    describe(await page.waitForNavigation(options)),
  ),
  dragAndDrop: validateCall(
    [selector, selector, dragOptions],
    (page: Page, source, target, options) => page.dragAndDrop(source, target, options),
  ),
  addStyleTag: validateCall(
    [z.strictObject({ content: text })],
    async (page: Page, { content }) => {
      await page.addStyleTag({ content });
    },
  ),
  addScriptTag: validateCall(
    [z.strictObject({ content: text })],
    async (page: Page, { content }) => {
      await page.addScriptTag({ content });
    },
  ),
  setViewportSize: validateCall([viewport], (page: Page, size) => page.setViewportSize(size)),
  emulateMedia: validateCall(
    [
      z
        .strictObject({
          media: z.enum(["screen", "print"]).nullable(),
          colorScheme: z.enum(["light", "dark", "no-preference"]).nullable(),
          reducedMotion: z.enum(["reduce", "no-preference"]).nullable(),
        })
        .partial(),
    ],
    (page: Page, options) => page.emulateMedia(options),
  ),
  ariaSnapshot: validateCall([timed], (page: Page, options) =>
    page.locator("body").ariaSnapshot(options),
  ),
};

/** Calls on a frame; it has no navigation of its own here. */
export const FRAME_CALLS: PageCalls = Object.fromEntries(
  ["title", "content", "evaluate", "waitForFunction", "waitForLoadState"].map((name) => [
    name,
    PAGE_CALLS[name] as PageCalls[string],
  ]),
);

export const FRAME_ASKS: Calls<Frame> = {
  url: validateCall([], (frame: Frame) => frame.url()),
  name: validateCall([], (frame: Frame) => frame.name()),
  isDetached: validateCall([], (frame: Frame) => frame.isDetached()),
};

const defaultTimeout = z.number().min(0).max(300_000);

/** Synchronous calls of Playwright. */
export const PAGE_ASKS: PageCalls = {
  setDefaultTimeout: validateCall([defaultTimeout], (page: Page, ms) =>
    page.setDefaultTimeout(ms || 300_000),
  ),
  setDefaultNavigationTimeout: validateCall([defaultTimeout], (page: Page, ms) =>
    page.setDefaultNavigationTimeout(ms || 300_000),
  ),
  url: validateCall([], (page: Page) => page.url()),
  isClosed: validateCall([], (page: Page) => page.isClosed()),
  viewportSize: validateCall([], (page: Page) => page.viewportSize()),
};

const coordinate = z.number();
const mouseOptions = z
  .strictObject({
    button: z.enum(["left", "right", "middle"]),
    clickCount: z.int().min(0).max(10),
    delay: z.number().max(10_000),
  })
  .partial()
  .default({});
const buttonOptions = z
  .strictObject({ button: z.enum(["left", "right", "middle"]), clickCount: z.int().min(0).max(10) })
  .partial()
  .default({});

export const MOUSE_CALLS: PageCalls = {
  click: validateCall([coordinate, coordinate, mouseOptions], (page: Page, x, y, options) =>
    page.mouse.click(x, y, options),
  ),
  dblclick: validateCall([coordinate, coordinate], (page: Page, x, y) => page.mouse.dblclick(x, y)),
  move: validateCall(
    [coordinate, coordinate, z.strictObject({ steps: z.int().min(1).max(1_000) }).optional()],
    (page: Page, x, y, options) => page.mouse.move(x, y, options),
  ),
  down: validateCall([buttonOptions], (page: Page, options) => page.mouse.down(options)),
  up: validateCall([buttonOptions], (page: Page, options) => page.mouse.up(options)),
  wheel: validateCall([coordinate, coordinate], (page: Page, x, y) => page.mouse.wheel(x, y)),
};

const delay = z.strictObject({ delay: z.number().max(10_000).optional() }).default({});

export const KEYBOARD_CALLS: PageCalls = {
  press: validateCall([text, delay], (page: Page, key, options) =>
    page.keyboard.press(key, options),
  ),
  type: validateCall([text, delay], (page: Page, value, options) =>
    page.keyboard.type(value, options),
  ),
  insertText: validateCall([text], (page: Page, value) => page.keyboard.insertText(value)),
  down: validateCall([text], (page: Page, key) => page.keyboard.down(key)),
  up: validateCall([text], (page: Page, key) => page.keyboard.up(key)),
};

type Cookie = Parameters<BrowserContext["addCookies"]>[0][number];
const cookie = z.strictObject({
  name: text,
  value: text,
  url: text.optional(),
  domain: text.optional(),
  path: text.optional(),
  expires: z.number().optional(),
  httpOnly: z.boolean().optional(),
  secure: z.boolean().optional(),
  sameSite: z.enum(["Strict", "Lax", "None"]).optional(),
});

export const CONTEXT_CALLS: ContextCalls = {
  cookies: validateCall(
    [z.union([text, z.array(text).max(100)]).optional()],
    (context: BrowserContext, urls) => context.cookies(urls ?? []),
  ),
  addCookies: validateCall([z.array(cookie).max(1_000)], (context: BrowserContext, cookies) =>
    context.addCookies(cookies as Cookie[]),
  ),
  clearCookies: validateCall([], (context: BrowserContext) => context.clearCookies()),
  newPage: validateCall([], async (context: BrowserContext) => {
    if (context.pages().length >= MAX_PAGES)
      throw new Error(`A session has at most ${MAX_PAGES} pages.`);
    return await context.newPage();
  }),
};

/** Playwright methods that are not available here, with the reason. */
export const REFUSED: Readonly<Record<string, string>> = {
  routeFromHAR: "the code has no files; use page.route with route.fulfill",
  routeWebSocket: "web sockets cannot be intercepted; use page.evaluate",
  exposeFunction: "the page cannot call back; use page.evaluate",
  exposeBinding: "the page cannot call back; use page.evaluate",
  addInitScript: "use page.evaluate after the navigation",
  evaluateHandle: "values are passed as JSON; use evaluate or a locator",
  elementHandle: "use the locator itself",
  elementHandles: "use locator.all()",
  pdf: "use a scrape with a pdf action",
  request: "requests outside the page are not made; use page.evaluate(() => fetch(…))",
  browser: "the browser belongs to the server",
  newCDPSession: "the browser belongs to the server",
  storageState: "use a profile",
  tracing: "nothing is recorded",
  video: "nothing is recorded",
  pause: "nobody can resume it; use page.waitForTimeout",
  setOffline: "use page.route with route.abort",
  grantPermissions: "permissions are not granted",
  setGeolocation: "use the location of the scrape or session",
  clock: "the page keeps its own time; use page.evaluate",
};
