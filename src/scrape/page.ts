// Processes one page without hold, slot or storage. Scrapes and crawl pages share this; they differ
// in who pays and which transaction stores the result.
import { findIncomplete, type Capture, type CapturedFile } from "../capture.ts";
import type { PageMeter } from "../account/page-meter.ts";
import { choosePlace } from "../browser/context/place.ts";
import type { Format } from "../contract/page/formats.ts";
import type { Document, ScrapeOptions } from "../contract/page/scrape.ts";
import type { AudioEngine } from "../engines/audio.ts";
import { planScrape, type ServerCapabilities, type Plan } from "../engines/plan.ts";
import { renders } from "../engines/registry.ts";
import { LimitError, TargetError } from "../errors.ts";
import { selectNeeding } from "../formats/index.ts";
import { computePrice } from "../formats/page-price.ts";
import type { Understand } from "../formats/model/understand.ts";
import { FIRST_ACCOUNT_ID } from "../store/accounts/accounts.ts";
import type { CaptureStore } from "../store/captures/captures.ts";
import { listCacheEntries, buildCachePolicy, type CachePolicy } from "./cache-policy.ts";
import { buildDocument, countReadPages } from "./document.ts";
import type { DerivedDocument, Explain } from "../formats/derivation.ts";
import type { FetchAndConvert } from "./fetch-and-convert.ts";
import type { FetchRequest, FetchResult } from "./fetch-request.ts";
import { collectFiles, warnMissingFiles } from "./format-files.ts";
import type { PageFiles } from "./page-files.ts";
import type { TrackChanges, TrackingScope } from "./track-changes.ts";
import { refuseTracking, trackPage, withTracked } from "./track-page.ts";
import { learnTemplates, type LearnTemplates } from "./learn-templates.ts";
import { loadExtractor, recordExtractor, type ExtractorPrograms } from "./replay-extractor.ts";
import { checkFormats, checkOptions, findParsed } from "./check-support.ts";
import { withholdText } from "./withhold-text.ts";

export type PageRequest = Pick<
  FetchRequest,
  | "options"
  | "url"
  | "plan"
  | "given"
  | "policy"
  | "deadline"
  | "watch"
  | "trail"
  | "dropConcealed"
  | "tables"
  | "mayRedirect"
  | "mayVisit"
  | "identity"
  | "holder"
  | "siteTexts"
  | "onBrowser"
  | "reading"
  | "revalidates"
  | "knownFingerprint"
> & {
  /** The scrapeId of the document. */
  readonly id: string;
  /** True if `given` is a page of the same work, which has been counted. */
  readonly isCounted?: boolean;
  readonly explain: Explain;
  /** Also return the links a crawl may follow. */
  readonly discover: boolean;
  /** The base URL of this server as the caller reaches it, for links to files. */
  readonly base: string | undefined;
  /** Milliseconds the page waited for a slot; 0 if it did not. */
  readonly queuedMs: number;
  /** The history that the changeTracking format compares with. */
  readonly tracking?: TrackingScope | undefined;
};

export type ScrapedPage = FetchResult & {
  readonly document: Document;
  readonly creditsUsed: number;
};

/** A page whose capture is cached, for searches of its account. */
export type StoredPage = {
  readonly accountId: string;
  readonly scrapeId: string;
  /** Cache key of its capture. */
  readonly cacheKey: string;
  /** After redirects. */
  readonly url: string;
  readonly statusCode: number;
  readonly mimeType: string;
  readonly verdict: string;
  readonly fetchedAt: number;
  readonly document: Document;
};

export type PageParts = {
  readonly fetchAndConvert: FetchAndConvert;
  readonly capabilities: ServerCapabilities;
  readonly forceTls: boolean;
  /** True if captures are shared between accounts. */
  readonly cacheShared: boolean;
  readonly files: PageFiles;
  readonly audio: AudioEngine;
  readonly understand: Understand;
  /** Undefined when this process stores nothing: there is no cache then. */
  readonly captures: (() => Promise<CaptureStore>) | undefined;
  /** Undefined when this process stores nothing. */
  readonly extractors?: ExtractorPrograms | undefined;
  /** Undefined without a model, or when this process stores nothing. */
  readonly learnTemplates?: LearnTemplates | undefined;
  /** Undefined when this process stores nothing. */
  readonly trackChanges: TrackChanges | undefined;
  /** Called for each cached page with the requesting account. */
  readonly onStored?: ((page: StoredPage) => void) | undefined;
  /** Undefined when this process stores nothing. */
  readonly meter?: Pick<PageMeter, "count"> | undefined;
};

