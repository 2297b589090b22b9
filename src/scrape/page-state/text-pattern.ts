// A text of the page as fixed parts and values. A value starts with every explanation that fits, the
// text itself among them; each further page removes those that do not fit. It is known when all that
// are left give the same text.
import { showAs } from "./shown-forms.ts";
import { isWordStart, readPath, type Source, type ValueIndex } from "./value-index.ts";

type Explanation = Source | { readonly constant: string };
/** The explanations that fit all pages seen. */
export type Slot = { explanations: readonly Explanation[] };
export type TextPattern = readonly (string | Slot)[];

/** The data of the page, then the entry of each enclosing list. */
export type Scopes = readonly unknown[];

const MAX_EXPLANATIONS = 48;
const MAX_SLOTS = 40;
const MAX_STEPS = 2_000;

export function buildPattern(text: string, indexes: readonly ValueIndex[]): TextPattern {
  const explain = (shown: string): Slot | undefined => {
    const sources = indexes.toReversed().flatMap((index) => index.findSources(shown));
    if (sources.length === 0) return undefined;
    return { explanations: [{ constant: shown }, ...sources.slice(0, MAX_EXPLANATIONS)] };
  };
  const whole = explain(text);
  if (whole !== undefined) return [whole];
  const parts: (string | Slot)[] = [];
  let from = 0;
  let slots = 0;
  for (let at = 0; at < text.length && slots < MAX_SLOTS;) {
    const shown = isWordStart(text, at) ? findLongest(text, at, indexes) : undefined;
    const slot = shown === undefined ? undefined : explain(shown);
    if (shown === undefined || slot === undefined) {
      at += 1;
      continue;
    }
    if (at > from) parts.push(text.slice(from, at));
    parts.push(slot);
    slots += 1;
    at += shown.length;
    from = at;
  }
  if (from < text.length) parts.push(text.slice(from));
  return parts;
}

function findLongest(text: string, at: number, indexes: readonly ValueIndex[]): string | undefined {
  let longest: string | undefined;
  for (const index of indexes) {
    const shown = index.findLongest(text, at);
    if (shown !== undefined && shown.length > (longest?.length ?? 0)) longest = shown;
  }
  return longest;
}

const show = (explanation: Explanation, scopes: Scopes): string | undefined =>
  "constant" in explanation
    ? explanation.constant
    : showAs(readPath(scopes[explanation.level], explanation.path), explanation.form);

/** Returns the text for the data, or undefined if the explanations disagree. */
export function fillPattern(pattern: TextPattern, scopes: Scopes): string | undefined {
  let text = "";
  for (const part of pattern) {
    const shown = typeof part === "string" ? part : fillSlot(part, scopes);
    if (shown === undefined) return undefined;
    text += shown;
  }
  return text;
}

function fillSlot({ explanations }: Slot, scopes: Scopes): string | undefined {
  let text: string | undefined;
  for (const [at, explanation] of explanations.entries()) {
    const shown = show(explanation, scopes);
    if (shown === undefined || (at > 0 && shown !== text)) return undefined;
    text = shown;
  }
  return text;
}

/** Called once the whole page fits. */
export type Commit = () => void;

/**
 * Returns true if some explanation of every value fits the text, and adds the narrowing to
 * `commits`.
 */
export function fitPattern(
  pattern: TextPattern,
  text: string,
  scopes: Scopes,
  commits: Commit[],
): boolean {
  const choices: (readonly [Slot, string])[] = [];
  const alignment = { pattern, text, scopes, choices, left: MAX_STEPS };
  if (!alignFrom(alignment, 0, 0)) return false;
  for (const [slot, chosen] of choices) {
    const explanations = slot.explanations.filter((each) => show(each, scopes) === chosen);
    if (explanations.length < slot.explanations.length)
      commits.push(() => {
        slot.explanations = slot.explanations.filter((each) => explanations.includes(each));
      });
  }
  return true;
}

type Alignment = {
  readonly pattern: TextPattern;
  readonly text: string;
  readonly scopes: Scopes;
  readonly choices: (readonly [Slot, string])[];
  /** Steps left: a hostile page could have many alignments. */
  left: number;
};

function alignFrom(alignment: Alignment, part: number, at: number): boolean {
  const { pattern, text, scopes, choices } = alignment;
  alignment.left -= 1;
  if (alignment.left < 0) return false;
  const next = pattern[part];
  if (next === undefined) return at === text.length;
  if (typeof next === "string")
    return text.startsWith(next, at) && alignFrom(alignment, part + 1, at + next.length);
  const shown = new Set<string>();
  for (const explanation of next.explanations) {
    const value = show(explanation, scopes);
    if (value !== undefined && text.startsWith(value, at)) shown.add(value);
  }
  for (const value of [...shown].toSorted((one, other) => other.length - one.length)) {
    choices.push([next, value]);
    if (alignFrom(alignment, part + 1, at + value.length)) return true;
    choices.pop();
  }
  return false;
}

/** Adds the values that certainly decide this text. */
export function collectUsed(pattern: TextPattern, used: Source[]): void {
  for (const part of pattern)
    if (typeof part !== "string" && part.explanations.every((each) => !("constant" in each)))
      used.push(...(part.explanations as readonly Source[]));
}
