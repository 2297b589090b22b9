// Visits one URL in a live page: opens it, waits until it is ready, runs the actions, reads it.
import { withSpan } from "../../telemetry/tracing.ts";
import type { Page } from "playwright-core";
import type { CapturedActions, CapturedFile, Rendering, ResponseHeader } from "../../capture.ts";
import type { Action } from "../../contract/page/actions.ts";
import type { ScrollLimits } from "../../contract/page/scroll.ts";
import type { Deadline } from "../../deadline.ts";
import { RequestError, TargetError } from "../../errors.ts";
import type { AdRules } from "../blocking/ad-lists.ts";
import { repairUtf8 } from "../../html/parse/repair-utf8.ts";
import { limitWindows } from "../actions/interruptions.ts";
import { runActions } from "../actions/run-actions.ts";
import { BlockedRequests } from "../blocking/blocked-requests.ts";
import { dismissBanner } from "../blocking/dismiss-banner.ts";
import {
  restrictNavigation,
  type NavigationGuard,
  type MayVisit,
} from "../blocking/navigation-guard.ts";
import { readAppeared, rememberTexts } from "./appeared-text.ts";
import { warnForeignFrames } from "./foreign-frames.ts";
import { growPage, warnGrowing } from "./growing-page.ts";
import { readVirtualLists } from "./virtual-lists.ts";
import { interceptRequests } from "../blocking/intercept.ts";
import { MainDocument, type MainAnswer } from "./main-document.ts";
import { runProbes, type PageProbe, type ProbeValues } from "./page-probe.ts";
import { PageWorld } from "./page-world.ts";
import { readHtml } from "./read-html.ts";
import { scrollThrough } from "../screenshot/scroll-through.ts";
import { takeScreenshot, type ScreenshotOptions } from "../screenshot/screenshot.ts";
import { settle, Traffic } from "./wait-until-ready.ts";

/** Evidence of a page beside its HTML. */
export type EvidenceOptions = {
  readonly screenshot?: ScreenshotOptions | undefined;
  /** Scripts that read the page once it has settled. */
  readonly probes?: readonly PageProbe[] | undefined;
  /** Scrolls through the page to load lazy content. */
  readonly lazy?: boolean | undefined;
};

export type VisitRequest = EvidenceOptions & {
  readonly url: string;
  /** The caller's validated headers with lower-case names; sent only to the origin of `url`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Milliseconds in addition to the wait for quiet. */
  readonly waitForMs: number;
  readonly actions: readonly Action[];
  /** Loads all entries of a page that grows, within these limits. */
  readonly scroll?: ScrollLimits | undefined;
  /** Removes cookie banners. Ad hosts are blocked by the egress lane. */
  readonly blockAds?: boolean;
  /** Requests of the page that match are blocked. */
  readonly adRules?: AdRules | undefined;
  /** Returns the world of a page that serves other URLs later. */
  readonly openWorld?: ((deadline: Deadline) => Promise<PageWorld>) | undefined;
  /** True if the last document of the frame had an invalid certificate. */
  readonly hasInvalidCertificate?: ((frameId: string) => boolean) | undefined;
  /** Fetches no pictures, media and fonts. */
  readonly isTextOnly?: boolean | undefined;
  /** URLs the tab may navigate to; unrestricted if missing. */
  readonly mayVisit?: MayVisit | undefined;
  readonly maxCharacters: number;
};

export type VisitResult = {
  readonly finalUrl: string;
  readonly redirects: readonly string[];
  readonly statusCode: number;
  readonly headers: readonly ResponseHeader[];
  readonly html: string;
  readonly screenshot: CapturedFile | undefined;
  readonly actions: CapturedActions | undefined;
  /** Values of the probes that ran. */
  readonly probes: ProbeValues | undefined;
  /** See CaptureEvidence. */
  readonly appeared: readonly string[];
  /** Address of the last file download that the page started. */
  readonly download: string | undefined;
  readonly warnings: readonly string[];
  /** Why and how long the page was waited for. */
  readonly rendering: Pick<Rendering, "ready" | "waitedMs">;
  readonly blocked: BlockedRequests;
};

/** Thrown for content that a browser downloads instead of showing; other engines handle files. */
export class NotAPageSignal extends Error {
  readonly contentType: string;
  constructor(contentType: string) {
    super(`The URL leads to ${contentType === "" ? "a download" : contentType}, not to a page.`);
    this.contentType = contentType;
  }
}

