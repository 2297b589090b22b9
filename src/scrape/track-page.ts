// The changeTracking format as a step of a scrape.
import type { Identity } from "../account/identity.ts";
import { findFormat, type Format } from "../contract/formats.ts";
import type { ScrapeOptions } from "../contract/scrape.ts";
import type { Deadline } from "../deadline.ts";
import { RequestError } from "../errors.ts";
import type { Derived } from "../formats/derivation.ts";
import { KEEPS_NOTHING } from "./capabilities.ts";
import type { Stopwatch } from "./explanation.ts";
import type { Obtained } from "./obtain.ts";
import type { TrackChanges, TrackingScope } from "./track-changes.ts";

type Request = {
  readonly options: ScrapeOptions;
  readonly url: URL;
  readonly deadline: Deadline;
  readonly watch: Stopwatch;
  readonly identity?: Identity | undefined;
  readonly tracking?: TrackingScope | undefined;
};

/** What was derived, with the result of the comparison where one was asked for; and the formats that are paid for. */
export async function trackPage(
  trackChanges: TrackChanges | undefined,
  { options, url, deadline, watch, tracking, identity }: Request,
  { capture, verdict, fromCache, derived }: Obtained,
): Promise<{ derived: Derived; formats: readonly Format[] }> {
  const { formats } = options;
  const scope = tracking ?? (identity && { accountId: identity.accountId });
  if (findFormat(formats, "changeTracking") === undefined || trackChanges === undefined || !scope)
    return { derived, formats };
  const { markdown = "" } = derived.document;
  const page = { options, url, capture, verdict, markdown, fromCache, deadline };
  const { changeTracking, warnings } = await watch.time("track", () => trackChanges(page, scope));
  const document = { ...derived.document, ...(changeTracking && { changeTracking }) };
  return {
    derived: { ...derived, document, warnings: [...derived.warnings, ...warnings] },
    formats: changeTracking ? formats : formats.filter(({ type }) => type !== "changeTracking"),
  };
}

/** Throws NOT_IMPLEMENTED for the changeTracking format, in a process that keeps nothing. */
export function refuseTracking(formats: readonly Format[]): void {
  if (findFormat(formats, "changeTracking") === undefined) return;
  throw new RequestError(
    "NOT_IMPLEMENTED",
    `changeTracking compares with what was kept. ${KEEPS_NOTHING}`,
  );
}
