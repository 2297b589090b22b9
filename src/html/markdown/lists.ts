// Lists, list items, tasks and definition lists.
import { type Element, isTag, type ParentNode } from "domhandler";
import { readAttribute, hasAttribute, type Visit } from "../parse/tree.ts";
import { endContainer, type ConversionState } from "./conversion-state.ts";
import { type MarkPath, NO_MARKS, withMark } from "./marks.ts";
import type { TreeFacts } from "./tree-facts.ts";

type List = {
  readonly ordered: boolean;
  next: number;
  readonly step: number;
  readonly tight: boolean;
  readonly marker: string;
  /** An item outside any list. */
  readonly bare: boolean;
};

/** True while a term is open; shared by all definitions of a page. */
type Term = { isOpen: boolean };

export class ListBlocks {
  readonly #state: ConversionState;
  readonly #treeFacts: TreeFacts;
  readonly #lists: List[] = [];
  readonly #term: Term = { isOpen: false };

  constructor(state: ConversionState, treeFacts: TreeFacts) {
    this.#state = state;
    this.#treeFacts = treeFacts;
  }

  list(element: Element): Visit {
    this.#state.edge();
    if (!this.#state.allowsBlocks || this.#treeFacts.layoutLists.has(element))
      return this.#state.intoBlock();
    const ordered = element.name === "ol";
    const { parent } = element;
    const bare =
      parent !== null &&
      isTag(parent) &&
      (parent.name === "ul" || parent.name === "ol" || this.#isTermList(parent.parent));
    if (bare) {
      const indent = this.#state.writer.isFresh ? "" : "  ";
      this.#state.writer.open("item", indent, indent, true);
    }
    const start = Number.parseInt(readAttribute(element, "start"), 10);
    const kind = ordered
      ? Number.isNaN(start) || start === 1
        ? "numbers"
        : "late-numbers"
      : "bullets";
    const { last } = this.#state.writer;
    const again =
      (last?.endsWith(ordered ? "numbers" : "bullets") ?? false) ||
      (!ordered && last === "definition");
    const usual = ordered ? "." : "-";
    const marker =
      again && (last === "definition" || this.#state.writer.lastMarker === usual)
        ? ordered
          ? ")"
          : "*"
        : usual;
    this.#state.writer.lastMarker = marker;
    const tight = !this.#treeFacts.looseLists.has(element);
    const reversed = hasAttribute(element, "reversed");
    const items = reversed
      ? element.children.filter((child) => isTag(child) && child.name === "li").length
      : 1;
    this.#lists.push({
      ordered,
      next: Number.isNaN(start) ? items : Math.max(0, start),
      step: reversed ? -1 : 1,
      tight,
      marker,
      bare,
    });
    this.#state.writer.open(kind, "", "", tight);
    return this.#state.into(endList, this.#lists);
  }

  item(element: Element): Visit {
    this.#state.edge();
    const { parent } = element;
    const isLayout = parent !== null && isTag(parent) && this.#treeFacts.layoutLists.has(parent);
    if (isLayout) return this.#state.intoBlock();
    if (!this.#state.allowsBlocks) {
      // Raw, so that nothing is escaped: no list can begin within a line.
      this.#state.run.raw(formatLineMarker(element), NO_MARKS);
      this.#state.run.text(" ", NO_MARKS);
      return this.#state.intoBlock();
    }
    const list = this.#lists.at(-1);
    let marker = "- ";
    if (list !== undefined) {
      const value = Number.parseInt(readAttribute(element, "value"), 10);
      if (!Number.isNaN(value)) list.next = value;
      marker = list.ordered
        ? `${Math.min(999_999_999, Math.max(0, list.next))}${list.marker} `
        : `${list.marker} `;
      list.next += list.step;
    }
    this.#state.writer.open("item", marker, " ".repeat(marker.length), list?.tight ?? true);
    const box = readDrawnBox(element);
    if (box !== undefined) this.#writeBox(box);
    return this.#state.into(endContainer, undefined);
  }

  /** Writes a definition list without definitions as an ordinary list. */
  terms(list: Element): Visit | undefined {
    return this.#treeFacts.termLists.has(list) ? this.list(list) : undefined;
  }

  #isTermList(parent: ParentNode | null): boolean {
    return parent !== null && isTag(parent) && this.#treeFacts.termLists.has(parent);
  }

