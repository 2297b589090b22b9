import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";

const folder = import.meta.dirname;
const PLAIN_DATA = ["../src/contract/error-codes.ts", "../src/contract/limits.ts"];

const withoutComments = (source: string): string =>
  source.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/^\s*\/\/.*$/gm, "");

/** Every module that is loaded when `source` runs: imports and re-exports that are not types only. */
function loadedBy(source: string): string[] {
  const statements =
    /^(?:import|export)\s+(?!type\b)(?:[^"';]*?\sfrom\s+)?"([^"]+)"|\bimport\(\s*["'`]([^"'`]+)/gm;
  return [...withoutComments(source).matchAll(statements)].map(
    (match) => match[1] ?? match[2] ?? "",
  );
}

describe("what the client loads", () => {
  it("recognises loading imports and leaves out types", () => {
    expect(loadedBy('import { z } from "zod";\nimport type { A } from "./a.ts";')).toEqual(["zod"]);
    expect(loadedBy('import {\n  type A,\n  b,\n} from "./b.ts";')).toEqual(["./b.ts"]);
    expect(loadedBy('import "./effect.ts";\nexport * from "./c.ts";')).toEqual([
      "./effect.ts",
      "./c.ts",
    ]);
    expect(loadedBy('const d = await import("node:fs");')).toEqual(["node:fs"]);
    expect(loadedBy('export type * from "./wire.ts";\nexport const x = "from";')).toEqual([]);
  });

  it("is its own files and the two plain data files of the contract, nothing else", async () => {
    const names = (await readdir(folder)).filter((name) => /(?<!\.test)\.ts$/.test(name));
    expect(names).toContain("client.ts");
    for (const name of names) {
      for (const target of loadedBy(await readFile(path.join(folder, name), "utf8"))) {
        const own = /^\.\/[a-z-]+\.ts$/.test(target);
        expect(own || PLAIN_DATA.includes(target), `${name} loads ${target}`).toBe(true);
      }
    }
    for (const file of PLAIN_DATA) {
      expect(loadedBy(await readFile(path.join(folder, file), "utf8")), file).toEqual([]);
    }
  });
});
