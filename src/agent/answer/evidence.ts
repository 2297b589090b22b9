// Finds where on a page a value is stated: a span of its Markdown.
import { findWords, type Span } from "../pages/find-words.ts";
import type { Source } from "../run.ts";

const MAX_WORDS = 40;
const MAX_TEXT = 300;
const NUMBER = /[-−+]?\d(?:[\d.,'’\u00a0\u202f]*\d)?/g;

/** Returns the source of a value on a page with its span; undefined if its words are not there. */
export function findEvidence(url: string, markdown: string, value: unknown): Source | undefined {
  const span = findSpan(markdown, value);
  if (span === undefined) return undefined;
  const { start, end } = span;
  return { url, text: markdown.slice(start, Math.min(end, start + MAX_TEXT)), start, end };
}

function findSpan(markdown: string, value: unknown): Span | undefined {
  if (typeof value === "number") return findNumber(markdown, value);
  if (typeof value === "string") return findText(markdown, value.trim());
  if (Array.isArray(value)) {
    const spans = value.map((entry) => findSpan(markdown, entry));
    return spans.every((span) => span !== undefined) ? spans[0] : undefined;
  }
  return undefined;
}

function findText(markdown: string, text: string): Span | undefined {
  if (text === "") return undefined;
  // A long text is not searched at overlapping positions, which would take quadratic time for
  // repeated letters.
  const step = text.length > MAX_TEXT ? text.length : 1;
  for (let at = markdown.indexOf(text); at !== -1; at = markdown.indexOf(text, at + step))
    if (isWhole(markdown, at, at + text.length)) return { start: at, end: at + text.length };
  return (
    findWords(markdown, text.split(/\s+/).slice(0, MAX_WORDS), isWhole) ?? findDate(markdown, text)
  );
}

/** Not part of a longer word or number: "Ad" is not found in "Ada", nor "0" in "10". */
function isWhole(markdown: string, start: number, end: number): boolean {
  const isContinued = (before: string | undefined, after: string | undefined): boolean =>
    before !== undefined &&
    after !== undefined &&
    /[\p{L}\p{N}]/u.test(before) &&
    /[\p{L}\p{N}]/u.test(after) &&
    !UNSPACED_SCRIPT.test(before + after);
  return (
    !isContinued(markdown[start - 1], markdown[start]) &&
    !isContinued(markdown[end - 1], markdown[end])
  );
}

/** Scripts without spaces between words. */
const UNSPACED_SCRIPT = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Hang}]/u;

function findNumber(markdown: string, value: number): Span | undefined {
  for (const found of markdown.matchAll(NUMBER)) {
    const [text] = found;
    if (readNumbers(text).some((number) => Math.abs(number - value) < 1e-9))
      return { start: found.index, end: found.index + text.length };
  }
  return undefined;
}

/** The possible values of a written number, with a point or comma as decimal mark. */
function readNumbers(text: string): number[] {
  const plain = text.replace("−", "-").replaceAll(/['’\u00a0\u202f]/g, "");
  const readings = [plain.replaceAll(",", ""), plain.replaceAll(".", "").replace(",", ".")];
  return readings.map(Number).filter((number) => Number.isFinite(number));
}

const MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ");

/** Finds an ISO date in written form: day, month by name or number, and year next to each other. */
function findDate(markdown: string, text: string): Span | undefined {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const name = MONTHS[Number(month) - 1] ?? month;
  const dayPattern = `0?${Number(day)}(?:st|nd|rd|th)?`;
  const monthPattern = `(?:${name}\\w*|0?${Number(month)})`;
  const gap = String.raw`[\s.,/-]{1,3}`;
  const pattern = `\\b(?:${dayPattern}${gap}${monthPattern}|${monthPattern}${gap}${dayPattern})${gap}${year}\\b`;
  const found = new RegExp(pattern, "iu").exec(markdown);
  return found === null ? undefined : { start: found.index, end: found.index + found[0].length };
}
