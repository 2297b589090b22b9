// Fingerprint of a page's template: the pairs of nested styled elements. Pages of one template
// share most of them.
import { isAside, isHidden, type PageNode } from "../page-model/node.ts";
import type { ExtractorPage } from "./extractor-page.ts";

/** Minimum share of an extractor's markers that a page must have to give values. */
export const MIN_TEMPLATE_MATCH = 0.5;
const MAX_MARKS = 48;

/** Markers outside navigation, header and footer, which all templates of a site share. */
export function collectMarks(page: ExtractorPage): Set<string> {
  const marks = new Set<string>();
  const names: string[] = [];
  for (const node of page.model.nodes) {
    const name = buildName(node);
    names[node.depth] = name;
    if (isAside(node) || isHidden(node)) continue;
    const above = names[node.depth - 1] ?? "";
    if (/[.#-]/.test(name)) marks.add(toMark(`${above}>${name}`));
  }
  return marks;
}

/**
 * Markers that all pages have, chosen deterministically; all of the first page if they share none.
 */
export function computeFingerprint(pages: readonly ReadonlySet<string>[]): string[] {
  const [first = new Set<string>(), ...rest] = pages;
  const shared = [...first].filter((mark) => rest.every((other) => other.has(mark)));
  return shared.toSorted().slice(0, MAX_MARKS);
}

/** Share of the fingerprint that a page has, 0 to 1. */
export function matchTemplate(fingerprint: readonly string[], page: ExtractorPage): number {
  const marks = collectMarks(page);
  const found = fingerprint.filter((mark) => marks.has(mark)).length;
  return fingerprint.length === 0 ? 1 : found / fingerprint.length;
}

/** Tag, first class and, unless it identifies a single item, the id. */
function buildName({ element: { name, attribs } }: PageNode): string {
  const first = /[^\s]+/.exec(attribs["class"] ?? "")?.[0] ?? "";
  const id = attribs["id"] ?? "";
  return `${name}${first === "" || /\d{3}/.test(first) ? "" : `.${first}`}${id === "" || /\d/.test(id) ? "" : `#${id}`}`;
}

/** FNV-1a, 32 bits, as eight hexadecimal digits. */
function toMark(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return (hash >>> 0).toString(16).padStart(8, "0");
}
