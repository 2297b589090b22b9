// Reads the ledger of a job as one stream, in parts that leave the page time to draw.
import type { LedgerEntry } from "../../../../contract/jobs/ledger.ts";
import { call, send, toApiError } from "../../data/api.ts";

export type LedgerSums = {
  readonly total: number;
  readonly sums: Readonly<Record<string, number>>;
};

/** Time of parsing after which the browser gets its turn. */
const SLICE_MS = 8;
/** The first rows are shown at once, then less often: each time the tree is listed again. */
const FIRST_SHOWN_MS = 100;
const SHOWN_MS = 400;

/** Lets the browser draw and handle input; timers would wait longer. */
async function yieldToPage(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  await new Promise((resolve) => {
    port1.addEventListener("message", resolve, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
  port1.close();
}

export const readSums = (path: string, signal: AbortSignal): Promise<LedgerSums> =>
  call<LedgerSums>("GET", `${path}/ledger`, { query: { limit: 1 }, signal });

/**
 * Hands the entries over in parts, up to `max`. Returns true when these were all. Throws ApiError.
 */
export async function readLedger(
  path: string,
  max: number,
  signal: AbortSignal,
  onPart: (entries: readonly LedgerEntry[]) => void,
): Promise<boolean> {
  const response = await send("GET", `${path}/ledger`, { query: { format: "ndjson" }, signal });
  if (!response.ok) throw await toApiError(response);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let part: LedgerEntry[] = [];
  let rest = "";
  let count = 0;
  let shownAt = performance.now() + FIRST_SHOWN_MS - SHOWN_MS;
  let sliceAt = performance.now();
  for (;;) {
    const { done, value = "" } = (await reader?.read()) ?? { done: true };
    const lines = (rest + value).split("\n");
    rest = done ? "" : (lines.pop() ?? "");
    for (const line of lines) {
      if (line === "") continue;
      if (count === max) {
        onPart(part);
        await reader?.cancel();
        return false;
      }
      part.push(JSON.parse(line) as LedgerEntry);
      count += 1;
      const now = performance.now();
      if (now - shownAt > SHOWN_MS) {
        onPart(part);
        part = [];
        shownAt = performance.now();
      }
      if (now - sliceAt > SLICE_MS) {
        await yieldToPage();
        signal.throwIfAborted();
        sliceAt = performance.now();
      }
    }
    if (done) break;
  }
  onPart(part);
  return true;
}
