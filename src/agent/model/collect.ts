// Collects rows by reference: the model names a table of a page and its columns, the server copies
// the cells from that page, from the next ones and from the rows' own pages. Every page is a step
// of the journal, so a resumed run restores the rows.
import type { PageTable } from "../../page-model/page-tables.ts";
import { QuarryError, StorageError } from "../../errors.ts";
import type { AgentRunContext } from "../agent-run-context.ts";
import { usesDecimalCommas } from "../tables/cell-number.ts";
import { toCellValue } from "../tables/cell-value.ts";
import { listTypes, type CollectedRow, type CollectedTables } from "../tables/collected.ts";
import { findNextPage, isPagination } from "../pages/pagination.ts";
import { toStep, type PageNote, type PageReader } from "../pages/read-page.ts";
import { EFFORTS, type Source, type StoredRun } from "../run.ts";
import { toUrlIdentity } from "../pages/run-scope.ts";
import { isFilled, type Target } from "../answer/target.ts";
import type { ToolArguments } from "./tools.ts";

export type CollectParts = {
  readonly reader: PageReader;
  readonly work: AgentRunContext;
  readonly tables: CollectedTables;
  /** The lists of the schema. */
  readonly target: Target | undefined;
  readonly pages: ReadonlyMap<string, PageNote>;
  /** Called after rows were added. */
  readonly onRows: (name: string, rows: readonly CollectedRow[]) => Promise<void>;
};

type Column = { readonly field: string; readonly key: string; readonly name: string };

/** A call that cannot be executed, with the message for the model. */
export class CollectFault extends Error {}

/** Credits left for the model to query and finish. */
const MIN_CREDITS_LEFT = 4;
const MIN_SHARED_COLUMNS = 0.5;
const MAX_SHOWN = 2;

export type CollectReport = {
  readonly name: string;
  readonly text: string;
  /** Rows for the model to see; text of pages. */
  readonly sample: string;
  /** Reason why rows may be missing; "" otherwise. */
  readonly stopped: string;
};

type Tally = {
  pages: number;
  rows: number;
  withoutTable: string[];
  failedDetails: number;
  details: number;
  stopped: string;
};

/** Throws CollectFault, and what journal steps throw. */
export async function collectRows(
  parts: CollectParts,
  call: ToolArguments<"collect">,
): Promise<CollectReport> {
  const { pages, tables } = parts;
  const page = findPage(pages, call.page);
  const table = findTable(page, call.page, call.table);
  const columns = selectColumns(table, call.columns);
  const details = call.details === undefined ? undefined : planDetails(parts, table, call.details);
  const list = findListTarget(parts.target, call.into);
  const name = call.into ?? list?.path.at(-1) ?? "rows";
  const types = listTypes(list);
  const tally: Tally = {
    pages: 0,
    rows: 0,
    withoutTable: [],
    failedDetails: 0,
    details: 0,
    stopped: "",
  };
  const seen = new Set([toUrlIdentity(new URL(page.url))]);
  const names = [...columns, ...(details?.columns ?? [])].map(({ field }) => field);
  let note = page;
  let current: PageTable | undefined = table;
  for (;;) {
    tally.pages += 1;
    if (current === undefined) tally.withoutTable.push(note.url);
    else {
      const links = details === undefined ? [] : listCells(current, details.link);
      let rows = buildRows(current, columns, types, note.url);
      if (details !== undefined)
        rows = await addDetails(parts, rows, links, { ...details, types, tally });
      rows = rows.filter(({ value }) => isFilled(value));
      tally.rows += rows.length;
      if (!tables.add(name, names, rows)) tally.stopped = "the run holds as many rows as it can";
      await parts.onRows(name, rows);
    }
    if (call.next !== true || tally.stopped !== "") break;
    const next = findNextPage(note.links, new URL(note.url), seen);
    if (next === undefined || !parts.work.scope.allows(new URL(next))) break;
    const { pages: max } = EFFORTS[(parts.work.run.options as StoredRun).effort ?? "medium"];
    if (tally.pages >= max) tally.stopped = `${max} pages are the limit of this run's effort`;
    else if (!canAfford(parts)) tally.stopped = "the credits of the run are nearly used up";
    if (tally.stopped !== "") break;
    seen.add(toUrlIdentity(new URL(next)));
    try {
      note = await readListPage(parts, next, table, [
        ...columns,
        ...(details === undefined ? [] : [details.link]),
      ]);
    } catch (error) {
      if (!(error instanceof QuarryError) || error instanceof StorageError) throw error;
      tally.stopped = `${next} could not be read: ${error.message}`;
      break;
    }
    seen.add(toUrlIdentity(new URL(note.url)));
    current = matchTable(note.tables ?? [], table, columns);
  }
  return report(name, tally, tables);
}

