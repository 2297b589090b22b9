// Adds a page read by rules to an answer with a schema: rows of its lists, single values, or more
// about known rows if it is the page of one.
import { foldSpace } from "../../html/parse/tree.ts";
import { findEvidence } from "../answer/evidence.ts";
import type { Lead } from "./frontier.ts";
import type { Accumulator, PageReading } from "../answer/accumulator.ts";
import { toPlainText, readTableRows } from "../tables/markdown-table.ts";
import type { PageNote } from "../pages/read-page.ts";
import { lookUpCell, type LookUp } from "./look-up.ts";
import { findUnexplainedWords, type PromptWords } from "./prompt-words.ts";
import { findRowLinks } from "./row-links.ts";
import { isSame, type RowReference } from "../answer/rows.ts";
import type { Source } from "../run.ts";
import { isFilled, buildPointer, getSchemaAt, setAt, getValueAt } from "../answer/target.ts";
import type { PageGain } from "./walk.ts";
import { isObject } from "../../runtime/is-object.ts";

/** Lists of a schema whose rows' pages are read. */
export const MAX_DETAILED = 4;

/**
 * `rowsUnder`: the page has rows; for the page of one thing, the titles of the pages that led to
 * it.
 */
export type ProcessedPage = PageGain & { readonly rowsUnder?: readonly string[] };

export const NOTHING: PageGain = { gain: 0, rowLinks: new Map(), isFruitful: false };

/** Values from the page about one item of a list. */
type Detail = {
  readonly list: number;
  readonly value: Record<string, unknown>;
  readonly reading: PageReading;
};

/** `note.documents`: the page read with the whole schema, then with one row of each list. */
export function processPage(
  accumulator: Accumulator,
  note: PageNote,
  lead: Lead,
  words: PromptWords,
): ProcessedPage {
  if (note.statusCode >= 400) return NOTHING;
  const [whole = {}] = note.documents;
  const open = findUnexplainedWords(note, words);
  const reading: PageReading = {
    pages: [note],
    value: whole["json"],
    places: listPlaces(whole, note),
    rank: open.length === 0 ? 1 : 0,
  };
  const details = listDetails(accumulator, note, lead);
  const own = details.filter(({ list }) => lead.rows?.some((row) => row.list === list) === true);
  if (lead.role === "row" && own.length > 0)
    return { ...NOTHING, gain: fillRows(accumulator, own, lead) };
  const gained = accumulator.addPage(withTables(accumulator, reading));
  let gain = gained.gain + addCells(accumulator, note, { open, known: words.known });
  markHeadings(accumulator, lead, gained.rows);
  const [best] = details;
  let isRow = false;
  if (
    gained.rows.length === 0 &&
    lead.depth > 0 &&
    best !== undefined &&
    !lacksCommonField(accumulator, best)
  ) {
    const merged = accumulator.addRow(best.list, best.value, best.reading);
    gain += merged?.gain ?? 0;
    isRow = merged !== undefined;
  }
  // A list is followed to its end if one of its entries may have the value.
  const isFruitful =
    accumulator.lists.length === 0 ? gain > 0 || lead.role === "next" : gained.rows.length > 0;
  return {
    gain,
    rowLinks: findRowLinks(accumulator.lists, gained.rows, note),
    isFruitful,
    ...(gained.rows.length > 0 || isRow ? { rowsUnder: isRow ? [lead.context] : [] } : {}),
  };
}

/** Rows that show which fields all of them have. */
const MIN_ALIKE = 3;

/** True if all known rows have a field that the page lacks: the hall is no row of a list of concerts with dates. */
function lacksCommonField(accumulator: Accumulator, { list, value }: Detail): boolean {
  const known = (accumulator.lists[list]?.rows ?? []).map((row) => row.value);
  if (known.length < MIN_ALIKE) return false;
  const { fields = [] } = accumulator.target.lists[list] ?? {};
  return fields.some(
    (field) => !isFilled(value[field]) && known.every((row) => isFilled(row[field])),
  );
}

/** Fills single values from table cells that the request names by row and column. */
function addCells(
  accumulator: Accumulator,
  note: PageNote,
  asked: Pick<LookUp, "open" | "known">,
): number {
  const value: Record<string, unknown> = {};
  const places: Record<string, Source> = {};
  for (const path of accumulator.target.values) {
    const { type } = getSchemaAt(accumulator.target, path);
    const isNumber = type === "number" || type === "integer";
    if (!isNumber && type !== "string" && type !== undefined) continue;
    const cell = lookUpCell(note, { name: path.at(-1) ?? "", isNumber, ...asked });
    if (cell === undefined) continue;
    setAt(value, path, cell.value);
    const { url } = note;
    places[buildPointer(path)] = findEvidence(url, note.markdown, cell.text) ?? { url };
  }
  return accumulator.addValues({ pages: [note], value, places, rank: 1 });
}

/** Marks rows whose page lists others, such as a department among its people. */
function markHeadings(
  accumulator: Accumulator,
  { role, rows = [] }: Lead,
  onPage: readonly RowReference[],
): void {
  if (role !== "row") return;
  for (const { list, index } of rows)
    if (onPage.some((other) => other.list === list && other.index !== index))
      accumulator.lists[list]?.markHeading(index);
}

