// Turns probabilities into a selection: cuts at a threshold derived from the page's own
// probabilities, then keeps or drops units as a whole: data tables, code, headings with their text.
import { isTag, type ParentNode } from "domhandler";
import { isInsertedNote } from "../clean/note-marks.ts";
import { readAttribute } from "../parse/tree.ts";
import { MIN_CLEAR_F1, cutPage, type CutChoice } from "./choose-cut.ts";
import { dropRelatedLinks } from "./drop-related-links.ts";
import { dropRepeated } from "./drop-repeated.ts";
import { fillGaps } from "./fill-gaps.ts";
import type { ElementFacts } from "./element-facts.ts";
import type { Block } from "./block-text.ts";
import { computeMean, type Segmentation } from "./blocks.ts";
import { keepComments } from "./keep-comments.ts";
import { keepProductFacts } from "./keep-product-facts.ts";
import { keepLabels, keepNotes, keepTitleSection } from "./keep-parts.ts";
import { keepPostAuthors } from "./keep-post-authors.ts";
import { keepInfoboxes } from "./keep-infoboxes.ts";
import { keepRowTitles } from "./keep-row-titles.ts";
import { keepSections } from "./keep-sections.ts";
import { keepSeeAlso } from "./keep-see-also.ts";
import { keepTitle } from "./keep-title.ts";
import { keepBetween } from "./keep-between.ts";
import { isAboveText, type MaxDistance } from "./is-above-text.ts";
import type { PageKind } from "../../contract/page/page-kinds.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber, tagSet } from "../parse/tag-numbers.ts";

export type Choice = CutChoice & {
  readonly verdicts: Verdict[];
  /** Probabilities after the cells of each data table were averaged. */
  readonly probabilities: Float64Array;
};

type Verdicts = CutChoice & { readonly probabilities: Float64Array; readonly verdicts: Verdict[] };

const INSETS = tagSet("pre blockquote");
/** Classes that formula renderers use, and the number of ancestors to check for one. */
const FORMULA = /(?:^|\s)(?:katex(?:-display)?|mathjax\w*|math(?:-\w+)?|mwe-math-\w+)(?:\s|$)/i;
const MAX_FORMULA_LEVELS = 10;
/** Fractions of the cut above which an inset stays: between kept texts, and after the last one. */
const MIN_INSET_FRACTION = 0.05;
const MIN_LAST_INSET_FRACTION = 0.4;
/** Ancestors to check for a term or a definition. */
const MAX_TERM_LEVELS = 4;
const LISTS = tagSet("ul ol dl");
const TABLE = tagNumber("table");
const ROW = tagNumber("tr");
const CELLS = tagSet("td th");
const FIGURE = tagNumber("figure");
/** A list with more blocks holds the page rather than a part of it. */
const MAX_LIST_BLOCKS = 60;
/** Share of link characters that makes a list link-only, and the minimum number of blocks. */
const MIN_LINK_LIST_SHARE = 0.85;
const MIN_LINKS = 5;
/**
 * Fractions of the cut above which a heading stays above kept text: the main heading, and others.
 */
const MIN_TITLE_FRACTION = 0.3;
/**
 * A strict cut means that the page is clear, not that headings or captions inside its text are
 * doubtful.
 */
const MIN_HEADING_FRACTION_STRICT = 0.7;
/** Maximum distance between a title and its text. */
const MAX_BYLINE_DISTANCE: MaxDistance = { blocks: 8, words: 60 };
/** Maximum distance between a chapter title and its text. */
const MAX_CONTENTS_DISTANCE: MaxDistance = { blocks: 120, words: 600 };
/** Minimum share of a heading's words that occur in the page title. Short words are ignored. */
const MIN_TITLE_WORD_SHARE = 0.5;
/** Word count of a section number such as "8.15.". */
const NUMBER_WORDS = 2;
const MIN_HEADING_FRACTION = 0.5;
/** Minimum probability of a heading without text below. */
const MIN_SURE_HEADING_PROBABILITY = 0.9;
/** Minimum words of a heading with a full stop that is treated as the lead of an article. */
const MIN_LEAD_WORDS = 12;
/** Maximum words of a caption. Longer ones are separate texts. */
const MAX_CAPTION_WORDS = 80;
/** Fraction of the cut above which a caption stays with its figure. */
const MIN_CAPTION_FRACTION = 0.3;

