// Numbers of jobs by state, for one kind or for all.
import { useEffect, useRef, useState } from "preact/hooks";
import { call } from "./api.ts";
import { liveTotals, type JobTotals } from "./job-events.ts";

/** Between two requests while jobs start and end. */
const REST_MS = 1_000;

/**
 * Returns the newest numbers of a kind, or of all kinds if `kind` is empty. The stream reports
 * those of all kinds only; its changes show that the others are to be loaded again.
 */
export function useJobTotals(kind: string): JobTotals | undefined {
  const [loaded, setLoaded] = useState<{ readonly kind: string; readonly totals: JobTotals }>();
  const loadedAt = useRef(0);
  const live = liveTotals.value;
  const isLive = kind === "" && live !== undefined;
  useEffect(() => {
    if (isLive) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const load = (): void => {
      loadedAt.current = Date.now();
      call<{ totals?: JobTotals }>("GET", "/v2/jobs", { query: { kind, limit: 1 }, signal }).then(
        ({ totals }) => totals !== undefined && setLoaded({ kind, totals }),
        // The list of jobs reports the same error.
        () => undefined,
      );
    };
    // The stream sends those of all kinds when it opens.
    const firstMs = kind === "" ? REST_MS : 0;
    const waitMs = loaded?.kind === kind ? loadedAt.current + REST_MS - Date.now() : firstMs;
    const timer = setTimeout(load, Math.max(0, waitMs));
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [kind, live]);
  return isLive ? live : loaded?.kind === kind ? loaded.totals : undefined;
}
