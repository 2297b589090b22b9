// Entry of a document process: parses one file at a time within its memory limit, until the parent
// ends it.
import { flushCompileCache } from "node:module";
import { QuarryError, type ErrorRecord } from "../errors.ts";
import { parseDocument } from "./parse-document.ts";
import { type FromProcess, OUT_OF_MEMORY_EXIT_CODE, type ToProcess } from "./protocol.ts";

const CHECK_INTERVAL_MS = 50;
const MIB = 1024 * 1024;
/**
 * A process that has grown by this share of its limit ends after its file, because native memory
 * does not shrink.
 */
const MAX_GROWTH = 0.5;

function send(message: FromProcess): void {
  process.send?.(message);
}

async function answer({ work, askedAt, memoryMiB }: ToProcess): Promise<void> {
  // Native memory is outside V8's heap limit. Native code runs in other threads, so this timer can
  // observe it.
  const check = (): void => {
    if (process.memoryUsage.rss() > memoryMiB * MIB) process.exit(OUT_OF_MEMORY_EXIT_CODE);
  };
  const watch = setInterval(check, CHECK_INTERVAL_MS);
  try {
    let isBusy = false;
    const budgetMs = Math.max(0, work.budgetMs - (Date.now() - askedAt));
    const file = await parseDocument(
      { ...work, budgetMs },
      {
        memoryMiB,
        onProgress: (made) => send({ kind: "progress", ...made }),
        onAbandoned: () => void (isBusy = true),
      },
    );
    check();
    const hasGrown = process.memoryUsage.rss() > MAX_GROWTH * memoryMiB * MIB;
    send({ kind: "parsed", file, isSpent: isBusy || hasGrown });
  } catch (error) {
    send({ kind: "failed", error: toRecord(error) });
  } finally {
    clearInterval(watch);
    // The parent ends this process without a chance to save the compiled modules.
    flushCompileCache();
  }
}

const toRecord = (error: unknown): ErrorRecord =>
  error instanceof QuarryError
    ? error.toRecord()
    : {
        code: "UNKNOWN_ERROR",
        message: error instanceof Error ? (error.stack ?? error.message) : String(error),
      };

process.on("message", (message: ToProcess) => void answer(message));
process.on("disconnect", () => process.exit(0));
send({ kind: "ready" });
