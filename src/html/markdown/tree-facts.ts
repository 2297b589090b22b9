// Analyzes the whole tree before writing: contents of each table, list, definition and link.
// Without these facts the writer would search below the same elements repeatedly.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import {
  readAttribute,
  hasAttribute,
  isBlank,
  type TreeVisitor,
  visitTree,
} from "../parse/tree.ts";
import { getMeaning, resolveName } from "./elements.ts";

export type TableFacts = {
  rows: number;
  columns: number;
  cells: number;
  headerCells: number;
  /** Characters of text in the whole table and in its longest cell. */
  text: number;
  longestCell: number;
  hasTable: boolean;
  hasHeadings: boolean;
  /** Contains content that a table cell cannot hold: quotes, multi-line code, forms. */
  hasBlocks: boolean;
  /** Some of it is not code. */
  hasOtherBlocks: boolean;
  hasCaption: boolean;
  /** Cells with line numbers or the code beside them. */
  hasGutter: boolean;
};

export type TreeFacts = {
  readonly tables: ReadonlyMap<Element, TableFacts>;
  /** Lists whose items are separated by empty lines. */
  readonly looseLists: ReadonlySet<Element>;
  /** Lists whose only item holds a main heading: the whole article. */
  readonly layoutLists: ReadonlySet<Element>;
  /**
   * Definition lists without definitions, such as a table of contents: terms, and nested lists of
   * the same kind.
   */
  readonly termLists: ReadonlySet<Element>;
  /** Definition lists without terms, which wiki editors use to indent text. */
  readonly indents: ReadonlySet<Element>;
  /** Definitions and links that contain blocks; links that contain a heading. */
  readonly withBlocks: ReadonlySet<Element>;
  readonly withHeading: ReadonlySet<Element>;
  /** The analyzed tree. */
  readonly root: ParentNode;
  /** Links into the same page: candidates for footnote references. */
  readonly fragmentLinks: readonly Element[];
};

export const GUTTER =
  /(?:^|[\s_-])(?:linenos?|lineno|linenodiv|line[-_]?numbers?(?:-rows)?|gutter|blob-num|hljs-ln-numbers|crayon-nums|lnt|rouge-gutter)(?:$|\s)|(?:^|\s)ln(?:$|\s)/i;

/** Returns the nearest item of a list around an element. */
function findItem(element: Element): Element | undefined {
  for (let node = element.parent; node !== null && isTag(node); node = node.parent) {
    if (node.name !== "li") continue;
    const { parent } = node;
    const isListed =
      parent !== null && isTag(parent) && (parent.name === "ul" || parent.name === "ol");
    return isListed ? node : undefined;
  }
  return undefined;
}

/** True if an element has no element beside it. */
function isOnlyElement({ prev, next }: Element): boolean {
  let [before, after] = [prev, next];
  while (before !== null && !isTag(before)) before = before.prev;
  while (after !== null && !isTag(after)) after = after.next;
  return before === null && after === null;
}

type Frame = { element: Element; facts: TableFacts; cell: number; row: number };

/** Analyzes everything below `root` in one pass. */
export function collectTreeFacts(root: ParentNode, base: string | undefined): TreeFacts {
  return new FactCollector(base).collect(root);
}

class FactCollector implements TreeVisitor {
  readonly #tables = new Map<Element, TableFacts>();
  readonly #looseLists = new Set<Element>();
  readonly #layoutLists = new Set<Element>();
  readonly #termLists = new Set<Element>();
  readonly #indents = new Set<Element>();
  readonly #withBlocks = new Set<Element>();
  readonly #withHeading = new Set<Element>();
  readonly #fragmentLinks: Element[] = [];
  /** Prefix of links into this page in absolute form. */
  readonly #page: string | undefined;
  /** The open tables, links and definitions. */
  readonly #frames: Frame[] = [];
  readonly #anchors: Element[] = [];
  readonly #definitions: Element[] = [];

