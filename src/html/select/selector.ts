// CSS selectors that are safe for any selector and page: compiled once, matched within a bounded
// amount of work. `*word*` matches any tag, class or id that contains the word.
import { compile, type Options } from "css-select";
import { isTraversal, parse, type Selector as Token } from "css-what";
import { type AnyNode, type Element, isTag, type ParentNode } from "domhandler";
import * as domutils from "domutils";
import { readAttribute, hasAttribute, readText, walk } from "../parse/tree.ts";

/**
 * Maximum tests per selector and page: less than a second of work. Real selectors need a thousandth
 * of it.
 */
const MAX_QUESTIONS = 10_000_000;

/** Thrown if a selector is invalid CSS or too expensive for this page. */
export class SelectorError extends Error {
  readonly selector: string;
  constructor(selector: string, reason: string) {
    super(`Selector "${selector.slice(0, 200)}" ${reason}`);
    this.name = "SelectorError";
    this.selector = selector;
  }
}

const NOT_CSS = "is not a valid CSS selector and was ignored.";

/** Returns true for a CSS selector that `selectElements` can match, and for `*word*`. */
export function isSelector(selector: string): boolean {
  try {
    compileSelector(selector);
    return true;
  } catch (error) {
    if (error instanceof SelectorError) return false;
    throw error;
  }
}

const WILDCARD = /^\*([\w-]{1,100})\*$/;

/**
 * Returns every element below `root` that the selector matches, in document order. Throws
 * `SelectorError` if the selector is not CSS (and not `*word*`) or is too expensive for this page.
 */
export function selectElements(root: ParentNode, selector: string): Element[] {
  const matches = compileSelector(selector);
  const found: Element[] = [];
  walk(root, (node) => {
    if (!isTag(node)) return "skip";
    if (matches(node)) found.push(node);
    return "children";
  });
  return found;
}

/** Compiles a selector into a test of one element. All its tests share one work budget. */
function compileSelector(selector: string): (element: Element) => boolean {
  const word = WILDCARD.exec(selector.trim())?.[1]?.toLowerCase();
  if (word !== undefined)
    return (element) =>
      element.name.includes(word) ||
      readAttribute(element, "class").toLowerCase().includes(word) ||
      readAttribute(element, "id").toLowerCase().includes(word);
  let left = MAX_QUESTIONS;
  const ask = (cost = 1): void => {
    left -= cost;
    if (left < 0)
      throw new SelectorError(selector, "is too expensive for this page and was ignored.");
  };
  const options: Options<AnyNode, Element> = {
    adapter: createBoundedAdapter(ask),
    cacheResults: true,
  };
  try {
    const groups = parse(selector);
    if (groups.length === 0 || groups.some(isIncomplete))
      throw new SelectorError(selector, NOT_CSS);
    return compile<AnyNode, Element>(groups, options);
  } catch (error) {
    if (error instanceof SelectorError) throw error;
    throw new SelectorError(selector, NOT_CSS);
  }
}

/** True if a selector ends in a combinator, which css-what accepts for relative selectors. */
function isIncomplete(tokens: readonly Token[]): boolean {
  const last = tokens.at(-1);
  return last === undefined || isTraversal(last);
}

/** domutils with counted calls and without its recursive parts. */
function createBoundedAdapter(
  ask: (cost?: number) => void,
): NonNullable<Options<AnyNode, Element>["adapter"]> {
  return {
    ...domutils,
    isTag: (node): node is Element => {
      ask();
      return isTag(node);
    },
    getName: (element) => {
      ask();
      // A frame that was inlined before selection is still one.
      return element.name === "div" && element.attribs["data-original-tag"] === "iframe"
        ? "iframe"
        : element.name;
    },
    getParent: (node) => {
      ask();
      return node.parent;
    },
    getAttributeValue: (element, name) => {
      ask();
      return element.attribs[name];
    },
    hasAttrib: (element, name) => hasAttribute(element, name),
    getSiblings: (node) => {
      ask();
      return node.parent === null ? [node] : node.parent.children;
    },
    getText: (node) => {
      const text = readText(node);
      ask(1 + text.length / 8);
      return text;
    },
    equals: (one, other) => {
      ask();
      return one === other;
    },
  };
}
