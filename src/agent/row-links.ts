// Which links of a page lead to the pages of its rows: those that are called as the row is, or that the row names.
import { identityOf } from "./fence.ts";
import type { PageNote } from "./read-page.ts";
import type { Rows } from "./rows.ts";

const fold = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** By the identity of the address: the rows that it belongs to and that still lack something. */
export function findRowLinks(
  rows: Rows,
  onPage: readonly { readonly list: number; readonly index: number }[],
  note: Pick<PageNote, "links" | "url">,
): Map<string, number[]> {
  const byText = new Map<string, number[]>();
  for (const { list, index } of onPage) {
    if (list !== 0 || rows.lacking(index).length === 0) continue;
    for (const value of Object.values(rows.rows[index]?.value ?? {})) {
      const text = typeof value === "string" ? fold(value) : "";
      if (text.length < 2) continue;
      const known = byText.get(text) ?? [];
      byText.set(text, [...known, index]);
    }
  }
  const found = new Map<string, number[]>();
  for (const { url, text } of note.links) {
    const indexes = byText.get(fold(text)) ?? byText.get(fold(url)) ?? byText.get(pathOf(url));
    // What many rows share, such as their department, is not the page of one.
    if (indexes === undefined || new Set(indexes).size > 1) continue;
    found.set(identityOf(new URL(url)), [...new Set(indexes)]);
  }
  return found;
}

const pathOf = (url: string): string => fold(new URL(url).pathname);
