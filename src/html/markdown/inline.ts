// Builds one line of text from pieces with marks, code, images and breaks. Whitespace is folded as
// in a browser before it is written as Markdown.
import { startsWithCode, endsWithCode } from "../parse/char-code-at.ts";
import { toCellCode, toCodeSpan } from "./code-span.ts";
import {
  escapeInline,
  escapeLines,
  escapeLineStart,
  computeFlanks,
  INLINE_SPECIAL,
  isPlain,
} from "./escape.ts";
import { type MarkPath, NO_MARKS } from "./marks.ts";
import { findPairingDelimiters } from "./pairing.ts";
import { getEdgeCharacter, type Piece, type Token, toPieces } from "./line-pieces.ts";
import { toDestination } from "./target.ts";
import {
  isBesidePicture,
  areTouchingWords,
  isPhraseBoundary,
  readsAsOneWord,
} from "./word-boundaries.ts";

const BLANK = 32;

/** Style of a line break: a hard break, a tag (table cells), or a space (headings). */
export type BreakStyle = "hard" | "tag" | "blank";

/** Collects text for one paragraph, heading or table cell. */
export class InlineRun {
  #tokens: Token[] = [];
  /** The text so far ends between two styled elements. */
  #atSeam = false;
  /** One of these two elements is a label. */
  #isLabelled = false;
  /** The text so far ends before or after a phrase of its own. */
  #isAtPhrase = false;
  /**
   * True if the text so far ends with a space. Reading the text itself would flatten the string
   * each time.
   */
  #endsInBlank = false;

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  get size(): number {
    return this.#tokens.length;
  }

  get endsWithBreak(): boolean {
    return this.#tokens.at(-1)?.kind === "break";
  }

