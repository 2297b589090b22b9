// Compares pictures of a page: a region, without masked parts and without blocks that differ
// between fetches of one check.
import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import type { PictureScope } from "../contract/jobs/monitor-rules.ts";

/** Rectangle in pixels of the picture. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

export type PictureDifference = {
  /** Part of the pixels that differ, 0 to 1. */
  readonly share: number;
  /** The smallest rectangle around them; undefined if nothing differs. */
  readonly box: Box | undefined;
  /** Blocks of `BLOCK` by `BLOCK` pixels with a difference, as `column,row`. */
  readonly blocks: readonly string[];
  /** The differing pixels on the faded picture, as PNG. */
  readonly picture: Uint8Array;
};

/** Task of the thread for pictures. */
export type PictureTask =
  | {
      readonly kind: "cut";
      readonly bytes: Uint8Array;
      readonly rules: Pick<PictureScope, "region" | "masks">;
    }
  | {
      readonly kind: "compare";
      readonly before: Uint8Array;
      readonly after: Uint8Array;
      readonly tolerance: number;
      readonly ignored: ReadonlySet<string>;
    };

const BLOCK = 16;
/** A larger region is cut at its bottom. */
const MAX_PIXELS = 4_000_000;
const MASK = [255, 0, 255, 255] as const;

async function decode(bytes: Uint8Array): Promise<PNG> {
  return await new Promise((resolve, reject) => {
    new PNG().parse(Buffer.from(bytes), (error, image) => {
      if (error instanceof Error) reject(error);
      else resolve(image);
    });
  });
}

/** Cuts a screenshot to the region and paints over the masks, whose places are in the screenshot. */
export async function cutPicture(
  bytes: Uint8Array,
  { region, masks }: Pick<PictureScope, "region" | "masks">,
): Promise<Uint8Array | undefined> {
  const whole = await decode(bytes);
  const { x, y, ...size } = region ?? { x: 0, y: 0, width: whole.width, height: whole.height };
  const width = Math.min(size.width, whole.width - x);
  const height = Math.min(size.height, whole.height - y, Math.floor(MAX_PIXELS / width));
  if (width <= 0 || height <= 0) return undefined;
  const part = new PNG({ width, height });
  PNG.bitblt(whole, part, x, y, width, height, 0, 0);
  for (const mask of masks) paint(part, { ...mask, x: mask.x - x, y: mask.y - y });
  return PNG.sync.write(part);
}

function paint({ width, height, data }: PNG, box: Box): void {
  const [right, bottom] = [
    Math.min(width, box.x + box.width),
    Math.min(height, box.y + box.height),
  ];
  for (let y = Math.max(0, box.y); y < bottom; y++)
    for (let x = Math.max(0, box.x); x < right; x++) data.set(MASK, (y * width + x) * 4);
}

/** `ignored` are blocks that do not count. Where only one picture has pixels, they differ. */
export async function comparePictures(
  before: Uint8Array,
  after: Uint8Array,
  tolerance: number,
  ignored: ReadonlySet<string>,
): Promise<PictureDifference> {
  const [first, second] = [await decode(before), await decode(after)];
  const width = Math.max(first.width, second.width);
  const height = Math.max(first.height, second.height);
  const [one, other] = [widen(first, width, height), widen(second, width, height)];
  const marks = new PNG({ width, height });
  const found = new Uint8Array(width * height);
  // Only differing pixels are painted, so that they can be counted by block.
  pixelmatch(one.data, other.data, marks.data, width, height, {
    threshold: tolerance,
    diffMask: true,
  });
  let count = 0;
  const box = { left: width, top: height, right: -1, bottom: -1 };
  const blocks = new Set<string>();
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      // Anti-aliased pixels are yellow: no difference.
      const at = (y * width + x) * 4;
      if (marks.data[at + 3] === 0 || marks.data[at + 1] === 255) continue;
      const block = `${Math.floor(x / BLOCK)},${Math.floor(y / BLOCK)}`;
      blocks.add(block);
      if (ignored.has(block)) continue;
      found[y * width + x] = 1;
      count += 1;
      box.left = Math.min(box.left, x);
      box.right = Math.max(box.right, x);
      box.top = Math.min(box.top, y);
      box.bottom = Math.max(box.bottom, y);
    }
  return {
    share: count / (width * height),
    box:
      count === 0
        ? undefined
        : {
            x: box.left,
            y: box.top,
            width: box.right - box.left + 1,
            height: box.bottom - box.top + 1,
          },
    blocks: [...blocks],
    picture: PNG.sync.write(drawDifference(other, found)),
  };
}

function widen(image: PNG, width: number, height: number): PNG {
  if (image.width === width && image.height === height) return image;
  const wide = new PNG({ width, height });
  PNG.bitblt(image, wide, 0, 0, image.width, image.height, 0, 0);
  return wide;
}

/** Differing pixels in red on the faded picture. */
function drawDifference({ width, height, data }: PNG, found: Uint8Array): PNG {
  const drawn = new PNG({ width, height });
  for (let pixel = 0; pixel < found.length; pixel++) {
    const at = pixel * 4;
    if (found[pixel] === 1) {
      drawn.data.set([220, 0, 40, 255], at);
      continue;
    }
    const gray = ((data[at] ?? 0) * 3 + (data[at + 1] ?? 0) * 6 + (data[at + 2] ?? 0)) / 10;
    const faded = 200 + Math.round(gray * 0.2);
    drawn.data.set([faded, faded, faded, 255], at);
  }
  return drawn;
}
