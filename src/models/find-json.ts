// Finds JSON in model output: with text around it, in code fences, after thoughts, with single
// quotes, trailing commas or comments, and cut off before its end.
import { jsonrepair } from "jsonrepair";

/** Longer texts are not repaired. */
const MAX_REPAIRED_CHARACTERS = 400_000;

/** Removes the thoughts that reasoning models write before their answer. */
export function stripThoughts(text: string): string {
  const end = text.lastIndexOf("</think>");
  return end === -1 ? text : text.slice(end + "</think>".length);
}

/**
 * Returns the JSON value in a text: the whole text, a code fence, or the first object or list.
 * Repairs common mistakes of models. The last part of an unclosed value is dropped. Returns
 * undefined if there is none.
 */
export function findJson(written: string): unknown {
  const text = stripThoughts(written).trim();
  const whole = parse(text);
  if (whole !== undefined) return whole;
  const fenced = /```(?:json5?|JSON)?\s([\s\S]*?)```/.exec(text)?.[1];
  if (fenced !== undefined) {
    const inner = parse(fenced.trim()) ?? repair(fenced);
    if (inner !== undefined) return inner;
  }
  const start = text.search(/[{[]/);
  if (start === -1) return undefined;
  const end = findValueEnd(text, start);
  if (end !== undefined) return parse(text.slice(start, end)) ?? repair(text.slice(start, end));
  return repair(dropLastValue(text.slice(start)));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Only objects and lists are repaired: any prose is a string to a lenient reader. */
function repair(written: string): unknown {
  const start = written.search(/[{[]/);
  if (start === -1 || written.length > MAX_REPAIRED_CHARACTERS) return undefined;
  try {
    const value = JSON.parse(jsonrepair(written.slice(start))) as unknown;
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Cuts back to the last complete value: "12" may be the start of "129.99", and an object without
 * its first value is useless.
 */
function dropLastValue(text: string): string {
  let last = 1;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === "\\") at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === ",") last = at;
    else if (sign === "}" || sign === "]") last = at + 1;
  }
  return text.slice(0, last);
}

/** Returns the end of the object or list at `start`, or undefined if it is not closed. */
function findValueEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let quoted = false;
  for (let at = start; at < text.length; at += 1) {
    const sign = text[at];
    if (quoted) {
      if (sign === "\\") at += 1;
      else if (sign === '"') quoted = false;
    } else if (sign === '"') quoted = true;
    else if (sign === "{" || sign === "[") depth += 1;
    else if (sign === "}" || sign === "]") {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}
