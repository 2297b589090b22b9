// Writes a page as lines for a language model: each piece of text with the reference of its node,
// each table row in one line, links with their addresses, controls with their options. Linear in
// the size of the page.
import { isTag, isText, type Element } from "domhandler";
import { foldSpace, readText } from "../html/parse/tree.ts";
import type { Grid } from "./grids.ts";
import { FLAG, hasOwnText, isAside, isBlock, isHidden, isStruck, type PageNode } from "./node.ts";
import type { PageModel } from "./page-model.ts";

/** The content of one reference. */
export type PagePlace = {
  readonly ref: string;
  /** All words; whitespace is collapsed, line breaks are kept. */
  readonly words: string;
  /** Absolute URL of the link, picture or media. */
  readonly address?: string;
};

export type PageLine = {
  /** The line for the model. */
  readonly text: string;
  readonly places: readonly PagePlace[];
  /** Level of a heading, 0 for other lines. */
  readonly level: number;
  /** The header line of the columns of this line's cells. */
  readonly headLine?: string;
  /** In navigation, site header, site footer or a notice. */
  readonly isAside: boolean;
};

export type PageLines = {
  readonly lines: readonly PageLine[];
  /** Pieces beyond the limits, which are in no line. */
  readonly left: number;
};

export type PageLinesOptions = {
  /** Makes an address absolute; undefined for an invalid one. */
  readonly resolve: (written: string) => string | undefined;
  /** Characters of all lines. */
  readonly maxCharacters?: number;
};

const MAX_CHARACTERS = 2_000_000;
/** Characters of one piece that are shown; its words after them go into further lines. */
const MAX_PIECE = 1_500;
const MAX_CELL = 200;
const MAX_UNSHOWN_CHARACTERS = 300;
/** Hidden elements whose text is not part of the page. */
const UNREAD: ReadonlySet<string> = new Set(["dialog", "option", "datalist", "select", "form"]);
const MAX_ADDRESS = 120;
const MAX_OPTIONS = 60;
/**
 * Maximum characters of a piece whose parts all have their own lines; in longer pieces, only links
 * and times have one.
 */
const MAX_PARTED = 160;

export function readPageLines(
  model: PageModel,
  { resolve, maxCharacters = MAX_CHARACTERS }: PageLinesOptions,
): PageLines {
  return new LineReader(model, resolve, maxCharacters).read();
}

class LineReader {
  readonly #model: PageModel;
  readonly #resolve: PageLinesOptions["resolve"];
  readonly #lines: PageLine[] = [];
  readonly #rows: ReadonlyMap<number, Grid>;
  #room: number;
  #left = 0;

  constructor(model: PageModel, resolve: PageLinesOptions["resolve"], maxCharacters: number) {
    this.#model = model;
    this.#resolve = resolve;
    this.#room = maxCharacters;
    this.#rows = indexGridsByRow(model.grids);
  }

