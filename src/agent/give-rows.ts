// Resolves the parts of an answer that are collected rows: by JSON pointer, the name of a table,
// its count, its first row or a column.
import type { CollectedRow, CollectedTables } from "./collected.ts";
import type { Proven } from "./prove.ts";
import type { Source } from "./run.ts";
import { pointerOf, setAt } from "./target.ts";

export type GivenRows = Proven & {
  /** Invalid references, as sentences. */
  readonly faults: readonly string[];
};

/**
 * `references`: by JSON pointer into the answer, such as `{"/books": "q1", "/total": "q1.count"}`.
 */
export function giveRows(
  references: Readonly<Record<string, string>>,
  tables: CollectedTables,
): GivenRows {
  let value: unknown;
  const places: Record<string, Source> = {};
  const faults: string[] = [];
  for (const [pointer, reference] of Object.entries(references)) {
    const path = partsOf(pointer);
    const found = resolve(reference.trim(), tables);
    if (typeof found === "string") {
      faults.push(found);
      continue;
    }
    if (path.length === 0) value = found.value;
    else {
      const root = isRecord(value) ? value : {};
      setAt(root, path, found.value);
      value = root;
    }
    const prefix = pointerOf(path);
    for (const [inner, source] of Object.entries(found.places)) places[prefix + inner] = source;
  }
  return { value, places, dropped: [], faults };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const partsOf = (pointer: string): string[] =>
  pointer
    .replace(/^#/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

type Found = Pick<Proven, "value" | "places">;

function resolve(reference: string, tables: CollectedTables): Found | string {
  const name = tables.names.find((one) => reference === one || reference.startsWith(`${one}.`));
  const table = name === undefined ? undefined : tables.find(name);
  if (name === undefined || table === undefined)
    return `There is no table ${JSON.stringify(reference.slice(0, 100))}; there are ${tables.names.join(", ") || "none yet"}.`;
  const part = reference.slice(name.length + 1);
  const { rows } = table;
  const [first] = rows;
  if (part === "") return wholeOf(rows);
  if (part === "count")
    return { value: rows.length, places: first === undefined ? {} : { "": sourceOfRow(first) } };
  if (first === undefined) return `Table ${name} has no rows.`;
  if (part === "first") return rowOf(first, "");
  const column = part.replace(/^(?:first|column)\./, "");
  if (!table.columns.includes(column))
    return `${name} has no column ${JSON.stringify(column)}; it has ${table.columns.join(", ")}.`;
  if (part.startsWith("column.")) {
    const filled = rows.filter(({ value }) => value[column] !== undefined);
    return {
      value: filled.map(({ value }) => value[column]),
      places: Object.fromEntries(
        filled.flatMap(({ sources }, at) => {
          const source = sources[column];
          return source === undefined ? [] : [[`/${at}`, source] as const];
        }),
      ),
    };
  }
  const source = first.sources[column];
  return { value: first.value[column], places: source === undefined ? {} : { "": source } };
}

const sourceOfRow = ({ sources }: CollectedRow): Source => {
  const [source] = Object.values(sources);
  return { url: source?.url ?? "" };
};

function wholeOf(rows: readonly CollectedRow[]): Found {
  const all = rows.map((row, at) => rowOf(row, `/${at}`));
  return {
    value: all.map(({ value }) => value),
    places: Object.assign({}, ...all.map(({ places }) => places)) as Record<string, Source>,
  };
}

function rowOf({ value, sources }: CollectedRow, prefix: string): Found {
  return {
    value: { ...value },
    places: Object.fromEntries(
      Object.entries(sources).map(([column, source]) => [prefix + pointerOf([column]), source]),
    ),
  };
}
