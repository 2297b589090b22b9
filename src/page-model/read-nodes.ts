// Reads a page in one walk: its elements as nodes and its visible text. Linear in the size of the
// page.
import { isTag, isText, type ChildNode, type Document, type Element } from "domhandler";
import { isForScreenReaders } from "../html/evidence/element-index.ts";
import { isVisuallySeparate } from "../html/markdown/adjacent-elements.ts";
import { readsAsOneWord } from "../html/markdown/word-boundaries.ts";
import { foldSpace, isBlank, readText } from "../html/parse/tree.ts";
import { createAsideState, type AsideState, startsAside, START_STATE } from "./asides.ts";
import { FLAG, type PageNode } from "./node.ts";

export type NodeList = {
  readonly nodes: readonly PageNode[];
  /** The visible text, blocks separated by line breaks. */
  readonly text: string;
  readonly byElement: ReadonlyMap<Element, PageNode>;
  /** The page had more elements than the limit. */
  readonly isCut: boolean;
};

type OpenNode = { -readonly [key in keyof PageNode]: PageNode[key] };

const SKIPPED: ReadonlySet<string> = new Set([
  "head",
  "title",
  "script",
  "style",
  "noscript",
  "link",
  "meta",
  "svg",
  "math",
  "object",
  "embed",
  "canvas",
  "rp",
]);
const INLINE: ReadonlySet<string> = new Set([
  "a",
  "abbr",
  "b",
  "bdi",
  "bdo",
  "big",
  "cite",
  "code",
  "data",
  "del",
  "dfn",
  "em",
  "font",
  "i",
  "img",
  "ins",
  "kbd",
  "label",
  "mark",
  "output",
  "picture",
  "q",
  "s",
  "samp",
  "slot",
  "small",
  "source",
  "span",
  "strike",
  "strong",
  "sub",
  "sup",
  "time",
  "tt",
  "u",
  "var",
  "wbr",
]);
const STRUCK_TAGS: ReadonlySet<string> = new Set(["del", "s", "strike"]);
/** Values of form controls are not text of the page. */
const CONTROLS: ReadonlySet<string> = new Set([
  "input",
  "select",
  "textarea",
  "option",
  "datalist",
]);

const DISPLAY_NONE = /display\s*:\s*none|visibility\s*:\s*hidden/i;
const LINE_THROUGH = /text-decoration[^;:]{0,10}:[^;]{0,40}line-through/i;
const STRUCK_CLASS = /(?:^|\s)(?:line-through|strikethrough|text-decoration-line-through)(?:\s|$)/;
/**
 * Class names of Tailwind and Bootstrap for `display: none`, unless the element is shown at another
 * width.
 */
const HIDDEN_CLASS = /(?:^|\s)(?:hidden|invisible|d-none)(?:\s|$)/;
const SHOWN_AGAIN =
  /(?:^|\s)(?:[a-z\d@[\]-]+:(?:block|inline|inline-block|flex|inline-flex|grid|inline-grid|table|table-cell|contents|visible)|d-(?:sm|md|lg|xl|xxl)-\S+)(?:\s|$)/;
const COLLAPSIBLE_ROLE: ReadonlySet<string> = new Set(["tabpanel", "region"]);

/** Reads at most `limit` elements. */
export function readNodes(document: Document, limit: number): NodeList {
  const reader = new Reader(limit);
  reader.read(document);
  return {
    nodes: reader.nodes,
    text: reader.text(),
    byElement: reader.byElement,
    isCut: reader.isCut,
  };
}

class Reader {
  readonly nodes: OpenNode[] = [];
  readonly byElement = new Map<Element, PageNode>();
  isCut = false;
  readonly #limit: number;
  readonly #parts: string[] = [];
  #length = 0;
  /** Separator between the previous text and the next one. */
  #gap: "" | " " | "\n" = "";
  /** Between two inline elements that a reader sees apart. */
  #isBetweenBoxes = false;
  readonly #open: { readonly node: OpenNode; readonly state: AsideState }[] = [];

  constructor(limit: number) {
    this.#limit = limit;
  }

  text(): string {
    return this.#parts.join("");
  }