/**
 * Chooses the blocks to keep, using the page's `title` and, if known, its `kind`. Always keeps at
 * least one block of a page that has any.
 */
export function chooseBlocks(
  page: Segmentation,
  facts: ElementFacts,
  asked: Float64Array,
  strictness: number,
  kind?: PageKind,
  title = "",
): Choice {
  const tables = findDataTables(page, facts);
  const probabilities = joinTables(page, tables, joinLists(page, facts, asked));
  const cut = cutPage(probabilities, readSizes(page.blocks), strictness);
  const isCell = new Uint8Array(page.blocks.length);
  for (const table of tables)
    isCell.fill(1, page.elements.blockStart[table], page.elements.blockEnd[table]);
  const verdicts: Verdict[] = [];
  for (let index = 0; index < page.blocks.length; index++) {
    const least = isCell[index] === 1 ? cut.innerCut : cut.cut;
    verdicts.push(probabilities[index]! >= least ? "kept" : "dropped");
  }
  dropRepeated(page, isCell, verdicts);
  fillGaps(page, tables, probabilities, cut.innerCut, verdicts);
  const choice = { ...cut, verdicts, probabilities };
  keepInsets(page, facts, tables, choice);
  keepCaptions(page, facts, choice);
  if (kind === "product") keepProductFacts(page, facts, findTitle(page, facts), tables, choice);
  if (kind === "forum") {
    keepComments(page, facts, probabilities, cut.innerCut, verdicts);
    keepPostAuthors(page, facts, verdicts);
  }
  keepTerms(page, verdicts);
  keepLabels(page, verdicts);
  keepNotes(page, facts, verdicts);
  dropRelatedLinks(page, verdicts);
  keepBetween(page, probabilities, cut.innerCut, verdicts);
  keepRowTitles(page, verdicts);
  keepInfoboxes(page, verdicts);
  if ((kind ?? "documentation") === "documentation") keepSeeAlso(page, facts, verdicts);
  chooseHeadings(page, facts, choice);
  if (kind !== "article") {
    keepSections(page, facts, probabilities, cut.innerCut, verdicts);
    keepTitle(page, facts, title, verdicts);
  }
  if (keepTitleSection(page, verdicts)) chooseHeadings(page, facts, choice);
  return choice;
}

function readSizes(blocks: readonly Block[]): Float64Array {
  const sizes = new Float64Array(blocks.length);
  for (let index = 0; index < sizes.length; index++) sizes[index] = blocks[index]!.size;
  return sizes;
}

/**
 * Moves the blocks of a list halfway to the list's mean, because a list is kept or dropped as a
 * whole unless its parts differ much. A link-only list, such as a table of contents, uses its mean
 * alone.
 */
function joinLists(page: Segmentation, facts: ElementFacts, asked: Float64Array): Float64Array {
  const joined = asked.slice();
  const { tag, blockStart, blockEnd } = page.elements;
  let joinedTo = 0;
  for (let element = 0; element < tag.length; element++) {
    if (LISTS[tag[element]!] === 0) continue;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (to <= joinedTo) continue;
    const isLinks =
      facts.linkCharacters[element]! >= MIN_LINK_LIST_SHARE * facts.characters[element]!;
    if (isLinks && to - from >= MIN_LINKS) {
      joined.fill(computeMean(page, asked, from, to), from, to);
      joinedTo = to;
    } else if (to - from <= MAX_LIST_BLOCKS) {
      const mean = computeMean(page, asked, from, to);
      for (let index = from; index < to; index++) joined[index] = (joined[index]! + mean) / 2;
    }
  }
  return joined;
}

/**
 * Gives every block of a data table the table's mean probability, so that no single cell is
 * dropped.
 */
function joinTables(
  page: Segmentation,
  tables: readonly number[],
  asked: Float64Array,
): Float64Array {
  const joined = asked.slice();
  const { blockStart, blockEnd } = page.elements;
  for (const table of tables) {
    const from = blockStart[table]!;
    const to = blockEnd[table]!;
    if (from < to) joined.fill(computeMean(page, asked, from, to), from, to);
  }
  return joined;
}

