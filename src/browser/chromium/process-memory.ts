// Process memory on Linux. On other systems it reads as 0 and no limit applies.
import { readFileSync } from "node:fs";

/** Unit of /proc/PID/statm. */
const MEMORY_PAGE_BYTES = 4_096;

/**
 * Returns resident, unshared memory; 0 if unreadable. Synchronous, because the kernel answers from
 * memory, while a thread for each read costs more than the read.
 */
export function readPrivateBytes(pid: number): number {
  try {
    const line = readFileSync(`/proc/${pid}/statm`, "utf8");
    const [, resident = 0, shared = 0] = line.split(" ").map(Number);
    return Math.max(0, resident - shared) * MEMORY_PAGE_BYTES;
  } catch {
    return 0;
  }
}