  read(document: Document): void {
    let node: ChildNode | null = document.children[0] ?? null;
    while (node !== null) {
      if (isText(node)) this.#write(node.data);
      else if (isTag(node) && this.#enter(node)) {
        const first = node.children[0];
        if (first !== undefined) {
          node = first;
          continue;
        }
        this.#leave();
      }
      let at: ChildNode = node;
      while (at.next === null && at.parent !== null && at.parent !== document) {
        at = at.parent as Element;
        // Elements that were not entered have no open node.
        if (this.#open.at(-1)?.node.element === at) this.#leave();
      }
      node = at.next;
    }
  }

  #enter(element: Element): boolean {
    const { name, attribs } = element;
    if (name === "br" || name === "hr") {
      this.#break();
      return false;
    }
    if (SKIPPED.has(name)) return false;
    if (name === "sup") {
      if (this.#isNoteMark(element)) return false;
      if (this.#areCents(element)) this.#add(".");
    }
    if (name === "template" && attribs["shadowrootmode"] === undefined) return false;
    if (this.nodes.length >= this.#limit) {
      this.isCut = true;
      return false;
    }
    const above = this.#open.at(-1);
    const inherited = (above?.node.flags ?? 0) & ~(FLAG.ownText | FLAG.block);
    const state = createAsideState(above?.state ?? START_STATE, element);
    let flags = inherited | computeFlags(element);
    if (!INLINE.has(name)) flags |= FLAG.block;
    if (startsAside(state)) flags |= FLAG.aside;
    if ((flags & FLAG.block) !== 0) this.#break();
    else if (isVisuallySeparate(element)) this.#isBetweenBoxes = true;
    const node: OpenNode = {
      index: this.nodes.length,
      ref: `n${this.nodes.length}`,
      element,
      parent: above?.node.index ?? -1,
      depth: this.#open.length,
      flags,
      end: 0,
      from: this.#length,
      to: this.#length,
      spoken: readSpoken(element, flags),
    };
    this.nodes.push(node);
    this.byElement.set(element, node);
    this.#open.push({ node, state });
    return true;
  }

  /**
   * A digit or sign that leads to a note; a power behind a unit or a base stays, and so do cents.
   */
  #isNoteMark(element: Element): boolean {
    const mark = readText(element, 12).trim();
    if (!/^(?:\[?\(?(?:\d{1,3}|[a-z])\)?\]?|[*†‡§¹²³]+)$/i.test(mark)) return false;
    if (/^(?:\[[^\]]{1,3}\]|\(?\d{1,2}\)|[*†‡§]+)$/.test(mark)) return true;
    if (isLinkToNote(element)) return true;
    const before = this.#parts.at(-1) ?? "";
    if (this.#gap === "\n") return false;
    if (/^\d$/.test(mark) && NUMBER_BEFORE_MARK.test(before)) return true;
    const [word = ""] = /\p{L}+$/u.exec(before) ?? [];
    return (
      /(?:\p{L}{4,}|\p{L}{2} \p{L}{3}|\p{L}{4} (?!CO|NO|SO|PM)\p{Lu}{2,3}|[.)\]%])$/u.test(
        before,
      ) ||
      (/^\p{Lu}\p{Ll}+$/u.test(word) && !SQUARED.test(word))
    );
  }

  /** The raised cents of a price: 899<sup>00</sup>. */
  #areCents(element: Element): boolean {
    const before = this.#parts.at(-1) ?? "";
    return (
      this.#gap === "" &&
      /^\d{2}$/.test(readText(element, 4).trim()) &&
      /\d$/.test(before) &&
      !/[.,]\d{1,2}$|(?<!\d)10$/.test(before)
    );
  }

  #add(text: string): void {
    this.#parts.push(text);
    this.#length += text.length;
  }

  #leave(): void {
    const open = this.#open.pop();
    if (open === undefined) return;
    const { node } = open;
    node.end = this.nodes.length;
    node.to = this.#length;
    if (node.from > node.to) node.from = node.to;
    if ((node.flags & FLAG.block) !== 0) this.#break();
  }

  #break(): void {
    if (this.#length > 0) this.#gap = "\n";
  }

  #write(data: string): void {
    const open = this.#open.at(-1)?.node;
    if (open === undefined || CONTROLS.has(open.element.name)) return;
    if ((open.flags & (FLAG.hidden | FLAG.spoken)) !== 0) return;
    if (isBlank(data)) {
      if (this.#gap === "" && this.#length > 0) this.#gap = " ";
      return;
    }
    const folded = foldSpace(data);
    const isApart =
      /^\s/.test(data) ||
      (this.#isBetweenBoxes && readsAsOneWord(this.#parts.at(-1) ?? "", folded));
    this.#isBetweenBoxes = false;
    const gap = this.#gap === "" && this.#length > 0 && isApart ? " " : this.#gap;
    if (gap !== "") {
      this.#parts.push(gap);
      this.#length += 1;
      // The whitespace before this text is not part of a node that starts with it.
      for (let at = this.#open.length - 1; at >= 0; at--) {
        const { node } = this.#open[at] as { node: OpenNode };
        if (node.from !== this.#length - 1) break;
        node.from = this.#length;
      }
    }
    this.#parts.push(folded);
    this.#length += folded.length;
    this.#gap = /\s$/.test(data) ? " " : "";
    open.flags |= FLAG.ownText;
  }
}

/**
 * A number of two or more digits before a raised mark. "10" is left out: it is the base of a power.
 */
const NUMBER_BEFORE_MARK = /(?:\d[.,]?\d)(?<!(?<![\d.,])10)$/;
/** Units that are squared or cubed, with a capital: "Nm", "Km". */
const SQUARED = /^(?:[NSK]?m|Ft|In|Yd|Mi)$/;

const isLinkToNote = ({ children }: Element): boolean =>
  children.some(
    (child) => isTag(child) && child.name === "a" && (child.attribs["href"] ?? "").startsWith("#"),
  );

function computeFlags(element: Element): number {
  const { name, attribs, parent } = element;
  let flags = 0;
  const style = attribs["style"] ?? "";
  const classes = attribs["class"] ?? "";
  if (STRUCK_TAGS.has(name) || (style !== "" && LINE_THROUGH.test(style))) flags |= FLAG.struck;
  if (classes !== "" && STRUCK_CLASS.test(classes)) flags |= FLAG.struck;
  if (name === "rt" || (classes !== "" && isForScreenReaders(classes))) flags |= FLAG.spoken;
  const isHiddenByStyle =
    (style !== "" && DISPLAY_NONE.test(style)) ||
    (classes !== "" && HIDDEN_CLASS.test(classes) && !SHOWN_AGAIN.test(classes));
  const isHiddenByAttribute = attribs["hidden"] !== undefined;
  if (isHiddenByStyle || isHiddenByAttribute) {
    // Panels of tabs and accordions are one click away; everything else that is hidden is not
    // shown.
    const isPanel =
      COLLAPSIBLE_ROLE.has(attribs["role"] ?? "") ||
      attribs["hidden"] === "until-found" ||
      PANEL.test(`${classes} ${attribs["id"] ?? ""}`) ||
      (parent !== null && isUnfoldedBy(element));
    flags |= isPanel ? FLAG.collapsed : FLAG.hidden;
  }
  if (name === "dialog" && attribs["open"] === undefined) flags |= FLAG.hidden;
  if (name === "option" || name === "datalist") flags |= FLAG.hidden;
  const isFolded =
    parent !== null &&
    isTag(parent) &&
    parent.name === "details" &&
    name !== "summary" &&
    parent.attribs["open"] === undefined;
  return isFolded ? flags | FLAG.collapsed : flags;
}

/** Class names and ids of the parts of tabs and accordions. */
const PANEL = /(?:^|[\s_-])(?:tabs?[_-]{0,2}(?:panel|pane|content)|accordion|faq|disclosure)/i;
const POPUP_ROLE = /^(?:menu|listbox|dialog|alertdialog|tooltip|tree|grid)$/;
/** Elements between a panel's sibling and its button: `<h3><span><button>`. */
const MAX_TRIGGER_DEPTH = 3;

/** True if the element before this one is, or contains, the closed button of an accordion. */
function isUnfoldedBy({ attribs, prev }: Element): boolean {
  if (POPUP_ROLE.test(attribs["role"] ?? "")) return false;
  let before = prev;
  while (before !== null && !isTag(before)) before = before.prev;
  let at: Element | undefined = before ?? undefined;
  for (let left = MAX_TRIGGER_DEPTH; at !== undefined && left >= 0; left -= 1) {
    const { "aria-expanded": expanded, "aria-haspopup": popup, role } = at.attribs;
    if (expanded === "false") return (at.name === "button" || role === "button") && !popup;
    at = at.children.find(isTag);
  }
  return false;
}

const MAX_SPOKEN = 300;

function readSpoken(element: Element, flags: number): string {
  const { name, attribs } = element;
  const label = attribs["aria-label"];
  if (label !== undefined) return foldSpace(label.slice(0, MAX_SPOKEN));
  if (name === "img" || name === "area")
    return foldSpace((attribs["alt"] ?? "").slice(0, MAX_SPOKEN));
  if ((flags & FLAG.spoken) !== 0)
    return foldSpace(readText(element, MAX_SPOKEN).slice(0, MAX_SPOKEN));
  const isIcon = ICONS.has(name) && element.children.length === 0;
  return name === "abbr" || isIcon ? foldSpace((attribs["title"] ?? "").slice(0, MAX_SPOKEN)) : "";
}

/** Elements that are icons when they are empty. */
const ICONS: ReadonlySet<string> = new Set(["i", "span", "em", "b"]);
