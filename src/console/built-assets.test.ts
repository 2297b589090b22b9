import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BuiltAssets, type AssetCache, type KeptAssets } from "./built-assets.ts";
import type { ConsoleFile } from "./find-files.ts";

describe("built files of the console", () => {
  let folder: string;
  let module: ConsoleFile;
  let style: ConsoleFile;

  beforeAll(() => {
    folder = mkdtempSync(path.join(os.tmpdir(), "quarry-assets-"));
    const write = (name: string, text: string): ConsoleFile => {
      const file = path.join(folder, name);
      writeFileSync(file, text);
      return { url: `/console/app/${name}`, file, version: `${name}-1` };
    };
    module = write("main.ts", "export const one: number = 1;\n");
    style = write("tokens.css", ":root { color: red }\n");
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const unzip = (gzip: Uint8Array): string => gunzipSync(gzip).toString();

  /** Resolves `saved` with what is kept. */
  function createCache(kept: KeptAssets = new Map()) {
    const { promise: saved, resolve } = Promise.withResolvers<KeptAssets>();
    const cache: AssetCache = {
      load: () => Promise.resolve(kept),
      save: (assets) => Promise.resolve(resolve(assets)),
    };
    return { cache, saved };
  }

  it("strips types of modules, sends styles as they are, and keeps both", async () => {
    const { cache, saved } = createCache();
    const built = new BuiltAssets(cache);
    const all = [module, style];
    expect(unzip(await built.get(style, all))).toBe(":root { color: red }\n");
    expect(unzip(await built.get(module, all))).toBe("export const one         = 1;\n");
    const kept = await saved;
    expect([...kept.keys()]).toEqual([module.url, style.url]);
    expect(kept.get(module.url)?.version).toBe("main.ts-1");
  });

  it("keeps files that are requested after the first module, or not yet", async () => {
    const { cache, saved } = createCache();
    const built = new BuiltAssets(cache);
    await built.get(module, [module, style]);
    const kept = await saved;
    expect([...kept.keys()]).toEqual([module.url, style.url]);
    expect(unzip(await built.get(style, [module, style]))).toBe(":root { color: red }\n");
  });

  it("sends a kept file without building it, and builds one whose source has changed", async () => {
    const kept = new Map([[module.url, { version: module.version, gzip: Buffer.from("kept") }]]);
    const changed = { ...module, version: "main.ts-2" };
    const first = await new BuiltAssets(createCache(kept).cache).get(module, [module]);
    expect(Buffer.from(first).toString()).toBe("kept");
    const second = await new BuiltAssets(createCache(kept).cache).get(changed, [changed]);
    expect(unzip(second)).toContain("export const one");
  });

  it("builds files when the kept ones cannot be read and cannot be saved", async () => {
    const cache: AssetCache = {
      load: () => Promise.reject(new Error("no such file")),
      save: () => Promise.reject(new Error("read-only")),
    };
    const built = new BuiltAssets(cache);
    expect(unzip(await built.get(module, [module]))).toContain("export const one");
  });
});
