// Fetches a page of a monitor and classifies the response: the page, its absence, or a failure that
// shows nothing about the page.
import type { Document } from "../contract/page/document.ts";
import type { Format } from "../contract/page/formats.ts";
import type { PageOptions, ScrapeOptions } from "../contract/page/scrape.ts";
import type { PageScope, PictureScope } from "../contract/jobs/monitor-rules.ts";
import type { Identity } from "../account/identity.ts";
import { QuarryError, StorageError } from "../errors.ts";
import type { Scrape } from "../scrape/scrape.ts";
import { cutTextToScope, cutValuesToScope, type PageBody } from "./compare-page.ts";
import type { Observation, UnchangedPage } from "./check-page.ts";
import { selectPaths } from "./json-path.ts";
import { buildOutline } from "./outline.ts";
import { cutPictureInThread } from "./pictures.ts";

/** Caller of a check. */
export type CheckCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  readonly signal: AbortSignal;
  /** True for scheduled checks: a fetch of another monitor less than a minute ago counts. */
  readonly sharesFetches?: boolean;
};

/** Formats of a page's scrapes, derived from the caller's formats. */
export type PageReading = {
  readonly formats: readonly Format[];
  /** True if only values are compared. */
  readonly fieldsOnly: boolean;
  /** Set if pictures are compared. */
  readonly picture?: PictureScope | undefined;
};

export type FetchResult<Seen = Observation | UnchangedPage> = {
  readonly seen: Seen;
  readonly credits: number;
};

const MARKDOWN: Format = { type: "markdown" };

/** Replaces changeTracking by the formats that it compares: text, json values, or both. */
export function toReading(formats: readonly Format[], scope: PageScope | undefined): PageReading {
  const tracking = formats.find((format) => format.type === "changeTracking");
  const kept = formats
    .filter(({ type }) => type !== "changeTracking")
    .map((format) => (format.type === "screenshot" ? omitQuality(format) : format));
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
  const fieldsOnly = isOnlyValues || scope?.fields !== undefined || scope?.jsonPaths !== undefined;
  const all = [...kept, ...fromTracking];
  const wanted = [MARKDOWN, ...listScopeFormats(scope)];
  const missing = wanted.filter(({ type }) => !all.some((format) => format.type === type));
  return { formats: [...missing, ...all], fieldsOnly, picture: scope?.picture };
}

/** Pictures are compared without the artifacts of JPEG. */
function omitQuality(format: Extract<Format, { type: "screenshot" }>): Format {
  const { quality: _, ...png } = format;
  return png;
}

/** Formats that a scope reads. A region can be anywhere on the page. */
function listScopeFormats(scope: PageScope | undefined): Format[] {
  if (scope?.jsonPaths !== undefined) return [{ type: "rawHtml" }];
  if (scope?.structure === true) return [{ type: "html" }];
  if (scope?.picture === undefined) return [];
  return [{ type: "screenshot", fullPage: scope.picture.region !== undefined }];
}

const isGone = (statusCode: number): boolean => statusCode === 404 || statusCode === 410;

/** Classifies a document. Only the content of the page counts as a version. */
export async function toObservation(
  document: Document,
  rules: {
    readonly scope: PageScope | undefined;
    readonly fieldsOnly: boolean;
    readonly hasSelector: boolean;
    readonly fetchedAt: number;
    readonly readPicture: ReadPicture;
  },
): Promise<Observation> {
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
    return createBrokenObservation(
      String(metadata.error ?? `The page has no content (${verdict}).`),
    );
  if (statusCode >= 400)
    return createBrokenObservation(String(metadata.error ?? `The page answered ${statusCode}.`));
  const body = await readBody(document, rules);
  if (typeof body === "string") return createBrokenObservation(body);
  const { text, values, picture } = body;
  if (fieldsOnly && (values === undefined || values === null))
    return createBrokenObservation(`The page gave no values. ${document.warning ?? ""}`.trim());
  if (!fieldsOnly && picture === undefined && text.trim() === "")
    return createBrokenObservation(
      rules.hasSelector || scope !== undefined
        ? "The selectors and patterns of the monitor match nothing on the page."
        : "The page has no text.",
    );
  const title: unknown = metadata.title;
  return {
    kind: "page",
    text: fieldsOnly ? "" : text,
    ...(values !== undefined && { values }),
    ...(picture !== undefined && { picture }),
    fetchedAt,
    title: typeof title === "string" ? title : null,
    statusCode,
    finalUrl: String(metadata.url ?? metadata.sourceURL ?? ""),
    scrapeId,
  };
}

