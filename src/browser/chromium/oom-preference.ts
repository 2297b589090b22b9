// Sets the order in which Linux ends processes when a page uses up the container's memory faster
// than the monitor sees: renderers first, then the rest of the browser, the service last.
import { writeFileSync } from "node:fs";

/** Values of `oom_score_adj`, 1000 at most (proc_pid_oom_score_adj(5)). */
const OOM_SCORES = {
  /** Children inherit it. At 900, it beats a service of any size. */
  browser: 900,
  /**
   * Chromium gives its renderers 300, so without this the whole browser would end in place of one
   * page.
   */
  renderer: 1_000,
} as const;

/** Sets `oom_score_adj` of a child process. Call it for the browser before it starts children. */
export function preferOnShortage(pid: number | undefined, kind: keyof typeof OOM_SCORES): void {
  if (process.platform !== "linux" || pid === undefined) return;
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, String(OOM_SCORES[kind]));
  } catch {
    // The process has ended, or the system does not allow it.
  }
}
