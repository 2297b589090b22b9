// Checks a model's values against the pages it has read. Values on no page are dropped.
import { findEvidence } from "./evidence.ts";
import type { Source } from "./run.ts";
import { pointerOf } from "./target.ts";
import { isObject } from "../runtime/is-object.ts";

export type ReadText = { readonly url: string; readonly markdown: string };

export type Proven = {
  /** Undefined when nothing is left. */
  readonly value: unknown;
  /** By JSON pointer into the value. */
  readonly places: Readonly<Record<string, Source>>;
  /** Pointers into the given value. */
  readonly dropped: readonly string[];
};

const MAX_DEPTH = 20;

/** `quotes`: by pointer into the given value, the words of a page that state it differently. */
export function prove(
  given: unknown,
  pages: readonly ReadText[],
  quotes: ReadonlyMap<string, string> = new Map(),
): Proven {
  const places: Record<string, Source> = {};
  const dropped: string[] = [];

  const placeOf = (value: unknown, pointer: string): Source | undefined => {
    const words = [quotes.get(pointer), typeof value === "boolean" ? undefined : value];
    for (const text of words) {
      if (text === undefined) continue;
      // The model speaks of the page it read last.
      for (const { url, markdown } of pages.toReversed()) {
        const source = findEvidence(url, markdown, text);
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
        const proven = visit(entry, `${from}/${index}`, `${to}/${kept.length}`, depth + 1);
        if (proven !== undefined) kept.push(proven);
      }
      return kept;
    }
    if (isObject(value)) {
      const kept: Record<string, unknown> = {};
      for (const [name, entry] of Object.entries(value)) {
        const part = pointerOf([name]);
        const proven = visit(entry, from + part, to + part, depth + 1);
        if (proven !== undefined) kept[name] = proven;
      }
      return Object.keys(kept).length === 0 ? undefined : kept;
    }
    if (value === "") return undefined;
    const place = placeOf(value, from);
    if (place === undefined) {
      dropped.push(from === "" ? "the whole" : from);
      return undefined;
    }
    places[to] = place;
    return value;
  };

  return { value: visit(given, "", "", 0), places, dropped };
}
