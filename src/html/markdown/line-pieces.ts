// Pieces of a line: its texts and other content, with the starts and ends of marks between them.
import { startsWithCode, endsWithCode } from "../parse/char-code-at.ts";
import { collapseSpace } from "../parse/tree.ts";
import { INLINE_SPECIAL } from "./escape.ts";
import { isSameMark, isSameTarget, type Mark, type MarkPath } from "./marks.ts";
import { isPunctuated, isSplitWord } from "./word-boundaries.ts";

const BLANK = 32;

export type Token = {
  readonly kind: "text" | "code" | "raw" | "break";
  value: string;
  readonly marks: MarkPath;
  /** Result of `isPlain` for a text. */
  plain: boolean;
};

function isLink(mark: Mark | undefined): mark is Mark {
  return mark?.kind === "link";
}

/** True for a link around several blocks that an earlier block has written. */
function isSpent(mark: Mark): boolean {
  return mark.once && mark.used;
}

export type Piece = {
  kind: "text" | "code" | "raw" | "open" | "close" | "break";
  value: string;
  readonly mark: Mark | undefined;
  /** True if it is not text or contains nothing to escape. */
  plain: boolean;
  /** Index of the matching end or start of a mark. */
  partner: number;
};

/** Folds whitespace, opens and closes marks where they change, and moves spaces out of marks. */
export function toPieces(tokens: readonly Token[]): Piece[] {
  const pieces: Piece[] = [];
  const open: number[] = [];
  let gap: "" | " " | "\n" = "";
  const shown: Mark[] = [];
  for (const token of tokens) {
    if (token.kind === "break") {
      if (pieces.length > 0) gap = "\n";
      continue;
    }
    let { value, plain } = token;
    const isText = token.kind === "text";
    if (isText) {
      if (!plain) {
        value = collapseSpace(value);
        plain = !INLINE_SPECIAL.test(value);
      }
      if (startsWithCode(value, BLANK)) {
        if (pieces.length > 0 && gap === "") gap = " ";
        value = value.slice(1);
      }
      if (value === "") {
        // A space between two marked words belongs to neither.
        const kept = countCommonMarks(shown, token.marks);
        close(pieces, open, kept);
        if (kept < shown.length) shown.length = kept;
        continue;
      }
    }
    const trailing = isText && endsWithCode(value, BLANK);
    if (trailing) value = value.slice(0, -1);
    let path = token.marks;
    if (path.some(isSpent)) path = path.filter((mark) => !isSpent(mark));
    let common = countCommonMarks(shown, path);
    const shownLink = shown[common];
    const link = path[common];
    if (gap === "" && isLink(shownLink) && isLink(link)) {
      // Editors split one link in two, which are joined. Other adjacent links are visually separate
      // and get a space, or they would read as one word.
      const last = pieces.at(-1);
      if (
        isSameTarget(shownLink, link) &&
        last?.kind === "text" &&
        isText &&
        isSplitWord(last.value, value)
      )
        shown[common++] = link;
      else if (!isPunctuated(last?.value ?? "", value)) gap = " ";
    }
    close(pieces, open, common);
    if (gap !== "") push(pieces, gap === " " ? "text" : "break", gap);
    gap = "";
    if (common < shown.length) shown.length = common;
    for (let at = common; at < path.length; at++) {
      const mark = path[at] as Mark;
      open.push(push(pieces, "open", "", mark));
      shown.push(mark);
    }
    const last = pieces.at(-1);
    if (isText && last?.kind === "text") {
      last.value += value;
      last.plain &&= plain;
    } else push(pieces, token.kind, value, undefined, plain);
    if (trailing) gap = " ";
  }
  close(pieces, open, 0);
  for (const piece of pieces)
    if (piece.kind === "open" && piece.mark?.once === true) piece.mark.used = true;
  return pieces;
}

/** Counts the marks that two paths share, from the outermost. */
function countCommonMarks(one: MarkPath, other: MarkPath): number {
  let common = 0;
  while (
    common < one.length &&
    common < other.length &&
    isSameMark(one[common] as Mark, other[common] as Mark)
  )
    common++;
  return common;
}

function push(
  pieces: Piece[],
  kind: Piece["kind"],
  value: string,
  mark?: Mark,
  plain = true,
): number {
  return pieces.push({ kind, value, mark, plain, partner: -1 }) - 1;
}

/** Closes the open marks, innermost first, down to the given depth. */
function close(pieces: Piece[], open: number[], depth: number): void {
  while (open.length > depth) {
    const start = open.pop() as number;
    const piece = pieces[start] as Piece;
    piece.partner = push(pieces, "close", "", piece.mark);
    (pieces[piece.partner] as Piece).partner = start;
  }
}

/** Returns the character next to a piece: step -1 before, 1 after; "" at the ends of the line. */
export function getEdgeCharacter(pieces: readonly Piece[], index: number, step: -1 | 1): string {
  for (let at = index + step; at >= 0 && at < pieces.length; at += step) {
    const piece = pieces[at] as Piece;
    if (piece.kind === "break") return "\n";
    if (piece.value !== "") return (step === 1 ? piece.value[0] : piece.value.at(-1)) ?? "";
    if (piece.mark !== undefined) return piece.mark.kind === "link" && step === 1 ? "[" : "*";
  }
  return "";
}
