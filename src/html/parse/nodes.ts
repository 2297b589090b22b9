// The nodes of a page. They are domhandler's, but for the two places in the source that it keeps with each and nothing here asks
// for: made in one step and a fifth smaller, they take a quarter off what parsing costs, and less time to walk over.
import { type ChildNode, Element, type ParentNode, Text } from "domhandler";
import { anyTagNumber } from "./tag-numbers.ts";

const TEXT = new Text("").type;
/** Of attributes that were not parsed. */
const UNKNOWN = -1;
const TAG = new Element("p", {}).type;

class PageText {
  parent: ParentNode | null = null;
  prev: ChildNode | null = null;
  next: ChildNode | null = null;
  data: string;
  readonly type = TEXT;

  constructor(data: string) {
    this.data = data;
  }
}

class PageElement {
  parent: ParentNode | null = null;
  prev: ChildNode | null = null;
  next: ChildNode | null = null;
  children: ChildNode[];
  name: string;
  attribs: Record<string, string>;
  readonly type: Element["type"];
  /** The number of its name. */
  tag: number;
  /** The attributes as they were parsed, while what is said of them holds. */
  readonly parsed: Record<string, string> | null;
  /** 1 where there are unusual ones among them; above that the number of the class attribute's value on its page, 0 for none. */
  readonly looks: number;

  constructor(
    name: string,
    attribs: Record<string, string>,
    children: ChildNode[],
    type: Element["type"],
    tag: number,
    looks: number,
  ) {
    this.children = children;
    this.name = name;
    this.attribs = attribs;
    this.type = type;
    this.tag = tag;
    this.parsed = looks === UNKNOWN ? null : attribs;
    this.looks = looks;
  }
}

// What else domhandler's nodes can do, these can too.
Object.setPrototypeOf(PageText.prototype, Text.prototype);
Object.setPrototypeOf(PageElement.prototype, Element.prototype);

export function newText(data: string): Text {
  return new PageText(data) as unknown as Text;
}

/** An element that stands nowhere yet; the children are not told of it. */
export function newElement(
  name: string,
  attribs: Record<string, string>,
  children: ChildNode[] = [],
): Element {
  return newTag(name, attribs, children, TAG, anyTagNumber(name), UNKNOWN);
}

/** As `newElement`, by one who knows it all: `type` is another one for scripts and styles only. */
export function newTag(
  name: string,
  attribs: Record<string, string>,
  children: ChildNode[],
  type: Element["type"],
  tag: number,
  looks: number,
): Element {
  return new PageElement(name, attribs, children, type, tag, looks) as unknown as Element;
}

/** What `newTag` is to be told of the attributes. */
export const toLooks = (classNumber: number, hasOnlyUsual: boolean): number =>
  classNumber * 2 + (hasOnlyUsual ? 0 : 1);

/** The number of an element's name (`tag-numbers.ts`). */
export const tagOf = (element: Element): number =>
  (element as unknown as Partial<PageElement>).tag ?? anyTagNumber(element.name);

export function rename(element: Element, name: string): void {
  element.name = name;
  (element as unknown as PageElement).tag = anyTagNumber(name);
}

/**
 * Whether an element may have other attributes than the usual ones (`attribute-rules.ts`). The engine looks up each attribute that is
 * asked for anew, as the attributes of elements are of so many kinds: this is asked before looking for what few elements have.
 */
export function mayHaveUnusual(element: Element): boolean {
  const { attribs, parsed, looks } = element as unknown as PageElement;
  return parsed !== attribs || (looks & 1) === 1;
}

/** Which of its page's class attributes an element has: what is found out about one need not be asked again. 0 for none, -1 where it is not known. */
export function classNumberOf(element: Element): number {
  const { attribs, parsed, looks } = element as unknown as PageElement;
  return parsed === attribs ? looks >> 1 : -1;
}
