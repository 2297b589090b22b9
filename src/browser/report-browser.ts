import type { SlotUse } from "../account/slots.ts";
import type { Metrics } from "../metrics.ts";
import type { Lazy } from "../runtime/lazy.ts";
import type { BrowserPool } from "./pool.ts";

/** Reports the pages and processes of the browser without starting it. */
export const reportBrowser =
  (
    pool: Lazy<BrowserPool>,
    slots: { total(): SlotUse },
    metrics: Metrics,
    { isThere }: { readonly isThere: boolean },
  ) =>
  async (): Promise<void> => {
    const { waiting, max } = slots.total();
    const state = pool.started() ? (await pool()).state() : undefined;
    metrics.browserPages.set({ state: "waiting" }, waiting);
    metrics.browserPages.set({ state: "active" }, state?.active ?? 0);
    metrics.browserPages.set({ state: "idle" }, state?.idle ?? 0);
    metrics.browserPagesMax.set(isThere ? max : 0);
    metrics.browserProcesses.set(state?.pids.length ?? 0);
  };