export type PageScraper = {
  /** Throws NOT_IMPLEMENTED for options or formats this server cannot serve. */
  plan(options: ScrapeOptions): Plan;
  createPolicy(
    options: ScrapeOptions,
    url: URL,
    rules: { readonly accountId: string; readonly exactUrl?: boolean },
  ): CachePolicy;
  /**
   * The account whose cached captures and sitemaps are used; undefined when accounts share them.
   */
  cacheOwner(accountId: string): string | undefined;
  /** Throws NOT_FOUND for an extractor that the account does not have. */
  checkExtractor(formats: readonly Format[], accountId: string): Promise<void>;
  /** Fetches, converts and builds the document. Throws like a scrape; stores nothing. */
  scrapePage(request: PageRequest): Promise<ScrapedPage>;
  /**
   * Caches the fetched page if the policy allows it. With `accountId` the page becomes searchable.
   */
  cache(page: ScrapedPage, policy: CachePolicy, accountId?: string): Promise<void>;
};

/**
 * True if `proxy: auto` used the enhanced proxy and was still refused. The first proxy may have
 * been down.
 */
const isRetryLost = ({ proxy }: ScrapeOptions, { remedy }: FetchResult["verdict"]): boolean =>
  proxy === "auto" && (remedy === "proxy" || remedy === "any");

export function createPageScraper(parts: PageParts): PageScraper {
  // The first account keeps the unprefixed names, so that its cache survives when accounts are
  // added.
  const chooseCacheOwner = (accountId: string): string | undefined =>
    parts.cacheShared || accountId === FIRST_ACCOUNT_ID ? undefined : accountId;
  return {
    plan(options) {
      checkFormats(options.formats);
      if (parts.trackChanges === undefined) refuseTracking(options.formats);
      const unused = checkOptions(options);
      const plan = planScrape(
        options,
        selectNeeding("browser", options.formats),
        parts.capabilities,
      );
      return { ...plan, warnings: [...plan.warnings, ...unused] };
    },
    cacheOwner: chooseCacheOwner,
    async checkExtractor(formats, accountId) {
      await loadExtractor(formats, accountId, parts.extractors);
    },
    createPolicy(options, url, { accountId, ...rules }) {
      const owner = chooseCacheOwner(accountId);
      const policy = buildCachePolicy(options, url, { ...rules, owner, forceTls: parts.forceTls });
      return parts.captures === undefined ? { ...policy, read: false, write: false } : policy;
    },
    scrapePage: async (request) =>
      await runCounted(parts.meter, request, async () => await scrapeOnce(parts, request)),
    async cache(page, policy, accountId) {
      const { fromCache, capture, confirmed } = page;
      if (parts.captures === undefined || !policy.write) return;
      // A partial page is returned to its caller but not cached.
      const isKept = !fromCache && findIncomplete(capture) === undefined;
      const entries = isKept ? listCacheEntries(policy, capture) : [];
      const captures = await parts.captures();
      const isRenewed =
        confirmed !== undefined &&
        (await captures.renew(policy.name, confirmed.fetchedAt, capture.fetchedAt));
      if (!isRenewed) for (const [name, kept] of entries) await captures.save(name, kept);
      if (accountId === undefined || page.derived.skipped === "unchanged") return;
      if (entries.length === 0 && !fromCache) return;
      parts.onStored?.(toStoredPage(page, policy, accountId));
    },
  };
}

async function scrapeOnce(parts: PageParts, request: PageRequest): Promise<ScrapedPage> {
  const { options, plan, policy } = request;
  const accountId = request.identity?.accountId ?? request.tracking?.accountId;
  const extractor = await loadExtractor(options.formats, accountId, parts.extractors);
  const tracked = { ...withTracked(request, parts.trackChanges), extractor };
  const fetched = await parts.fetchAndConvert(tracked);
  const { capture, verdict } = fetched;
  if (fetched.derived.skipped === "unchanged") return buildUnchanged(request, fetched);
  const learned = await learnTemplates(parts.learnTemplates, request, fetched);
  const left = tracked.options.formats.filter(
    (format) => !options.formats.includes(format) || learned.formats.includes(format),
  );
  const understood = await understand(
    parts,
    { ...tracked, options: { ...tracked.options, formats: left } },
    { ...fetched, derived: learned.derived },
  );
  const replayed = {
    ...understood,
    derived: recordExtractor(understood.derived, extractor, parts.extractors, request.identity),
  };
  const tracking = await trackPage(parts.trackChanges, request, replayed);
  const { uncharged = [] } = understood.derived;
  const isCharged = ({ type }: Format): boolean => !uncharged.includes(type);
  const formats = tracking.formats
    .filter(isCharged)
    .filter((format) =>
      !learned.formats.includes(format) && options.formats.includes(format)
        ? learned.charged.includes(format)
        : true,
    );
  const isWithheld = verdict.certain === true && options.onBlocked === "empty";
  const derived = isWithheld ? withholdText(tracking.derived, options.formats) : tracking.derived;
  const file = findParsed(capture, options);
  const proxyUsed = isRetryLost(options, verdict) ? "basic" : capture.proxyUsed;
  const pages = file === undefined ? undefined : countReadPages(file);
  const creditsUsed = computePrice(
    { ...options, formats },
    { kind: "delivered", proxyUsed, pages },
  );
  const document = buildDocument({
    scrapeId: request.id,
    capture,
    derived,
    verdict,
    creditsUsed,
    cacheState: policy.read ? (fetched.fromCache ? "hit" : "miss") : undefined,
    queuedMs: request.queuedMs + fetched.queuedMs,
    timezone: renders(capture.engine)
      ? choosePlace(options.location?.country)?.timeZone
      : undefined,
    withoutBrowser: fetched.withoutBrowser,
    warnings: [
      ...plan.warnings,
      ...warnMissingFiles(options.formats, capture),
      ...(request.given === undefined ? warnUnloaded(options, capture, derived) : []),
    ],
    isWithheld,
    file,
  });
  const made = {
    files: await collectFiles(options.formats, capture, {
      audio: () => fetchAudio(parts, request, fetched),
    }),
    actions: options.actions.length > 0 ? capture.evidence?.actions : undefined,
    madeAt: capture.fetchedAt,
  };
  const files = await parts.files.describe(made, request.base);
  return { ...fetched, document: { ...document, ...files }, creditsUsed };
}

