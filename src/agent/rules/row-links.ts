// Finds links to the pages of a page's rows: those named like the row or contained in it.
import { toUrlIdentity } from "../pages/run-scope.ts";
import type { PageNote } from "../pages/read-page.ts";
import type { RowReference, Rows } from "../answer/rows.ts";

const fold = (text: string): string =>
  text.normalize("NFKC").toLowerCase().replaceAll(/\s+/g, " ").trim();

/** Maps URL identities to rows that still lack fields. */
export function findRowLinks(
  lists: readonly Rows[],
  onPage: readonly RowReference[],
  note: Pick<PageNote, "links" | "url">,
): Map<string, RowReference[]> {
  const found = new Map<string, RowReference[]>();
  for (const [list, rows] of lists.entries()) {
    const byText = groupRowsByText(
      rows,
      onPage.filter((row) => row.list === list),
    );
    if (byText.size === 0) continue;
    for (const { url, text } of note.links) {
      const named = byText.get(fold(text)) ?? byText.get(fold(url)) ?? byText.get(readPath(url));
      // A link that many rows share, such as their department, is not the page of one.
      const [row] = named ?? [];
      if (row === undefined || named?.some(({ index }) => index !== row.index) === true) continue;
      const identity = toUrlIdentity(new URL(url));
      const known = found.get(identity) ?? [];
      if (!known.some((one) => one.list === list && one.index === row.index))
        found.set(identity, [...known, row]);
    }
  }
  return found;
}

/** Rows that still lack fields, by the text of their fields. */
function groupRowsByText(rows: Rows, onPage: readonly RowReference[]): Map<string, RowReference[]> {
  const byText = new Map<string, RowReference[]>();
  for (const row of onPage) {
    if (rows.listMissingFields(row.index).length === 0) continue;
    for (const value of Object.values(rows.rows[row.index]?.value ?? {})) {
      const text = typeof value === "string" ? fold(value) : "";
      if (text.length >= 2) byText.set(text, [...(byText.get(text) ?? []), row]);
    }
  }
  return byText;
}

const readPath = (url: string): string => fold(new URL(url).pathname);
