// Footnotes: small type at the bottom of a page that starts with a mark, and the same mark in the
// text above.
import { type Block, type Content, type Inline, type List, joinInlineText } from "./block.ts";
import type { TextStyle } from "./headings.ts";
import type { Line, Passage } from "./passages.ts";

const MARK = /^(?:\d{1,3}|[*†‡§¶]{1,3})$/;
const LEADING_MARK = /^\s*\(?(\d{1,3}|[*†‡§¶]{1,3})[.)]?(?:\s+|$)/;
/** Maximum size of footnotes relative to the text. */
const MAX_FOOTNOTE_SIZE = 0.93;
/** Footnotes are below this share of the page height, from the top. */
const MIN_FOOTNOTE_Y_SHARE = 0.45;

/** Returns the footnotes of a passage, each as its lines, or undefined if it has other content. */
export function findFootnotes(
  passage: Passage,
  style: TextStyle,
  pageHeight: number,
): Line[][] | undefined {
  if (passage.y0 < MIN_FOOTNOTE_Y_SHARE * pageHeight) return undefined;
  if (passage.lines.some(({ size }) => size > MAX_FOOTNOTE_SIZE * style.body)) return undefined;
  const notes: Line[][] = [];
  for (const line of passage.lines) {
    const isFirst = MARK.test(line.words[0]?.text ?? "") && line.words.length > 1;
    const last = notes.at(-1);
    if (isFirst) notes.push([line]);
    else if (last === undefined) return undefined;
    else last.push(line);
  }
  return notes;
}

/**
 * Links footnotes to their marks on the same page. A footnote without a mark becomes a paragraph.
 * Labels are the marks if unique in the document, else with the page number.
 */
export function linkFootnotes(blocks: readonly Block[]): Block[] {
  const linked = [...blocks];
  const labels = new Set<string>();
  for (const [at, block] of blocks.entries()) {
    if (block.kind !== "footnote") continue;
    const [lead, mark] = readLeadingMark(block.content);
    const reference = mark === undefined ? undefined : findReference(linked, block.page, mark);
    if (mark === undefined || lead === undefined || reference === undefined) {
      linked[at] = { ...block, kind: "paragraph" };
      continue;
    }
    const plain = /^\d+$/.test(mark) ? mark : `note${mark.length}`;
    const label = labels.has(plain) ? `${plain}-${block.page}` : plain;
    labels.add(label);
    linked[reference.at] = reference.withLabel(label);
    linked[at] = { ...block, label, content: dropStart(block.content, lead.length) };
  }
  return linked;
}

/** Returns the mark of a footnote with its content; a raised mark may be right before its text. */
function readLeadingMark(content: readonly Inline[]): readonly (string | undefined)[] {
  const [first] = content;
  if (first?.raised === true && MARK.test(first.text.trim()))
    return [first.text, first.text.trim()];
  return LEADING_MARK.exec(joinInlineText(content)) ?? [];
}

type Reference = { readonly at: number; readonly withLabel: (label: string) => Block };

function findReference(
  blocks: readonly Block[],
  page: number,
  mark: string,
): Reference | undefined {
  // A paragraph from the previous page contains words of this one too.
  for (const isRaised of [true, false])
    for (const [at, block] of blocks.entries()) {
      if (block.page !== page && block.page !== page - 1) continue;
      const place = listContents(block).findIndex(
        (content) => replaceMark(content, mark, isRaised, "") !== undefined,
      );
      if (place >= 0)
        return {
          at,
          withLabel: (label) =>
            mapContent(block, place, (content) => replaceMark(content, mark, isRaised, label)),
        };
    }
  return undefined;
}

/**
 * Replaces the mark with a reference. Returns undefined if it is missing. A mark that was read as
 * part of a word is at its end.
 */
function replaceMark(
  content: readonly Inline[],
  mark: string,
  isRaised: boolean,
  label: string,
): Inline[] | undefined {
  if (isRaised) {
    const at = content.findIndex(
      ({ raised, note, text }) => raised === true && note === undefined && text.trim() === mark,
    );
    const found = content[at];
    return found && content.with(at, { ...found, note: label });
  }
  const escaped = mark.replaceAll(/[*]/g, "\\*");
  const glued = new RegExp(`(\\p{L}[.,;:!?)”"»]?)${escaped}(?=[.,;:!?)]?(?:\\s|$))`, "u");
  for (const [at, inline] of content.entries()) {
    const match = inline.note === undefined ? glued.exec(inline.text) : null;
    if (match === null) continue;
    const end = match.index + (match[1] ?? "").length;
    const after = inline.text.slice(end + mark.length);
    const parts = [
      { ...inline, text: inline.text.slice(0, end) },
      { ...inline, text: mark, raised: true, note: label },
      ...(after === "" ? [] : [{ ...inline, text: after }]),
    ];
    return content.toSpliced(at, 1, ...parts);
  }
  return undefined;
}

/** Returns the runs of text in a block in order, including those of list items. */
function listContents(block: Content): readonly (readonly Inline[])[] {
  switch (block.kind) {
    case "paragraph":
    case "heading":
    case "quote":
      return [block.content];
    case "list":
      return block.items.map(({ content }) => content);
    case "table":
      return block.rows.flatMap((row) => row.map(({ content }) => content));
    case "code":
    case "footnote":
      return [];
  }
}

function mapContent(
  block: Block,
  place: number,
  change: (content: readonly Inline[]) => readonly Inline[] | undefined,
): Block {
  let at = 0;
  const next = (content: readonly Inline[]): readonly Inline[] =>
    at++ === place ? (change(content) ?? content) : content;
  switch (block.kind) {
    case "paragraph":
    case "heading":
    case "quote":
      return { ...block, content: next(block.content) };
    case "list": {
      const items: List["items"] = block.items.map((item) => ({
        ...item,
        content: next(item.content),
      }));
      return { ...block, items };
    }
    case "table":
      return {
        ...block,
        rows: block.rows.map((row) =>
          row.map((cell) => ({ ...cell, content: next(cell.content) })),
        ),
      };
    case "code":
    case "footnote":
      return block;
  }
}

function dropStart(content: readonly Inline[], characters: number): Inline[] {
  let left = characters;
  return content.flatMap((inline) => {
    const text = inline.text.slice(left);
    left = Math.max(0, left - inline.text.length);
    return text === "" ? [] : [{ ...inline, text }];
  });
}