/** Maximum time for a page to become quiet: a share of the remaining time, at most this. */
const SETTLE_MS = 10_000;
const SETTLE_SHARE = 0.4;
const LAZY_MS = 15_000;
const LISTS_MS = 6_000;

/**
 * Opens the URL in a page that is fresh or cleared. Rejects with Playwright's errors, the deadline's
 * reason, NotAPageSignal, and SCRAPE_ACTION_ERROR for a failed step.
 */
export async function visit(
  page: Page,
  request: VisitRequest,
  deadline: Deadline,
): Promise<VisitResult> {
  using windows = limitWindows(page);
  return await Promise.race([show(page, request, deadline), windows.tooMany]);
}

async function show(page: Page, request: VisitRequest, deadline: Deadline): Promise<VisitResult> {
  using main = new MainDocument(page);
  using traffic = new Traffic(page);
  const warnings: string[] = [];
  const { openWorld = (within) => PageWorld.open(page, within) } = request;
  const world = await openWorld(deadline);
  const blocked = new BlockedRequests();
  // In a session the headers go on being sent after the visit.
  const interception = { ...request, isShared: request.openWorld !== undefined };
  await using _intercepted = await interceptRequests(world, interception, blocked, deadline);
  await using guard = await guardNavigation(page, request, deadline);
  world.leaveDocument();
  await withSpan("browser.navigate", {}, () => open(page, main, request.url, deadline, guard));
  checkKind(await deadline.race(main.answer()));
  if (request.hasInvalidCertificate?.(await world.getFrameId(deadline)) === true)
    warnings.push("The site's TLS certificate is not valid; it was not verified.");
  let ready = "";
  let waitedMs = 0;
  const waitForCalm = async (): Promise<void> => {
    const budgetMs = Math.min(SETTLE_MS, deadline.getTimeLeftMs() * SETTLE_SHARE);
    const startedAt = performance.now();
    const { isQuiet, reason } = await withSpan("browser.settle", {}, () =>
      settle(world, traffic, budgetMs, deadline),
    );
    ready = reason;
    waitedMs += performance.now() - startedAt;
    main.check();
    if (!isQuiet) warnings.push(STILL_CHANGING);
  };
  await waitForCalm();
  if (request.blockAds === true && (await dismissBanner(page, world, deadline)) !== "none")
    await waitForCalm();
  if (request.waitForMs > 0) {
    await deadline.race(page.waitForTimeout(request.waitForMs));
    await waitForCalm();
  }
  if (request.lazy === true) {
    using budget = deadline.createChild(Math.min(LAZY_MS, deadline.getTimeLeftMs() / 3));
    await scrollThrough(page, budget);
    await waitForCalm();
  }
  const read = (): Promise<string> => readHtml(world, request.maxCharacters, deadline);
  const isCompared = await rememberTexts(world, request.actions, deadline);
  const done = await withSpan("browser.actions", { "quarry.actions": request.actions.length }, () =>
    performActions(page, request, read, deadline),
  );
  warnings.push(...(done?.warnings ?? []));
  if (request.scroll !== undefined)
    warnings.push(...(await growPage(world, traffic, request.scroll, deadline)));
  const picture = await withSpan("browser.screenshot", {}, () =>
    draw(page, request.screenshot, deadline),
  );
  warnings.push(...(picture?.warnings ?? []));
  const probes = await runProbes(page, request.probes ?? [], deadline);
  const listsMs = Math.min(LISTS_MS, deadline.getTimeLeftMs() / 3);
  warnings.push(...(await readVirtualLists(world, listsMs, deadline)));
  main.check();
  const appeared = isCompared ? await readAppeared(world, deadline) : [];
  const contentType = answerType(await deadline.race(main.answer()));
  const html = await withSpan("browser.read", {}, async () =>
    repairEncoding(world, await read(), contentType, deadline),
  );
  if (/<iframe/i.test(html)) warnings.push(...(await warnForeignFrames(world, deadline)));
  // The page has been read, so the probe may change it.
  if (request.scroll === undefined) warnings.push(...(await warnGrowing(world, deadline)));
  const refused = guard?.takeRefused();
  if (refused !== undefined) warnings.push(`The page led to ${refused}, which was not followed.`);
  if (main.download !== undefined)
    warnings.push(
      `The page started the download of ${main.download}, which is not part of it; scrape that address for the file.`,
    );
  const answer = await deadline.race(main.answer());
  if (answer === undefined)
    throw new TargetError("SCRAPE_SITE_ERROR", `${new URL(request.url).host} sent no page.`);
  const finalUrl = readShownUrl(page, answer);
  return {
    finalUrl,
    redirects: main.listRedirects(finalUrl),
    statusCode: answer.statusCode,
    headers: answer.headers,
    html,
    screenshot: picture?.file,
    actions: done?.actions,
    probes,
    appeared,
    download: main.download,
    warnings: [...new Set(warnings)],
    rendering: { ready, waitedMs: Math.round(waitedMs) },
    blocked,
  };
}

