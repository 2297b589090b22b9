import { availableParallelism } from "node:os";
import { readContainerMemoryBytes } from "../runtime/container-memory.ts";

/** Shares of the container for one document process, and for all of them. */
const MAX_PROCESS_SHARE = 0.4;
const MAX_ALL_PROCESSES_SHARE = 0.5;
const MIN_PROCESS_MIB = 256;

/**
 * Returns how many processes parse documents and the memory limit of each, reduced in a small
 * container.
 */
export function limitDocumentProcesses(
  configuredMiB: number,
  containerBytes = readContainerMemoryBytes(),
  cpus = availableParallelism(),
): { readonly processes: number; readonly memoryMiB: number } {
  const containerMiB = containerBytes / 2 ** 20;
  const share = Math.max(MIN_PROCESS_MIB, Math.floor(containerMiB * MAX_PROCESS_SHARE));
  const memoryMiB = Math.min(configuredMiB, share);
  const carried = Math.max(1, Math.floor((containerMiB * MAX_ALL_PROCESSES_SHARE) / memoryMiB));
  return { processes: Math.min(cpus, carried), memoryMiB };
}
