// The changeTracking format as a step of a scrape.
import { createHash } from "node:crypto";
import type { Identity } from "../account/identity.ts";
import { findFormat, type Format, type FormatOf } from "../contract/page/formats.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import type { Deadline } from "../deadline.ts";
import { RequestError } from "../errors.ts";
import type { DerivedDocument } from "../formats/derivation.ts";
import { selectNeeding } from "../formats/index.ts";
import { NO_STORAGE_MESSAGE } from "./capabilities.ts";
import type { Stopwatch } from "./explanation.ts";
import type { FetchResult } from "./fetch-request.ts";
import type { TrackChanges, TrackingScope } from "./track-changes.ts";

type Request = {
  readonly options: ScrapeOptions;
  readonly url: URL;
  readonly deadline: Deadline;
  readonly watch: Stopwatch;
  readonly identity?: Identity | undefined;
  readonly tracking?: TrackingScope | undefined;
};

/**
 * Adds the needs of the comparison to the request: mode json uses the values of the json format,
 * the caller's own if there is one.
 */
export function withTracked<R extends { readonly options: ScrapeOptions }>(
  request: R,
  trackChanges: TrackChanges | undefined,
): R {
  const { options } = request;
  const { formats } = options;
  const tracking = findFormat(formats, "changeTracking");
  const { schema, prompt } = tracking ?? {};
  const isAsked = tracking?.modes.includes("json") === true && !options.zeroDataRetention;
  const isTask =
    schema !== undefined ||
    (trackChanges?.comparesInWords === false && prompt !== undefined && prompt.trim() !== "");
  if (!isAsked || !isTask || findFormat(formats, "json") !== undefined) return request;
  const json: Format = {
    type: "json",
    ...(schema === undefined ? {} : { schema }),
    ...(prompt === undefined ? {} : { prompt }),
    checkPromptInjection: false,
    evidence: false,
  };
  return { ...request, options: { ...options, formats: [...formats, json] } };
}

/**
 * Returns the derived formats plus the comparison, if requested, and the charged formats.
 * `fetched` is the result of the request that `withTracked` returned.
 */
export async function trackPage(
  trackChanges: TrackChanges | undefined,
  request: Request,
  { capture, verdict, fromCache, derived }: FetchResult,
): Promise<{ derived: DerivedDocument; formats: readonly Format[] }> {
  const { options, url, deadline, watch, tracking, identity } = request;
  const { formats } = options;
  const scope = tracking ?? (identity && { accountId: identity.accountId });
  if (findFormat(formats, "changeTracking") === undefined || trackChanges === undefined || !scope)
    return { derived, formats };
  const { json, ...rest } = derived.document;
  const { markdown = "" } = rest;
  const task = findFormat(withTracked(request, trackChanges).options.formats, "json");
  const values = task === undefined ? undefined : { task: buildTaskKey(task), value: json ?? null };
  const page = { options, url, capture, verdict, markdown, values, fromCache, deadline };
  const { changeTracking, warnings } = await watch.measure("track", () =>
    trackChanges(page, scope),
  );
  const document = {
    ...(findFormat(formats, "json") === undefined ? rest : derived.document),
    ...(changeTracking && { changeTracking }),
  };
  return {
    derived: { ...derived, document, warnings: [...derived.warnings, ...warnings] },
    formats: changeTracking
      ? task === undefined && !trackChanges.comparesInWords
        ? formats.map(withoutJsonMode)
        : formats
      : formats.filter(({ type }) => type !== "changeTracking"),
  };
}

/** Without a task and a model, mode json compares nothing and is not charged. */
const withoutJsonMode = (format: Format): Format =>
  format.type === "changeTracking"
    ? { ...format, modes: format.modes.filter((mode) => mode !== "json") }
    : format;

/** Equal for values requested with the same schema and prompt. */
const buildTaskKey = ({ schema, prompt }: FormatOf<"json">): string =>
  createHash("sha256")
    .update(JSON.stringify([schema, prompt]))
    .digest("base64url");

/** Throws NOT_IMPLEMENTED for the changeTracking format in a process that stores nothing. */
export function refuseTracking(formats: readonly Format[]): void {
  const [name] = selectNeeding("history", formats);
  if (name === undefined) return;
  throw new RequestError(
    "NOT_IMPLEMENTED",
    `${name} compares the page with a stored snapshot. ${NO_STORAGE_MESSAGE}`,
  );
}
