// Converts pages of words to blocks in reading order: removes furniture, follows tags if present,
// else the layout.
import type { Block } from "./block.ts";
import { toGridItem, type Item, toPieceItem, toColumns } from "./columns.ts";
import { isContentsEntry, stripLeader } from "./contents-entries.ts";
import { removeFurniture } from "./furniture.ts";
import { findFootnotes, linkFootnotes } from "./footnotes.ts";
import { type Grid, toTableRows } from "../tables/grid.ts";
import { findStyle, findHeadingRank, type TextStyle, toLevels } from "./headings.ts";
import { toInlines, toVocabulary } from "./inlines.ts";
import { joinBlocks } from "./join-blocks.ts";
import { toPieces } from "./lines.ts";
import { type FlatItem, toLists } from "./lists.ts";
import { type Box, type PageInDocument, type PdfPage, joinBoxes, type Word } from "../page-text.ts";
import { type Line, findMarker, type Passage, toLine, toPassages } from "./passages.ts";
import { findRuledTables, holds, splitUnruledRows } from "../tables/ruled-tables.ts";
import { hasGoodTags, buildTaggedBlocks } from "./tagged.ts";
import { findTextTables, toTextRows } from "../tables/text-tables.ts";

type Draft =
  | { readonly kind: "passage"; readonly passage: Passage; readonly page: PageInDocument }
  | { readonly kind: "grid"; readonly grid: Grid; readonly page: PageInDocument };

/** Returns the blocks of a document in reading order. Pure: the same pages give the same blocks. */
export function buildBlocks(given: readonly PdfPage[], { useTags = true } = {}): Block[] {
  const vocabulary = toVocabulary(given.flatMap(({ words }) => words));
  const pages = dropUsualMarks(given).map((page): PageInDocument => ({ ...page, vocabulary }));
  if (useTags && hasGoodTags(pages))
    return linkFootnotes(joinBlocks(pages.flatMap(buildTaggedBlocks), vocabulary));
  const cleaned = removeFurniture(pages);
  const style = findStyle(cleaned);
  return linkFootnotes(joinBlocks(toBlocks(cleaned.flatMap(buildPageBlocks), style), vocabulary));
}

/** Ignores the document's dominant style: monospace is then not code, and bold is not emphasis. */
function dropUsualMarks(pages: readonly PdfPage[]): readonly PdfPage[] {
  let [mono, bold, all] = [0, 0, 0];
  for (const { words } of pages) {
    for (const { face, text } of words) {
      all += text.length;
      if (face.mono) mono += text.length;
      if (face.bold) bold += text.length;
    }
  }
  const [keepsMono, keepsBold] = [mono < MAX_USUAL_SHARE * all, bold < MAX_USUAL_SHARE * all];
  if (keepsMono && keepsBold) return pages;
  const unmark = (word: Word): Word => {
    const { face } = word;
    return {
      ...word,
      face: { ...face, mono: face.mono && keepsMono, bold: face.bold && keepsBold },
    };
  };
  return pages.map((page) => ({ ...page, words: page.words.map(unmark) }));
}

const MAX_USUAL_SHARE = 0.6;

function buildPageBlocks(page: PageInDocument): Draft[] {
  const upright = page.words;
  const grids = findRuledTables(upright, page.horizontals, page.verticals).map(splitUnruledRows);
  const loose = upright.filter((word) => !grids.some((grid) => holds(grid, word)));
  const items: Item[] = [...toPieces(loose).map(toPieceItem), ...grids.map(toGridItem)];
  return toColumns(items).flatMap((column) => buildColumnBlocks(column, page));
}

/** Lays out one column from top to bottom; ruled tables split it. */
function buildColumnBlocks(column: readonly Item[], page: PageInDocument): Draft[] {
  const drafts: Draft[] = [];
  let run: Item[] = [];
  const flush = (): void => {
    drafts.push(...buildTextBlocks(run, page));
    run = [];
  };
  for (const item of column.toSorted((one, other) => one.y1 - other.y1)) {
    if ("piece" in item) {
      run.push(item);
      continue;
    }
    const above = run.filter(({ y1 }) => y1 <= item.y0 + 4);
    const beside = run.filter(({ y1 }) => y1 > item.y0 + 4);
    run = above;
    flush();
    drafts.push({ kind: "grid", grid: item.grid, page });
    run = beside;
  }
  flush();
  return drafts;
}

function buildTextBlocks(items: readonly Item[], page: PageInDocument): Draft[] {
  const rows = toTextRows(items.flatMap((item) => ("piece" in item ? [item.piece] : [])));
  const drafts: Draft[] = [];
  let at = 0;
  const addText = (to: number): void => {
    const lines = rows.slice(at, to).map(toLine);
    for (const passage of toPassages(lines, page.number))
      drafts.push({ kind: "passage", passage, page });
  };
  for (const table of findTextTables(rows, page.horizontals)) {
    addText(table.from);
    drafts.push({ kind: "grid", grid: table.grid, page });
    at = table.to;
  }
  addText(rows.length);
  return drafts;
}

/** Maximum difference of heading sizes within a level in scans, as a share. */
const MAX_SCAN_LEVEL_DIFFERENCE = 0.155;

