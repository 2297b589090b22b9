import { describe, expect, it } from "vitest";
import { releaseBlock, acquireBlock } from "./body-blocks.ts";

const KIB = 1024;

describe("body memory pool", () => {
  it("reuses a block that is large enough and less than twice as large", () => {
    const first = acquireBlock(100 * KIB);
    first.fill("a");
    releaseBlock(first);
    const tooSmall = acquireBlock(129 * KIB);
    expect(tooSmall.includes("a")).toBe(false);
    const tooLarge = acquireBlock(40 * KIB);
    expect(tooLarge.includes("a")).toBe(false);
    const second = acquireBlock(90 * KIB);
    expect(second.includes("a")).toBe(true);
    expect(acquireBlock(90 * KIB).includes("a")).toBe(false);
  });

  it("detaches a released block from earlier readers", () => {
    const first = acquireBlock(64 * KIB);
    const view = first.subarray(10, 20);
    releaseBlock(first);
    expect([first.length, view.length]).toEqual([0, 0]);
    const second = acquireBlock(64 * KIB);
    releaseBlock(first);
    releaseBlock(view);
    expect(second.length).toBe(64 * KIB);
  });

  it("accepts only blocks that were taken from the pool", () => {
    const text = Buffer.from("kept");
    const own = Buffer.allocUnsafeSlow(64 * KIB);
    const small = acquireBlock(20 * KIB);
    for (const bytes of [text, own, small]) releaseBlock(bytes);
    expect([text.toString(), own.length, small.length]).toEqual(["kept", 64 * KIB, 20 * KIB]);
  });

  it("frees blocks when too many are unused", () => {
    const many = Array.from({ length: 40 }, () => acquireBlock(1_024 * KIB));
    const marked = new Set(many.map((block, index) => block.fill(index + 1)[0]));
    expect(marked.size).toBe(40);
    for (const block of many) releaseBlock(block);
    const again = many.map(() => acquireBlock(1_024 * KIB));
    expect(again.filter((block) => block[0] !== 0).length).toBeLessThanOrEqual(4);
  });
});
