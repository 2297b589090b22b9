// Finds ruled lines in a page image: long thin runs of ink. Recognition is better without them.
import type { Ruling } from "../page-text.ts";
import { computeInkThreshold, type Raster } from "./raster.ts";

/** Lengths in inches. Shorter runs are strokes of letters, thicker ones are shapes. */
const MIN_ACROSS = 0.35;
const MIN_DOWN = 0.28;
const MAX_THICKNESS = 0.04;
/** Maximum gap within a line, in pixels. */
const MAX_LINE_GAP_PX = 2;
/** Minimum share of a run with paper beside it. */
const MIN_PAPER_SHARE = 0.7;
/** A run along nearly the whole page is the page edge. */
const MIN_EDGE_SHARE = 0.97;

export type RulingResult = {
  /** In pixels. */
  readonly horizontals: readonly Ruling[];
  readonly verticals: readonly Ruling[];
  /** The image without the lines. */
  readonly rest: Raster;
};

/** Expects an image with level lines of text. */
export function takeRulings(raster: Raster, dpi: number): RulingResult {
  const { width, height, grey } = raster;
  const threshold = computeInkThreshold(raster);
  const ink = new Uint8Array(grey.length);
  for (let at = 0; at < grey.length; at++) ink[at] = (grey[at] as number) <= threshold ? 1 : 0;
  const across = findRuns(
    { ink, length: width, lines: height, step: 1, lineStep: width },
    dpi,
    MIN_ACROSS,
  );
  const down = findRuns(
    { ink, length: height, lines: width, step: width, lineStep: 1 },
    dpi,
    MIN_DOWN,
  );
  const rest = grey.slice();
  const thickness = Math.ceil(MAX_THICKNESS * dpi);
  for (const run of across)
    eraseRun(rest, run, { ink, length: width, lines: height, step: 1, lineStep: width }, thickness);
  for (const run of down)
    eraseRun(rest, run, { ink, length: height, lines: width, step: width, lineStep: 1 }, thickness);
  const isInside = (max: number) => (run: Run) => run.to - run.from < MIN_EDGE_SHARE * max;
  return {
    horizontals: across.filter(isInside(width)).map(toRuling),
    verticals: down.filter(isInside(height)).map(toRuling),
    rest: { width, height, grey: rest },
  };
}

const toRuling = ({ line, until, from, to }: Run): Ruling => ({ at: (line + until) / 2, from, to });

/** Ink along one direction: `lines` lines of `length` pixels each. */
type Field = {
  readonly ink: Uint8Array;
  readonly length: number;
  readonly lines: number;
  readonly step: number;
  readonly lineStep: number;
};

/** Ink on the lines from `line` (inclusive) to `until` (exclusive). */
type Run = {
  readonly line: number;
  readonly until: number;
  readonly from: number;
  readonly to: number;
};

function findRuns(field: Field, dpi: number, shortest: number): Run[] {
  const min = Math.round(shortest * dpi);
  const thickness = Math.ceil(MAX_THICKNESS * dpi);
  const open: { line: number; until: number; from: number; to: number }[] = [];
  const closed: Run[] = [];
  for (let line = 0; line < field.lines; line++) {
    for (const { from, to } of findRunsOnLine(field, line, min)) {
      const same = open.find(
        (run) => run.until >= line && Math.min(run.to, to) - Math.max(run.from, from) > 0,
      );
      if (same === undefined) open.push({ line, until: line + 1, from, to });
      else {
        same.until = line + 1;
        same.from = Math.min(same.from, from);
        same.to = Math.max(same.to, to);
      }
    }
    for (let at = open.length - 1; at >= 0; at--)
      if ((open[at] as Run).until < line) closed.push(...open.splice(at, 1));
  }
  return [...closed, ...open].filter(
    (run) => run.until - run.line <= thickness && isFree(field, run, thickness),
  );
}

function findRunsOnLine(
  { ink, length, step, lineStep }: Field,
  line: number,
  min: number,
): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  let [from, last] = [-1, -1];
  const close = (): void => {
    if (from >= 0 && last + 1 - from >= min) runs.push({ from, to: last + 1 });
    from = -1;
  };
  for (let at = 0; at < length; at++) {
    if (ink[line * lineStep + at * step] !== 1) continue;
    if (from >= 0 && at - last > MAX_LINE_GAP_PX + 1) close();
    if (from < 0) from = at;
    last = at;
  }
  close();
  return runs;
}

/** True if there is paper on both sides of a run, unlike inside shapes and rows of letters. */
function isFree({ ink, lines, step, lineStep }: Field, run: Run, reach: number): boolean {
  const isPaper = (line: number): boolean => {
    if (line < 0 || line >= lines) return true;
    let paper = 0;
    for (let at = run.from; at < run.to; at++) if (ink[line * lineStep + at * step] === 0) paper++;
    return paper >= MIN_PAPER_SHARE * (run.to - run.from);
  };
  const half = Math.max(2, reach >> 1);
  return isPaper(run.line - half) && isPaper(run.until - 1 + half);
}

/** Erases a run except where another stroke crosses or touches it. */
function eraseRun(
  grey: Uint8Array,
  run: Run,
  { ink, lines, step, lineStep }: Field,
  thickness: number,
): void {
  const [first, end] = [Math.max(0, run.line - 1), Math.min(lines, run.until + 1)];
  for (let at = run.from; at < run.to; at++) {
    let [top, bottom] = [run.line, run.until];
    const isInk = (line: number): boolean =>
      line >= 0 && line < lines && ink[line * lineStep + at * step] === 1;
    while (isInk(top - 1) && run.line - top <= thickness) top--;
    while (isInk(bottom) && bottom - run.until <= thickness) bottom++;
    if (bottom - top > run.until - run.line + 2) continue;
    for (let line = first; line < end; line++) grey[line * lineStep + at * step] = 255;
  }
}