function findPage(pages: CollectParts["pages"], id: string): PageNote {
  const page = pages.get(id);
  if (page !== undefined) return page;
  throw new CollectFault(
    `There is no page ${id}; there are ${[...pages.keys()].join(", ") || "none yet"}. Scrape the page first.`,
  );
}

function findTable({ tables = [] }: PageNote, id: string, ref: string): PageTable {
  const table = tables.find((one) => one.ref === ref);
  if (table !== undefined) return table;
  throw new CollectFault(
    `Page ${id} has no table ${ref}; it has ${tables.map((one) => one.ref).join(", ") || "none"}.`,
  );
}

/** Columns by reference (`c3`) or by name. */
function selectColumns(table: PageTable, wanted: Readonly<Record<string, string>>): Column[] {
  return Object.entries(wanted).map(([field, text]) => {
    const [, number] = /^c(\d{1,3})$/.exec(text.trim()) ?? [];
    const named = table.columns.filter(
      ({ name }) => name.toLowerCase() === text.trim().toLowerCase(),
    );
    const column = number === undefined ? named[0] : table.columns[Number(number) - 1];
    if (column === undefined || (number === undefined && named.length > 1))
      throw new CollectFault(
        `Table ${table.ref} has no single column ${JSON.stringify(text)}; it has ${table.columns.map(({ name }, at) => `c${at + 1} ${name}`).join(", ")}.`,
      );
    return { field, key: column.key, name: column.name };
  });
}

type Details = { readonly link: Column; readonly columns: readonly Column[] };

function planDetails(
  { pages }: CollectParts,
  table: PageTable,
  { link, page, columns }: NonNullable<ToolArguments<"collect">["details"]>,
): Details {
  const [column] = selectColumns(table, { link });
  if (column === undefined || !column.key.endsWith("@href"))
    throw new CollectFault(`details.link must be a column of links, such as c2 named "… link".`);
  if (page !== undefined)
    return {
      link: column,
      columns: selectColumns(findTable(findPage(pages, page), page, "page"), columns),
    };
  // Without a sample page only labels can be named.
  const labelled = Object.entries(columns).map(([field, label]) => ({
    field,
    name: label,
    key: /^heading$/i.test(label)
      ? "heading"
      : `label:${label.trim().toLowerCase().replace(/:$/, "")}`,
  }));
  return { link: column, columns: labelled };
}

/** The list of the schema that a table is for. */
function findListTarget(target: Target | undefined, into: string | undefined) {
  const lists = target?.lists ?? [];
  if (into === undefined) return lists.length === 1 ? lists[0] : undefined;
  return (
    lists.find(({ path }) => path.at(-1) === into) ??
    (lists.length === 1 && into.startsWith("/") ? lists[0] : undefined)
  );
}

function listCells(table: PageTable, { key }: Column): string[] {
  const at = table.columns.findIndex((column) => column.key === key);
  return table.rows.map((row) => row[at] ?? "");
}

function buildRows(
  table: PageTable,
  columns: readonly Column[],
  types: ReturnType<typeof listTypes>,
  url: string,
): CollectedRow[] {
  const rows = table.rows.map(() => ({
    value: {} as Record<string, unknown>,
    sources: {} as Record<string, Source>,
  }));
  for (const column of columns) {
    const cells = listCells(table, column);
    const hasCommas = usesDecimalCommas(cells);
    for (const [at, text] of cells.entries()) {
      const value = toCellValue(text, types.get(column.field), hasCommas);
      const row = rows[at];
      if (value === undefined || row === undefined) continue;
      row.value[column.field] = value;
      row.sources[column.field] = { url, text };
    }
  }
  return rows;
}

/** Adds to each row the values of its own page; rows without one keep what they have. */
async function addDetails(
  parts: CollectParts,
  rows: readonly CollectedRow[],
  links: readonly string[],
  {
    columns,
    types,
    tally,
  }: Details & { readonly types: ReturnType<typeof listTypes>; readonly tally: Tally },
): Promise<CollectedRow[]> {
  const done = [...rows];
  const { parallel, pages: max } =
    EFFORTS[(parts.work.run.options as StoredRun).effort ?? "medium"];
  for (let from = 0; from < rows.length; from += parallel) {
    if (tally.details >= max * 4 || !canAfford(parts, parallel)) {
      tally.stopped = canAfford(parts, parallel)
        ? `${max * 4} detail pages are the limit of this run's effort`
        : "the credits of the run are nearly used up";
      break;
    }
    // Started in order and before anything is awaited, so that a replay assigns the same numbers.
    const batch = rows.slice(from, from + parallel).map(async (row, offset) => {
      const link = links[from + offset]?.split(", ")[0] ?? "";
      if (!URL.canParse(link) || !parts.work.scope.allows(new URL(link))) return row;
      tally.details += 1;
      const note = await readDetailPage(parts, link, columns);
      const table = note.tables?.find(({ ref }) => ref === "page");
      const [own] = table === undefined ? [] : buildRows(table, columns, types, note.url);
      return own === undefined
        ? row
        : { value: { ...own.value, ...row.value }, sources: { ...own.sources, ...row.sources } };
    });
    for (const [offset, result] of (await Promise.allSettled(batch)).entries()) {
      if (result.status === "fulfilled") done[from + offset] = result.value;
      else if (result.reason instanceof QuarryError && !(result.reason instanceof StorageError))
        tally.failedDetails += 1;
      else throw result.reason;
    }
  }
  return done;
}