/** Finds data tables: no nested table, several rows and columns, no cell as long as a text. */
function findDataTables(page: Segmentation, facts: ElementFacts): number[] {
  const { nodes, tag, parent } = page.elements;
  if (!tag.includes(TABLE)) return [];
  const tableOf = new Int32Array(nodes.length).fill(-1);
  const rows = new Map<number, { rows: number; cells: number; isLayout: boolean }>();
  for (let element = 0; element < nodes.length; element++) {
    const own = tag[element]!;
    const up = parent[element]!;
    const outer = up < 0 ? -1 : tableOf[up]!;
    tableOf[element] = outer;
    if (own === TABLE) {
      const around = rows.get(outer);
      if (around !== undefined) around.isLayout = true;
      const isLayout = readAttribute(nodes[element]!, "role") === "presentation";
      rows.set(element, { rows: 0, cells: 0, isLayout });
      tableOf[element] = element;
      continue;
    }
    const table = outer < 0 ? undefined : rows.get(outer);
    if (table === undefined) continue;
    if (own === ROW) table.rows++;
    else if (CELLS[own] === 1) {
      table.cells++;
      if (facts.size[element]! > 100) table.isLayout = true;
    }
  }
  const tables: number[] = [];
  for (const [element, table] of rows)
    if (!table.isLayout && table.rows >= 2 && table.cells >= table.rows * 1.5) tables.push(element);
  return tables;
}

/**
 * Keeps likely data tables, code and quotations inside kept text, so that an article has no gaps.
 */
function keepInsets(
  page: Segmentation,
  facts: ElementFacts,
  tables: readonly number[],
  { probabilities, innerCut, verdicts }: Verdicts,
): void {
  const { tag, blockStart, blockEnd } = page.elements;
  const insets = new Set(tables);
  const isNote = facts.names.reader.classes.map(isInsertedNote);
  for (let element = 0; element < tag.length; element++)
    if (INSETS[tag[element]!] === 1 || isNote[facts.classes[element]!]!) insets.add(element);
  const isInset = new Uint8Array(page.blocks.length);
  for (const inset of insets) isInset.fill(1, blockStart[inset], blockEnd[inset]);
  const before = new Uint8Array(page.blocks.length + 1);
  const after = new Uint8Array(page.blocks.length + 1);
  for (let index = 0; index < page.blocks.length; index++)
    before[index + 1] = isInset[index] === 1 ? before[index]! : Number(isKept(verdicts[index]));
  for (let index = page.blocks.length - 1; index >= 0; index--)
    after[index] = isInset[index] === 1 ? after[index + 1]! : Number(isKept(verdicts[index]));
  for (const inset of insets) {
    const from = blockStart[inset]!;
    const to = blockEnd[inset]!;
    if (from === to || before[from] === 0) continue;
    const least = innerCut * (after[to] === 1 ? MIN_INSET_FRACTION : MIN_LAST_INSET_FRACTION);
    if (computeMean(page, probabilities, from, to) < least) continue;
    for (let index = from; index < to; index++)
      if (verdicts[index] === "dropped") verdicts[index] = "kept";
  }
  for (let index = 0; index < page.blocks.length; index++) {
    if (verdicts[index] !== "dropped" || before[index] === 0) continue;
    const least =
      innerCut * (after[index + 1] === 1 ? MIN_INSET_FRACTION : MIN_LAST_INSET_FRACTION);
    if (probabilities[index]! >= least && isFormula(page, page.blocks[index]!))
      verdicts[index] = "kept";
  }
}

/** True for a display formula: it has no element of its own that breaks the line. */
function isFormula({ texts }: Segmentation, { textStart }: Block): boolean {
  let node: ParentNode | null = texts[textStart]!.parent;
  for (let level = 0; level < MAX_FORMULA_LEVELS && node !== null && isTag(node); level++) {
    if (node.name === "math" || FORMULA.test(readAttribute(node, "class"))) return true;
    node = node.parent;
  }
  return false;
}

