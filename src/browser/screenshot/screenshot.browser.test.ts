import { inflateSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { launchTestBrowser } from "../../../test/browser/launch.ts";
import { openPages } from "../../../test/browser/pages.ts";
import type { CapturedFile } from "../../capture.ts";
import { Deadline } from "../../deadline.ts";
import { takeScreenshot, type ScreenshotOptions } from "./screenshot.ts";

let browser: Browser;
let page: Page;

beforeAll(async () => {
  browser = await launchTestBrowser();
});
afterEach(async () => {
  await page.context().close();
});
afterAll(async () => {
  await browser.close();
});

async function shoot(
  html: string,
  options: Partial<ScreenshotOptions> = {},
): Promise<{ file: CapturedFile; warnings: readonly string[] }> {
  page = await openPages(browser, { "/": `<style>body{margin:0}</style>${html}` });
  using deadline = Deadline.start(60_000);
  return await takeScreenshot(page, { fullPage: false, ...options }, deadline);
}

type Pixels = { width: number; height: number; at: (x: number, y: number) => number[] };

/** Decodes the picture in the browser itself. */
async function look({ mimeType, bytes }: CapturedFile): Promise<Pixels> {
  const points: Map<string, number[]> = new Map();
  const source = `data:${mimeType};base64,${Buffer.from(bytes).toString("base64")}`;
  const size = (await page.evaluate(
    `(async () => {
      const image = new Image(); image.src = ${JSON.stringify(source)}; await image.decode();
      window.picture = image; return [image.naturalWidth, image.naturalHeight]; })()`,
  )) as [number, number];
  for (const x of [10, 200]) {
    const column = (await page.evaluate(
      `(() => { const canvas = document.createElement("canvas"); canvas.width = 1; canvas.height = 1;
        const context = canvas.getContext("2d", { willReadFrequently: true }); const found = [];
        for (let y = 10; y < picture.naturalHeight; y += 20) {
          context.drawImage(picture, -${x}, -y); found.push([...context.getImageData(0, 0, 1, 1).data].slice(0, 3)); }
        return found; })()`,
    )) as number[][];
    for (const [index, color] of column.entries()) points.set(`${x},${10 + index * 20}`, color);
  }
  return { width: size[0], height: size[1], at: (x, y) => points.get(`${x},${y}`) ?? [] };
}

/** Bands 100 pixels high whose color encodes their number, and a fixed header. */
const tall = (bands: number): string =>
  `<header style="position:fixed;top:0;left:0;width:100%;height:40px;background:rgb(255,0,0)"></header>${Array.from(
    { length: bands },
    (_, index) =>
      `<div style="height:100px;background:rgb(0,${index & 15}0,${(index >> 4) * 16})"></div>`,
  ).join("")}`;

describe("takeScreenshot", () => {
  it("captures the window as PNG, or as JPEG of a quality", async () => {
    const png = await shoot(tall(20));
    expect(await look(png.file)).toMatchObject({ width: 1280, height: 720 });
    expect(png.file.mimeType).toBe("image/png");
    await page.context().close();
    const low = await shoot("<h1>Text</h1>".repeat(30), { quality: 10 });
    await page.context().close();
    const high = await shoot("<h1>Text</h1>".repeat(30), { quality: 95 });
    expect(high.file.mimeType).toBe("image/jpeg");
    expect(high.file.bytes.length).toBeGreaterThan(low.file.bytes.length * 1.5);
  });

  it("captures the largest viewport and restores the page's own", async () => {
    const { file } = await shoot(tall(60), { viewport: { width: 7_680, height: 4_320 } });
    expect(await look(file)).toMatchObject({ width: 7_680, height: 4_320 });
    expect(page.viewportSize()).toEqual({ width: 1_280, height: 720 });
  });

  it.each([
    ["png", undefined, 0],
    ["jpeg", 90, 8],
  ])("joins a page of 40,000 pixels as %s, with its header once", async (_name, quality, slack) => {
    const { file, warnings } = await shoot(tall(400), { fullPage: true, quality });
    const pixels = await look(file);
    expect([pixels.width, pixels.height]).toEqual([1_280, 40_000]);
    expect(warnings).toEqual([]);
    const wrong: string[] = [];
    for (let y = 50; y < 40_000; y += 100) {
      const index = Math.floor(y / 100);
      const wanted = [0, (index & 15) * 10, (index >> 4) * 16 > 255 ? 255 : (index >> 4) * 16];
      const seen = pixels.at(200, y);
      if (seen.some((value, at) => Math.abs(value - (wanted[at] ?? 0)) > slack))
        wrong.push(`${y}: ${seen.join()} instead of ${wanted.join()}`);
    }
    expect(wrong).toEqual([]);
    expect(pixels.at(10, 10)[0]).toBeGreaterThan(240);
    for (let y = 8_190; y < 40_000; y += 8_180)
      expect(pixels.at(10, Math.floor(y / 20) * 20 + 10)[0]).toBeLessThan(20);
  });

  it("loads content that appears on scrolling", async () => {
    const box = `<div class=late style="height:600px"></div>`;
    const { file } = await shoot(
      `${box.repeat(12)}<script>
       const seen = new IntersectionObserver((entries) => { for (const { target, isIntersecting } of entries)
         if (isIntersecting) setTimeout(() => { target.style.background = "rgb(0,0,200)"; }, 30); });
       for (const element of document.querySelectorAll(".late")) seen.observe(element);</script>`,
      { fullPage: true },
    );
    const pixels = await look(file);
    for (let box = 0; box < 12; box++) expect(pixels.at(10, box * 600 + 310)).toEqual([0, 0, 200]);
    expect(await page.evaluate("scrollY")).toBe(0);
  });

  it("cuts a page above the maximum picture height with a warning", async () => {
    const { file, warnings } = await shoot(`<div style="height:200000px;width:300px"></div>`, {
      fullPage: true,
      quality: 20,
    });
    expect((await look(file)).height).toBe(65_500);
    expect(warnings[0]).toMatch(/1280 by 200000 pixels; the screenshot shows 1280 by 65500/);
  });

  it("draws one pixel per CSS pixel on a high-density screen", async () => {
    page = await openPages(browser, { "/": "<p>x</p>" }, { deviceScaleFactor: 3 });
    using deadline = Deadline.start(20_000);
    const { file } = await takeScreenshot(page, { fullPage: false }, deadline);
    expect(await look(file)).toMatchObject({ width: 1_280, height: 720 });
  });

  it("ends at its deadline on a page that never answers", async () => {
    page = await openPages(browser, {
      "/": "<script>setTimeout(() => { for (;;) {} }, 50)</script>",
    });
    await page.waitForTimeout(100);
    using deadline = Deadline.start(3_000);
    const from = performance.now();
    await takeScreenshot(page, { fullPage: true }, deadline).catch((error: unknown) => error);
    expect(performance.now() - from).toBeLessThan(4_000);
  });

  it("writes rows that a strict PNG reader accepts", async () => {
    const { file } = await shoot(tall(200), { fullPage: true });
    const bytes = Buffer.from(file.bytes);
    const data = bytes.subarray(bytes.indexOf("IDAT") + 4, bytes.indexOf("IEND") - 8);
    expect(inflateSync(data).length).toBe(20_000 * (1 + 1_280 * 3));
  });
});
