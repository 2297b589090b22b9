import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findCovered } from "./font-coverage.ts";
import { provideScriptFonts } from "./script-fonts.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-fonts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** One character of each script that a page may use, and two that no bundled font has. */
const SIGNS = {
  chinese: "中",
  traditional: "龜",
  japanese: "ぬ",
  korean: "뷁",
  arabic: "ع",
  persian: "گ",
  hindi: "क",
  bengali: "ক",
  thai: "ก",
  emoji: "🥑",
  code: "A",
  amharic: "አ",
  private: "\u{10fffd}",
} as const;
const character = (name: keyof typeof SIGNS): number => SIGNS[name].codePointAt(0) ?? 0;

describe("provideScriptFonts", () => {
  it("unpacks the fonts that a system without fonts needs, once, with the required characters", async () => {
    const provided = await provideScriptFonts(folder, []);
    expect(provided.map((name) => path.basename(name).replace(/-[\d.]+$/, ""))).toEqual([
      "chinese",
      "korean",
      "arabic",
      "devanagari",
      "bengali",
      "thai",
      "emoji",
      "monospace",
    ]);
    const covered = await findCovered(
      provided,
      Object.values(SIGNS).map((sign) => sign.codePointAt(0) ?? 0),
    );
    const lacking = new Set([character("amharic"), character("private")]);
    const all = Object.values(SIGNS).map((sign) => sign.codePointAt(0) ?? 0);
    expect(covered).toEqual(new Set(all).difference(lacking));
    const made = provided.map((name) => statSync(name).mtimeMs);
    expect(await provideScriptFonts(folder, [])).toEqual(provided);
    expect(provided.map((name) => statSync(name).mtimeMs)).toEqual(made);
    expect(readdirSync(folder)).toHaveLength(provided.length);
    // With these fonts on the system nothing is missing.
    expect(await provideScriptFonts(folder, [folder])).toEqual([]);
  });

  it("unpacks only fonts of missing scripts", async () => {
    const [chinese = "", korean = ""] = await provideScriptFonts(folder, []);
    const rest = await provideScriptFonts(folder, [chinese, korean]);
    expect(rest).not.toContain(chinese);
    expect(rest).not.toContain(korean);
    expect(rest.length).toBeGreaterThan(4);
  });
});

describe("findCovered", () => {
  it("skips files that are not fonts and missing folders", async () => {
    const odd = mkdtempSync(path.join(folder, "odd-"));
    writeFileSync(path.join(odd, "empty.ttf"), "");
    writeFileSync(path.join(odd, "text.otf"), "no font at all, but long enough for a head");
    writeFileSync(
      path.join(odd, "lies.ttf"),
      Buffer.concat([Buffer.from("0001000000ff", "hex"), Buffer.alloc(64, 0xff)]),
    );
    expect(await findCovered([odd, "/nowhere"], [0x41])).toEqual(new Set());
    expect(await findCovered([odd, folder], [0x41, character("private")])).toEqual(new Set([0x41]));
  });
});
