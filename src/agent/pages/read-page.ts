// Reads one page for the agent: fetched like a crawl page (robots.txt, host turn, slot), and its
// contents.
import { v7 } from "uuid";
import type { Slots } from "../../account/slots.ts";
import { scrapeRequestSchema, type ScrapeOptions } from "../../contract/page/scrape.ts";
import { findUrlFault, resolveUrl } from "../../contract/request/url.ts";
import type { Politeness } from "../../crawl/politeness/politeness.ts";
import { estimateHighestPrice } from "../../crawl/plan-pages.ts";
import { Deadline } from "../../deadline.ts";
import type { RobotsStore } from "../../discovery/robots.ts";
import { RequestError, TargetError } from "../../errors.ts";
import { HIDDEN } from "../../html/clean/content.ts";
import { getPageLink, type PageLinks } from "../../html/links/page-links.ts";
import type { PageTable } from "../../page-model/page-tables.ts";
import { Stopwatch } from "../../scrape/explanation.ts";
import type { PageScraper, ScrapedPage } from "../../scrape/page.ts";
import { buildJobIdentity } from "../../jobs/caller.ts";
import type { RunInput } from "../agent-run-context.ts";
import { toUrlIdentity, type RunScope } from "./run-scope.ts";
import type { StepResult } from "../journal.ts";

export type PageReaderParts = {
  readonly pages: PageScraper;
  readonly slots: Slots;
  readonly robots: RobotsStore;
  readonly politeness: Politeness;
  /** The user agent for robots.txt. */
  readonly userAgent: string;
};

export type ReadRequest = {
  readonly url: string;
  /** Outputs besides Markdown. */
  readonly formats?: readonly object[];
  /** Browser actions to run before the page is read. */
  readonly actions?: readonly object[];
  /** Also reads tables and repeated records. A reading for a model always has them. */
  readonly tables?: boolean;
  /** A model reads the page: text hidden from people is omitted or reported as hidden. */
  readonly forModel?: boolean;
  /** Further format lists derived from the same page one after the other; each adds an output. */
  readonly further?: readonly (readonly object[])[];
  readonly run: RunInput;
  readonly scope: RunScope;
  readonly signal: AbortSignal;
};

export type NotedLink = {
  readonly url: string;
  readonly text: string;
  readonly isMain: boolean;
  readonly isNext: boolean;
};

/** Journal entry of a page. */
export type PageNote = {
  readonly url: string;
  readonly statusCode: number;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  readonly links: readonly NotedLink[];
  /** The further outputs in order. */
  readonly documents: readonly Readonly<Record<string, unknown>>[];
  readonly warnings: readonly string[];
  /** Tables and repeated records as rows, if requested. */
  readonly tables?: readonly PageTable[];
};

export type ReadPage = {
  readonly note: PageNote;
  readonly credits: number;
};

const MAX_MARKDOWN = 200_000;
const MAX_LINKS = 1_500;
const TIMEOUT_MS = 60_000;
const SETTLE_MS = 200;
const MAX_WAIT_MS = 2_147_483_647;

export type PageReader = {
  /**
   * Throws TargetError and RequestError for a page that cannot be fetched or may not be visited.
   */
  read(request: ReadRequest): Promise<ReadPage>;
  /** Maximum credits of one page. */
  highestPrice(formats: readonly object[]): number;
};

export function createPageReader(parts: PageReaderParts): PageReader {
  return {
    highestPrice: (formats) =>
      estimateHighestPrice(parts, buildOptions("http://a.example/", formats)),
    async read(request) {
      const fault = findUrlFault(request.url);
      if (fault !== undefined) throw new RequestError("BAD_REQUEST", `${fault}: ${request.url}`);
      const url = new URL(resolveUrl(request.url));
      await checkEntry(parts, url, request);
      const turn = await parts.politeness.enter(url.host, { signal: request.signal });
      let statusCode: number | undefined;
      const beganAt = Date.now();
      try {
        const first = await scrapeOnce(parts, url, request);
        const page = mayHideText(first)
          ? await scrapeOnce(parts, url, { ...request, waitForMs: SETTLE_MS })
          : first;
        statusCode = page.fromCache ? undefined : page.capture.statusCode;
        const documents: Readonly<Record<string, unknown>>[] = [page.document];
        for (const formats of request.further ?? [])
          documents.push((await scrapeOnce(parts, url, { ...request, formats }, page)).document);
        return { note: buildNote(page, documents), credits: page.creditsUsed };
      } finally {
        turn.end(statusCode === undefined ? undefined : { ms: Date.now() - beganAt, statusCode });
      }
    },
  };
}

/**
 * Given pages are the caller's choice. Pages found on other pages obey robots.txt like in a crawl.
 */
