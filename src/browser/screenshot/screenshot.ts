// Screenshots of a live page. A page above the GPU limit (16,384 pixels) is drawn in bands that are
// joined without decoding: png.ts, jpeg.ts.
import type { CDPSession, Page } from "playwright-core";
import type { CapturedFile } from "../../capture.ts";
import type { Deadline } from "../../deadline.ts";
import { TargetError } from "../../errors.ts";
import type { PageDocument, PageWindow } from "../page/page-surface.ts";
import { joinJpegs } from "./jpeg.ts";
import { scrollThrough } from "./scroll-through.ts";
import { joinPngs } from "./png.ts";

export type ScreenshotOptions = {
  readonly fullPage: boolean;
  /** 1 to 100 for JPEG; undefined for PNG. */
  readonly quality?: number | undefined;
  /** CSS pixels. Defaults to the page's own viewport, which is restored afterwards. */
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
};

export type Screenshot = { readonly file: CapturedFile; readonly warnings: readonly string[] };

type Size = { readonly width: number; readonly height: number };

declare const document: PageDocument;
declare const requestAnimationFrame: PageWindow["requestAnimationFrame"];

/** A multiple of 16, the maximum size of a JPEG block unit, and below the limit of every GPU. */
const BAND_PX = 8_192;
/**
 * Maximum pixels of a band, so that even four incompressible bytes each fit in a message as base64.
 */
const MAX_BAND_PIXELS = 16_000_000;
/** Maximum sides. A JPEG may exceed 65,500, but few programs can read it. */
const MAX_SIDE = { png: 100_000, jpeg: 65_500 };
/** Maximum pixels of one picture: ten windows of the largest size. */
const MAX_PIXELS = 400_000_000;
const MAX_WIDTH = 16_384;
const LAZY_MS = 15_000;
const FONTS_MS = 3_000;

/**
 * Captures the window or, with `fullPage`, the whole page after scrolling through it once to load
 * lazy images. One picture pixel is one CSS pixel, also on high-density devices. Throws TargetError
 * if the browser cannot draw, and rejects with SCRAPE_TIMEOUT at the deadline.
 */
export async function takeScreenshot(
  page: Page,
  options: ScreenshotOptions,
  deadline: Deadline,
): Promise<Screenshot> {
  const before = page.viewportSize();
  const viewport = options.viewport;
  const changes =
    viewport !== undefined &&
    (before?.width !== viewport.width || before.height !== viewport.height);
  if (changes) await deadline.race(page.setViewportSize(viewport));
  const session = await deadline.race(page.context().newCDPSession(page));
  try {
    if (options.fullPage) {
      using scrolling = deadline.createChild(Math.min(LAZY_MS, deadline.getTimeLeftMs() / 2));
      await scrollThrough(page, scrolling);
    }
    await finishDrawing(page, deadline);
    return await draw(session, options, deadline);
  } finally {
    session.detach().catch(() => undefined);
    if (changes && before !== null)
      await deadline.race(page.setViewportSize(before)).catch(() => undefined);
  }
}

/** Waits for fonts and the next two frames. A page without frames is captured immediately. */
async function finishDrawing(page: Page, deadline: Deadline): Promise<void> {
  using until = deadline.createChild(FONTS_MS);
  await until.race(page.evaluate(waitForFonts, FONTS_MS / 2)).catch(() => undefined);
  deadline.check();
}

/** Runs in the page. */
async function waitForFonts(atMostMs: number): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, atMostMs));
  await Promise.race([document.fonts.ready, late]);
  const frames = new Promise((resolve) =>
    requestAnimationFrame(() => void requestAnimationFrame(() => resolve(undefined))),
  );
  await Promise.race([frames, late]);
}

async function draw(
  session: CDPSession,
  { fullPage, quality }: ScreenshotOptions,
  deadline: Deadline,
): Promise<Screenshot> {
  const format = quality === undefined ? "png" : "jpeg";
  const { area, x, y, full } = await measure(session, fullPage, format, deadline);
  const bands: Uint8Array[] = [];
  const bandPx = Math.min(BAND_PX, Math.floor(MAX_BAND_PIXELS / area.width / 16) * 16);
  for (let top = 0; top < area.height; top += bandPx) {
    const height = Math.min(bandPx, area.height - top);
    const answer = await deadline.race(
      session.send("Page.captureScreenshot", {
        format,
        ...(quality === undefined ? {} : { quality }),
        clip: { x, y: y + top, width: area.width, height, scale: 1 },
        captureBeyondViewport: fullPage,
      }),
    );
    bands.push(Buffer.from(answer.data, "base64"));
  }
  const [only] = bands;
  if (only === undefined)
    throw new TargetError("SCRAPE_SITE_ERROR", "Screenshot failed: the page has no visible area.");
  const bytes = bands.length === 1 ? only : await (format === "png" ? joinPngs : joinJpegs)(bands);
  const cut = full.height > area.height || full.width > area.width;
  const warnings = cut
    ? [
        `The page is ${full.width} by ${full.height} pixels; the screenshot shows ${area.width} by ${area.height} of them.`,
      ]
    : [];
  return { file: { mimeType: format === "png" ? "image/png" : "image/jpeg", bytes }, warnings };
}

/** Measures in CSS pixels: `area` is the part of `full` to draw. */
async function measure(
  session: CDPSession,
  fullPage: boolean,
  format: "png" | "jpeg",
  deadline: Deadline,
): Promise<{ area: Size; full: Size; x: number; y: number }> {
  const { cssContentSize, cssLayoutViewport, cssVisualViewport } = await deadline.race(
    session.send("Page.getLayoutMetrics"),
  );
  const windowSize = {
    width: Math.round(Math.max(cssLayoutViewport.clientWidth, cssVisualViewport.clientWidth)),
    height: Math.round(Math.max(cssLayoutViewport.clientHeight, cssVisualViewport.clientHeight)),
  };
  if (!fullPage)
    return {
      area: windowSize,
      full: windowSize,
      x: cssVisualViewport.pageX,
      y: cssVisualViewport.pageY,
    };
  const full = {
    width: Math.max(windowSize.width, Math.ceil(cssContentSize.width)),
    height: Math.max(windowSize.height, Math.ceil(cssContentSize.height)),
  };
  const width = Math.min(full.width, MAX_WIDTH);
  const height = Math.min(full.height, MAX_SIDE[format], Math.floor(MAX_PIXELS / width));
  return { area: { width, height }, full, x: 0, y: 0 };
}