  read(): PageLines {
    const { nodes } = this.#model;
    const heads = new Map<Grid, string>();
    /** The piece of text around the node; its words have been written. */
    let piece:
      | { readonly end: number; readonly text: string; readonly isShort: boolean }
      | undefined;
    for (let at = 0; at < nodes.length;) {
      const node = nodes[at] as PageNode;
      if (piece !== undefined && at >= piece.end) piece = undefined;
      if (isHidden(node)) {
        this.#unseen(node);
        at = node.end;
        continue;
      }
      const grid = this.#rows.get(at);
      if (grid !== undefined && this.#row(node, grid, heads)) {
        at = node.end;
        continue;
      }
      if (piece === undefined) piece = this.#piece(node) ?? piece;
      else this.#part(node, piece);
      at += 1;
    }
    return { lines: this.#lines, left: this.#left };
  }

  /** Writes the line of an element outside of any piece; returns the piece that it opens. */
  #piece(node: PageNode): { end: number; text: string; isShort: boolean } | undefined {
    if (this.#control(node)) return undefined;
    if (!hasOwnText(node)) {
      if (!this.#media(node)) this.#linkAround(node);
      return undefined;
    }
    const holdsBlocks = this.#holdsBlocks(node);
    const text = holdsBlocks ? this.#readOwnWords(node) : this.#model.textOf(node).trim();
    if (text !== "") this.#write(node, text);
    // The blocks in it have lines of their own.
    if (holdsBlocks) return undefined;
    return { end: node.end, text, isShort: text.length <= MAX_PARTED };
  }

  /** Writes an element within a piece whose words have been written, if its reference is useful. */
  #part(node: PageNode, piece: { readonly text: string; readonly isShort: boolean }): void {
    if (this.#control(node) || this.#media(node)) return;
    const { name, attribs } = node.element;
    const text = this.#model.textOf(node).trim();
    const leads = name === "a" && attribs["href"] !== undefined;
    const isPart = piece.isShort && hasOwnText(node) && text !== piece.text;
    if (text !== "" && (leads || isPart || readTime(node) !== undefined)) this.#write(node, text);
  }

  #write(node: PageNode, text: string): void {
    const { name } = node.element;
    const level = /^h[1-6]$/.test(name) ? Number(name[1]) : 0;
    for (let from = 0; from < text.length; from += MAX_PIECE) {
      const shown = text.slice(from, from + MAX_PIECE).replaceAll("\n", "\n  ");
      const marks = from === 0 ? readMarks(node, text) : " (continued)";
      const opening = `${buildIndent(node)}${node.ref} ${name}${marks}`;
      const address = from === 0 ? this.#resolveAddress(node) : undefined;
      this.#add({
        text: `${opening} ${shown}${address === undefined ? "" : ` -> ${address.shown}`}`,
        places: from === 0 ? [toPlace(node.ref, text, address?.absolute)] : [],
        level: from === 0 ? level : 0,
        isAside: isAside(node),
      });
    }
  }

  #add(line: PageLine): void {
    if (line.text.length > this.#room) {
      this.#left += 1;
      return;
    }
    this.#room -= line.text.length;
    this.#lines.push(line);
  }

  /**
   * Text for assistive technology, such as "4.5 out of 5 stars", and short texts that a click
   * shows, such as a yearly price.
   */
  #unseen(node: PageNode): void {
    const { name } = node.element;
    const isSpoken = (node.flags & FLAG.spoken) !== 0;
    // Only for content hidden by a class, which styles may show again. Content that the page hides
    // itself is never read.
    if (!isSpoken && (isAside(node) || UNREAD.has(name) || isHiddenByPage(node))) return;
    const text = isSpoken
      ? node.spoken
      : foldSpace(readText(node.element, MAX_UNSHOWN_CHARACTERS + 1));
    if (text.trim() === "" || text.length > MAX_UNSHOWN_CHARACTERS) return;
    this.#add({
      text: `${buildIndent(node)}${node.ref} ${name} (${isSpoken ? "spoken" : "hidden"}) ${text.trim()}`,
      places: [toPlace(node.ref, text.trim())],
      level: 0,
      isAside: isAside(node),
    });
  }

  /** Pictures, media and elements without text that have a spoken name. */
  #media(node: PageNode): boolean {
    const { name } = node.element;
    const isPicture = name === "img" || name === "video" || name === "audio";
    const isNamed = node.spoken !== "" && node.from === node.to;
    if (!isPicture && !isNamed) return false;
    const address = this.#resolveAddress(node);
    if (node.spoken === "" && address === undefined) return true;
    const words = [node.spoken, address === undefined ? "" : `-> ${address.shown}`];
    this.#add({
      text: [
        `${buildIndent(node)}${node.ref} ${name}`,
        ...words.filter((text) => text !== ""),
      ].join(" "),
      places: [toPlace(node.ref, node.spoken, address?.absolute)],
      level: 0,
      isAside: isAside(node),
    });
    return true;
  }

  /** A link around blocks whose words have their own lines. */
  #linkAround(node: PageNode): void {
    if (node.element.name !== "a") return;
    const address = this.#resolveAddress(node);
    if (address === undefined) return;
    this.#add({
      text: `${buildIndent(node)}${node.ref} a -> ${address.shown}`,
      places: [toPlace(node.ref, this.#model.textOf(node).trim(), address.absolute)],
      level: 0,
      isAside: isAside(node),
    });
  }

  #control(node: PageNode): boolean {
    const { name, attribs } = node.element;
    if (name !== "select" && name !== "input" && name !== "textarea") return false;
    const words = name === "select" ? readOptions(node.element) : readInput(node.element);
    if (words === undefined) return true;
    const title = node.spoken || attribs["name"] || attribs["id"] || "";
    this.#add({
      text: [`${buildIndent(node)}${node.ref} ${name}`, title, words]
        .filter((text) => text !== "")
        .join(" "),
      places: [toPlace(node.ref, words)],
      level: 0,
      isAside: isAside(node),
    });
    return true;
  }

  /** Writes a row of plain cells in one line; returns false for other rows. */
  #row(node: PageNode, grid: Grid, heads: Map<Grid, string>): boolean {
    const cells = this.#model.children(node).filter((cell) => !isHidden(cell));
    if (cells.length < 2 || !cells.every((cell) => this.#isPlain(cell))) return false;
    const shown: string[] = [];
    const places: PagePlace[] = [];
    for (const cell of cells) {
      const link = this.#model
        .below(cell)
        .find(({ element }) => element.name === "a" && element.attribs["href"] !== undefined);
      const address = link === undefined ? undefined : this.#resolveAddress(link);
      const words = this.#model.lineOf(cell).trim();
      places.push(toPlace(cell.ref, words, address?.absolute));
      const struck = isStruck(cell) ? " (crossed out)" : "";
      const leads = address === undefined ? "" : ` -> ${address.shown}`;
      shown.push(words === "" ? "-" : `${cell.ref} ${words}${struck}${leads}`);
    }
    if (places.every(({ words }) => words === "")) return true;
    const text = `${buildIndent(node)}${node.ref} tr | ${shown.join(" | ")}`;
    const isHead = grid.heads.some(
      (head) => head !== undefined && this.#model.contains(node, head.node),
    );
    if (isHead) heads.set(grid, text);
    const headLine = isHead ? undefined : heads.get(grid);
    this.#add({
      text,
      places,
      level: 0,
      isAside: isAside(node),
      ...(headLine === undefined ? {} : { headLine }),
    });
    return true;
  }

  #isPlain(cell: PageNode): boolean {
    if (cell.to - cell.from > MAX_CELL) return false;
    let links = 0;
    for (let at = cell.index + 1; at < cell.end; at += 1) {
      const inner = this.#model.nodes[at] as PageNode;
      const { name } = inner.element;
      if (name === "a") links += 1;
      if (links > 1 || PARTED.has(name) || inner.spoken !== "") return false;
    }
    return true;
  }

  #holdsBlocks({ index, end }: PageNode): boolean {
    for (let at = index + 1; at < end; at += 1) {
      const inner = this.#model.nodes[at] as PageNode;
      if (isBlock(inner) && !isHidden(inner) && inner.to > inner.from) return true;
    }
    return false;
  }

  /** The words of a node outside its blocks. */
  #readOwnWords(node: PageNode): string {
    const parts = node.element.children.map((child) => {
      if (isText(child)) return child.data;
      if (!isTag(child)) return "";
      const inner = this.#model.nodeOf(child);
      if (inner === undefined) return child.name === "br" ? "\n" : "";
      const isInline = !isBlock(inner) && !isHidden(inner) && !this.#holdsBlocks(inner);
      return isInline ? this.#model.textOf(inner) : " ";
    });
    return foldSpace(parts.join(""));
  }

  #resolveAddress({
    element,
  }: PageNode): { shown: string; absolute: string | undefined } | undefined {
    const written = (element.attribs["href"] ?? element.attribs["src"] ?? "").trim();
    if (written === "" || /^(?:javascript|data|blob):/i.test(written) || written === "#")
      return undefined;
    const shown = written.length > MAX_ADDRESS ? `${written.slice(0, MAX_ADDRESS - 1)}…` : written;
    return { shown, absolute: this.#resolve(written) };
  }
}

