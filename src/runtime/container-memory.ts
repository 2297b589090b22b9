import { totalmem } from "node:os";

/**
 * Bytes that this container may use: the limit of its cgroup (v1 or v2), else the memory of the
 * machine.
 */
export const readContainerMemoryBytes = (): number =>
  Math.min(process.constrainedMemory() || Infinity, totalmem());
