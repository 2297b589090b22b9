// Lays out tagged pages: the structure tree gives headings, lists, tables and reading order (ISO
// 32000-2, 14.8). It is trusted only if it covers the text and contains more than paragraphs.
import type { Block, Content, List, ListItem, TableCell } from "./block.ts";
import { splitCellLines } from "../tables/grid.ts";
import { toInlines } from "./inlines.ts";
import {
  type PageInDocument,
  type PdfPage,
  type TagElement,
  joinBoxes,
  type Word,
} from "../page-text.ts";

const HEADING = /^(?:H([1-6])?|Title)$/;
const GROUPS = new Set([
  "Document",
  "DocumentFragment",
  "Part",
  "Art",
  "Sect",
  "Div",
  "Aside",
  "Caption",
  "TOC",
  "TOCI",
  "Index",
  "Form",
  "P",
  "BlockQuote",
  "Figure",
  "Formula",
]);
const STRUCTURE_TAG = /^(?:H[1-6]?|Title|L|Table)$/;
const BLOCK =
  /^(?:H[1-6]?|Title|P|L|LI|Table|Code|BlockQuote|Note|FENote|Div|Sect|Art|Part|Document|TOCI?|Caption|Aside)$/;
/** Maximum share of untagged text besides furniture at the edges. */
const MAX_UNTAGGED = 0.05;
const EDGE_SHARE = 0.1;

/** True if the tags of a document can be followed. */
export function hasGoodTags(pages: readonly PdfPage[]): boolean {
  let [all, outside, telling] = [0, 0, false];
  for (const page of pages) {
    const known = new Set<number>();
    walkTags(page.tags, (element) => {
      for (const tag of element.tags) known.add(tag);
      telling ||= STRUCTURE_TAG.test(element.type);
    });
    for (const word of page.words) {
      all += word.text.length;
      const isEdge = word.y1 < EDGE_SHARE * page.height || word.y0 > (1 - EDGE_SHARE) * page.height;
      if (!isEdge && (word.tag === undefined || !known.has(word.tag))) outside += word.text.length;
    }
  }
  return telling && all > 0 && outside <= MAX_UNTAGGED * all;
}

function walkTags(elements: readonly TagElement[], visit: (element: TagElement) => void): void {
  const stack = [...elements];
  for (let element = stack.pop(); element !== undefined; element = stack.pop()) {
    visit(element);
    stack.push(...element.children);
  }
}

/** Returns the blocks of a page by its tags. */
export function buildTaggedBlocks(page: PageInDocument): Block[] {
  return new TagReader(page).read();
}

const MAX_DEPTH = 100;

class TagReader {
  readonly #page: PageInDocument;
  readonly #byTag = new Map<number, Word[]>();
  readonly #blocks: Block[] = [];

  constructor(page: PageInDocument) {
    this.#page = page;
    for (const word of page.words) {
      if (word.tag === undefined) continue;
      const same = this.#byTag.get(word.tag);
      if (same === undefined) this.#byTag.set(word.tag, [word]);
      else same.push(word);
    }
  }

  read(): Block[] {
    this.#addFlow(this.#page.tags, [], 0);
    return this.#blocks;
  }

