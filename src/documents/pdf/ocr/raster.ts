// Grey-value images of pages, from PNG (ISO/IEC 15948). Skewed pages are turned upright.
import { deflateSync, inflateSync } from "node:zlib";
import { readPng } from "../../../runtime/png.ts";

/** Grey values row by row, 0 is black. */
export type Raster = {
  readonly width: number;
  readonly height: number;
  readonly grey: Uint8Array;
};

/** Larger images are not unpacked. */
const MAX_PIXELS = 40_000_000;

/**
 * Returns undefined unless it is a PNG with 8 bits per channel without interlacing, which is how
 * pages are drawn.
 */
export function decodePng(file: Buffer): Raster | undefined {
  const png = readPng(file);
  if (png === undefined) return undefined;
  const { width, height, pixelBytes, packed } = png;
  if (width * height > MAX_PIXELS) return undefined;
  const rowBytes = 1 + width * pixelBytes;
  const rows = inflateSync(packed, { maxOutputLength: rowBytes * height + 1 });
  if (rows.length < rowBytes * height) return undefined;
  return { width, height, grey: toGrey(rows, { width, height, pixelBytes }) };
}

type Measure = { readonly width: number; readonly height: number; readonly pixelBytes: number };

function toGrey(rows: Buffer, { width, height, pixelBytes }: Measure): Uint8Array {
  const grey = new Uint8Array(width * height);
  const rowBytes = width * pixelBytes;
  const isColor = pixelBytes >= 3;
  const hasAlpha = pixelBytes === 2 || pixelBytes === 4;
  let above: Uint8Array = new Uint8Array(rowBytes);
  for (let y = 0; y < height; y++) {
    const start = y * (rowBytes + 1);
    const row = rows.subarray(start + 1, start + 1 + rowBytes);
    unfilterRow(row, above, { filter: rows[start] as number, pixelBytes });
    above = row;
    for (let x = 0, at = 0; x < width; x++, at += pixelBytes) {
      const value = isColor
        ? (77 * (row[at] as number) +
            150 * (row[at + 1] as number) +
            29 * (row[at + 2] as number)) >>
          8
        : (row[at] as number);
      const alpha = hasAlpha ? (row[at + pixelBytes - 1] as number) : 255;
      grey[y * width + x] = alpha === 255 ? value : 255 - (((255 - value) * alpha) >> 8);
    }
  }
  return grey;
}

function unfilterRow(
  row: Uint8Array,
  above: Uint8Array,
  { filter, pixelBytes }: { readonly filter: number; readonly pixelBytes: number },
): void {
  if (filter === 0) return;
  for (let at = 0; at < row.length; at++) {
    const left = at >= pixelBytes ? (row[at - pixelBytes] as number) : 0;
    const up = above[at] as number;
    const corner = at >= pixelBytes ? (above[at - pixelBytes] as number) : 0;
    const guess =
      filter === 1
        ? left
        : filter === 2
          ? up
          : filter === 3
            ? (left + up) >> 1
            : predictPaeth(left, up, corner);
    row[at] = ((row[at] as number) + guess) & 0xff;
  }
}

