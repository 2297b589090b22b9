import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  isDevelopmentFile,
  isShippedFile,
  listShipped,
  toJavaScript,
  toPublished,
} from "../../scripts/build-package.ts";

const root = new URL("../../", import.meta.url);
const readJson = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(new URL(name, root), "utf8")) as T;

describe("package", () => {
  it("modules lose their types, keep their columns, and import JavaScript", () => {
    const source = [
      'import type { A } from "./a.ts";',
      'import { b } from "../b.ts";',
      'export { c } from "./c.ts";',
      'const d = await import("./d.ts");',
      'const e = new URL("./e.ts", import.meta.url);',
      'const isModule = (name: string): boolean => name.endsWith(".ts");',
    ].join("\n");
    const lines = toJavaScript(source).split("\n");
    expect(lines[0]?.trim()).toBe("");
    expect(lines.slice(1, 5)).toEqual([
      'import { b } from "../b.js";',
      'export { c } from "./c.js";',
      'const d = await import("./d.js");',
      'const e = new URL("./e.js", import.meta.url);',
    ]);
    expect(lines[5]).toContain('name.endsWith(".ts")');
    expect(lines[5]?.indexOf("name.endsWith")).toBe(
      source.split("\n")[5]?.indexOf("name.endsWith"),
    );
  });

  it("tests, declarations and compiler settings do not ship", () => {
    expect(isDevelopmentFile("src/url/scope.test.ts")).toBe(true);
    expect(isDevelopmentFile("src/url/scope.property.test.ts")).toBe(true);
    expect(isDevelopmentFile("src/console/app/tsconfig.json")).toBe(true);
    expect(isDevelopmentFile("src/url/scope.ts")).toBe(false);
    expect(isShippedFile("fastify", "test/a.js")).toBe(false);
    expect(isShippedFile("fastify", "lib/types.d.ts")).toBe(false);
    expect(isShippedFile("fastify", "lib/a.js")).toBe(true);
    expect(isShippedFile("fastify", "LICENSE")).toBe(true);
    expect(isShippedFile("gpt-tokenizer", "data/o200k_base.tiktoken")).toBe(false);
  });

  it("libraries ship with what they need, from where Node resolves it", () => {
    const packages = {
      "node_modules/a": { version: "1.0.0", dependencies: { b: "^1.0.0" } },
      "node_modules/a/node_modules/b": { version: "1.2.0", dependencies: { c: "^1.0.0" } },
      "node_modules/b": { version: "2.0.0" },
      "node_modules/c": { version: "1.0.0" },
      "node_modules/d": { version: "1.0.0" },
    };
    expect(listShipped(packages, ["a"])).toEqual([
      "node_modules/a",
      "node_modules/a/node_modules/b",
      "node_modules/c",
    ]);
  });

  it("the published manifest is scoped and leaves only builds for platforms to install", async () => {
    const manifest = await readJson<Parameters<typeof toPublished>[0]>("package.json");
    const { packages } = await readJson<{ packages: Parameters<typeof toPublished>[1] }>(
      "package-lock.json",
    );
    const published = toPublished(manifest, packages);
    expect(published["name"]).toBe("@quarry/server");
    expect(published["files"]).toEqual(["dist", "bin"]);
    expect(published).not.toHaveProperty("private");
    expect(published).not.toHaveProperty("dependencies");
    expect(published).not.toHaveProperty("devDependencies");
    const optional = Object.keys(published["optionalDependencies"] as object);
    expect(optional).toContain("@llamaindex/liteparse-linux-x64-gnu");
    expect(optional).toContain("@sparticuz/chromium");
    expect(optional).not.toContain("@llamaindex/liteparse");
    expect(optional.filter((name) => name.startsWith("node-"))).toEqual([]);
  });

  it("everything optional inside the tarball is removed after npm install --omit=optional", async () => {
    const folder = await mkdtemp(`${tmpdir()}/quarry-omit-`);
    try {
      await mkdir(`${folder}/node_modules/@sparticuz/chromium`, { recursive: true });
      await cp(new URL("bin", root), `${folder}/bin`, { recursive: true });
      const script = fileURLToPath(pathToFileURL(`${folder}/bin/omit-optional.mjs`));
      const runWith = async (omit: string) =>
        await promisify(execFile)(process.execPath, [script], {
          env: { npm_config_omit: omit },
        });
      await runWith("dev");
      expect(await readdir(`${folder}/node_modules`)).toEqual(["@sparticuz"]);
      // A clone keeps its libraries.
      await runWith("dev optional");
      expect(await readdir(`${folder}/node_modules`)).toEqual(["@sparticuz"]);
      await mkdir(`${folder}/dist`);
      await runWith("dev optional");
      expect((await readdir(folder)).toSorted()).toEqual(["bin", "dist"]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
