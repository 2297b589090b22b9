// Finds links and images in Markdown like the scorers' regular expressions, but in linear time:
// those scan from each bracket to the end of the text, which takes minutes on pages with script
// text.

/** Returns the end of the piece that starts at `at`; `at` itself if none does. */
type Step = (text: string, at: number) => number;

/** Runs of pieces; each step is computed once for all runs. */
class Runs {
  readonly #text: string;
  readonly #step: Step;
  /** One more than the end of the run through each position; 0 if unknown. */
  readonly #ends: Int32Array;

  constructor(text: string, step: Step) {
    this.#text = text;
    this.#step = step;
    this.#ends = new Int32Array(text.length + 1);
  }

  /** Returns the end of the run that starts at `start`. */
  end(start: number): number {
    const passed: number[] = [];
    let at = start;
    let known = this.#ends[at] as number;
    while (known === 0) {
      passed.push(at);
      const next = at < this.#text.length ? this.#step(this.#text, at) : at;
      if (next === at) known = at + 1;
      else {
        at = next;
        known = this.#ends[at] as number;
      }
    }
    for (const place of passed) this.#ends[place] = known;
    return known - 1;
  }
}

const isLineEnd = (code: number): boolean =>
  code === 0x0a || code === 0x0d || code === 0x2028 || code === 0x2029;

/** A backslash and the following character on the same line. */
function skipEscaped(text: string, at: number): number {
  return at + 1 < text.length && !isLineEnd(text.charCodeAt(at + 1)) ? at + 2 : at;
}

/** `[^\[\]\\]|\\.` */
const label: Step = (text, at) => {
  const code = text.charCodeAt(at);
  if (code === 0x5c) return skipEscaped(text, at);
  return code === 0x5b || code === 0x5d ? at : at + 1;
};

/** `[^\[\]\\]|\\.|\[[^\]]*\]` */
const matchNestedLabel: Step = (text, at) =>
  text.charCodeAt(at) === 0x5b ? Math.max(at, text.indexOf("]", at) + 1) : label(text, at);

/** `[^()\\]|\\.|\([^()]*\)` */
const matchTarget: Step = (text, at) => {
  const code = text.charCodeAt(at);
  if (code === 0x5c) return skipEscaped(text, at);
  if (code === 0x29) return at;
  if (code !== 0x28) return at + 1;
  let end = at + 1;
  while (end < text.length && text.charCodeAt(end) !== 0x28 && text.charCodeAt(end) !== 0x29) end++;
  return text.charCodeAt(end) === 0x29 ? end + 1 : at;
};

/** The rest of a link after its label: end and data; undefined when it is no link. */
type Tail<Found> = (
  closing: number,
  start: number,
) => { readonly end: number; readonly found: Found } | undefined;

function replaceLabelled<Found>(
  text: string,
  opening: "[" | "![",
  labels: Runs,
  tail: Tail<Found>,
  replacement: (label: string, found: Found) => string,
): string {
  let written = "";
  let last = 0;
  for (let at = text.indexOf(opening); at >= 0;) {
    const start = at + opening.length;
    const closing = labels.end(start);
    const rest = text.charCodeAt(closing) === 0x5d ? tail(closing, start) : undefined;
    if (rest === undefined) {
      at = text.indexOf(opening, at + 1);
      continue;
    }
    written += text.slice(last, at) + replacement(text.slice(start, closing), rest.found);
    last = rest.end;
    at = text.indexOf(opening, last);
  }
  return last === 0 ? text : written + text.slice(last);
}

/** Replaces every `[label](target)`, or `![label](target)`, using its label. */
export function replaceLinks(
  text: string,
  opening: "[" | "![",
  replacement: (label: string) => string,
): string {
  if (!text.includes("](")) return text;
  const targets = new Runs(text, matchTarget);
  return replaceLabelled(
    text,
    opening,
    new Runs(text, label),
    (closing) => {
      if (text.charCodeAt(closing + 1) !== 0x28) return undefined;
      const end = targets.end(closing + 2);
      return text.charCodeAt(end) === 0x29 ? { end: end + 1, found: undefined } : undefined;
    },
    replacement,
  );
}

/** Replaces every `[label][name]` by its label. */
export function removeReferences(text: string): string {
  if (!text.includes("][")) return text;
  return replaceLabelled(
    text,
    "[",
    new Runs(text, label),
    (closing, start) => {
      if (closing === start || text.charCodeAt(closing + 1) !== 0x5b) return undefined;
      const end = text.indexOf("]", closing + 2);
      return end < 0 ? undefined : { end: end + 1, found: undefined };
    },
    (label) => label,
  );
}

const DESTINATION = /\(\s*<?((?:[^()\s\\>]|\\.|\([^()]*\))*)>?(?:\s+["'(][^)]*)?\)/y;
const PICTURE_SOURCE = /\(\s*<?([^)\s>]*)>?(?:\s+["'(][^)]*)?\)/y;

function matchDestination(text: string, expression: RegExp): Tail<string> {
  return (closing) => {
    expression.lastIndex = closing + 1;
    const match = expression.exec(text);
    return match === null ? undefined : { end: expression.lastIndex, found: match[1] as string };
  };
}

/** Replaces each picture by a space. */
export function removePictures(text: string): string {
  if (!text.includes("![")) return text;
  return replaceLabelled(
    text,
    "![",
    new Runs(text, label),
    matchDestination(text, PICTURE_SOURCE),
    () => " ",
  );
}

/**
 * Calls back with each link's label and target in order; labels may contain one level of brackets.
 */
export function visitLinks(text: string, link: (label: string, target: string) => void): void {
  if (!text.includes("](")) return;
  replaceLabelled(
    text,
    "[",
    new Runs(text, matchNestedLabel),
    matchDestination(text, DESTINATION),
    (label, found) => {
      link(label, found);
      return "";
    },
  );
}
