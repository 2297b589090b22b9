// Job metrics for operators: the backlog, and pages by fate.
import { withTimeout } from "../runtime/shutdown.ts";
import type { Metrics } from "../metrics.ts";
import type { FinishedPage, FinishReport } from "../store/jobs/finish.ts";
import type { Store } from "../store/store.ts";

const KINDS = ["crawl", "batch_scrape"] as const;

/** A metrics request waits this long for the database, then reports the last known values. */
const READ_TIMEOUT_MS = 2_000;

/** Reads the backlog on demand. At most one query runs at a time. */
export function reportBacklog(
  { backlog }: Pick<Store, "backlog">,
  metrics: Metrics,
  now: () => number = Date.now,
) {
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const { jobs, events } = await backlog();
    for (const kind of KINDS) {
      const found = jobs.find((one) => one.kind === kind);
      metrics.jobsRunning.set({ kind }, found?.running ?? 0);
      for (const state of ["waiting", "active", "held"] as const)
        metrics.frontier.set({ kind, state }, found?.[state] ?? 0);
      const ageMs = now() - (found?.oldestAt ?? now());
      metrics.queueAge.set({ kind }, Math.max(0, ageMs) / 1_000);
    }
    metrics.webhooksWaiting.set(events);
  }

  return async (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await withTimeout(READ_TIMEOUT_MS, reading);
  };
}

/** Counts written pages by fate. Skips pages that another worker has claimed since. */
export function countFates(
  { jobPages }: Metrics,
  pages: readonly Pick<FinishedPage, "outcome">[],
  report: Pick<FinishReport, "pages">,
): void {
  for (const [index, { outcome }] of pages.entries()) {
    const ended = report.pages[index];
    if (ended === undefined || ended === "lost") continue;
    if (outcome.type === "refused") jobPages.inc({ fate: outcome.refusal.fate });
    else jobPages.inc({ fate: ended === "failed" ? "error" : ended });
  }
}
