import type { ChildProcess } from "node:child_process";
import os from "node:os";
import process from "node:process";

const children = new Set<ChildProcess>();
let isListening = false;

/** Tells `child` to end when this process exits or is told to stop: nothing that a bench started may outlive it. */
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
