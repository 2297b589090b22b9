// Displays progress: redrawn in place on a terminal, a line at intervals elsewhere, events for
// programs.
import { renderLine, renderProgress, type Paint, type Progress } from "../jobs/progress.ts";
import { toPlainLine } from "./terminal-text.ts";

export type Display = {
  /** The current progress. */
  update(progress: Progress): void;
  /** Prints a permanent line. */
  say(line: string): void;
  /** Erases the display until the next update. */
  clear(): void;
  close(): void;
};

type TerminalOut = Pick<NodeJS.WriteStream, "write" | "columns">;

const HIDE_CURSOR = "\u001b[?25l";
const SHOW_CURSOR = "\u001b[?25h";
const moveUpAndClear = (lines: number): string =>
  lines === 0 ? "" : `\u001b[${lines}A\r\u001b[0J`;

/** Terminals of unknown width report 0 or nothing. */
const readColumns = ({ columns }: TerminalOut): number => columns || 80;

/** Redraws a few lines in place. */
export function createTerminalDisplay(stream: TerminalOut, paint: Paint): Display {
  let shown = 0;
  let last: readonly string[] = [];
  const draw = (above: string, lines: readonly string[]): void => {
    const text = lines.map((line) => `${line}\n`).join("");
    stream.write(
      `${moveUpAndClear(shown)}${above}${lines.length === 0 ? SHOW_CURSOR : HIDE_CURSOR}${text}`,
    );
    shown = lines.length;
  };
  const erase = (): void => {
    last = [];
    if (shown > 0) draw("", last);
  };
  return {
    update(progress) {
      last = renderProgress(progress, readColumns(stream) - 1, paint);
      draw("", last);
    },
    say: (line) => draw(`${line}\n`, last),
    clear: erase,
    close: erase,
  };
}

/** Prints a line every `everyMs`, and when the state changes or a problem begins or ends. */
export function createPlainDisplay(
  write: (line: string) => void,
  everyMs: number,
  now: () => number,
): Display {
  let saidAt: number | undefined;
  let before = "";
  return {
    update(progress) {
      const kind = `${progress.status} ${progress.trouble ?? ""}`;
      const isTime = saidAt === undefined || now() - saidAt >= everyMs;
      if (!isTime && kind === before) return;
      saidAt = now();
      before = kind;
      write(renderLine(progress));
    },
    say: write,
    clear: () => undefined,
    close: () => undefined,
  };
}

/** Converts progress to an event for programs. */
export function toProgressEvent(progress: Progress): object {
  const {
    status,
    completed,
    total,
    sums,
    creditsUsed,
    pagesPerSecond,
    elapsedMs,
    current,
    trouble,
  } = progress;
  return {
    event: "progress",
    status,
    completed,
    total,
    fates: sums,
    creditsUsed,
    ...(pagesPerSecond === undefined ? {} : { pagesPerSecond: round(pagesPerSecond) }),
    elapsedSeconds: round(elapsedMs / 1_000),
    ...(current === undefined ? {} : { current }),
    ...(trouble === undefined ? {} : { trouble: toPlainLine(trouble) }),
  };
}

const round = (value: number): number => Math.round(value * 10) / 10;

/** Emits a progress event at most every `everyMs`, without lines for people. */
export function createEventDisplay(
  emit: (event: object) => void,
  everyMs: number,
  now: () => number,
): Display {
  let saidAt: number | undefined;
  return {
    update(progress) {
      if (saidAt !== undefined && now() - saidAt < everyMs) return;
      saidAt = now();
      emit(toProgressEvent(progress));
    },
    say: () => undefined,
    clear: () => undefined,
    close: () => undefined,
  };
}
