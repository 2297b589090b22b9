// Identifiers of code in texts: names made of parts, such as `str.removeprefix`,
// `log_min_duration_statement`, `std::vector`, `--force-with-lease` and `3.11`.

import { fold } from "./words.ts";

/** Longer names are paths and hashes; pages and queries skip them alike. */
const MAX_CHARACTERS = 80;
const PART = /[\p{L}\p{N}]/u;
/** Characters that join the parts of a name. `::` and `->` count as a dot. */
const JOINTS: Readonly<Record<string, string>> = { _: "_", ".": ".", "-": "-", ":": ".", "#": "." };

/** True for an ASCII letter or digit. */
const isAscii = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90);

/** True for an ASCII letter or digit, or any other letter or digit, at this position. */
const isPart = (text: string, at: number): boolean => {
  const code = text.charCodeAt(at);
  return isAscii(code) || (code > 127 && PART.test(text[at] ?? ""));
};

/**
 * Calls `visit` for each identifier of at least two parts in order, in lower case, until it returns
 * false; after a qualified name for the names within: `loop.run_in_executor` and `run_in_executor`
 * after `asyncio.loop.run_in_executor`. One pass over the text.
 */
export function visitIdentifiers(text: string, visit: (name: string) => boolean): void {
  const end = text.length;
  let at = 0;
  while (at < end) {
    if (!isPart(text, at)) {
      at += 1;
      continue;
    }
    let name = "";
    let joints = 0;
    let from = at;
    for (;;) {
      while (at < end && isPart(text, at)) at += 1;
      const joint = findJointAt(text, at);
      if (joint === undefined) break;
      name += text.slice(from, at) + joint.sign;
      joints += 1;
      at += joint.length;
      from = at;
    }
    if (joints === 0 || name.length + at - from > MAX_CHARACTERS) continue;
    const whole = (name + text.slice(from, at)).toLowerCase();
    if (!visit(whole)) return;
    for (let dot = whole.indexOf("."); dot >= 0; dot = whole.indexOf(".", dot + 1)) {
      const inner = whole.slice(dot + 1);
      if (!/[_.-]/.test(inner)) break;
      if (!visit(inner)) return;
    }
  }
}

/** The joining characters at this position, if another part follows them. */
function findJointAt(text: string, at: number): { sign: string; length: number } | undefined {
  const character = text[at] ?? "";
  const sign = JOINTS[character];
  if (sign === undefined) return undefined;
  const next = text[at + 1] ?? "";
  const isLong = (character === ":" && next === ":") || (character === "-" && next === ">");
  // A single colon joins a label and its value, not a name.
  if (character === ":" && !isLong) return undefined;
  const length = isLong ? 2 : 1;
  return isPart(text, at + length) && at + length < text.length
    ? { sign: isLong ? "." : sign, length }
    : undefined;
}

/** Returns the identifiers of a text, each once. */
export function listIdentifiers(text: string): string[] {
  const names = new Set<string>();
  visitIdentifiers(text, (name) => names.add(name) !== undefined);
  return [...names];
}

/** Folds the letters of an identifier as words are folded; no other character than joints stays. */
export const foldName = (name: string): string =>
  /^[\w.-]*$/.test(name) ? name : fold(name).replaceAll(/[^\p{L}\p{N}_.-]/gu, "");
