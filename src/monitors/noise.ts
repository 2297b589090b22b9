// Regions of a page that differ between fetches within a minute. They are learned from texts of the
// same page: lines with a stable part become templates, other regions are known by the stable lines
// around them.
import { diffArrays } from "diff";
import { toLines, type Line } from "../formats/change-tracking/lines.ts";

export type Noise =
  /** Words of a line; null stands for any word. */
  | { readonly kind: "line"; readonly words: readonly (string | null)[] }
  /** All lines between two lines, by their keys; null is the start or the end of the page. */
  | { readonly kind: "region"; readonly before: string | null; readonly after: string | null }
  /** Blocks of pictures (picture.ts). */
  | { readonly kind: "blocks"; readonly blocks: readonly string[] };

/** Beyond these limits, the texts are different pages and the differences no noise. */
const MAX_EDITS = 400;
const MAX_DIFF_MS = 100;
const MAX_REGIONS = 24;
const MAX_REGION_LINES = 60;
/** Limit of the learned regions of a page; the oldest are dropped. */
export const MAX_NOISE = 48;

type Region = {
  readonly before: string | null;
  readonly after: string | null;
  /** The lines of each text in this region. */
  readonly sides: readonly (readonly Line[])[];
};

/**
 * Position of each line of the first text in the other, undefined for a line that the other lacks.
 * Undefined if the texts differ too much.
 */
function matchLines(
  first: readonly Line[],
  other: readonly Line[],
): (number | undefined)[] | undefined {
  const parts = diffArrays(
    first.map(({ key }) => key),
    other.map(({ key }) => key),
    { maxEditLength: MAX_EDITS, timeout: MAX_DIFF_MS },
  );
  if (parts === undefined) return undefined;
  const places: (number | undefined)[] = [];
  let at = 0;
  for (const { added, removed, count } of parts) {
    if (added) at += count;
    else for (let step = 0; step < count; step++) places.push(removed ? undefined : at++);
  }
  return places;
}

/** Returns the regions that differ between texts of one page, split at their common lines. */
function findRegions(texts: readonly (readonly Line[])[]): Region[] {
  const [first = [], ...others] = texts;
  const places = others.map((other) => matchLines(first, other));
  if (places.some((found) => found === undefined)) return [];
  const regions: Region[] = [];
  let before: string | null = null;
  let starts = texts.map(() => 0);
  const end = (ends: readonly number[], after: string | null): void => {
    const sides = texts.map((lines, index) => lines.slice(starts[index], ends[index]));
    const bodies = new Set(sides.map(toBody));
    if (bodies.size > 1) regions.push({ before, after, sides });
  };
  for (const [index, { key }] of first.entries()) {
    const here = [index, ...places.map((found) => found?.[index])];
    if (here.some((place) => place === undefined)) continue;
    end(here as number[], key);
    before = key;
    starts = (here as number[]).map((place) => place + 1);
  }
  end(
    texts.map(({ length }) => length),
    null,
  );
  return regions;
}

const toBody = (lines: readonly Line[]): string => lines.map(({ key }) => key).join("\n");

/**
 * True if the texts of a region, oldest first, are unstable: an earlier text returned, or every
 * fetch differs from the previous one. A single change that stays may be an edit.
 */
function isUnstable(bodies: readonly string[]): boolean {
  const changes = bodies.flatMap((body, index) =>
    index > 0 && body !== bodies[index - 1] ? [index] : [],
  );
  if (changes.some((index) => bodies.slice(0, index).includes(bodies[index] ?? ""))) return true;
  return bodies.length > 2 && changes.length === bodies.length - 1;
}

const splitWords = (text: string): string[] => text.trim().split(/\s+/);
const isWord = (text: string): boolean => (text.match(/\p{L}/gu)?.length ?? 0) >= 3;

/** Returns the common words of lines at the same place; undefined if there are too few. */
function toTemplate(sides: readonly (readonly Line[])[]): Noise | undefined {
  if (sides.some(({ length }) => length !== 1)) return undefined;
  const all = sides.map(([line]) => splitWords(line?.text ?? ""));
  const [first = []] = all;
  if (all.some(({ length }) => length !== first.length)) return undefined;
  const words = first.map((word, index) =>
    all.every((other) => other[index] === word) ? word : null,
  );
  const isTelling = words.some((word) => word !== null && isWord(word));
  return isTelling ? { kind: "line", words } : undefined;
}

/**
 * Learns unstable regions from the texts of fetches shortly after each other, in order of time. The
 * first may be the known version of an earlier check.
 */
export function learnNoise(texts: readonly string[]): Noise[] {
  if (texts.length < 2) return [];
  const regions = findRegions(texts.map((text) => toLines(text)));
  if (regions.length > MAX_REGIONS) return [];
  return regions.flatMap(({ before, after, sides }): Noise[] => {
    if (!isUnstable(sides.map(toBody))) return [];
    if (sides.some(({ length }) => length > MAX_REGION_LINES)) return [];
    const template = toTemplate(sides);
    if (template !== undefined) return [template];
    return before === null && after === null ? [] : [{ kind: "region", before, after }];
  });
}

/** Adds learned regions, newest last. */
export function addNoise(known: readonly Noise[], learned: readonly Noise[]): Noise[] {
  const texts = new Set(learned.map((noise) => JSON.stringify(noise)));
  return [...known.filter((noise) => !texts.has(JSON.stringify(noise))), ...learned].slice(
    -MAX_NOISE,
  );
}

const matches = (words: readonly string[], template: readonly (string | null)[]): boolean =>
  words.length === template.length &&
  template.every((word, index) => word === null || word === words[index]);

/** Returns the lines outside of known noise. */
export function removeNoise(lines: readonly Line[], noise: readonly Noise[]): readonly Line[] {
  if (noise.length === 0) return lines;
  const templates = noise.flatMap((one) => (one.kind === "line" ? [one.words] : []));
  const dropped = new Set<number>();
  const places = new Map<string, number[]>();
  for (const [index, { key, text }] of lines.entries()) {
    const known = places.get(key);
    if (known === undefined) places.set(key, [index]);
    else known.push(index);
    const words = templates.length === 0 ? [] : splitWords(text);
    if (templates.some((template) => matches(words, template))) dropped.add(index);
  }
  for (const one of noise) {
    if (one.kind !== "region") continue;
    const starts = one.before === null ? [-1] : (places.get(one.before) ?? []);
    const ends = one.after === null ? [lines.length] : (places.get(one.after) ?? []);
    for (const start of starts) {
      const end = ends.find((place) => place > start);
      if (end === undefined || end - start > MAX_REGION_LINES + 1) continue;
      for (let index = start + 1; index < end; index++) dropped.add(index);
    }
  }
  return lines.filter((_line, index) => !dropped.has(index));
}
