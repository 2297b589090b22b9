// The caller's choice of elements (`includeTags`, `excludeTags`), and elements that never count as
// content.
import { Document, type Element, isTag, type ParentNode } from "domhandler";
import { getElementIndex } from "../evidence/element-index.ts";
import type { RemovedElement } from "../clean/removal.ts";
import { selectElements, SelectorError } from "./selector.ts";
import {
  countWords,
  detachAll,
  foldSpace,
  describePath,
  setChildren,
  readText,
} from "../parse/tree.ts";

export type Selection = {
  readonly elements: readonly Element[];
  readonly warnings: readonly string[];
};

/**
 * Returns all matches, selector by selector, each element once. An invalid selector becomes a
 * warning that names it. `option` is the request field for the warning.
 */
export function selectAll(
  root: ParentNode,
  selectors: readonly string[],
  option: string,
): Selection {
  const elements = new Set<Element>();
  const warnings: string[] = [];
  for (const selector of selectors) {
    try {
      for (const element of selectElements(root, selector)) elements.add(element);
    } catch (error) {
      if (!(error instanceof SelectorError)) throw error;
      warnings.push(`${option}: ${error.message}`);
    }
  }
  return { elements: [...elements], warnings };
}

export type IncludedElements = { readonly root: Document; readonly warnings: readonly string[] };

/**
 * Builds a new tree of all matches in the original page, selector by selector. An element inside
 * another match comes with it and is not repeated. Elements are moved, not copied.
 */
export function includeElements(
  document: Document,
  selectors: readonly string[],
): IncludedElements {
  const { elements, warnings } = selectAll(document, selectors, "includeTags");
  const taken = new Set<Element>();
  for (const element of elements) if (!isInside(element, taken)) taken.add(element);
  const chosen = [...taken];
  detachAll(chosen);
  const root = new Document([]);
  setChildren(root, chosen);
  return { root, warnings };
}

function isInside(element: Element, outer: ReadonlySet<Element>): boolean {
  for (let node = element.parent; node !== null && isTag(node); node = node.parent)
    if (outer.has(node)) return true;
  return false;
}

/** Removes every match of the selectors and reports each. */
export function excludeElements(
  root: ParentNode,
  selectors: readonly string[],
): { readonly removals: readonly RemovedElement[]; readonly warnings: readonly string[] } {
  const removals: RemovedElement[] = [];
  const warnings: string[] = [];
  for (const selector of selectors) {
    const selection = selectAll(root, [selector], "excludeTags");
    warnings.push(...selection.warnings);
    const outer = new Set(selection.elements);
    const leaving = selection.elements.filter((element) => !isInside(element, outer));
    for (const element of leaving) removals.push(toRemoval(element, "exclude-tags", selector));
    detachAll(leaving);
  }
  return { removals, warnings };
}

/** Describes a removed element. */
export function toRemoval(element: Element, step: string, rule: string): RemovedElement {
  const text = readText(element, 4_000);
  return {
    step,
    rule,
    path: describePath(element),
    words: countWords(text),
    sample: foldSpace(text).slice(0, 120),
    element,
  };
}

/**
 * Removes elements that are never content, and comments and declarations (wire contract §4.1, step
 * 2).
 */
export function removeNonContent(root: Document): void {
  detachAll(getElementIndex(root).nonContent);
}
