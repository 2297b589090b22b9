// One line of text under construction: pieces of text with their marks, code, images and breaks, folded like a browser
// folds white space, then written as Markdown.
import { toCellCode, toCodeSpan } from "./code-span.ts";
import { escapeInline, escapeLineStart, flanks, INLINE_SPECIAL, mayPair } from "./escape.ts";
import { isSameMark, isSameTarget, type Mark, type MarkPath, NO_MARKS } from "./marks.ts";
import { toDestination } from "./target.ts";
import { isBesidePicture, isTornWord, readsAsOneWord } from "./word-seams.ts";

type Token = {
  readonly kind: "text" | "code" | "raw" | "break";
  value: string;
  readonly marks: MarkPath;
};

/** How a line break is written: as a hard break, as a tag (table cells), or as a blank (headings). */
export type BreakStyle = "hard" | "tag" | "blank";

/** Text that is being collected for one paragraph, heading or table cell. */
export class InlineRun {
  #tokens: Token[] = [];
  /** The text so far ends where a styled element ends and another one begins. */
  #atSeam = false;

  get isEmpty(): boolean {
    return this.#tokens.length === 0;
  }

  get size(): number {
    return this.#tokens.length;
  }

  get endsWithBreak(): boolean {
    return this.#tokens.at(-1)?.kind === "break";
  }

  /** Text as it stands in the page; white space is folded when the line is written. */
  text(value: string, marks: MarkPath): void {
    const last = this.#tokens.at(-1);
    if (this.#atSeam) {
      this.#atSeam = false;
      if (last?.kind === "text" && readsAsOneWord(last.value, value)) last.value += " ";
    }
    if (last?.kind === "raw" && isBesidePicture(last.value, value))
      this.#tokens.push({ kind: "text", value: " ", marks: NO_MARKS });
    if (last?.kind === "text" && last.marks === marks) last.value += value;
    else if (last !== undefined || /\S/.test(value))
      this.#tokens.push({ kind: "text", value, marks });
  }

  code(value: string, marks: MarkPath): void {
    if (value === "") return;
    const last = this.#tokens.at(-1);
    if (last?.kind === "code" && last.marks === marks) last.value += value;
    else this.#tokens.push({ kind: "code", value, marks });
  }

  /** The next text is drawn apart from the last one, though nothing stands between them. */
  seam(): void {
    this.#atSeam = true;
  }

  /** Something already in Markdown: an image, a formula, a footnote reference. */
  raw(value: string, marks: MarkPath): void {
    const last = this.#tokens.at(-1);
    if (last?.kind === "text" && isBesidePicture(last.value, value))
      this.#tokens.push({ kind: "text", value: " ", marks: NO_MARKS });
    this.#tokens.push({ kind: "raw", value, marks });
  }

  lineBreak(marks: MarkPath): void {
    if (this.#tokens.length > 0) this.#tokens.push({ kind: "break", value: "", marks });
  }

  /** Whether something else than blanks and breaks was added since the run had `size` tokens. */
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
    return guarded
      .split("\n")
      .map((line, index) => escapeLineStart(line, index > 0))
      .join("\n");
  }
}

function isVisible(token: Token): boolean {
  return token.kind !== "break" && (token.kind !== "text" || /\S/.test(token.value));
}

function isLink(mark: Mark | undefined): mark is Mark {
  return mark?.kind === "link";
}

/** A link around several blocks that an earlier block has written. */
function isSpent(mark: Mark): boolean {
  return mark.once && mark.used;
}

/** White space that is not already a single blank. */
const SPACES = /\s{2,}|[^\S ]/g;

type Piece = {
  kind: "text" | "code" | "raw" | "open" | "close" | "break";
  value: string;
  readonly mark: Mark | undefined;
  /** The matching end or start of a mark. */
  partner: number;
};

