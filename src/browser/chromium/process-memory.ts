// Process memory on Linux. On other systems it reads as 0 and no limit applies.
import { readFile } from "node:fs/promises";

/** Unit of /proc/PID/statm. */
const MEMORY_PAGE_BYTES = 4_096;

/** Returns resident, unshared memory; 0 if unreadable. */
export async function readPrivateBytes(pid: number): Promise<number> {
  const [, resident = 0, shared = 0] = await readFile(`/proc/${pid}/statm`, "utf8").then(
    (line) => line.split(" ").map(Number),
    () => [],
  );
  return Math.max(0, resident - shared) * MEMORY_PAGE_BYTES;
}