/** Elements that need their own lines within a cell. */
const PARTED: ReadonlySet<string> = new Set([
  "img",
  "input",
  "select",
  "textarea",
  "table",
  "ul",
  "ol",
  "dl",
  "video",
  "audio",
]);

const isHiddenByPage = ({ element: { attribs } }: PageNode): boolean =>
  attribs["hidden"] !== undefined || /(?:display|visibility)\s{0,5}:/i.test(attribs["style"] ?? "");

function indexGridsByRow(grids: readonly Grid[]): Map<number, Grid> {
  const found = new Map<number, Grid>();
  for (const grid of grids) {
    if (grid.node.element.name !== "table") continue;
    for (const head of grid.heads) if (head !== undefined) found.set(head.node.parent, grid);
    for (const { node } of grid.rows) found.set(node.index, grid);
  }
  found.delete(-1);
  return found;
}

const buildIndent = ({ depth }: PageNode): string => " ".repeat(Math.min(6, depth >> 1));

function readMarks(node: PageNode, text: string): string {
  const stated = readTime(node);
  const time = stated === undefined ? "" : ` (${stated})`;
  const spoken = node.spoken === "" || text.includes(node.spoken) ? "" : ` (${node.spoken})`;
  return `${time}${spoken}${isStruck(node) ? " (crossed out)" : ""}`;
}

