import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createConsoleAssetCache } from "./console-assets.ts";

describe("kept files of the console", () => {
  it("returns what was saved, and rejects files of another version of Node", async () => {
    const dataDir = mkdtempSync(path.join(os.tmpdir(), "quarry-console-"));
    try {
      const cache = createConsoleAssetCache({ dataDir: path.join(dataDir, "new") });
      await expect(cache.load()).rejects.toThrow(/ENOENT/);
      await cache.save(new Map([["/a.js", { version: "1", gzip: new Uint8Array([31, 0, 255]) }]]));
      const found = (await cache.load()).get("/a.js");
      expect(found?.version).toBe("1");
      expect([...(found?.gzip ?? [])]).toEqual([31, 0, 255]);
      const file = path.join(dataDir, "new", "console-assets.json");
      writeFileSync(file, readFileSync(file, "utf8").replace(process.version, "v1.0.0"));
      await expect(cache.load()).rejects.toThrow();
    } finally {
      rmSync(dataDir, { recursive: true });
    }
  });
});