/** Folds white space, opens and closes marks where they change, and moves blanks out of marks. */
function toPieces(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  const open: number[] = [];
  let gap: "" | " " | "\n" = "";
  const shown: Mark[] = [];
  for (const token of tokens) {
    if (token.kind === "break") {
      if (pieces.length > 0) gap = "\n";
      continue;
    }
    let value = token.value;
    if (token.kind === "text") {
      value = value.replace(SPACES, " ");
      if (value.startsWith(" ")) {
        if (pieces.length > 0 && gap === "") gap = " ";
        value = value.slice(1);
      }
      if (value === "") {
        // A blank between two marked words belongs to neither.
        const kept = commonLength(shown, token.marks);
        close(pieces, open, kept);
        shown.length = kept;
        continue;
      }
    }
    const trailing = token.kind === "text" && value.endsWith(" ");
    if (trailing) value = value.slice(0, -1);
    let path = token.marks;
    if (path.some(isSpent)) path = path.filter((mark) => !isSpent(mark));
    let common = commonLength(shown, path);
    const [shownLink, link] = [shown[common], path[common]];
    if (gap === "" && isLink(shownLink) && isLink(link)) {
      // Editors leave one link in two pieces. Others side by side are drawn apart; without a blank they would read as one word.
      const last = pieces.at(-1);
      if (
        isSameTarget(shownLink, link) &&
        last?.kind === "text" &&
        token.kind === "text" &&
        isTornWord(last.value, value)
      )
        shown[common++] = link;
      else gap = " ";
    }
    close(pieces, open, common);
    if (gap !== "") push(pieces, gap === " " ? "text" : "break", gap);
    gap = "";
    shown.length = common;
    for (let at = common; at < path.length; at++) {
      const mark = path[at] as Mark;
      open.push(push(pieces, "open", "", mark));
      shown.push(mark);
    }
    const last = pieces.at(-1);
    if (last?.kind === "text" && token.kind === "text") last.value += value;
    else push(pieces, token.kind, value);
    if (trailing) gap = " ";
  }
  close(pieces, open, 0);
  for (const piece of pieces)
    if (piece.kind === "open" && piece.mark?.once === true) piece.mark.used = true;
  return pieces;
}

/** How many marks, from the outermost on, two places share. */
function commonLength(one: MarkPath, other: MarkPath): number {
  let common = 0;
  while (
    common < one.length &&
    common < other.length &&
    isSameMark(one[common] as Mark, other[common] as Mark)
  )
    common++;
  return common;
}

function push(pieces: Piece[], kind: Piece["kind"], value: string, mark?: Mark): number {
  return pieces.push({ kind, value, mark, partner: -1 }) - 1;
}

/** Closes the open marks, innermost first, until so many are left. */
function close(pieces: Piece[], open: number[], depth: number): void {
  while (open.length > depth) {
    const start = open.pop() as number;
    const piece = pieces[start] as Piece;
    piece.partner = push(pieces, "close", "", piece.mark);
    (pieces[piece.partner] as Piece).partner = start;
  }
}

function writePieces(pieces: Piece[], style: BreakStyle): string {
  if (pieces.length === 1 && pieces[0]?.kind === "text" && !INLINE_SPECIAL.test(pieces[0].value))
    return pieces[0].value;
  for (const piece of pieces)
    if (piece.kind === "code")
      piece.value = style === "tag" ? toCellCode(piece.value) : toCodeSpan(piece.value);
  chooseDelimiters(pieces);
  const pairing = pairingDelimiters(pieces);
  const parts: string[] = [];
  let links = 0;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    switch (piece.kind) {
      case "text":
        parts.push(
          INLINE_SPECIAL.test(piece.value)
            ? escapeInline(piece.value, {
                pairing,
                inLink: links > 0,
                before: edge(pieces, index, -1),
                after: edge(pieces, index, 1),
              })
            : piece.value,
        );
        break;
      case "break":
        parts.push(
          style === "hard" ? (links > 0 ? "\\\n" : "  \n") : style === "tag" ? "<br>" : " ",
        );
        break;
      default:
        if (piece.mark?.kind === "link") links += piece.kind === "open" ? 1 : -1;
        parts.push(piece.value);
    }
  }
  return parts.join("");
}

/** The character next to a piece: -1 before, 1 after; "" at the ends of the line. */
function edge(pieces: readonly Piece[], index: number, step: -1 | 1): string {
  for (let at = index + step; at >= 0 && at < pieces.length; at += step) {
    const piece = pieces[at] as Piece;
    if (piece.kind === "break") return "\n";
    if (piece.value !== "") return (step === 1 ? piece.value[0] : piece.value.at(-1)) ?? "";
    if (piece.mark !== undefined) return piece.mark.kind === "link" && step === 1 ? "[" : "*";
  }
  return "";
}

