import { describe, expect, it } from "vitest";
import { limitThreads } from "./thread-limits.ts";

const GIB = 2 ** 30;
const REQUEST = { threads: 1, ordinaryMiB: 384, largeMiB: 2_048, largeThreads: 2, youngMiB: 48 };

describe("limitThreads", () => {
  it("keeps the configured limits in a large container", () => {
    expect(limitThreads(REQUEST, 24 * GIB)).toEqual({
      ordinaryMiB: 384,
      largeMiB: 2_048,
      largeThreads: 2,
      maxBodyBytes: 11_030 * 2 ** 20,
    });
  });

  it("leaves most of a container of 600 MB to the rest of the service", () => {
    const limits = limitThreads(REQUEST, 600e6);
    expect(limits).toEqual({
      ordinaryMiB: 128,
      largeMiB: 128,
      largeThreads: 1,
      maxBodyBytes: 8 * 2 ** 20,
    });
  });

  it("divides the memory between the threads of a machine with many processors", () => {
    const limits = limitThreads({ ...REQUEST, threads: 15, largeThreads: 16 }, 4 * GIB);
    expect(limits).toMatchObject({ ordinaryMiB: 109, largeMiB: 1_228, largeThreads: 1 });
  });

  it("never limits threads below the memory that a typical page needs", () => {
    expect(limitThreads(REQUEST, 100e6)).toEqual({
      ordinaryMiB: 96,
      largeMiB: 128,
      largeThreads: 1,
      maxBodyBytes: 8 * 2 ** 20,
    });
  });

  it("accepts larger bodies when the container has memory beside the heap", () => {
    const bodyMiB = (bytes: number) => limitThreads(REQUEST, bytes).maxBodyBytes / 2 ** 20;
    expect([0.7 * GIB, GIB, 2 * GIB].map(bodyMiB)).toEqual([35, 124, 483]);
  });

  it("does not raise limits that the operator has set lower", () => {
    expect(limitThreads({ ...REQUEST, largeMiB: 64 }, 24 * GIB)).toMatchObject({
      ordinaryMiB: 64,
      largeMiB: 64,
    });
  });
});
