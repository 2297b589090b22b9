// The first labels with their values in the content of a page, for summaries of pages without
// running text.
import { PageModel } from "../../page-model/page-model.ts";
import type { PairKind } from "../../page-model/pairs.ts";
import type { ContentReading } from "../page/content-text.ts";
import type { PageView } from "../page/view.ts";

export type KeyFact = { readonly label: string; readonly value: string };

const MAX_FACTS = 6;
const MAX_LABEL = 40;
const MAX_VALUE = 80;

/** Pairs whose markup or punctuation says that one text is the label of the other. */
const MARKED: ReadonlySet<PairKind> = new Set<PairKind>(["term", "row", "colon"]);

/**
 * Returns the key facts of a page in its order. Labels that occur more than once belong to the items
 * of a list, not to the page.
 */
export function listKeyFacts(view: PageView, { markdown }: ContentReading): KeyFact[] {
  if (view.kind !== "html" || view.input.file !== undefined) return [];
  const { pairs } = new PageModel(view.getDocument());
  const facts = pairs
    .filter(({ kind }) => MARKED.has(kind))
    .map(({ label, value }) => ({
      label: label.replace(/\s*[:：]\s*$/u, "").trim(),
      value: value.trim(),
    }))
    .filter(({ label, value }) => isShown(label, MAX_LABEL) && isShown(value, MAX_VALUE));
  const counts = new Map<string, number>();
  for (const { label } of facts) counts.set(label, (counts.get(label) ?? 0) + 1);
  return facts
    .filter(({ label, value }) => counts.get(label) === 1 && isIn(markdown, label, value))
    .slice(0, MAX_FACTS);
}

const isShown = (text: string, max: number): boolean =>
  text.length >= 2 && text.length <= max && /[\p{L}\p{N}]/u.test(text) && !text.includes("\n");

/** True if the content has both texts; others belong to menus and footers. */
const isIn = (markdown: string, ...texts: string[]): boolean =>
  texts.every((text) => markdown.includes(text));
