import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { unpackBundledBrowser } from "../../src/browser/bundled-browser.ts";
import { findBrowser, whyNoBrowser } from "../../src/browser/find-browser.ts";
import { fontConfiguration } from "../../src/browser/fonts.ts";
import { findMissingLibraries, provideLibraries } from "../../src/browser/libraries.ts";
import { readTar } from "../../src/browser/tar.ts";
import { testBrowserExecutable } from "./launch.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-unpack-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("the bundled browser", () => {
  it("is unpacked once, whoever asks at the same time, and takes away what a killed process left", async () => {
    const left = path.join(folder, `chromium-1.0.0.999999999.${crypto.randomUUID()}.unpacking`);
    mkdirSync(left, { recursive: true });
    const found = await Promise.all([unpackBundledBrowser(folder), unpackBundledBrowser(folder)]);
    const [executable = ""] = found;
    expect(found[1]).toBe(executable);
    expect(statSync(executable).size).toBeGreaterThan(100_000_000);
    expect(statSync(executable).mode & 0o777).toBe(0o700);
    expect(readdirSync(folder)).toHaveLength(1);
    const { mtimeMs } = statSync(executable);
    expect(await unpackBundledBrowser(folder)).toBe(executable);
    expect(statSync(executable).mtimeMs).toBe(mtimeMs);
  });

  it("brings every library that a bare system lacks", async () => {
    const executable = await testBrowserExecutable();
    const beside = path.join(path.dirname(executable), "libraries", "lib");
    expect(await findMissingLibraries(executable, beside)).toEqual([]);
    const needed = await provideLibraries(executable);
    // As far as the system has them, none is put before the system's.
    expect(needed === undefined).toBe((await findMissingLibraries(executable)).length === 0);
  });

  it("is what is found where nothing else is", () => {
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

  it("is said to be for Linux on x64 only where nothing is found on another machine", () => {
    const places = { setting: undefined };
    const arm = whyNoBrowser(places, { platform: "linux", arch: "arm64" });
    expect(arm).toMatch(/linux on arm64.*chromium-headless-shell.*QUARRY_BROWSER/);
    expect(whyNoBrowser(places, { platform: "linux", arch: "x64" })).toMatch(/npm install again/);
    expect(whyNoBrowser({ setting: "none" })).toBe("QUARRY_BROWSER is none.");
  });
});

describe("readTar", () => {
  it("refuses names that lead out of the folder, and an archive that ends early", () => {
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

describe("fontConfiguration", () => {
  it("takes the system's rules where there are any and always adds the bundled fonts", () => {
    const bare = fontConfiguration(["/data/a&b/fonts"], "/data/cache", false);
    expect(bare).toContain("<dir>/data/a&amp;b/fonts</dir>");
    expect(bare).toContain("<dir>/usr/share/fonts</dir>");
    expect(bare).not.toContain("<include");
    expect(fontConfiguration(["/f"], "/c", true)).toContain("/etc/fonts/fonts.conf</include>");
  });
});
