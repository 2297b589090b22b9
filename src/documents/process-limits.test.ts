import { expect, it } from "vitest";
import { limitDocumentProcesses } from "./process-limits.ts";

const GIB = 2 ** 30;

it.each([
  [
    "uses the configured memory and all processors of a large container",
    1_024,
    24 * GIB,
    4,
    4,
    1_024,
  ],
  ["runs fewer processes than processors where memory is short", 1_024, 4 * GIB, 8, 2, 1_024],
  ["gives one process less than configured in a container of 600 MB", 1_024, 600e6, 2, 1, 256],
  ["keeps a lower configured limit", 300, 24 * GIB, 2, 2, 300],
])("%s", (_title, configured, bytes, cpus, processes, memoryMiB) => {
  expect(limitDocumentProcesses(configured, bytes, cpus)).toEqual({ processes, memoryMiB });
});
