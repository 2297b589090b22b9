import { execFile } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { unpackBundledBrowser } from "../../src/browser/installation/bundled-browser.ts";
import { findBrowser, explainNoBrowser } from "../../src/browser/installation/install-browser.ts";
import { buildFontConfiguration } from "../../src/browser/installation/fonts.ts";
import {
  findMissingLibraries,
  provideLibraries,
} from "../../src/browser/installation/libraries.ts";
import { readTar } from "../../src/browser/installation/tar.ts";
import { openPrivateFolder } from "../../src/browser/installation/private-folder.ts";
import { testBrowserExecutable } from "./launch.ts";

const run = promisify(execFile);
const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-unpack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("bundled browser", () => {
  it("unpacks the browser once for concurrent callers, and removes leftovers of a killed process", async () => {
    const left = path.join(folder, `chromium-1.0.0.999999999.${crypto.randomUUID()}.unpacking`);
    mkdirSync(left, { recursive: true });
    utimesSync(left, 0, 0);
    const places = { folder, cache: undefined };
    const found = await Promise.all([unpackBundledBrowser(places), unpackBundledBrowser(places)]);
    const [executable = ""] = found;
    expect(found[1]).toBe(executable);
    expect(statSync(executable).size).toBeGreaterThan(100_000_000);
    expect(statSync(executable).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toHaveLength(1);
    const { mtimeMs } = statSync(executable);
    expect(await unpackBundledBrowser(places)).toBe(executable);
    expect(statSync(executable).mtimeMs).toBe(mtimeMs);
  });

  it("unpacks the browser once in the cache folder for processes with separate data folders", async () => {
    const cache = path.join(folder, "cache");
    const module = path.join(
      import.meta.dirname,
      "../../src/browser/installation/bundled-browser.ts",
    );
    const unpackIn = async (data: string) => {
      const places = JSON.stringify({ folder: path.join(folder, data), cache });
      const script = `import { unpackBundledBrowser } from ${JSON.stringify(module)};
        let calls = 0;
        const executable = await unpackBundledBrowser(${places}, () => { calls += 1; });
        process.stdout.write(JSON.stringify({ executable, calls }));`;
      const { stdout } = await run(process.execPath, [
        "--input-type=module-typescript",
        "-e",
        script,
      ]);
      return JSON.parse(stdout) as { executable: string; calls: number };
    };
    const first = await Promise.all([unpackIn("one"), unpackIn("two")]);
    const [{ executable }] = first;
    expect(first[1].executable).toBe(executable);
    expect(path.dirname(path.dirname(executable))).toBe(path.join(cache, "quarry"));
    expect(statSync(path.join(cache, "quarry")).mode & 0o777).toBe(0o700);
    expect(readdirSync(path.join(cache, "quarry"))).toHaveLength(1);
    expect(existsSync(path.join(folder, "one"))).toBe(false);
    expect(await unpackIn("three")).toEqual({ executable, calls: 0 });
    rmSync(cache, { recursive: true });
  });

  it("ignores the unpacking lock of a killed process", async () => {
    const cache = path.join(folder, "locked");
    const [name = ""] = readdirSync(folder).filter((each) => each.startsWith("chromium-"));
    mkdirSync(path.join(cache, "quarry"), { recursive: true, mode: 0o700 });
    writeFileSync(path.join(cache, "quarry", `${name}.lock`), "999999999 1");
    const executable = await unpackBundledBrowser({ folder: path.join(folder, "four"), cache });
    expect(executable).toBe(path.join(cache, "quarry", name, "headless-shell"));
    expect(readdirSync(path.join(cache, "quarry"))).toEqual([name]);
    rmSync(cache, { recursive: true });
  });

  it("does not unpack into a cache folder that others can write to or that is a link", () => {
    const cache = path.join(folder, "unsafe");
    const quarry = path.join(cache, "quarry");
    mkdirSync(cache, { mode: 0o700 });
    expect(openPrivateFolder(cache)).toBe(realpathSync(quarry));
    chmodSync(quarry, 0o750);
    expect(openPrivateFolder(cache)).toBeUndefined();
    chmodSync(quarry, 0o700);
    chmodSync(cache, 0o777);
    expect(openPrivateFolder(cache)).toBeUndefined();
    // As in /tmp, other users cannot replace the folder.
    chmodSync(cache, 0o1777);
    expect(openPrivateFolder(cache)).toBe(realpathSync(quarry));
    rmSync(quarry, { recursive: true });
    symlinkSync(os.tmpdir(), quarry);
    expect(openPrivateFolder(cache)).toBeUndefined();
    rmSync(quarry);
    writeFileSync(quarry, "");
    expect(openPrivateFolder(cache)).toBeUndefined();
    rmSync(cache, { recursive: true });
  });

  it.runIf(process.getuid?.() === 0)("does not unpack into a folder of another user", () => {
    const cache = path.join(folder, "foreign");
    mkdirSync(path.join(cache, "quarry"), { recursive: true, mode: 0o700 });
    chownSync(path.join(cache, "quarry"), 12_345, 12_345);
    expect(openPrivateFolder(cache)).toBeUndefined();
    rmSync(cache, { recursive: true });
  });

  it("provides every library that a bare system lacks", async () => {
    const executable = await testBrowserExecutable();
    const beside = path.join(path.dirname(executable), "libraries", "lib");
    expect(await findMissingLibraries(executable, beside)).toEqual([]);
    const needed = await provideLibraries(executable);
    // Libraries that the system has are not overridden.
    expect(needed === undefined).toBe((await findMissingLibraries(executable)).length === 0);
  });

  it("finds the bundled browser when there is no other", () => {
    expect(findBrowser({ setting: undefined, searchPath: "" })?.kind).toBe("bundled");
    const shell = path.join(folder, "chromium-headless-shell");
    writeFileSync(shell, "", { mode: 0o755 });
    expect(findBrowser({ setting: undefined, searchPath: `relative:${folder}` })).toEqual({
      kind: "headless-shell",
      executable: shell,
    });
    expect(findBrowser({ setting: shell, searchPath: "" })?.kind).toBe("setting");
    expect(findBrowser({ setting: "none", searchPath: folder })).toBeUndefined();
    expect(() => findBrowser({ setting: "/nowhere/chromium", searchPath: "" })).toThrow(
      /QUARRY_BROWSER/,
    );
  });

  it("explains on another machine that the bundled browser is only for Linux on x64", () => {
    const places = { setting: undefined };
    const arm = explainNoBrowser(places, { platform: "linux", arch: "arm64" });
    expect(arm).toMatch(/linux on arm64.*chromium-headless-shell.*QUARRY_BROWSER/);
    expect(explainNoBrowser(places, { platform: "linux", arch: "x64" })).toMatch(
      /npm install again/,
    );
    expect(explainNoBrowser({ setting: "none" })).toBe("QUARRY_BROWSER is none.");
  });
});

describe("readTar", () => {
  it("rejects names that lead out of the folder, and a truncated archive", () => {
    const entry = (name: string, body: string): Buffer => {
      const header = Buffer.alloc(512);
      header.write(name, 0);
      header.write(body.length.toString(8).padStart(11, "0"), 124);
      header.write("0", 156);
      header.write("ustar", 257);
      const padded = Buffer.alloc(Math.ceil(body.length / 512) * 512);
      padded.write(body);
      return Buffer.concat([header, padded]);
    };
    const files = readTar(
      Buffer.concat([entry("a/b", "hello"), entry("c", ""), Buffer.alloc(1_024)]),
    );
    expect(files.map(({ name, bytes }) => [name, Buffer.from(bytes).toString()])).toEqual([
      ["a/b", "hello"],
      ["c", ""],
    ]);
    expect(() => readTar(entry("../x", "y"))).toThrow(/leads out/);
    expect(() => readTar(entry("/x", "y"))).toThrow(/leads out/);
    expect(() => readTar(entry("x", "y").subarray(0, 512))).toThrow(/ends inside/);
  });
});

describe("buildFontConfiguration", () => {
  it("includes the system's rules if any and always adds the bundled fonts", () => {
    const bare = buildFontConfiguration(["/data/a&b/fonts"], "/data/cache", false);
    expect(bare).toContain("<dir>/data/a&amp;b/fonts</dir>");
    expect(bare).toContain("<dir>/usr/share/fonts</dir>");
    expect(bare).not.toContain("<include");
    expect(buildFontConfiguration(["/f"], "/c", true)).toContain("/etc/fonts/fonts.conf</include>");
  });
});
