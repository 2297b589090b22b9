import type { ChildProcess } from "node:child_process";
import os from "node:os";
import process from "node:process";

const children = new Set<ChildProcess>();
let isListening = false;

/** Ends `child` when this process exits, so that nothing a benchmark started outlives it. */
export function endWithParent(child: ChildProcess): void {
  children.add(child);
  child.once("close", () => children.delete(child));
  if (isListening) return;
  isListening = true;
  process.once("exit", () => {
    for (const running of children) running.kill("SIGTERM");
  });
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => process.exit(128 + os.constants.signals[name]));
}