/** A row's page about a namesake becomes a separate row. */
function fillRows(
  accumulator: Accumulator,
  details: readonly Detail[],
  { rows = [] }: Lead,
): number {
  let gain = 0;
  for (const { list, value, reading } of details) {
    const fitting = rows.filter(
      (row) =>
        row.list === list && accumulator.lists[list]?.isContradictedBy(row.index, value) === false,
    );
    for (const { index } of fitting) gain += accumulator.fillRow(list, index, value, reading);
    if (fitting.length === 0) gain += accumulator.addRow(list, value, reading)?.gain ?? 0;
  }
  return gain;
}

/** The lists of which the page may be a row's, those with most values first. */
function listDetails(accumulator: Accumulator, note: PageNote, lead: Lead): Detail[] {
  const found: (Detail & { readonly share: number })[] = [];
  for (const [list, { fields }] of accumulator.target.lists.slice(0, MAX_DETAILED).entries()) {
    const document = note.documents[list + 1] ?? {};
    const said = document["json"];
    const value = withName(said, accumulator, list, note, lead);
    if (!isPageOfRow(value, accumulator, list, note)) continue;
    const places = selectKeptPlaces(listPlaces(document, note), said, value);
    const filled = fields.filter((field) => isFilled(value[field])).length;
    const share = filled / Math.max(1, fields.length);
    found.push({ list, value, reading: { pages: [note], value, places }, share });
  }
  return found.toSorted((one, other) => other.share - one.share);
}

/**
 * Places of a page's values from the rules that found them, narrowed to a span if the words are in
 * its text.
 */
function listPlaces(
  { jsonEvidence = {} }: { readonly jsonEvidence?: unknown },
  { url, markdown }: PageNote,
): Record<string, Source> {
  const places: Record<string, Source> = {};
  for (const [pointer, evidence] of Object.entries(jsonEvidence as Record<string, unknown>)) {
    const { text } = evidence as { readonly text?: string };
    if (text === undefined || text === "") continue;
    places[pointer] = findEvidence(url, markdown, text) ?? { url, text };
  }
  return places;
}

/** Drops the places of values that have changed. */
function selectKeptPlaces(
  places: Readonly<Record<string, Source>>,
  before: unknown,
  after: Readonly<Record<string, unknown>>,
): Record<string, Source> {
  if (!isObject(before)) return { ...places };
  const changed = Object.keys(after).filter((field) => after[field] !== before[field]);
  return Object.fromEntries(
    Object.entries(places).filter(
      ([pointer]) => !changed.some((field) => pointer === buildPointer([field])),
    ),
  );
}

/** Adds rows from tables with matching columns for lists the rules did not find. */
function withTables({ target, lists }: Accumulator, reading: PageReading): PageReading {
  const [page] = reading.pages;
  let { value } = reading;
  for (const [list, { path }] of target.lists.entries()) {
    if (isFilled(getValueAt(value, path))) continue;
    const rows = readTableRows(page?.markdown ?? "", target.lists, list, lists[list]?.nameField);
    if (rows.length === 0) continue;
    const more = isObject(value) ? structuredClone({ ...value }) : {};
    setAt(more, path, rows);
    value = more;
  }
  return { ...reading, value };
}

/** True if the page states enough of a row to be the page of one. A name alone is not enough. */
function isPageOfRow(
  item: unknown,
  accumulator: Accumulator,
  list: number,
  note: PageNote,
): item is Record<string, unknown> {
  const { fields = [] } = accumulator.target.lists[list] ?? {};
  const name = accumulator.lists[list]?.nameField;
  if (!isObject(item) || name === undefined || !isFilled(item[name])) return false;
  const others = fields.filter(
    (field) =>
      field !== name &&
      isFilled(item[field]) &&
      ![item[name], ...listHeadings(note)].some((heading) => isSame(item[field], heading)),
  );
  return others.length >= Math.min(fields.length - 1, fields.length > 3 ? 2 : 1);
}

/**
 * Replaces a name that was taken from a label such as "Title" with the page's heading, if the link
 * has that text or another field has that value.
 */
function withName(
  item: unknown,
  accumulator: Accumulator,
  list: number,
  note: PageNote,
  lead: Lead,
): unknown {
  const { fields = [] } = accumulator.target.lists[list] ?? {};
  const name = accumulator.lists[list]?.nameField;
  if (!isObject(item) || name === undefined) return item;
  const called = listHeadings(note).find((text) => isSame(text, lead.text));
  if (called !== undefined) return { ...item, [name]: called };
  const isTaken = fields.some(
    (field) => field !== name && isFilled(item[name]) && isSame(item[field], item[name]),
  );
  if (isFilled(item[name]) && !isTaken) return item;
  const [heading] = listHeadings(note);
  return heading === undefined ? item : { ...item, [name]: heading };
}

/** Names of a page: its heading, its title without the site's name, its whole title. */
function listHeadings({ markdown, title }: PageNote): string[] {
  const [, heading = ""] = /^#\s+(\S.*)$/m.exec(markdown) ?? [];
  const short = foldSpace(title).split(/ [|–—·-] /)[0] ?? "";
  return [toPlainText(heading).trim(), short.trim(), title.trim()].filter((text) => text !== "");
}
