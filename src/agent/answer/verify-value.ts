// Checks a model's values against the pages it has read. Values on no page are dropped.
import { isNumberOf, listContextWords } from "../../formats/json/evidence/number-context.ts";
import { readNumbers } from "../../formats/model/stated-values.ts";
import { findEvidence } from "./evidence.ts";
import type { Source } from "../run.ts";
import { buildPointer } from "./target.ts";
import { isObject } from "../../runtime/is-object.ts";

export type ReadText = {
  readonly url: string;
  readonly markdown: string;
  /** Cells that the server copied by column: their numbers need no label beside them. */
  readonly areCells?: boolean;
};

export type VerifiedValue = {
  /** Undefined when nothing is left. */
  readonly value: unknown;
  /** By JSON pointer into the value. */
  readonly places: Readonly<Record<string, Source>>;
  /** Pointers into the given value. */
  readonly dropped: readonly string[];
};

const MAX_DEPTH = 20;

/** `quotes`: by pointer into the given value, the words of a page that state it differently. */
export function verifyValue(
  given: unknown,
  pages: readonly ReadText[],
  quotes: ReadonlyMap<string, string> = new Map(),
): VerifiedValue {
  const places: Record<string, Source> = {};
  const dropped: string[] = [];

  const findPlace = (value: unknown, pointer: string): Source | undefined => {
    const words = [quotes.get(pointer), typeof value === "boolean" ? undefined : value];
    for (const text of words) {
      if (text === undefined) continue;
      // The page read last is the most likely source.
      for (const page of pages.toReversed()) {
        const source =
          typeof text === "number" && page.areCells !== true
            ? findNumber(page, text, pointer)
            : findEvidence(page.url, page.markdown, text);
        if (source !== undefined) return source;
      }
    }
    return undefined;
  };

  const visit = (value: unknown, from: string, to: string, depth: number): unknown => {
    if (value === null || value === undefined || depth > MAX_DEPTH) return undefined;
    if (Array.isArray(value)) {
      const kept: unknown[] = [];
      for (const [index, entry] of value.entries()) {
        const verified = visit(entry, `${from}/${index}`, `${to}/${kept.length}`, depth + 1);
        if (verified !== undefined) kept.push(verified);
      }
      return kept;
    }
    if (isObject(value)) {
      const kept: Record<string, unknown> = {};
      for (const [name, entry] of Object.entries(value)) {
        const part = buildPointer([name]);
        const verified = visit(entry, from + part, to + part, depth + 1);
        if (verified !== undefined) kept[name] = verified;
      }
      return Object.keys(kept).length === 0 ? undefined : kept;
    }
    if (value === "") return undefined;
    const place = findPlace(value, from);
    if (place === undefined) {
      dropped.push(from === "" ? "the whole" : from);
      return undefined;
    }
    places[to] = place;
    return value;
  };

  return { value: visit(given, "", "", 0), places, dropped };
}

/**
 * Finds a number next to the label, column or sign of its property; a number elsewhere on the page
 * is not evidence.
 */
function findNumber(
  { url, markdown }: ReadText,
  value: number,
  pointer: string,
): Source | undefined {
  const name = pointer.split("/").findLast((part) => part !== "" && !/^\d+$/.test(part)) ?? "";
  const words = listContextWords(name);
  for (const { amounts, at, end } of readNumbers(markdown)) {
    if (!amounts.some((amount) => Math.abs(amount - value) < 1e-9)) continue;
    if (!isNumberOf(name, words, markdown, at, end)) continue;
    const whole = markdown.slice(at, end);
    const [digits = whole] = /[-−+]?\d(?:[\d.,'’\u00a0\u202f]*\d)?/.exec(whole) ?? [];
    const start = at + whole.indexOf(digits);
    return { url, text: digits, start, end: start + digits.length };
  }
  return undefined;
}