/** The machine-readable time of an element, such as that of "two days ago". */
const readTime = ({ element: { attribs } }: PageNode): string | undefined =>
  [attribs["datetime"], attribs["data-time"], attribs["data-datetime"], attribs["data-date"]].find(
    (written) => written !== undefined && /^\d{4}-\d\d(?:-|$)/.test(written) && written.length < 40,
  );

const toPlace = (ref: string, words: string, address?: string): PagePlace => ({
  ref,
  words,
  ...(address === undefined ? {} : { address }),
});

function readOptions(select: Element): string | undefined {
  const options: string[] = [];
  const open = select.children.filter(isTag).toReversed();
  let left = 0;
  for (let option = open.pop(); option !== undefined; option = open.pop()) {
    if (option.name === "optgroup") open.push(...option.children.filter(isTag).toReversed());
    if (option.name !== "option") continue;
    const text = foldSpace(readText(option, MAX_CELL));
    if (text === "") continue;
    const { selected, disabled } = option.attribs;
    const state = [
      selected === undefined ? "" : "selected",
      disabled === undefined ? "" : "disabled",
    ]
      .filter((word) => word !== "")
      .join(", ");
    if (options.length >= MAX_OPTIONS) left += 1;
    else options.push(state === "" ? text : `${text} (${state})`);
  }
  if (options.length === 0) return undefined;
  return `${options.join(" | ")}${left === 0 ? "" : ` | and ${left} more`}`;
}

const UNSEEN_INPUTS: ReadonlySet<string> = new Set(["hidden", "password", "file", "image"]);

function readInput({ name, attribs }: Element): string | undefined {
  if (name === "textarea") return undefined;
  const type = (attribs["type"] ?? "text").toLowerCase();
  const value = foldSpace(attribs["value"] ?? "").slice(0, MAX_CELL);
  if (UNSEEN_INPUTS.has(type) || value === "") return undefined;
  const isChoice = type === "radio" || type === "checkbox";
  const states = [
    isChoice && attribs["checked"] !== undefined ? "selected" : "",
    attribs["disabled"] === undefined ? "" : "disabled",
  ].filter((word) => word !== "");
  return states.length === 0 ? value : `${value} (${states.join(", ")})`;
}