/** Loads the bytes of a screenshot by its link. */
export type ReadPicture = (link: string) => Promise<Uint8Array | undefined>;

/** Returns what is compared, or the reason why the document does not have it. */
async function readBody(
  document: Document,
  {
    scope,
    readPicture,
  }: { readonly scope: PageScope | undefined; readonly readPicture: ReadPicture },
): Promise<PageBody | string> {
  if (scope?.jsonPaths !== undefined) return readJson(document.rawHtml ?? "", scope.jsonPaths);
  if (scope?.picture !== undefined) {
    const { screenshot } = document;
    const bytes = screenshot === undefined ? undefined : await readPicture(screenshot);
    if (bytes === undefined) return `There is no screenshot. ${document.warning ?? ""}`.trim();
    const picture = await cutPictureInThread(bytes, scope.picture);
    if (picture === undefined) return "The region of the monitor is outside of the page.";
    return { text: "", picture: Buffer.from(picture).toString("base64") };
  }
  const values: unknown = document.json;
  const text = scope?.structure === true ? buildOutline(document.html ?? "") : document.markdown;
  return {
    text: cutTextToScope(text ?? "", scope),
    ...(values !== undefined && values !== null && { values: cutValuesToScope(values, scope) }),
  };
}

function readJson(text: string, paths: readonly string[]): PageBody | string {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return "The response is not JSON.";
  }
  const values = selectPaths(parsed, paths);
  if (Object.values(values).every((value) => value === null))
    return "The JSON paths of the monitor match nothing in the response.";
  return { text: "", values };
}

/** Errors that stop the whole check, not only the page. */
export const isFatal = (error: unknown): boolean =>
  !(error instanceof QuarryError) ||
  error instanceof StorageError ||
  error.code === "INSUFFICIENT_CREDITS" ||
  error.code === "UNAVAILABLE";

/** Monitors of a URL share a fetch when they are due in the same minute; half of it is for delays. */
const MAX_SHARED_AGE_MS = 90_000;

export type ObservedPage = {
  readonly url: string;
  readonly options: PageOptions;
  readonly scope: PageScope | undefined;
  readonly reading: PageReading;
  /** Bypasses the cache with any options. */
  readonly isFresh: boolean;
  /** Fingerprint of a page that need not be converted. */
  readonly known?: string | undefined;
  readonly readPicture: ReadPicture;
};

export async function observePage(
  scrape: Scrape,
  { url, options, scope, reading, isFresh, known, readPicture }: ObservedPage,
  caller: CheckCaller,
  now: () => number,
): Promise<FetchResult> {
  const asked: ScrapeOptions = {
    ...options,
    url,
    formats: [...reading.formats],
    ...(isFresh && { maxAge: 0 }),
    ...(!isFresh &&
      caller.sharesFetches === true && { maxAge: Math.max(options.maxAge, MAX_SHARED_AGE_MS) }),
  };
  try {
    const { identity, requestId, signal } = caller;
    // A confirming fetch must show the page itself.
    const { document, fingerprint, isUnchanged } = await scrape(asked, {
      identity,
      requestId,
      signal,
      explain: false,
      revalidates: !isFresh,
      knownFingerprint: known,
      fingerprints: true,
    });
    const credits = Number(document.metadata.creditsUsed ?? 0);
    if (isUnchanged)
      return { seen: { kind: "unchanged", statusCode: 200, scrapeId: null }, credits };
    const seen = await toObservation(document, {
      scope,
      fieldsOnly: reading.fieldsOnly,
      hasSelector: (options.includeTags?.length ?? 0) > 0,
      fetchedAt: now(),
      readPicture,
    });
    return { seen: seen.kind === "page" ? { ...seen, fingerprint } : seen, credits };
  } catch (error) {
    caller.signal.throwIfAborted();
    if (isFatal(error)) throw error;
    const reason = error instanceof QuarryError ? error.message : String(error);
    return { seen: { kind: "broken", reason, statusCode: null, scrapeId: null }, credits: 0 };
  }
}
