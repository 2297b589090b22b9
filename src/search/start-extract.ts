// Starts an extraction: data from several pages as one answer, a job over scrapes with the json
// format.
import { assertHostAllowed } from "../account/allow-hosts.ts";
import type { Credits } from "../account/credits.ts";
import type { ExtractOptions } from "../contract/jobs/extract.ts";
import { findUrlFault, resolveUrl } from "../contract/request/url.ts";
import { LimitError, RequestError } from "../errors.ts";
import { withGrants, type JobCaller } from "../jobs/caller.ts";
import { assertRetryable, type Jobs } from "../jobs/jobs.ts";
import type { StoredExtract } from "./extract-job.ts";

export type StartedExtract = {
  readonly id: string;
  /** URLs that were left out; undefined when the caller wants them rejected. */
  readonly invalidUrls: readonly string[] | undefined;
};

export type StartExtractParts = {
  /** Resolve once the database is open. */
  readonly jobs: () => Promise<Pick<Jobs, "start" | "find">>;
  readonly credits: () => Promise<Credits>;
};

/**
 * Starts a failed or cancelled extraction again. Throws CONFLICT for any other, and as
 * `startExtract`.
 */
export async function retryExtract(
  parts: StartExtractParts,
  id: string,
  webhook: ExtractOptions["webhook"],
  caller: JobCaller,
): Promise<StartedExtract> {
  const { state, options } = await (await parts.jobs()).find("extract", id, caller.identity);
  assertRetryable(state === "scraping" ? "running" : state, "extraction");
  return await startExtract(parts, { ...(options as StoredExtract), webhook }, caller);
}

/** Credits required to start a job (wire contract, section 20). */
const MIN_CREDITS = 20;

/** Throws BAD_REQUEST, INSUFFICIENT_CREDITS, and NOT_IMPLEMENTED for zero data retention. */
export async function startExtract(
  parts: StartExtractParts,
  options: ExtractOptions,
  caller: JobCaller,
): Promise<StartedExtract> {
  if (options.zeroDataRetention || options.scrapeOptions.zeroDataRetention)
    throw new RequestError(
      "NOT_IMPLEMENTED",
      "Extraction stores its results until they are read. With zero data retention, scrape each page with the json format instead.",
    );
  const given = options.urls ?? [];
  const invalid = given.filter((url) => findUrlFault(url.replace(/\/\*+$/, "/")) !== undefined);
  const urls = given.filter((url) => !invalid.includes(url));
  if (urls.length === 0 && (given.length > 0 || options.prompt === undefined))
    throw new RequestError("BAD_REQUEST", "None of the urls can be fetched.");
  const { identity } = caller;
  for (const url of urls)
    assertHostAllowed(identity, new URL(resolveUrl(url.replace(/\/\*+$/, "/"))));
  const remaining = await (await parts.credits()).getRemaining(identity);
  if (remaining !== null && remaining < MIN_CREDITS)
    throw new LimitError(
      "INSUFFICIENT_CREDITS",
      `Insufficient credits to perform this request. An extraction needs ${MIN_CREDITS} and the key has ${remaining} left of its budget.`,
    );
  const { webhook, ...asked } = options;
  const { apiVersion } = caller;
  const kept: StoredExtract = {
    ...withGrants(asked, identity),
    urls,
    ...(apiVersion === undefined ? {} : { apiVersion }),
  };
  const cost = { units: 0, price: 0, mayClamp: false };
  const buildPlan = () => ({ options: kept, webhook: webhook ?? null });
  const { id } = await (await parts.jobs()).start("extract", { cost, plan: buildPlan }, caller);
  return { id, invalidUrls: options.ignoreInvalidURLs ? invalid : undefined };
}
