// Pictures of a live page. Above the size a GPU can draw at once (16,384 pixels), a page is drawn in bands that are joined
// without decoding a pixel: screenshot-png.ts, screenshot-jpeg.ts.
import type { CDPSession, Page } from "playwright-core";
import type { CapturedFile } from "../../capture.ts";
import type { Deadline } from "../../deadline.ts";
import { TargetError } from "../../errors.ts";
import type { PageDocument, PageWindow } from "../page/page-surface.ts";
import { joinJpegs } from "./jpeg.ts";
import { scrollThrough } from "./lazy-content.ts";
import { joinPngs } from "./png.ts";

export type ScreenshotOptions = {
  readonly fullPage: boolean;
  /** 1 to 100 makes a JPEG; undefined a PNG. */
  readonly quality?: number | undefined;
  /** CSS pixels; the page keeps its own window when undefined, and has it back afterwards. */
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
};

export type Screenshot = { readonly file: CapturedFile; readonly warnings: readonly string[] };

type Size = { readonly width: number; readonly height: number };

declare const document: PageDocument;
declare const requestAnimationFrame: PageWindow["requestAnimationFrame"];

/** A multiple of the 16 pixels that a block of a JPEG covers at most, and low enough for every GPU. */
const BAND_PX = 8_192;
/** Pixels of a band: four bytes each that cannot be compressed, as base64, are still a message that is read. */
const MAX_BAND_PIXELS = 16_000_000;
/** Sides of a PNG; a JPEG may have more than 65,500, but few programs read it. */
const MAX_SIDE = { png: 100_000, jpeg: 65_500 };
/** Pixels of one picture: a window of the largest size ten times over. */
const MAX_PIXELS = 400_000_000;
const MAX_WIDTH = 16_384;
const LAZY_MS = 15_000;
const FONTS_MS = 3_000;

/**
 * Draws the window, or with `fullPage` all of the page after scrolling through it once, so that late images are there. One
 * picture pixel is one CSS pixel, also on a device with a finer screen. Throws TargetError when the browser cannot draw, and
 * rejects with SCRAPE_TIMEOUT when the deadline passes.
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
      using scrolling = deadline.child(Math.min(LAZY_MS, deadline.timeLeftMs() / 2));
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

/** Waits for fonts and for the next two frames; a page that gives none is drawn as it is. */
async function finishDrawing(page: Page, deadline: Deadline): Promise<void> {
  using until = deadline.child(FONTS_MS);
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
    throw new TargetError("SCRAPE_SITE_ERROR", "The page has no size to draw.");
  const bytes = bands.length === 1 ? only : await (format === "png" ? joinPngs : joinJpegs)(bands);
  const cut = full.height > area.height || full.width > area.width;
  const warnings = cut
    ? [
        `The page is ${full.width} by ${full.height} pixels; the screenshot shows ${area.width} by ${area.height} of them.`,
      ]
    : [];
  return { file: { mimeType: format === "png" ? "image/png" : "image/jpeg", bytes }, warnings };
}

/** What to draw in CSS pixels: `area` is what is drawn of `full`. */
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