  definition(element: Element): Visit {
    if (this.#isTermList(element.parent))
      return element.name === "dt" ? this.item(element) : this.#state.into();
    this.#state.edge();
    const { parent } = element;
    const isIndent = parent !== null && isTag(parent) && this.#treeFacts.indents.has(parent);
    if (isIndent || !this.#state.allowsBlocks) return this.#state.intoBlock();
    const outer = this.#state.marks;
    if (element.name === "dt") {
      this.#state.writer.open("term", "", "", false);
      this.#term.isOpen = true;
      this.#state.marks = withMark(outer, "strong");
    } else if (this.#treeFacts.withBlocks.has(element) || this.#state.writer.last === undefined) {
      this.#state.writer.endTerms();
      return this.#state.into(endParagraph, undefined);
    } else {
      // Written as an item, because ": " is not syntax of GitHub Flavored Markdown.
      this.#state.writer.open("definition", "- ", "  ", false);
    }
    return this.#state.into(endDefinition, { term: this.#term, outer });
  }

  /** True inside a term, which is already strong. */
  get isInTerm(): boolean {
    return this.#term.isOpen;
  }

  /** Separates two terms with a shared definition at a line break. Returns false elsewhere. */
  breakTerm(): boolean {
    if (!this.#term.isOpen || !this.#state.allowsBlocks) return false;
    this.#state.flush();
    this.#state.writer.close();
    this.#state.writer.open("term", "", "", false);
    return true;
  }

  /** Makes an item that starts with a check box a task. */
  task(element: Element): void {
    if (readAttribute(element, "type").toLowerCase() !== "checkbox" || !this.#isItemStart()) return;
    if (isTask(element) || isStatement(element)) this.#writeBox(hasAttribute(element, "checked"));
  }

  #writeBox(isDone: boolean): void {
    this.#state.run.raw(isDone ? "[x]" : "[ ]", NO_MARKS);
    this.#state.run.text(" ", NO_MARKS);
  }

  /** Makes an item of a checklist that starts with an icon a task. */
  icon(element: Element): boolean {
    const found = TASK_ICON.exec(readAttribute(element, "class"));
    if (found === null || !this.#isItemStart() || !isTask(element)) return false;
    this.#writeBox(found[1] !== undefined);
    return true;
  }

  #isItemStart(): boolean {
    const { run, writer, allowsBlocks } = this.#state;
    return (
      this.#lists.length > 0 && allowsBlocks && run.isEmpty && writer.isInItem && writer.isFresh
    );
  }
}

const DRAWN_BOX = /(?:^|\s)checkbox-(on|off)(?:\s|$)/;

/** True if the classes draw the box of a task. */
export const hasDrawnBox = (classes: string): boolean => DRAWN_BOX.test(classes);

/**
 * Returns whether a task is done if its box is drawn by a class (Confluence) or an empty element
 * (Notion), else undefined.
 */
function readDrawnBox(item: Element): boolean | undefined {
  const { parent } = item;
  const list = parent !== null && isTag(parent) ? readAttribute(parent, "class") : "";
  if (!/(?:^|\s)(?:inline-task-list|to-do-list)(?:\s|$)/.test(list)) return undefined;
  if (list.includes("inline-task-list"))
    return /(?:^|\s)checked(?:\s|$)/.test(readAttribute(item, "class"));
  const first = item.children.find((child) => isTag(child));
  const box = first === undefined ? null : DRAWN_BOX.exec(readAttribute(first, "class"));
  return box === null ? undefined : box[1] === "on";
}

const TASK_ICON = /(?:^|\s)fa-(?:(check-square(?:-o)?)|square(?:-o)?)(?:\s|$)/;

/** Returns the marker of an item within a single line, such as in a table cell. */
function formatLineMarker(item: Element): string {
  const { parent } = item;
  if (parent === null || !isTag(parent) || parent.name !== "ol") return "-";
  const start = Number.parseInt(readAttribute(parent, "start"), 10);
  let number = Number.isNaN(start) ? 1 : start;
  let counted = 0;
  for (let node = item.prev; node !== null && counted < MAX_COUNTED; node = node.prev) {
    if (!isTag(node) || node.name !== "li") continue;
    number++;
    counted++;
  }
  return counted < MAX_COUNTED ? `${number}.` : "-";
}

/** Maximum items to count back for an item's number. Table cells hold no more. */
const MAX_COUNTED = 100;

function endList(state: ConversionState, lists: List[]): void {
  state.flush();
  state.writer.close();
  if (lists.pop()?.bare === true) state.writer.close();
}

function endParagraph(state: ConversionState): void {
  state.flush();
}

function endDefinition(
  state: ConversionState,
  { term, outer }: { term: Term; outer: MarkPath },
): void {
  state.flush();
  state.marks = outer;
  term.isOpen = false;
  state.writer.close();
}

/** True for a box outside of forms that sends nothing, so that it only states something. */
function isStatement(box: Element): boolean {
  if (hasAttribute(box, "name") || hasAttribute(box, "value")) return false;
  for (let outer = box.parent; outer !== null && isTag(outer); outer = outer.parent)
    if (outer.name === "form") return false;
  return true;
}

/** True for a disabled box or one in a task list. Other boxes filter, compare or subscribe. */
function isTask(box: Element): boolean {
  if (hasAttribute(box, "disabled")) return true;
  let outer = box.parent;
  for (let step = 0; step < 4 && outer !== null && isTag(outer); step++) {
    if (/task|todo|check-?list/i.test(readAttribute(outer, "class"))) return true;
    outer = outer.parent;
  }
  return false;
}