/** Writes each mark's start and end; emphasis that Markdown cannot express there becomes a tag. */
function chooseDelimiters(pieces: Piece[]): void {
  // How the emphasis that is open at this place is written, innermost last.
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
      end.value = `]${toDestination(start.mark.target, start.mark.title)}`;
    } else if (kind === "em" || kind === "strong" || kind === "del") {
      const nested = kind === "del" ? "" : (around[kind].at(-1) ?? "");
      const delimiter = emphasis(pieces, index, kind, nested);
      if (kind !== "del") around[kind].push(delimiter ?? "<");
      start.value = delimiter ?? `<${kind}>`;
      end.value = delimiter ?? `</${kind}>`;
    } else {
      start.value = `<${kind}>`;
      end.value = `</${kind}>`;
    }
  }
}

function emphasis(
  pieces: readonly Piece[],
  start: number,
  kind: "em" | "strong" | "del",
  nested: string,
): string | undefined {
  const end = (pieces[start] as Piece).partner;
  const before = edge(pieces, start, -1);
  const after = outside(pieces, end);
  const inside = edge(pieces, start, 1);
  const last = edge(pieces, end, -1);
  const fits = (delimiter: string): boolean =>
    flanks(delimiter, before, inside).opens && flanks(delimiter, last, after).closes;
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

/** The character after the end of a mark, as far as it is known before the outer marks are written. */
function outside(pieces: readonly Piece[], end: number): string {
  const next = pieces[end + 1];
  if (next === undefined) return "";
  if (next.kind === "break") return "\n";
  if (next.value !== "") return next.value[0] ?? "";
  if (next.kind === "open") return next.mark?.kind === "link" ? "[" : "*";
  return next.mark?.kind === "link" ? "]" : "*";
}

const DELIMITERS = /[*_~`]/;
const DELIMITER_RUNS = /[*]+|_+|~+|`+/g;

/** Which delimiters in the text could pair up with each other or with the marks around it, and so need escaping. */
function pairingDelimiters(pieces: readonly Piece[]): ReadonlySet<string> {
  const pairing = new Set<string>();
  if (!pieces.some((piece) => piece.kind === "text" && DELIMITERS.test(piece.value)))
    return pairing;
  const opened = new Map<string, { text: boolean; mark: boolean }>();
  let backticks = 0;
  for (let index = 0; index < pieces.length; index++) {
    const piece = pieces[index] as Piece;
    if (piece.kind === "code") {
      backticks++;
      continue;
    }
    if (piece.kind === "open" || piece.kind === "close") {
      const delimiter = piece.value[0] ?? "";
      if (!DELIMITERS.test(delimiter)) continue;
      const seen = opened.get(delimiter);
      if (piece.kind === "close" && seen?.text === true) pairing.add(delimiter);
      opened.set(delimiter, { text: seen?.text ?? false, mark: true });
      continue;
    }
    if (piece.kind !== "text" || !DELIMITERS.test(piece.value)) continue;
    for (const match of piece.value.matchAll(DELIMITER_RUNS)) {
      const delimiter = match[0][0] as string;
      if (delimiter === "`") {
        backticks++;
        if (backticks > 1) pairing.add("`");
        continue;
      }
      const last = match.index + match[0].length;
      // Next to a mark written with the same character the two would be read as one run.
      if (
        (match.index === 0 &&
          pieces[index - 1]?.mark !== undefined &&
          edge(pieces, index, -1) === delimiter) ||
        (last === piece.value.length &&
          pieces[index + 1]?.mark !== undefined &&
          edge(pieces, index, 1) === delimiter)
      )
        pairing.add(delimiter);
      const { opens, closes } = mayPair(
        delimiter,
        match.index === 0 ? edge(pieces, index, -1) : (piece.value[match.index - 1] ?? ""),
        last === piece.value.length ? edge(pieces, index, 1) : (piece.value[last] ?? ""),
      );
      const seen = opened.get(delimiter);
      if (closes && seen !== undefined) pairing.add(delimiter);
      if (opens) opened.set(delimiter, { text: true, mark: seen?.mark ?? false });
    }
  }
  if (backticks > 1) pairing.add("`");
  return pairing;
}

/** Plain text as the description of an image. */
export function toImageText(text: string): string {
  const value = text.replace(/\s+/g, " ").trim();
  if (!/[\\`*_~<&[\]!]/.test(value)) return value;
  const pieces: Piece[] = [{ kind: "text", value, mark: undefined, partner: -1 }];
  return escapeInline(value, {
    pairing: pairingDelimiters(pieces),
    inLink: true,
    before: "[",
    after: "]",
  });
}