const NOT_ASCII = /[^\0-\x7f]/;
const DECLARES_ENCODING = /<meta[^>]{0,200}\bcharset/i;
/** Bytes at the start of a page in which its encoding may be declared. */
const MAX_DECLARATION_CHARACTERS = 4_096;

/** Returns the HTML as UTF-8 if the page is UTF-8 without declaring it. */
async function repairEncoding(
  world: PageWorld,
  html: string,
  contentType: string,
  deadline: Deadline,
): Promise<string> {
  if (
    !NOT_ASCII.test(html) ||
    /charset/i.test(contentType) ||
    DECLARES_ENCODING.test(html.slice(0, MAX_DECLARATION_CHARACTERS))
  )
    return html;
  const assumed = await world.run<string>("() => document.characterSet", undefined, deadline);
  return assumed === "windows-1252" ? (repairUtf8(html) ?? html) : html;
}

const STILL_CHANGING = "The page was still changing when the wait ended; later content is missing.";

/**
 * Intercepting every document costs a round trip, so nothing is intercepted without restrictions.
 */
async function guardNavigation(
  page: Page,
  { mayVisit }: VisitRequest,
  deadline: Deadline,
): Promise<NavigationGuard | undefined> {
  return mayVisit === undefined
    ? undefined
    : await deadline.race(restrictNavigation(page, mayVisit));
}

async function open(
  page: Page,
  main: MainDocument,
  url: string,
  deadline: Deadline,
  guard: NavigationGuard | undefined,
): Promise<void> {
  try {
    await deadline.race(
      page.goto(url, { waitUntil: "commit", timeout: Math.max(1, deadline.getTimeLeftMs()) }),
    );
  } catch (error) {
    deadline.check();
    const refused = guard?.takeRefused();
    if (refused !== undefined)
      throw new RequestError(
        "UNSUPPORTED_SITE",
        `${new URL(url).host} redirects to ${refused}, which was not followed.`,
        { cause: error },
      );
    if (error instanceof Error && /Download is starting/.test(error.message))
      throw new NotAPageSignal("");
    const [reason = ""] = (error instanceof Error ? error.message : String(error)).split("\n");
    throw /\bnet::ERR_/.test(reason) ? main.createFault(reason, error) : error;
  }
}

/** Types that a browser shows as an HTML page. */
const PAGES = /^(?:text\/html|application\/xhtml\+xml|multipart\/x-mixed-replace|)$/;

const answerType = (answer: MainAnswer | undefined): string =>
  answer?.headers.find(([name]) => name === "content-type")?.[1] ?? "";

function checkKind(answer: MainAnswer | undefined): void {
  const [type = ""] = answerType(answer).split(";");
  if (!PAGES.test(type.trim().toLowerCase())) throw new NotAPageSignal(type.trim().toLowerCase());
}

async function performActions(
  page: Page,
  { actions }: VisitRequest,
  read: () => Promise<string>,
  deadline: Deadline,
) {
  if (actions.length === 0) return undefined;
  return await runActions(page, actions, { readHtml: read }, deadline);
}

async function draw(page: Page, options: ScreenshotOptions | undefined, deadline: Deadline) {
  return options === undefined ? undefined : await takeScreenshot(page, options, deadline);
}

/** Returns the address of the page, which a script may have changed without a request. */
function readShownUrl(page: Page, answer: MainAnswer): string {
  const shown = page.url();
  return /^https?:/.test(shown) ? shown : answer.url;
}