  /** Lays out elements in order. Inline content is collected into a paragraph. */
  #addFlow(elements: readonly TagElement[], own: readonly number[], depth: number): void {
    let loose = own.flatMap((tag) => this.#byTag.get(tag) ?? []);
    const flush = (): void => {
      if (loose.length > 0)
        this.#add({ kind: "paragraph", content: this.#buildInlines(loose) }, loose);
      loose = [];
    };
    for (const element of elements) {
      if (depth > MAX_DEPTH) return;
      if (isInline(element, depth)) {
        loose.push(...this.#listWords(element, depth));
        continue;
      }
      flush();
      this.#block(element, depth + 1);
    }
    flush();
  }

  #block(element: TagElement, depth: number): void {
    const words = this.#listWords(element, depth);
    if (words.length === 0) return;
    const heading = HEADING.exec(element.type);
    if (heading !== null) {
      this.#add(
        {
          kind: "heading",
          level: Number(heading[1] ?? 1),
          content: this.#buildInlines(words, true),
        },
        words,
      );
    } else if (element.type === "L") {
      this.#add(this.#list(element, depth), words);
    } else if (element.type === "Table") {
      const rows = this.#buildRows(element, depth);
      if (rows.length > 0) this.#add({ kind: "table", rows }, words);
    } else if (element.type === "Code" || isCode(element, words)) {
      this.#add({ kind: "code", text: joinCode(words) }, words);
    } else if (element.children.some((child) => !isInline(child, depth))) {
      this.#addFlow(element.children, element.tags, depth);
    } else {
      const kind =
        element.type === "BlockQuote"
          ? "quote"
          : /^(?:Note|FENote)$/.test(element.type)
            ? "footnote"
            : "paragraph";
      this.#add({ kind, content: this.#buildInlines(words) }, words);
    }
  }

  #add(content: Content, words: readonly Word[]): void {
    const known = words.flatMap(({ confidence }) => confidence ?? []);
    this.#blocks.push({
      ...content,
      page: this.#page.number,
      box: joinBoxes(words),
      confidence:
        known.length === 0
          ? undefined
          : known.reduce((sum, value) => sum + value, 0) / known.length,
    });
  }

  #listWords(element: TagElement, depth: number): Word[] {
    const words: Word[] = [];
    const stack: { element: TagElement; depth: number }[] = [{ element, depth }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      for (const tag of next.element.tags) words.push(...(this.#byTag.get(tag) ?? []));
      for (const child of next.element.children.toReversed())
        stack.push({ element: child, depth: next.depth + 1 });
    }
    return words;
  }

  #buildInlines(words: readonly Word[], plain = false): ReturnType<typeof toInlines> {
    return toInlines(splitFlowLines(words), { ...this.#page, plain });
  }

  #list(element: TagElement, depth: number): List {
    const items: ListItem[] = [];
    let marker = "";
    const addItems = (from: TagElement): void => {
      for (const child of from.children) {
        if (child.type === "LI") {
          const label = child.children.find(({ type }) => type === "Lbl");
          marker ||= this.#listWords(label ?? { ...child, children: [], tags: [] }, depth)
            .map(({ text }) => text)
            .join("");
          items.push(this.#buildItem(child, depth));
        } else if (child.type === "L") {
          // A list directly inside a list belongs to the item before it.
          const last = items.pop() ?? { content: [], children: [] };
          items.push({ ...last, children: [...last.children, this.#list(child, depth + 1)] });
        } else if (depth < MAX_DEPTH && child.children.length > 0) addItems(child);
      }
    };
    addItems(element);
    const ordered = /^\(?\d/.test(marker);
    return {
      kind: "list",
      ordered,
      start: ordered ? Number(/\d+/.exec(marker)?.[0] ?? 1) : 1,
      items,
    };
  }

  #buildItem(element: TagElement, depth: number): ListItem {
    const children: List[] = [];
    const words: Word[] = [];
    const stack: TagElement[] = [element];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (next.type === "L") {
        if (depth < MAX_DEPTH) children.push(this.#list(next, depth + 1));
        continue;
      }
      if (next.type === "Lbl") continue;
      for (const tag of next.tags) words.push(...(this.#byTag.get(tag) ?? []));
      stack.push(...next.children.toReversed());
    }
    return { content: this.#buildInlines(dropMarker(words)), children };
  }

  #buildRows(table: TagElement, depth: number): TableCell[][] {
    const rows: TableCell[][] = [];
    const stack: { element: TagElement; head: boolean }[] = [{ element: table, head: false }];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      const { element } = next;
      const head = next.head || element.type === "THead";
      if (element.type === "TR") {
        const cells = element.children.filter(({ type }) => type === "TD" || type === "TH");
        rows.push(
          cells.map((cell) => ({
            content: this.#buildInlines(this.#listWords(cell, depth), cell.type === "TH"),
            columns: cell.columns,
            rows: cell.rows,
            header: head || cell.type === "TH",
          })),
        );
        continue;
      }
      for (const child of element.children.toReversed()) stack.push({ element: child, head });
    }
    return rows;
  }
}

/** True if an element and its content are inline. */
function isInline(element: TagElement, depth: number): boolean {
  if (BLOCK.test(element.type) || GROUPS.has(element.type)) return false;
  return depth > MAX_DEPTH || element.children.every((child) => isInline(child, depth + 1));
}

/** Returns the lines of one element, even if it continues in the next column. */
export function splitFlowLines(words: readonly Word[]): Word[][] {
  const sorted = words.toSorted((one, other) => one.x0 - other.x0);
  const groups: { x1: number; words: Word[] }[] = [];
  for (const word of sorted) {
    const last = groups.at(-1);
    if (last !== undefined && word.x0 - last.x1 < 9) {
      last.words.push(word);
      last.x1 = Math.max(last.x1, word.x1);
    } else groups.push({ x1: word.x1, words: [word] });
  }
  const tall = groups.filter(
    (group) => new Set(group.words.map(({ y1 }) => Math.round(y1 / 4))).size > 1,
  );
  return tall.length > 1
    ? groups.flatMap((group) => splitCellLines(group.words))
    : splitCellLines(words);
}

const isCode = (element: TagElement, words: readonly Word[]): boolean =>
  element.type === "P" || element.type === "Div"
    ? words.every(({ face }) => face.mono) && splitCellLines(words).length > 1
    : false;

function joinCode(words: readonly Word[]): string {
  const lines = splitCellLines(words);
  const left = Math.min(...words.map(({ x0 }) => x0));
  const widths = words
    .map(({ x0, x1, text }) => (x1 - x0) / text.length)
    .sort((one, other) => one - other);
  const width = widths[widths.length >> 1] ?? 6;
  return lines
    .map((line) => {
      let text = "";
      for (const word of line) {
        const column = Math.min(200, Math.round((word.x0 - left) / width));
        text = text.padEnd(text === "" ? column : Math.max(column, text.length + 1)) + word.text;
      }
      return text;
    })
    .join("\n");
}

/** Drops a bullet that is not tagged as a label. */
const dropMarker = (words: readonly Word[]): readonly Word[] =>
  /^[•◦▪‣●○■–\uF0B7]$/u.test(words[0]?.text ?? "") ? words.slice(1) : words;
