// What a command waits for, on standard error: one line that is redrawn on a terminal. Elsewhere only long reading is reported.
import type { ReadOptions } from "../../client/transport.ts";
import { isUnattended } from "../config.ts";
import { clip, toPlainLine } from "./terminal-text.ts";

type Stream = Pick<NodeJS.WriteStream, "write"> & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

export type SpinnerClock = {
  readonly now: () => number;
  /** Calls `tick` again and again until the returned function is called. */
  readonly every: (ms: number, tick: () => void) => () => void;
};

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 120;
/** Most answers come sooner, and a line that flashes up tells nothing. */
const QUIET_MS = 1_000;
/** Between two lines on a stream that is no terminal. */
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
 * Runs `work` and shows `text` with the seconds passed while it takes longer than a second. The pages of a long document
 * replace the text as they are read. The line is erased before anything else is printed.
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