/** Keeps the caption of a figure inside kept text, because the figure itself stays. */
function keepCaptions(
  page: Segmentation,
  facts: ElementFacts,
  { probabilities, innerCut, verdicts }: Verdicts,
): void {
  const { tag, blockStart, blockEnd } = page.elements;
  for (let element = 0; element < tag.length; element++) {
    if (tag[element] !== FIGURE) continue;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (from === to || facts.images[element]! === 0) continue;
    if (
      facts.size[element]! > MAX_CAPTION_WORDS ||
      !isKept(verdicts[from - 1]) ||
      !isKept(verdicts[to])
    )
      continue;
    for (let index = from; index < to; index++)
      if (
        verdicts[index] === "dropped" &&
        probabilities[index]! >=
          Math.min(innerCut, MIN_HEADING_FRACTION_STRICT) * MIN_CAPTION_FRACTION
      )
        verdicts[index] = "kept-caption";
  }
}

/** Keeps the terms of a kept definition, which means nothing without them. */
function keepTerms({ blocks, elements }: Segmentation, verdicts: Verdict[]): void {
  for (let index = blocks.length - 2; index >= 0; index--) {
    if (verdicts[index] !== "dropped" || verdicts[index + 1] !== "kept") continue;
    if (
      findDefinitionPart(elements, blocks[index]!.container) === "dt" &&
      findDefinitionPart(elements, blocks[index + 1]!.container) !== ""
    )
      verdicts[index] = "kept";
  }
}

/** Returns the part of a definition list that contains the element, or "" if none. */
function findDefinitionPart(
  { nodes, parent }: Segmentation["elements"],
  inner: number,
): "dt" | "dd" | "" {
  let element = inner;
  for (let level = 0; level < MAX_TERM_LEVELS && element >= 0; level++) {
    const { name } = nodes[element]!;
    if (name === "dt" || name === "dd") return name;
    if (name === "dl") return "";
    element = parent[element]!;
  }
  return "";
}

/**
 * Keeps a likely heading right above kept text. On a clear page, drops an unlikely heading with no
 * text below.
 */
function chooseHeadings(
  page: Segmentation,
  facts: ElementFacts,
  { probabilities, innerCut, expected, verdicts }: Verdicts,
): void {
  const { blocks } = page;
  const title = findTitle(page, facts);
  for (let index = blocks.length - 1; index >= 0; index--) {
    const level = facts.level[blocks[index]!.container] ?? 0;
    if (level === 0) continue;
    const next = verdicts[index + 1];
    const probability = probabilities[index]!;
    if (verdicts[index] === "dropped") {
      const isTitle = level === 1 || index === title;
      const isInside = isKept(verdicts[index - 1]) || isTitle;
      const share = isInside ? MIN_TITLE_FRACTION : MIN_HEADING_FRACTION;
      const leads =
        next === "kept" ||
        (next === "kept-heading" && isBelow(page, facts, index, level)) ||
        (isTitle &&
          isAboveText(
            page,
            index,
            verdicts,
            index === title ? MAX_CONTENTS_DISTANCE : MAX_BYLINE_DISTANCE,
          ));
      if (leads && probability >= Math.min(innerCut, MIN_HEADING_FRACTION_STRICT) * share)
        verdicts[index] = "kept-heading";
    } else if (
      expected >= MIN_CLEAR_F1 &&
      probability < MIN_SURE_HEADING_PROBABILITY &&
      !isSentence(blocks[index]!) &&
      !(index === title && isAboveText(page, index, verdicts, MAX_CONTENTS_DISTANCE)) &&
      (next === undefined || next === "dropped" || next === "lone-heading") &&
      verdicts[index + 2] !== "kept"
    )
      verdicts[index] = "lone-heading";
  }
}

const isSentence = ({ words, sentenceMarks }: Block): boolean =>
  sentenceMarks > 0 && words >= MIN_LEAD_WORDS;

/** True if the next heading is of a lower level. */
function isBelow(
  { blocks }: Segmentation,
  facts: ElementFacts,
  index: number,
  level: number,
): boolean {
  return (facts.level[blocks[index + 1]!.container] ?? 0) > level;
}

/** Returns the first heading of levels 1 to 3 that only repeats words of the page title, or -1. */
function findTitle({ blocks }: Segmentation, { level }: ElementFacts): number {
  for (let index = 0; index < blocks.length; index++) {
    const { container, words, titleWords, digits } = blocks[index]!;
    const of = level[container] ?? 0;
    const looked = digits > 0 ? words - NUMBER_WORDS : words;
    if (of > 0 && of <= 3 && titleWords > 0 && titleWords >= looked * MIN_TITLE_WORD_SHARE)
      return index;
  }
  return -1;
}
