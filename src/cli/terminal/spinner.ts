// Shows what a command waits for on standard error: one redrawn line on a terminal. Elsewhere only
// long documents are reported.
import type { ReadOptions } from "../../../client/transport.ts";
import { isUnattended } from "../../config.ts";
import { clip, toPlainLine } from "./terminal-text.ts";

type Stream = Pick<NodeJS.WriteStream, "write"> & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type SpinnerClock = {
  readonly now: () => number;
  /** Calls `tick` at intervals until the returned function is called. */
  readonly every: (ms: number, tick: () => void) => () => void;
};

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Most answers are faster, and a flashing line is no help. */
const QUIET_MS = 1_000;
/** Interval between lines without a terminal. */
const LINES_MS = 5_000;
const CLEAR_LINE = "\r\u001B[2K";

const SYSTEM_CLOCK: SpinnerClock = {
  now: () => performance.now(),
  every(ms, tick) {
    const timer = setInterval(tick, ms);
    return () => clearInterval(timer);
  },
};

/**
 * Runs `work` and shows `text` with the elapsed seconds after the first one. Progress of a long
 * document replaces the text. The line is erased before other output.
 */
export async function withSpinner<T>(
  stream: Stream,
  text: string,
  work: (options: Required<Pick<ReadOptions, "onProgress">>) => Promise<T>,
  { now, every }: SpinnerClock = SYSTEM_CLOCK,
): Promise<T> {
  const isShown = stream.isTTY === true && !isUnattended();
  const startedAt = now();
  let label = toPlainLine(text);
  let frame = 0;
  let isDrawn = false;
  let saidAt = startedAt - LINES_MS;
  const draw = (): void => {
    const elapsedMs = now() - startedAt;
    if (elapsedMs < QUIET_MS) return;
    const line = `${FRAMES[frame++ % FRAMES.length]} ${label}`;
    const time = ` · ${Math.floor(elapsedMs / 1_000)} s`;
    isDrawn = true;
    stream.write(`${CLEAR_LINE}${clip(line, (stream.columns || 80) - time.length - 1)}${time}`);
  };
  const stop = isShown ? every(FRAME_MS, draw) : () => undefined;
  try {
    return await work({
      onProgress: ({ pagesDone, pagesWanted }) => {
        label = `Reading the document: ${pagesDone} of ${pagesWanted} pages`;
        if (isShown || now() - saidAt < LINES_MS) return;
        saidAt = now();
        stream.write(`${label}\n`);
      },
    });
  } finally {
    stop();
    if (isDrawn) stream.write(CLEAR_LINE);
  }
}
