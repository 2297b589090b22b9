// Fetches a page of a monitor and classifies the response: the page, its absence, or a failure that
// shows nothing about the page.
import type { Document } from "../contract/page/document.ts";
import type { Format } from "../contract/page/formats.ts";
import type { PageOptions, ScrapeOptions } from "../contract/page/scrape.ts";
import type { PageScope } from "../contract/jobs/monitor-rules.ts";
import type { Identity } from "../account/identity.ts";
import { QuarryError, StorageError } from "../errors.ts";
import type { Scrape } from "../scrape/scrape.ts";
import { cutTextToScope, cutValuesToScope } from "./compare-page.ts";
import type { Observation } from "./check-page.ts";

/** Caller of a check. */
export type CheckCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  readonly signal: AbortSignal;
};

/** Formats of a page's scrapes, derived from the caller's formats. */
export type PageReading = {
  readonly formats: readonly Format[];
  /** True if only values are compared. */
  readonly fieldsOnly: boolean;
};

export type FetchResult = { readonly seen: Observation; readonly credits: number };

const MARKDOWN: Format = { type: "markdown" };

/** Replaces changeTracking by the formats that it compares: text, json values, or both. */
export function toReading(formats: readonly Format[], scope: PageScope | undefined): PageReading {
  const tracking = formats.find((format) => format.type === "changeTracking");
  const kept = formats.filter(({ type }) => type !== "changeTracking");
  const hasValues = kept.some(({ type }) => type === "json" || type === "deterministicJson");
  const tracksValues = tracking?.modes.includes("json") === true;
  const fromTracking: Format[] =
    tracksValues && !hasValues
      ? [
          {
            type: "json",
            ...(tracking.schema !== undefined && { schema: tracking.schema }),
            ...(tracking.prompt !== undefined && { prompt: tracking.prompt }),
          } as Format,
        ]
      : [];
  const isOnlyValues =
    tracking === undefined
      ? hasValues && !kept.some(({ type }) => type === "markdown")
      : tracksValues && !tracking.modes.includes("git-diff");
  const fieldsOnly = isOnlyValues || scope?.fields !== undefined;
  const all = [...kept, ...fromTracking];
  return {
    formats: all.some(({ type }) => type === "markdown") ? all : [MARKDOWN, ...all],
    fieldsOnly,
  };
}

const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410;

/** Classifies a document. Only the content of the page counts as a version. */
export function toObservation(
  document: Document,
  rules: {
    readonly scope: PageScope | undefined;
    readonly fieldsOnly: boolean;
    readonly hasSelector: boolean;
    readonly fetchedAt: number;
  },
): Observation {
  const { metadata } = document;
  const statusCode = Number(metadata.statusCode ?? 0);
  const scrapeId = metadata.scrapeId ?? null;
  const { fetchedAt, fieldsOnly, scope } = rules;
  const createBrokenObservation = (reason: string): Observation => ({
    kind: "broken",
    reason,
    statusCode,
    scrapeId,
  });
  if (isGone(statusCode)) return { kind: "gone", statusCode, fetchedAt, scrapeId };
  const { verdict } = metadata;
  if (verdict === "partial") return createBrokenObservation("Not all of the page came.");
  if (verdict !== undefined && verdict !== "content")
    return createBrokenObservation(String(metadata.error ?? `The page is no content: ${verdict}.`));
  if (statusCode >= 400)
    return createBrokenObservation(String(metadata.error ?? `The page answered ${statusCode}.`));
  const values: unknown = document.json;
  if (fieldsOnly && (values === undefined || values === null))
    return createBrokenObservation(`The page gave no values. ${document.warning ?? ""}`.trim());
  const text = cutTextToScope(document.markdown ?? "", scope);
  if (!fieldsOnly && text.trim() === "")
    return createBrokenObservation(
      rules.hasSelector || scope !== undefined
        ? "The selectors and patterns of the monitor match nothing on the page."
        : "The page has no text.",
    );
  const title: unknown = metadata.title;
  return {
    kind: "page",
    text: fieldsOnly ? "" : text,
    ...(values !== undefined && { values: cutValuesToScope(values, scope) }),
    fetchedAt,
    title: typeof title === "string" ? title : null,
    statusCode,
    finalUrl: String(metadata.url ?? metadata.sourceURL ?? ""),
    scrapeId,
  };
}

/** Errors that stop the whole check, not only the page. */
const isFatal = (error: unknown): boolean =>
  !(error instanceof QuarryError) ||
  error instanceof StorageError ||
  error.code === "INSUFFICIENT_CREDITS" ||
  error.code === "UNAVAILABLE";

export type ObservedPage = {
  readonly url: string;
  readonly options: PageOptions;
  readonly scope: PageScope | undefined;
  readonly reading: PageReading;
  /** Bypasses the cache, whatever the options are. */
  readonly isFresh: boolean;
};

export async function observePage(
  scrape: Scrape,
  { url, options, scope, reading, isFresh }: ObservedPage,
  caller: CheckCaller,
  now: () => number,
): Promise<FetchResult> {
  const asked: ScrapeOptions = {
    ...options,
    url,
    formats: [...reading.formats],
    ...(isFresh && { maxAge: 0 }),
  };
  try {
    const { document } = await scrape(asked, { ...caller, explain: false });
    const seen = toObservation(document, {
      scope,
      fieldsOnly: reading.fieldsOnly,
      hasSelector: (options.includeTags?.length ?? 0) > 0,
      fetchedAt: now(),
    });
    return { seen, credits: Number(document.metadata.creditsUsed ?? 0) };
  } catch (error) {
    caller.signal.throwIfAborted();
    if (isFatal(error)) throw error;
    const reason = error instanceof QuarryError ? error.message : String(error);
    return { seen: { kind: "broken", reason, statusCode: null, scrapeId: null }, credits: 0 };
  }
}
