import { toPlainLine } from "./terminal-text.ts";

const TICK_MS = 1_000;

/** A line with the seconds that have passed, on a terminal and after the first of them. */
export function showWaiting(text: string): { stop: () => void } {
  if (!process.stderr.isTTY) return { stop: () => undefined };
  let seconds = 0;
  const timer = setInterval(() => {
    seconds += 1;
    process.stderr.write(`\r\u001b[K${toPlainLine(text).slice(0, 60)} … ${seconds} s`);
  }, TICK_MS);
  return {
    stop() {
      clearInterval(timer);
      if (seconds > 0) process.stderr.write("\r\u001b[K");
    },
  };
}
