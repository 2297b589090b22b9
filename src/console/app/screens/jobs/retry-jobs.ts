// Starts again what failed in jobs.
import type { RetryResponse } from "../../../../contract/jobs/retry.ts";
import { call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { session } from "../../data/session.ts";
import { reportError, toast } from "../../ui/toast.ts";

type Ended = { readonly kind: string; readonly state: string; readonly failed: number };

/** An ended crawl or batch with failed pages, and any job that failed; a run also if cancelled. */
export const isRetryable = ({ kind, state, failed }: Ended): boolean =>
  session.value.pageKinds.includes(kind)
    ? state !== "running" && (failed > 0 || state === "failed")
    : state === "failed" || state === "cancelled";

/** Returns the new jobs. Reports what was started, and each job that could not be. */
export async function retryJobs(
  jobs: readonly { readonly path: string }[],
): Promise<readonly RetryResponse[]> {
  const results = await Promise.allSettled(
    jobs.map(async ({ path }) => await call<RetryResponse>("POST", `${path}/retry`)),
  );
  const started = results.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  for (const one of results) if (one.status === "rejected") reportError(one.reason);
  const pages = started.reduce((sum, { urls = 0 }) => sum + urls, 0);
  if (started.length > 0)
    toast(
      pages === 0
        ? `${pluralize(started.length, "job")} started again.`
        : `${pluralize(pages, "failed page")} of ${pluralize(started.length, "job")} ${pages === 1 ? "is" : "are"} scraped again.`,
    );
  for (const { warning } of started) if (warning !== undefined) toast(warning, { isBad: true });
  return started;
}