function predictPaeth(left: number, up: number, corner: number): number {
  const toLeft = Math.abs(up - corner);
  const toUp = Math.abs(left - corner);
  const toCorner = Math.abs(left + up - 2 * corner);
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

/** Encodes a one-page PDF (ISO 32000-1, 8.9), which recognition reads without a temporary file. */
export function encodePdf({ width, height, grey }: Raster, dpi: number): Buffer {
  const [wide, tall] = [(width * 72) / dpi, (height * 72) / dpi].map((points) => points.toFixed(3));
  const content = Buffer.from(`${wide} 0 0 ${tall} 0 0 cm /I Do`);
  const data = deflateSync(grey, { level: 1 });
  const image = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 8 /Filter /FlateDecode`;
  const objects: (readonly [string, Buffer?])[] = [
    ["/Type /Catalog /Pages 2 0 R"],
    ["/Type /Pages /Kids [3 0 R] /Count 1"],
    [
      `/Type /Page /Parent 2 0 R /MediaBox [0 0 ${wide} ${tall}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >>`,
    ],
    ["", content],
    [image, data],
  ];
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  let at = parts[0]?.length ?? 0;
  const starts: number[] = [];
  const add = (...added: (string | Buffer)[]): void => {
    for (const part of added) {
      const bytes = typeof part === "string" ? Buffer.from(part, "latin1") : part;
      parts.push(bytes);
      at += bytes.length;
    }
  };
  for (const [index, [entries, stream]] of objects.entries()) {
    starts.push(at);
    add(`${index + 1} 0 obj\n<< ${entries}`);
    if (stream === undefined) add(" >>\nendobj\n");
    else add(` /Length ${stream.length} >>\nstream\n`, stream, "\nendstream\nendobj\n");
  }
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("");
  const size = objects.length + 1;
  const startOfTable = at;
  add(`xref\n0 ${size}\n0000000000 65535 f \n${table}`);
  add(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${startOfTable}\n%%EOF\n`);
  return Buffer.concat(parts);
}

/** Returns the grey value that best separates ink from paper (Otsu 1979). */
export function computeInkThreshold({ grey }: Raster): number {
  const counts = new Float64Array(256);
  for (const value of grey) counts[value] = (counts[value] as number) + 1;
  let sum = 0;
  for (const [value, count] of counts.entries()) sum += value * count;
  let [below, sumBelow, best, threshold] = [0, 0, -1, 128];
  for (let value = 0; value < 255; value++) {
    below += counts[value] as number;
    sumBelow += value * (counts[value] as number);
    const above = grey.length - below;
    if (below === 0 || above === 0) continue;
    const apart = below * above * (sumBelow / below - (sum - sumBelow) / above) ** 2;
    if (apart > best) [best, threshold] = [apart, value];
  }
  return threshold;
}

const STRIP_WIDTH_PX = 32;
const MAX_SLOPE = 0.06;

/**
 * Returns the slope of text lines to the right, as a share of their length: the slope whose rows
 * best separate ink and paper.
 */
export function measureSlope(raster: Raster): number {
  const { width, height, grey } = raster;
  const threshold = computeInkThreshold(raster);
  const strips = Math.floor(width / STRIP_WIDTH_PX);
  const ink = Array.from({ length: strips }, () => new Uint16Array(height));
  for (let y = 0; y < height; y++)
    for (let x = 0; x < strips * STRIP_WIDTH_PX; x++)
      if ((grey[y * width + x] as number) <= threshold) {
        const strip = ink[(x / STRIP_WIDTH_PX) | 0] as Uint16Array;
        strip[y] = (strip[y] as number) + 1;
      }
  const scoreSlope = (slope: number): number => {
    const profile = new Float64Array(height);
    for (const [at, strip] of ink.entries()) {
      const shift = Math.round(slope * (at + 0.5 - strips / 2) * STRIP_WIDTH_PX);
      for (let y = Math.max(0, shift); y < Math.min(height, height + shift); y++)
        profile[y - shift] = (profile[y - shift] as number) + (strip[y] as number);
    }
    let score = 0;
    for (let y = 1; y < height; y++)
      score += ((profile[y] as number) - (profile[y - 1] as number)) ** 2;
    return score;
  };
  const search = (from: number, to: number, step: number): number => {
    let [best, slope] = [-1, 0];
    for (let tried = from; tried <= to + 1e-9; tried += step) {
      const score = scoreSlope(tried);
      if (score > best) [best, slope] = [score, tried];
    }
    return slope;
  };
  const near = search(-MAX_SLOPE, MAX_SLOPE, 0.002);
  return search(near - 0.002, near + 0.002, 0.00025);
}

/** Rotates the image so that lines with this slope are level. Areas from outside become paper. */
export function rotateRaster(raster: Raster, slope: number): Raster {
  const { width, height, grey } = raster;
  const turned = new Uint8Array(width * height).fill(255);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [fromX, fromY] = [x - slope * (y - height / 2), y + slope * (x - width / 2)];
      const [left, top] = [Math.floor(fromX), Math.floor(fromY)];
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      const [right, down] = [fromX - left, fromY - top];
      const at = top * width + left;
      const upper = (grey[at] as number) * (1 - right) + (grey[at + 1] as number) * right;
      const lower =
        (grey[at + width] as number) * (1 - right) + (grey[at + width + 1] as number) * right;
      turned[y * width + x] = upper * (1 - down) + lower * down + 0.5;
    }
  }
  return { width, height, grey: turned };
}

/** Doubles the size with interpolation. */
export function doubleRaster({ width, height, grey }: Raster): Raster {
  const [wide, tall] = [2 * width, 2 * height];
  const large = new Uint8Array(wide * tall);
  for (let y = 0; y < tall; y++) {
    const [near, far] = listNeighbors(y, height);
    for (let x = 0; x < wide; x++) {
      const [left, right] = listNeighbors(x, width);
      const upper =
        3 * (grey[near * width + left] as number) + (grey[near * width + right] as number);
      const lower =
        3 * (grey[far * width + left] as number) + (grey[far * width + right] as number);
      large[y * wide + x] = (3 * upper + lower + 8) >> 4;
    }
  }
  return { width: wide, height: tall, grey: large };
}

/** Returns the pixel that contains a half pixel, and its neighbor. */
const listNeighbors = (half: number, length: number): [number, number] => {
  const near = half >> 1;
  const far = half % 2 === 0 ? near - 1 : near + 1;
  return [near, Math.min(length - 1, Math.max(0, far))];
};
