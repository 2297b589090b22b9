// Finds a page's facts in Markdown. Escapes, emphasis, link targets, table borders and spacing do
// not count.
import type { Fact } from "./read-facts.ts";

const IMAGE_OR_LINK =
  /!?\[((?:\\.|[^[\]\\])*)\]\((?:<[^<>\n]*>|(?:\\.|[^()\\\s]|\([^()\s]*\))*)(?:\s+"(?:\\.|[^"\\])*")?\)/g;
const AUTOLINK = /<((?:https?:\/\/|mailto:)?[^<>\s]+[@/][^<>\s]+)>/g;
const TAG = /<\/?[a-z][^<>]*>/gi;
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const ENTITIES: Readonly<Record<string, string>> = {
  "&amp;": "&",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&#39;": "'",
  "&nbsp;": " ",
};

/** Plain text as facts are compared: without marks that Markdown may or may not add, with single spaces. */
export function normalizeFact(text: string): string {
  return text
    .normalize("NFC")
    .replaceAll(/[\u{AD}\u{200B}-\u{200F}\u{2060}\u{FEFF}]/gu, "")
    .replaceAll(/[*_`~]/g, "")
    .replaceAll(/[|#>]/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** The text that a reader of the Markdown sees, squashed. */
export function readMarkdown(markdown: string): string {
  // Twice: a picture may be the text of a link.
  const unlinked = markdown.replaceAll(IMAGE_OR_LINK, "$1").replaceAll(IMAGE_OR_LINK, "$1");
  return normalizeFact(
    unlinked
      .replaceAll(AUTOLINK, "$1")
      .replaceAll(TAG, " ")
      .replaceAll(ESCAPE, "$1")
      .replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES[entity] ?? entity),
  );
}

const SPACED_LETTER =
  /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u;
/** Shorter facts must be separate words; longer ones may touch other letters. */
const MIN_TOUCHING_LENGTH = 6;

const escapeExpression = (text: string): string => text.replaceAll(/[$()*+.?[\\\]^{|}]/g, "\\$&");

/**
 * Words in order, with any spacing between them. With `isWord`, no letter touches either end; a
 * number is never part of a longer one.
 */
function buildExpression(text: string, isWord: boolean): RegExp {
  const source = text.split(" ").map(escapeExpression).join("\\s*");
  const isSpaced = (letter: string): boolean => isWord && SPACED_LETTER.test(letter);
  const first = text.at(0) ?? "";
  const last = text.at(-1) ?? "";
  const before = /\p{N}/u.test(first) ? "(?<!\\p{N}[.,]?)" : "";
  const after = /\p{N}/u.test(last) ? "(?![.,]?\\p{N})" : "";
  const start = isSpaced(first) ? "(?<!\\p{L})" : "";
  const end = isSpaced(last) ? "(?!\\p{L})" : "";
  return new RegExp(`${before}${start}${source}${after}${end}`, "u");
}

/** Reports whether `text` (squashed) holds the fact, or a line of boilerplate. */
export function holdsFact(text: string, fact: Fact): boolean {
  if (typeof fact !== "string") return new RegExp(fact.pattern, "u").test(text);
  const wanted = normalizeFact(fact);
  if (buildExpression(wanted, true).test(text)) return true;
  return wanted.length >= MIN_TOUCHING_LENGTH && buildExpression(wanted, false).test(text);
}