  constructor(base: string | undefined) {
    this.#page = base === undefined ? undefined : `${base.replace(/#.*$/s, "")}#`;
  }

  collect(root: ParentNode): TreeFacts {
    visitTree(root, this);
    return {
      root,
      tables: this.#tables,
      looseLists: this.#looseLists,
      layoutLists: this.#layoutLists,
      termLists: this.#termLists,
      indents: this.#indents,
      withBlocks: this.#withBlocks,
      withHeading: this.#withHeading,
      fragmentLinks: this.#fragmentLinks,
    };
  }

  enter(node: ChildNode): boolean {
    if (isText(node)) {
      if (this.#frames.length > 0) (this.#frames.at(-1) as Frame).cell += node.data.trim().length;
      return false;
    }
    if (!isTag(node)) return false;
    this.#visitElement(node);
    return !getMeaning(node, node.name).isSilent;
  }

  #visitElement(element: Element): void {
    const name = resolveName(element);
    const { isBlock, level } = getMeaning(element, name);
    if (isBlock) {
      markAll(this.#anchors, this.#withBlocks);
      const definition = this.#definitions.at(-1);
      if (definition !== undefined && name !== "p" && name !== "div")
        this.#withBlocks.add(definition);
      if (name === "p") this.#visitParagraph(element);
    }
    if (level === 1) {
      const item = findItem(element);
      if (item !== undefined && isOnlyElement(item)) this.#layoutLists.add(item.parent as Element);
    }
    if (level > 0) {
      markAll(this.#anchors, this.#withHeading);
      const frame = this.#frames.at(-1);
      if (frame !== undefined && !isInHeaderCell(element)) frame.facts.hasHeadings = true;
    }
    switch (name) {
      case "a":
        this.#link(element);
        break;
      case "dd":
        this.#definitions.push(element);
        break;
      case "table":
        this.#visitTable(element);
        break;
      default:
        if (this.#frames.length > 0) noteTablePart(this.#frames.at(-1) as Frame, element, name);
    }
  }

  #link(element: Element): void {
    const href = readAttribute(element, "href");
    if (href.startsWith("#") || (this.#page !== undefined && href.startsWith(this.#page)))
      this.#fragmentLinks.push(element);
    this.#anchors.push(element);
  }

  #visitTable(element: Element): void {
    for (const frame of this.#frames) frame.facts.hasTable = true;
    const facts: TableFacts = {
      rows: 0,
      columns: 0,
      cells: 0,
      headerCells: 0,
      text: 0,
      longestCell: 0,
      hasTable: false,
      hasHeadings: false,
      hasBlocks: false,
      hasOtherBlocks: false,
      hasCaption: false,
      hasGutter: false,
    };
    this.#tables.set(element, facts);
    this.#frames.push({ element, facts, cell: 0, row: 0 });
  }

  #visitParagraph(paragraph: Element): void {
    const { parent } = paragraph;
    if (parent === null || !isTag(parent)) return;
    if (parent.name === "li" && parent.parent !== null && isTag(parent.parent))
      this.#looseLists.add(parent.parent);
    if (parent.name === "dd") {
      const first = parent.children.find((child) => isTag(child));
      if (first !== paragraph) this.#withBlocks.add(parent);
    }
  }

  leave(element: Element): void {
    switch (resolveName(element)) {
      case "a":
        this.#anchors.pop();
        break;
      case "dd":
        this.#definitions.pop();
        break;
      case "dl":
        if (isNestedListShell(element, this.#termLists)) this.#termLists.add(element);
        else if (isIndentation(element)) this.#indents.add(element);
        break;
      case "table": {
        const { facts } = this.#frames.pop() as Frame;
        const outer = this.#frames.at(-1);
        if (outer !== undefined) outer.cell += facts.text;
        break;
      }
      case "td":
      case "th": {
        const frame = this.#frames.at(-1);
        if (frame === undefined) return;
        frame.facts.text += frame.cell;
        if (frame.cell > frame.facts.longestCell) frame.facts.longestCell = frame.cell;
        frame.cell = 0;
        break;
      }
      default:
    }
  }
}

/** True if a heading is inside a header cell, so it titles a column or row. */
function isInHeaderCell({ parent }: Element): boolean {
  return parent !== null && isTag(parent) && parent.name === "th";
}

/** True if a list has terms, and below them only lists among `known`. */
function isNestedListShell(list: Element, known: ReadonlySet<Element>): boolean {
  let terms = 0;
  for (const child of list.children) {
    if (!isTag(child)) continue;
    if (child.name === "dt") terms++;
    else if (child.name !== "dd" || !holdsOnly(child, known)) return false;
  }
  return terms > 0;
}

const isIndentation = ({ children }: Element): boolean =>
  children.every((child) => !isTag(child) || child.name === "dd");

/** True if an element contains only some of the `known` elements. */
function holdsOnly(element: Element, known: ReadonlySet<Element>): boolean {
  for (const child of element.children)
    if (isTag(child) ? !known.has(child) : isText(child) && !isBlank(child.data)) return false;
  return true;
}

/** Marks the innermost element and all its ancestors, stopping at a marked one. */
function markAll(path: readonly Element[], marked: Set<Element>): void {
  for (let at = path.length - 1; at >= 0; at--) {
    const element = path[at] as Element;
    if (marked.has(element)) return;
    marked.add(element);
  }
}

function noteTablePart(frame: Frame, element: Element, name: string): void {
  const { facts } = frame;
  switch (name) {
    case "tr":
      facts.rows++;
      frame.row = 0;
      break;
    case "th":
    case "td":
      facts.cells++;
      if (name === "th") facts.headerCells++;
      frame.row += Math.min(
        1000,
        Math.max(1, Number.parseInt(readAttribute(element, "colspan"), 10) || 1),
      );
      if (frame.row > facts.columns) facts.columns = frame.row;
      frame.cell = 0;
      if (
        GUTTER.test(readAttribute(element, "class")) ||
        /(?:^|\s)lntd(?:\s|$)/.test(readAttribute(element, "class")) ||
        hasAttribute(element, "data-line-number")
      )
        facts.hasGutter = true;
      break;
    case "caption":
      facts.hasCaption = true;
      break;
    case "pre":
      // Prism marks the listing itself with this class, not its line numbers.
      if (
        GUTTER.test(readAttribute(element, "class")) &&
        !element.children.some((child) => isTag(child) && child.name === "code")
      )
        facts.hasGutter = true;
      facts.hasBlocks = true;
      break;
    case "blockquote":
    case "form":
    case "article":
    case "section":
      facts.hasBlocks = true;
      facts.hasOtherBlocks = true;
      break;
    default:
  }
}

/** True if a table only arranges the page, so that its cells are written as ordinary blocks. */
export function isLayoutTable(table: Element, facts: TableFacts | undefined): boolean {
  if (facts === undefined || facts.cells === 0) return true;
  const role = readAttribute(table, "role");
  if (role === "presentation" || role === "none") return true;
  if (facts.columns < 2)
    return facts.headerCells === 0 || facts.rows < 2 || facts.hasOtherBlocks || facts.hasTable;
  const declared = facts.headerCells > 0 || facts.hasCaption;
  if (facts.hasTable) return !declared || facts.longestCell > 2_000 || facts.hasBlocks;
  // Headings in short cells title a column or row; in long cells they start page sections.
  if (facts.hasHeadings && (facts.rows < 3 || facts.text / facts.cells > 100)) return true;
  if (facts.hasBlocks) return !(facts.headerCells > 1 && facts.longestCell < 1_500);
  if (declared) return facts.longestCell > 8_000;
  if (facts.rows < 2) return true;
  return facts.longestCell > 1_500 || facts.text / facts.cells > 500;
}
