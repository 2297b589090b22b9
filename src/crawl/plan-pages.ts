// Shared start of crawls and batches: the price of a page, and the row of the job.
import { computeHighestPrice } from "../formats/page-price.ts";
import type { PageOptions } from "../contract/page/scrape.ts";
import { withGrants, type Grants, type JobCaller } from "../jobs/caller.ts";
import type { JobPlan } from "../jobs/start.ts";
import type { PageScraper } from "../scrape/page.ts";
import type { FoundUrl } from "../store/jobs/frontier.ts";
import type { StoredOptions } from "./stored-options.ts";
import { isRevisit } from "./frontier/revisit.ts";

/** Maximum concurrency of one job over all processes, when it sets none. */
const MAX_JOB_CONCURRENCY = 1_000;

export type NewPages = Pick<JobPlan, "webhook" | "runAt" | "warnings"> & {
  readonly url: string | null;
  readonly options: Omit<StoredOptions, keyof Grants | "base" | "headerNames">;
  /** Headers that the caller sent; those of `options` when missing. */
  readonly headerNames?: readonly string[];
  /** Maximum documents; null means all. */
  readonly limit: number | null;
  readonly maxConcurrency: number | undefined;
  readonly first: readonly FoundUrl[];
  /** More URLs follow after the start. */
  readonly seeding: boolean;
};

/** Plans a job over pages. */
export function planPages(work: NewPages, { identity, base }: JobCaller): JobPlan {
  const { headerNames, ...plan } = work;
  const { url, first, options, maxConcurrency = MAX_JOB_CONCURRENCY } = plan;
  const { page } = options;
  const names = headerNames ?? Object.keys(page.headers);
  return {
    ...plan,
    options: {
      ...withGrants(options, identity),
      base,
      ...(names.length > 0 && { headerNames: names }),
    },
    maxConcurrency: Math.min(
      maxConcurrency,
      // Each page continues from the state that the previous one saved.
      page.profile?.saveChanges === true ? 1 : Infinity,
      identity.limits.concurrency ?? Infinity,
      identity.accountLimits?.concurrency ?? Infinity,
    ),
    zeroDataRetention: page.zeroDataRetention,
    revisits: isRevisit({ url, options }),
    host: (url === null ? undefined : URL.parse(url)?.host) ?? first[0]?.host,
  };
}

/** The maximum price of one page. An enhanced proxy counts only if the plan has one. */
export function estimateHighestPrice(
  { pages }: { readonly pages: Pick<PageScraper, "plan"> },
  page: PageOptions,
): number {
  const plan = pages.plan({ ...page, url: "" });
  const mayEnhance = plan.hasBetterProxy && plan.attempts.some(({ proxy }) => proxy === "enhanced");
  return computeHighestPrice(mayEnhance ? page : { ...page, proxy: "basic" });
}