function canAfford({ work, reader }: CollectParts, pages = 1): boolean {
  return work.journal.canAfford(pages * reader.highestPrice([]) + MIN_CREDITS_LEFT);
}

async function readListPage(
  parts: CollectParts,
  url: string,
  like: PageTable,
  columns: readonly Column[],
): Promise<PageNote> {
  return await readStep(parts, url, "the next page of the rows", (note) => {
    const table = matchTable(note.tables ?? [], like, columns);
    return table === undefined ? [] : [withColumns(table, columns)];
  });
}

async function readDetailPage(
  parts: CollectParts,
  url: string,
  columns: readonly Column[],
): Promise<PageNote> {
  return await readStep(parts, url, "the page of a row", (note) =>
    (note.tables ?? [])
      .filter(({ ref }) => ref === "page")
      .map((table) => withColumns(table, columns)),
  );
}

/** Reads a page as a step; the journal stores what the collection needs. */
async function readStep(
  { reader, work }: CollectParts,
  url: string,
  reason: string,
  choose: (note: PageNote) => readonly PageTable[],
): Promise<PageNote> {
  const { journal, run, scope } = work;
  const maxCredits = reader.highestPrice([]);
  return await journal.runStep(
    { tool: "scrape", input: { url, reason }, maxCredits },
    async (signal) => {
      const read = await reader.read({ url, forModel: true, run, scope, signal });
      const { note } = read;
      const tables = note.statusCode >= 400 ? [] : choose(note);
      const page = new URL(note.url);
      const kept = {
        ...note,
        markdown: "",
        documents: [],
        links: note.links.filter((link) => isPagination(link, page)),
        tables,
      };
      const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
      return toStep({ ...read, note: kept }, { url: note.url, statusCode: note.statusCode, rows });
    },
  );
}

function withColumns(table: PageTable, columns: readonly Column[]): PageTable {
  const kept = table.columns.flatMap(({ key }, at) =>
    columns.some((column) => column.key === key) ? [at] : [],
  );
  return {
    ...table,
    columns: kept.flatMap((at) => table.columns[at] ?? []),
    rows: table.rows.map((row) => kept.map((at) => row[at] ?? "")),
  };
}

/** The table at the same position of another page that has most of the wanted columns. */
function matchTable(
  tables: readonly PageTable[],
  like: PageTable,
  columns: readonly Column[],
): PageTable | undefined {
  const rated = tables
    .filter(({ ref }) => ref !== "page")
    .map((table) => {
      const shared = columns.filter(({ key }) => table.columns.some((one) => one.key === key));
      const isSamePlace = table.shape === like.shape;
      return { table, share: shared.length / columns.length, isSamePlace };
    })
    .filter(({ share, isSamePlace }) => share >= (isSamePlace ? MIN_SHARED_COLUMNS : 1));
  const [best] = rated.toSorted(
    (one, other) => Number(other.isSamePlace) - Number(one.isSamePlace) || other.share - one.share,
  );
  return best?.table;
}

function report(name: string, tally: Tally, tables: CollectedTables): CollectReport {
  const table = tables.find(name);
  const rows = table?.rows ?? [];
  const filled = (table?.columns ?? []).map(
    (column) => `${column} ${rows.filter(({ value }) => isFilled(value[column])).length}`,
  );
  const said = [
    `Collected ${tally.rows} rows from ${tally.pages} ${tally.pages === 1 ? "page" : "pages"}${tally.details === 0 ? "" : ` and ${tally.details} detail pages`} into ${name}, which has ${rows.length} rows.`,
    `Rows with a value: ${filled.join(", ")}.`,
    tally.withoutTable.length === 0
      ? ""
      : `The table is not on ${tally.withoutTable.slice(0, 3).join(", ")}.`,
    tally.failedDetails === 0 ? "" : `${tally.failedDetails} detail pages could not be read.`,
    tally.stopped === ""
      ? ""
      : `Stopped early: ${tally.stopped}. The table is incomplete; say so in the message.`,
    `Use query to filter, sort or count, and finish with rows {"POINTER": "${name}"} to give them all.`,
  ];
  const sample = rows.slice(0, MAX_SHOWN).map(({ value }) => JSON.stringify(value).slice(0, 600));
  return {
    name,
    text: said.filter((part) => part !== "").join(" "),
    sample: sample.join("\n"),
    stopped: tally.stopped,
  };
}