function toBlocks(drafts: readonly Draft[], style: TextStyle): Block[] {
  const ranks = drafts.map((draft) =>
    draft.kind === "passage" && !isItem(draft.passage, style)
      ? findHeadingRank(draft.passage, style)
      : undefined,
  );
  const isRecognized = drafts.every(
    (draft) => draft.kind === "grid" || draft.passage.lines.every((line) => line.recognized),
  );
  const known = ranks.filter((rank) => rank !== undefined);
  const levels = toLevels(known, isRecognized ? MAX_SCAN_LEVEL_DIFFERENCE : 0);
  const blocks: Block[] = [];
  let items: { passage: Passage; page: PageInDocument }[] = [];
  const flush = (): void => {
    blocks.push(...toListBlocks(items));
    items = [];
  };
  for (const [at, draft] of drafts.entries()) {
    const notes =
      draft.kind === "passage" ? findFootnotes(draft.passage, style, draft.page.height) : undefined;
    if (notes === undefined && draft.kind === "passage" && isItem(draft.passage, style)) {
      items.push(draft);
      continue;
    }
    flush();
    if (notes !== undefined) blocks.push(...notes.map((lines) => toFootnote(lines, draft.page)));
    else if (draft.kind === "grid") blocks.push(toTableBlock(draft.grid, draft.page));
    else blocks.push(toTextBlock(draft.passage, draft.page, levels.get(ranks[at] ?? NaN)));
  }
  flush();
  return blocks;
}

/** True for a list item. A number before text set as a heading numbers the heading. */
function isItem(passage: Passage, style: TextStyle): boolean {
  if (isContents(passage)) return true;
  const [first] = passage.lines;
  const marker = first === undefined ? undefined : findMarker(first);
  if (marker === undefined || passage.lines.every(({ mono }) => mono)) return false;
  return !/^\(?[\p{L}\d]/u.test(marker) || findHeadingRank(passage, style) === undefined;
}

const isContents = ({ lines }: Passage): boolean =>
  lines.length <= 3 && isContentsEntry(lines.at(-1)?.words ?? []);

function toFootnote(lines: readonly Line[], page: PageInDocument): Block {
  const words = lines.map((line) => line.words);
  const place = describePlace(joinBoxes(lines), page.number, words.flat());
  return { ...place, kind: "footnote", content: toInlines(words, page) };
}

function toTextBlock(passage: Passage, page: PageInDocument, level: number | undefined): Block {
  const lines = passage.lines.map(({ words }) => words);
  const place = describePlace(passage, page.number, lines.flat());
  if (
    passage.lines.every(({ mono }) => mono) &&
    (passage.lines.length > 1 || lines.flat().length > 3)
  )
    return { ...place, kind: "code", text: joinCode(passage.lines) };
  if (level !== undefined)
    return {
      ...place,
      kind: "heading",
      level,
      content: toInlines(lines, { ...page, plain: true }),
    };
  return { ...place, kind: "paragraph", content: toInlines(lines, page) };
}

export function describePlace(
  box: Box,
  page: number,
  words: readonly Word[],
): Pick<Block, "page" | "box" | "confidence"> {
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return {
    page,
    box: { x0: box.x0, y0: box.y0, x1: box.x1, y1: box.y1 },
    confidence:
      known.length === 0 ? undefined : known.reduce((sum, value) => sum + value, 0) / known.length,
  };
}

/** Returns monospace lines with each character at its column. */
export function joinCode(lines: readonly Line[]): string {
  const left = Math.min(...lines.map(({ x0 }) => x0));
  const widths = lines.flatMap(({ words }) =>
    words.map(({ x0, x1, text }) => (x1 - x0) / text.length),
  );
  const width = widths.sort((one, other) => one - other)[widths.length >> 1] ?? 6;
  return lines
    .map(({ words }) => {
      let line = "";
      for (const word of words) {
        const column = Math.min(200, Math.round((word.x0 - left) / width));
        line = line.padEnd(line === "" ? column : Math.max(column, line.length + 1)) + word.text;
      }
      return line;
    })
    .join("\n");
}

function toTableBlock(grid: Grid, page: PageInDocument): Block {
  const words = grid.cells.flatMap((cell) => cell.words);
  return {
    ...describePlace(grid, page.number, words),
    kind: "table",
    rows: toTableRows(grid, page),
  };
}

function toListBlocks(items: readonly { passage: Passage; page: PageInDocument }[]): Block[] {
  const [first] = items;
  if (first === undefined) return [];
  const flat = items.map(({ passage, page }): FlatItem => {
    const [line, ...rest] = passage.lines as [Line, ...Line[]];
    if (isContents(passage)) {
      const lines = passage.lines.map(({ words }) => stripLeader(words));
      return { indent: line.x0, marker: "•", content: toInlines(lines, page) };
    }
    const marker = findMarker(line) as string;
    const [head, ...words] = line.words as [Word, ...Word[]];
    const glued =
      head.text === marker ? words : [{ ...head, text: head.text.slice(marker.length) }, ...words];
    const keep = /^\(?[a-zA-Z]+[.)]$/.test(marker) ? line.words : glued;
    return {
      indent: line.x0,
      marker,
      content: toInlines([keep, ...rest.map((each) => each.words)], page),
    };
  });
  const place = describePlace(
    joinBoxes(
      items.map(({ passage }) => passage).filter(({ page }) => page === first.passage.page),
    ),
    first.passage.page,
    items.flatMap(({ passage }) => passage.lines.flatMap(({ words }) => words)),
  );
  return toLists(flat).map((list) => ({ ...place, ...list }));
}