  /** Adds text as in the page. Whitespace is folded on writing. `plain`: result of `isPlain`. */
  text(written: string, marks: MarkPath, plain = isPlain(written)): void {
    const value = plain && written.includes("\n") ? written.replaceAll("\n", " ") : written;
    const last = this.#tokens.at(-1);
    if (this.#isAtPhrase) {
      this.#isAtPhrase = false;
      if (last?.kind === "text" && isPhraseBoundary(last.value, value)) {
        last.value += " ";
        this.#endsInBlank = true;
      }
    }
    if (this.#atSeam) {
      this.#atSeam = false;
      if (last?.kind === "text") {
        if (
          readsAsOneWord(last.value, value) ||
          (this.#isLabelled && areTouchingWords(last.value, value))
        ) {
          last.value += " ";
          this.#endsInBlank = true;
        }
      } else if (this.#isLabelled && last?.kind === "code" && areTouchingWords(last.value, value))
        this.#push("text", " ", NO_MARKS);
    }
    if (last?.kind === "raw" && isBesidePicture(last.value, value))
      this.#push("text", " ", NO_MARKS);
    if (last?.kind === "text" && last.marks === marks) {
      last.plain &&= plain && !(this.#endsInBlank && startsWithCode(value, BLANK));
      last.value += value;
    } else if (last !== undefined || /\S/.test(value)) this.#push("text", value, marks, plain);
    if (value !== "") this.#endsInBlank = endsWithCode(value, BLANK);
  }

  /** Adds whitespace, which is ignored at the start of a line. */
  blank(marks: MarkPath): void {
    if (this.#tokens.length > 0 && !this.endsWithBreak) this.text(" ", marks, true);
    else this.#atSeam = false;
  }

  code(value: string, marks: MarkPath): void {
    if (value === "") return;
    const last = this.#tokens.at(-1);
    if (last?.kind === "code" && last.marks === marks) last.value += value;
    else this.#push("code", value, marks);
  }

  /** The next text is visually separate from the last one, although nothing is between them. */
  wordBoundary(isLabelled: boolean): void {
    this.#atSeam = true;
    this.#isLabelled = isLabelled;
  }

  /** Adds words that are a phrase of their own, such as the description of an image. */
  phrase(words: string, marks: MarkPath): void {
    this.#isAtPhrase = true;
    this.text(words, marks);
    this.#isAtPhrase = true;
  }

  /** Adds existing Markdown: an image, a formula, a footnote reference. */
  raw(value: string, marks: MarkPath): void {
    const last = this.#tokens.at(-1);
    if (last?.kind === "text" && isBesidePicture(last.value, value))
      this.#push("text", " ", NO_MARKS);
    this.#push("raw", value, marks);
  }

  lineBreak(marks: MarkPath): void {
    if (this.#tokens.length > 0) this.#push("break", "", marks);
  }

  #push(kind: Token["kind"], value: string, marks: MarkPath, plain = true): void {
    this.#tokens.push({ kind, value, marks, plain });
  }

  /** Returns the words so far, without Markdown. */
  words(): string {
    return this.#tokens
      .map(({ kind, value }) => (kind === "text" || kind === "code" ? value : " "))
      .join("")
      .replaceAll(/\s+/g, " ")
      .trim();
  }

  /** True if anything but spaces and breaks was added since the run had `size` tokens. */
  hasContentSince(size: number): boolean {
    for (let index = this.#tokens.length - 1; index >= size; index--)
      if (isVisible(this.#tokens[index] as Token)) return true;
    return false;
  }

  /** Writes the run as Markdown and empties it. `inItem`: the text starts a list item. */
  take(style: BreakStyle, inItem = false): string {
    const tokens = this.#tokens;
    if (tokens.length === 0) return "";
    this.#tokens = [];
    const pieces = toPieces(tokens);
    if (pieces.length === 0) return "";
    const text = writePieces(pieces, style);
    if (style !== "hard") return text;
    const guarded =
      inItem && pieces[0]?.kind === "text" && /^\[[ xX]\](?:\s|$)/.test(text) ? `\\${text}` : text;
    if (!guarded.includes("\n"))
      return pieces[0]?.kind === "text" ? escapeLineStart(guarded, false) : guarded;
    return escapeLines(guarded.split("\n")).join("\n");
  }
}

function isVisible(token: Token): boolean {
  return token.kind !== "break" && (token.kind !== "text" || /\S/.test(token.value));
}

function writePieces(pieces: Piece[], style: BreakStyle): string {
  const [first] = pieces;
  if (pieces.length === 1 && first?.kind === "text" && first.plain) return first.value;
  for (const piece of pieces)
    if (piece.kind === "code")
      piece.value = style === "tag" ? toCellCode(piece.value) : toCodeSpan(piece.value);
  chooseDelimiters(pieces);
  const pairing = findPairingDelimiters(pieces);
  let line = "";
  let links = 0;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    switch (piece.kind) {
      case "text":
        line += piece.plain
          ? piece.value
          : escapeInline(piece.value, {
              pairing,
              inLink: links > 0,
              before: getEdgeCharacter(pieces, index, -1),
              after: getEdgeCharacter(pieces, index, 1),
            });
        break;
      case "break":
        line += style === "hard" ? (links > 0 ? "\\\n" : "  \n") : style === "tag" ? "<br>" : " ";
        break;
      default:
        if (piece.mark?.kind === "link") links += piece.kind === "open" ? 1 : -1;
        line += piece.value;
    }
  }
  return line;
}

/**
 * Writes the start and end of each mark. Emphasis that Markdown cannot express there becomes a tag.
 */
function chooseDelimiters(pieces: Piece[]): void {
  // Delimiters of the open emphasis, innermost last.
  const around: Record<"em" | "strong", string[]> = { em: [], strong: [] };
  for (let index = 0; index < pieces.length; index++) {
    const start = pieces[index] as Piece;
    if (start.mark === undefined) continue;
    const { kind } = start.mark;
    if (start.kind === "close" && (kind === "em" || kind === "strong")) around[kind].pop();
    if (start.kind !== "open") continue;
    const end = pieces[start.partner] as Piece;
    if (kind === "link") {
      start.value = "[";
      const { target, title, references } = start.mark;
      end.value =
        references === undefined
          ? `]${toDestination(target, title)}`
          : `][${references.getLabel(target, title)}]`;
    } else if (kind === "em" || kind === "strong" || kind === "del") {
      const nested = kind === "del" ? "" : (around[kind].at(-1) ?? "");
      const delimiter = renderEmphasis(pieces, index, kind, nested);
      if (kind !== "del") around[kind].push(delimiter ?? "<");
      // A bold sign inside a word (Combo**®**) says nothing, and tags around it are noise.
      const isSign = delimiter === undefined && kind !== "del" && isBareSign(pieces, index);
      start.value = isSign ? "" : (delimiter ?? `<${kind}>`);
      end.value = isSign ? "" : (delimiter ?? `</${kind}>`);
    } else {
      start.value = `<${kind}>`;
      end.value = `</${kind}>`;
    }
  }
}

/** True if a mark holds only signs: no letter, number, code or link. */
function isBareSign(pieces: readonly Piece[], start: number): boolean {
  const end = (pieces[start] as Piece).partner;
  if (end !== start + 2) return false;
  const inner = pieces[start + 1] as Piece;
  return inner.kind === "text" && !/[\p{L}\p{N}]/u.test(inner.value);
}

function renderEmphasis(
  pieces: readonly Piece[],
  start: number,
  kind: "em" | "strong" | "del",
  nested: string,
): string | undefined {
  const end = (pieces[start] as Piece).partner;
  const before = getEdgeCharacter(pieces, start, -1);
  const after = findOutsideCharacter(pieces, end);
  const inside = getEdgeCharacter(pieces, start, 1);
  const last = getEdgeCharacter(pieces, end, -1);
  const fits = (delimiter: string): boolean =>
    computeFlanks(delimiter, before, inside).opens && computeFlanks(delimiter, last, after).closes;
  if (kind === "del") return before !== "~" && fits("~") ? "~~" : undefined;
  if (nested !== "") {
    const other = nested.startsWith("*") ? "_" : "*";
    return fits(other) ? other.repeat(kind === "em" ? 1 : 2) : undefined;
  }
  const next = pieces[end + 1];
  const touches =
    before === "*" ||
    (next?.kind === "close" && next.value === "*") ||
    (next?.kind === "open" && (next.mark?.kind === "strong" || next.mark?.kind === "em"));
  if (kind === "em" && touches && fits("_")) return "_";
  if (before === "*" && pieces[start - 1]?.kind !== "open") return undefined;
  if (!fits("*")) return undefined;
  return kind === "em" ? "*" : "**";
}

/**
 * Returns the character after the end of a mark, as far as it is known before the outer marks are
 * written.
 */
function findOutsideCharacter(pieces: readonly Piece[], end: number): string {
  const next = pieces[end + 1];
  if (next === undefined) return "";
  if (next.kind === "break") return "\n";
  if (next.value !== "") return next.value[0] ?? "";
  if (next.kind === "open") return next.mark?.kind === "link" ? "[" : "*";
  return next.mark?.kind === "link" ? "]" : "*";
}

/** Formats plain text as the description of an image. */
export function toImageText(text: string): string {
  const value = text.replace(/\s+/g, " ").trim();
  if (!INLINE_SPECIAL.test(value)) return value;
  const pieces: Piece[] = [{ kind: "text", value, mark: undefined, plain: false, partner: -1 }];
  return escapeInline(value, {
    pairing: findPairingDelimiters(pieces),
    inLink: true,
    before: "[",
    after: "]",
  });
}
