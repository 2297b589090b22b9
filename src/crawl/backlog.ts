// Figures about jobs for those who watch the service: what waits, and what became of pages.
import { withTimeout } from "../runtime/shutdown.ts";
import type { Metrics } from "../metrics.ts";
import type { FinishedPage, FinishReport } from "../store/jobs/finish.ts";
import type { Store } from "../store/store.ts";

const KINDS = ["crawl", "batch_scrape"] as const;

/** No answer waits longer for the database: it tells what was known before. */
const READ_MS = 2_000;

/** Reads what waits in the database when it is called; once more only after the reading before has ended. */
export function showBacklog({ backlog }: Pick<Store, "backlog">, metrics: Metrics) {
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    const { jobs, events } = await backlog();
    for (const kind of KINDS) {
      const found = jobs.find((one) => one.kind === kind);
      metrics.jobsRunning.set({ kind }, found?.running ?? 0);
      for (const state of ["waiting", "active", "held"] as const)
        metrics.frontier.set({ kind, state }, found?.[state] ?? 0);
    }
    metrics.webhooksWaiting.set(events);
  }

  return async (): Promise<void> => {
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await withTimeout(READ_MS, reading);
  };
}

/** Counts pages that were written by their fate in the ledger; those that another worker has by now are not this one's. */
export function countFates(
  { jobPages }: Metrics,
  pages: readonly FinishedPage[],
  report: Pick<FinishReport, "pages">,
): void {
  for (const [index, { outcome }] of pages.entries()) {
    const ended = report.pages[index];
    if (ended === undefined || ended === "lost") continue;
    if (outcome.type === "refused") jobPages.inc({ fate: outcome.refusal.fate });
    else jobPages.inc({ fate: ended === "failed" ? "error" : ended });
  }
}
