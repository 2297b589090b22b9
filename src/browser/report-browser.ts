import type { SlotUse } from "../account/slots.ts";
import type { Metrics } from "../metrics.ts";
import type { Lazy } from "../runtime/lazy.ts";
import type { BrowserPool } from "./pool.ts";

export type BrowserUse = {
  /** Pages that serve a URL, and those open for the next URL of a job. */
  readonly active: number;
  readonly idle: number;
  /** URLs without a page. */
  readonly waiting: number;
  /** Limit of active pages. */
  readonly max: number;
  readonly processes: number;
};

/** Returns a reader of the pages and processes of the browser, which does not start it. */
export const createBrowserUse =
  (pool: Lazy<BrowserPool>, slots: { total(): SlotUse }) => async (): Promise<BrowserUse> => {
    const { waiting, max } = slots.total();
    const state = pool.started() ? (await pool()).state() : undefined;
    const { active = 0, idle = 0, pids = [] } = state ?? {};
    return { active, idle, waiting, max, processes: pids.length };
  };

/** Sets the metrics of the browser. */
export const reportBrowser =
  (
    readUse: () => Promise<BrowserUse>,
    metrics: Metrics,
    { isThere }: { readonly isThere: boolean },
  ) =>
  async (): Promise<void> => {
    const { active, idle, waiting, max, processes } = await readUse();
    metrics.browserPages.set({ state: "waiting" }, waiting);
    metrics.browserPages.set({ state: "active" }, active);
    metrics.browserPages.set({ state: "idle" }, idle);
    metrics.browserPagesMax.set(isThere ? max : 0);
    metrics.browserProcesses.set(processes);
  };