async function checkEntry(
  { robots, userAgent }: PageReaderParts,
  url: URL,
  { scope }: ReadRequest,
): Promise<void> {
  if (!scope.allows(url))
    throw new RequestError("FORBIDDEN", `${url.href} is not among the pages this run may visit.`);
  if (scope.isGiven(url)) return;
  const verdict = await robots.decide(url, userAgent);
  if (!verdict.allowed)
    throw new TargetError("SCRAPE_SITE_ERROR", `robots.txt of ${url.host}: ${verdict.reason}.`);
}

const buildOptions = (
  url: string,
  formats: readonly object[],
  actions: readonly object[] = [],
  waitForMs = 0,
): ScrapeOptions =>
  scrapeRequestSchema.parse({
    url,
    formats: ["markdown", ...formats],
    timeout: TIMEOUT_MS,
    ...(actions.length === 0 ? {} : { actions, maxAge: 0 }),
    ...(waitForMs === 0 ? {} : { waitFor: waitForMs }),
  });

/** The page may reveal its text by script, so a browser has to determine the visible text. */
const mayHideText = ({ capture, derived }: ScrapedPage): boolean =>
  capture.engine === "http" && derived.warnings.some((warning) => SAYS_HIDDEN.has(warning));

const SAYS_HIDDEN: ReadonlySet<string> = new Set(Object.values(HIDDEN));

type OneRequest = ReadRequest & { readonly waitForMs?: number };

async function scrapeOnce(
  { pages, slots }: PageReaderParts,
  url: URL,
  request: OneRequest,
  before?: ScrapedPage,
): Promise<ScrapedPage> {
  const { formats = [], actions, forModel = false, waitForMs = 0, run, scope, signal } = request;
  const { tables = forModel } = request;
  const options = buildOptions(url.href, formats, before === undefined ? actions : [], waitForMs);
  const policy = pages.createPolicy(options, url, { accountId: run.accountId });
  const identity = buildJobIdentity(run);
  using slot = await slots.acquire(identity, { timeoutMs: MAX_WAIT_MS, signal });
  using deadline = Deadline.start(TIMEOUT_MS, signal);
  const page = await pages.scrapePage({
    id: v7(),
    options,
    url,
    plan: pages.plan(options),
    policy,
    deadline,
    identity,
    watch: new Stopwatch(),
    explain: false,
    discover: before === undefined,
    dropConcealed: forModel,
    tables: tables && before === undefined,
    mayRedirect: async (target) => scope.allows(target),
    mayVisit: (target) => scope.allows(target),
    base: undefined,
    queuedMs: slot.limited ? slot.waitedMs : 0,
    ...(before === undefined ? {} : { given: before.capture, isCounted: true }),
  });
  if (!scope.allows(new URL(page.capture.finalUrl)))
    throw new RequestError(
      "FORBIDDEN",
      `${url.href} leads to ${page.capture.finalUrl}, which this run may not visit.`,
    );
  if (before === undefined) await pages.cache(page, policy);
  return page;
}

function buildNote(
  { capture, document, derived }: ScrapedPage,
  documents: readonly Readonly<Record<string, unknown>>[],
): PageNote {
  const markdown = (document.markdown ?? "").slice(0, MAX_MARKDOWN);
  const { found } = derived;
  return {
    url: capture.finalUrl,
    statusCode: capture.statusCode,
    title: found?.title ?? "",
    description: found?.description ?? "",
    markdown,
    links: found === undefined ? [] : noteLinks(found, listMainLinks(markdown)),
    documents: documents.map(omitPage),
    warnings: document.warning === undefined ? [] : [String(document.warning)],
    ...(derived.tables === undefined ? {} : { tables: derived.tables }),
  };
}

/** The further outputs without the page's own. */
const omitPage = (document: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(document).filter(([name]) => name !== "metadata" && name !== "markdown"),
  );

/** Identities of the links in the main content. */
function listMainLinks(markdown: string): Set<string> {
  const found = new Set<string>();
  for (const [, address] of markdown.matchAll(/\]\(<?(https?:[^\s)>]+)/g)) {
    const url = URL.parse(address ?? "");
    if (url !== null) found.add(toUrlIdentity(url));
  }
  return found;
}

function noteLinks(found: PageLinks, main: ReadonlySet<string>): NotedLink[] {
  const links: NotedLink[] = [];
  for (let index = 0; index < found.urls.length && links.length < MAX_LINKS; index += 1) {
    const { url, kind, text, nofollow } = getPageLink(found, index);
    if (kind === "canonical" || kind === "alternate" || (nofollow && kind !== "next")) continue;
    const isMain = main.has(toUrlIdentity(new URL(url)));
    links.push({ url, text, isMain, isNext: kind === "next" });
  }
  return links;
}

/** Returns the trace entry of a page. */
export function showPage(note: PageNote): Record<string, unknown> {
  const { url, statusCode, title, links, markdown } = note;
  return { url, statusCode, title, links: links.length, characters: markdown.length };
}

export const toStep = (page: ReadPage, shown: Record<string, unknown>): StepResult<PageNote> => ({
  output: page.note,
  credits: page.credits,
  shown,
});
