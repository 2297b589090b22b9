import type { Metrics } from "../../metrics.ts";
import type { Politeness } from "./politeness.ts";

/** Reports the hosts that are paused now; `work` is what fetches from them. */
export const reportPauses =
  ({ getPauses }: Pick<Politeness, "getPauses">, metrics: Metrics, work: "crawl" | "agent") =>
  async (): Promise<void> => {
    const { hosts, longestMs } = getPauses();
    metrics.hostsPaused.set({ work }, hosts);
    metrics.hostPauseSeconds.set({ work }, longestMs / 1_000);
  };