/** Runs the work and counts its page, also a failed one. */
async function runCounted(
  meter: PageParts["meter"],
  { identity, isCounted }: PageRequest,
  work: () => Promise<ScrapedPage>,
): Promise<ScrapedPage> {
  if (meter === undefined || identity === undefined || isCounted === true) return await work();
  const startedAt = performance.now();
  const failed = { verdict: undefined, engine: undefined, bytes: 0 };
  const measureMs = (): number => performance.now() - startedAt;
  try {
    const page = await work();
    const { fromCache, capture, verdict } = page;
    meter.count(identity, {
      verdict: verdict.kind,
      engine: fromCache ? "cache" : capture.engine,
      bytes: fromCache ? 0 : capture.body.byteLength,
      ms: measureMs(),
    });
    return page;
  } catch (error) {
    if (isFailureOfPage(error)) meter.count(identity, { ...failed, ms: measureMs() });
    throw error;
  }
}

/** False for requests that this server refuses, and for work that was aborted. */
const isFailureOfPage = (error: unknown): boolean =>
  error instanceof TargetError || (error instanceof LimitError && error.code === "SCRAPE_TIMEOUT");

/** Only the fetch is charged: nothing is converted. */
function buildUnchanged(request: PageRequest, fetched: FetchResult): ScrapedPage {
  const { capture } = fetched;
  const creditsUsed = computePrice(
    { ...request.options, formats: [] },
    { kind: "delivered", proxyUsed: capture.proxyUsed, pages: undefined },
  );
  const document = buildDocument({
    scrapeId: request.id,
    ...fetched,
    creditsUsed,
    cacheState: undefined,
    queuedMs: request.queuedMs + fetched.queuedMs,
    warnings: request.plan.warnings,
    isWithheld: false,
  });
  return { ...fetched, document, creditsUsed };
}

/** A page in the browser has been tested itself. */
function warnUnloaded(
  { scroll }: ScrapeOptions,
  { engine }: Capture,
  { evidence }: DerivedDocument,
): string[] {
  if (scroll !== undefined || engine !== "http" || !evidence?.loadMore) return [];
  return [
    `The page has a button "${evidence.loadMore}" that loads more entries; set scroll to "auto" to read them.`,
  ];
}

/** Derives the formats that need a model, or their warnings without one. */
async function understand(
  parts: PageParts,
  { options: { formats }, deadline, watch }: PageRequest,
  fetched: FetchResult,
): Promise<FetchResult> {
  const { derived, verdict } = fetched;
  // Block pages are not worth a model call; the document reports them.
  if (verdict.kind === "bot_check" || verdict.kind === "blocked") return fetched;
  const made = await watch.measure("understand", () =>
    parts.understand(derived, { formats, deadline }),
  );
  return { ...fetched, derived: made };
}

/** Fetches the audio of the page last, from the sources it names. */
async function fetchAudio(
  { audio }: PageParts,
  { options, deadline, watch }: PageRequest,
  { capture, derived }: FetchResult,
): Promise<CapturedFile> {
  const { headers, skipTlsVerification, location } = options;
  const wishes = {
    capture,
    sources: derived.audio,
    headers,
    skipTlsVerification,
    country: location?.country,
  };
  return await watch.measure("audio", () => audio.bring(wishes, deadline));
}

const toStoredPage = (page: ScrapedPage, { name }: CachePolicy, accountId: string): StoredPage => ({
  accountId,
  scrapeId: String(page.document.metadata.scrapeId),
  cacheKey: name,
  url: page.capture.finalUrl,
  statusCode: page.capture.statusCode,
  mimeType: page.capture.mimeType,
  verdict: page.verdict.kind,
  fetchedAt: page.capture.fetchedAt,
  document: page.document,
});
