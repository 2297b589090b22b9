import { randomBytes } from "node:crypto";
import { zstdDecompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { packSmall } from "./small-frame.ts";

describe("small Zstandard frames", () => {
  it.each([0, 1, 42, 255, 256, 257, 1_023, 1_024, 1_025, 20_000])(
    "are read by any decompressor: %i bytes",
    (size) => {
      const bytes = randomBytes(size);
      expect(zstdDecompressSync(packSmall(bytes)).equals(bytes)).toBe(true);
    },
  );

  it("hold few bytes as they are and compress many", () => {
    expect(packSmall(Buffer.alloc(1_024)).byteLength).toBe(1_034);
    expect(packSmall(Buffer.alloc(1_025)).byteLength).toBeLessThan(100);
  });

  it("keep nothing of the bytes they were made of", () => {
    const bytes = Buffer.from("first");
    const frame = packSmall(bytes);
    bytes.fill("x");
    expect(zstdDecompressSync(frame).toString()).toBe("first");
  });
});
