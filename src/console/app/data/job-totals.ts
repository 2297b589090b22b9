// Numbers of jobs by state, for one kind or for all.
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./api.ts";
import { liveTotals, type JobTotals } from "./job-events.ts";
import { createReloader, type Reloader } from "./reloader.ts";

/** Between two requests while jobs start and end. */
const REST_MS = 1_000;

/**
 * Returns the newest numbers of a kind, or of all kinds if `kind` is empty. The stream reports
 * those of all kinds only; its changes show that the others are to be loaded again.
 */
export function useJobTotals(kind: string): JobTotals | undefined {
  const [loaded, setLoaded] = useState<{ readonly kind: string; readonly totals: JobTotals }>();
  const reloader = useRef<Reloader>(undefined);
  const live = liveTotals.value;
  const isLive = kind === "" && live !== undefined;
  useEffect(() => {
    if (isLive) return undefined;
    const current = createReloader({
      load: async (signal) => {
        const query = { kind, limit: 1 };
        const { totals } = await call<{ totals?: JobTotals }>("GET", "/v2/jobs", { query, signal });
        if (totals !== undefined && !signal.aborted) setLoaded({ kind, totals });
      },
      // The stream sends those of all kinds when it opens.
      firstMs: kind === "" ? REST_MS : 0,
      restMs: REST_MS,
    });
    reloader.current = current;
    return () => {
      reloader.current = undefined;
      current.stop();
    };
  }, [kind, isLive]);
  useEffect(() => reloader.current?.markStale(), [live]);
  return isLive ? live : loaded?.kind === kind ? loaded.totals : undefined;
}
