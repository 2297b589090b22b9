// A browser on a system without fonts must still draw all major scripts.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { buildFontConfiguration, provideFonts } from "../../src/browser/installation/fonts.ts";
import { provideScriptFonts } from "../../src/browser/installation/script-fonts.ts";
import { testBrowserExecutable } from "./launch.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-draw-"));
let executable: string;
let beside: string;
beforeAll(async () => {
  executable = await testBrowserExecutable();
  beside = path.join(path.dirname(executable), "fonts");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Launches the browser as on a system without a font folder. The caller closes it. */
async function launchWith(fonts: readonly string[]): Promise<Browser> {
  const file = path.join(folder, `${crypto.randomUUID()}.conf`);
  const all = buildFontConfiguration(fonts, path.join(folder, "cache"), false);
  writeFileSync(file, all.replaceAll(/.*<dir>\/usr\/.*\n/g, ""));
  const env = { FONTCONFIG_FILE: file, HOME: folder, PATH: "/usr/bin:/bin" };
  return await chromium.launch({ executablePath: executable, chromiumSandbox: false, env });
}

/**
 * Returns which characters are drawn with their own glyph, not empty or as a missing-glyph box, and
 * which of them in color.
 */
async function look(browser: Browser, signs: readonly string[]) {
  const page = await browser.newPage();
  const seen = await page.evaluate(`(${String(draw)})(${JSON.stringify(signs)})`);
  return seen as {
    readonly drawn: string[];
    readonly colored: string[];
    readonly widths: number[];
    readonly arabic: number[];
  };
}

type Surface = {
  readonly document: {
    createElement(name: "canvas"): { getContext(kind: "2d", options: object): Drawing };
  };
};
type Drawing = {
  fillStyle: string;
  font: string;
  fillRect(x: number, y: number, width: number, height: number): void;
  fillText(text: string, x: number, y: number): void;
  getImageData(
    x: number,
    y: number,
    width: number,
    height: number,
  ): { readonly data: Iterable<number> };
  measureText(text: string): { readonly width: number };
};

/** Runs in the page. */
function draw(signs: readonly string[]) {
  // The service is compiled without DOM types.
  const { document } = globalThis as never as Surface;
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const pixels = (sign: string): number[] => {
    context.fillStyle = "white";
    context.fillRect(0, 0, 100, 100);
    context.fillStyle = "black";
    context.font = "48px sans-serif";
    context.fillText(sign, 10, 70);
    return [...context.getImageData(0, 0, 100, 100).data];
  };
  const box = pixels("\u{10fffd}").join();
  const blank = pixels(" ").join();
  const isDrawn = (sign: string): boolean => ![box, blank].includes(pixels(sign).join());
  const isColored = (sign: string): boolean => {
    const data = pixels(sign);
    return data.some((value, at) => at % 4 === 0 && Math.abs(value - (data[at + 2] ?? 0)) > 60);
  };
  const widthOf = (text: string, family = "monospace"): number => {
    context.font = `20px ${family}`;
    return context.measureText(text).width;
  };
  return {
    drawn: signs.filter(isDrawn),
    colored: signs.filter(isColored),
    widths: ["iiii", "WWWW"].map((text) => widthOf(text)),
    arabic: ["ا", "ص"].map((text) => widthOf(text, "sans-serif")),
  };
}

const SIGNS = [
  "a",
  "Ж",
  "Ω",
  "中",
  "龜",
  "ぬ",
  "한",
  "뷁",
  "ع",
  "گ",
  "א",
  "क",
  "ক",
  "ก",
  "🥑",
  "😀",
];

it("draws only Latin, Greek, Cyrillic and Hebrew without additional fonts", async () => {
  await using browser = await launchWith([beside]);
  expect((await look(browser, SIGNS)).drawn).toEqual(["a", "Ж", "Ω", "א"]);
});

it("draws Chinese, Japanese, Korean, Arabic, Hindi, Bengali, Thai, emoji and monospace with the unpacked fonts", async () => {
  await using browser = await launchWith([beside, ...(await provideScriptFonts(folder, []))]);
  const { drawn, colored, widths, arabic } = await look(browser, SIGNS);
  expect(drawn).toEqual(SIGNS);
  expect(colored).toEqual(["🥑", "😀"]);
  expect(widths[0]).toBe(widths[1]);
  // Not by the monospace font, which contains Arabic letters.
  expect(arabic[0]).not.toBe(arabic[1]);
});

it("provides fonts to concurrent callers, such as startup and the first page", async () => {
  const asked = Array.from({ length: 16 }, () => provideFonts({ executable, folder }));
  const files = new Set(await Promise.all(asked));
  expect([...files]).toEqual([path.join(folder, "fonts.conf")]);
});
