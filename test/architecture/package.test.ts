import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import {
  checkChunk,
  checkNames,
  fixUrls,
  listPrograms,
  toJavaScript,
} from "../../scripts/bundle-sources.ts";
import {
  isDevelopmentFile,
  isShippedFile,
  listShipped,
  toPublished,
} from "../../scripts/build-package.ts";

const root = new URL("../../", import.meta.url);
const readJson = async <T>(name: string): Promise<T> =>
  JSON.parse(await readFile(new URL(name, root), "utf8")) as T;

describe("package", () => {
  it("programs of threads and child processes are bundled at their places", () => {
    const programs = listPrograms(fileURLToPath(root));
    expect(programs).toContain("src/cli/main.ts");
    expect(programs).toContain("src/formats/threads/worker.ts");
    expect(programs).toContain("src/documents/process.ts");
  });

  it("modules find files and programs by their own places, not by that of their chunk", () => {
    const source = [
      'const a = new URL("./a.css", import.meta.url);',
      'const b = new Worker(new URL("./b.ts", import.meta.url));',
      'const isModule = (name: string): boolean => name.endsWith(".ts");',
    ].join("\n");
    expect(fixUrls(source, "src/documents/c.ts").split("\n")).toEqual([
      'const a = new URL("./a.css", new URL("src/documents/c.js", __distUrl).href);',
      'const b = new Worker(new URL("./b.js", new URL("src/documents/c.js", __distUrl).href));',
      'const isModule = (name: string): boolean => name.endsWith(".ts");',
    ]);
  });

  it("a library that looks for files beside it cannot be bundled", () => {
    const banner = 'const __distUrl = new URL("../", import.meta.url);';
    checkChunk("chunks/a.js", `${banner}\n * or import.meta.filename.`);
    for (const line of [
      'join(__dirname, "worker.js")',
      'new URL("data.wasm", import.meta.url)',
      "import.meta.dirname",
    ])
      expect(() => checkChunk("chunks/a.js", `${banner}\n${line}`), line).toThrow(
        /chunks\/a\.js .*PACKAGES/,
      );
  });

  it("functions that are sent to pages keep their names", () => {
    expect(() => checkNames("chunks/a.js", "function findAll() {}")).not.toThrow();
    expect(() => checkNames("chunks/a.js", "function findAll$1() {}")).toThrow(/findAll\$1/);
  });

  it("modules that stay files lose their types, keep their columns, and import JavaScript", () => {
    const source = [
      'import type { A } from "./a.ts";',
      'import { b } from "./b.ts";',
      'const isModule = (name: string): boolean => name.endsWith(".ts");',
    ].join("\n");
    const [type, value, line] = toJavaScript(source).split("\n");
    expect(type?.trim()).toBe("");
    expect(value).toBe('import { b } from "./b.js";');
    expect(line?.indexOf("name.endsWith")).toBe(source.split("\n")[2]?.indexOf("name.endsWith"));
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
