// Resolves the parts of an answer that are collected rows: by JSON pointer, the name of a table,
// its count, its first row or a column.
import type { CollectedRow, CollectedTables } from "./collected.ts";
import type { VerifiedValue } from "../answer/verify-value.ts";
import type { Source } from "../run.ts";
import { usesDecimalCommas } from "./cell-number.ts";
import { toCellValue } from "./cell-value.ts";
import { isObject } from "../../runtime/is-object.ts";
import { dereference } from "../../runtime/json-schema/dereference.ts";
import {
  buildPointer,
  listProperties,
  getSchemaAt,
  setAt,
  WRAPPED,
  type Schema,
  type Target,
} from "../answer/target.ts";

export type GivenRows = VerifiedValue & {
  /** Invalid references, as sentences. */
  readonly faults: readonly string[];
};

/**
 * `references`: by JSON pointer into the answer, such as `{"/books": "q1", "/total": "q1.count"}`.
 */
export function resolveRows(
  references: Readonly<Record<string, string>>,
  tables: CollectedTables,
  target?: Target,
): GivenRows {
  let value: unknown;
  const places: Record<string, Source> = {};
  const faults: string[] = [];
  for (const [pointer, reference] of Object.entries(references)) {
    const path = splitPointer(pointer);
    const found = resolve(reference.trim(), tables);
    if (typeof found === "string") {
      faults.push(found);
      continue;
    }
    const given = target === undefined ? found.value : toTypes(found, target, path);
    if (path.length === 0) value = given;
    else {
      const root = isObject(value) ? value : {};
      setAt(root, path, given);
      value = root;
    }
    const prefix = buildPointer(path);
    for (const [inner, source] of Object.entries(found.places)) places[prefix + inner] = source;
  }
  return { value, places, dropped: [], faults };
}

const splitPointer = (pointer: string): string[] =>
  pointer
    .replace(/^#/, "")
    .split("/")
    .filter((part) => part !== "")
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

type PickedRows = Pick<VerifiedValue, "value" | "places"> & {
  /** Columns that write numbers with decimal commas. */
  readonly commas: ReadonlySet<string>;
  /** The column of a single value. */
  readonly column?: string;
};

/**
 * Converts collected cells, which are text, to the types of the schema. A cell that is not a number
 * becomes null, so that list indexes still match `places`.
 */
function toTypes(found: PickedRows, target: Target, path: readonly string[]): unknown {
  const at = target.isWrapped && path.length === 0 ? [WRAPPED] : path;
  const convert = (value: unknown, schema: Schema, column: string): unknown => {
    if (Array.isArray(value)) {
      const items = dereference(schema["items"], target.schema);
      return (value as unknown[]).map((item) => convert(item, items, column));
    }
    if (isObject(value)) {
      const properties = listProperties(schema);
      return Object.fromEntries(
        Object.entries(value).map(([name, inner]) => [
          name,
          convert(inner, dereference(properties[name], target.schema), name),
        ]),
      );
    }
    if (typeof value !== "string") return value;
    return toCellValue(value, schema, found.commas.has(column)) ?? null;
  };
  return convert(found.value, getSchemaAt(target, at), found.column ?? "");
}

/** Columns of text whose numbers have decimal commas. */
const findCommaColumns = (rows: readonly CollectedRow[], columns: readonly string[]): Set<string> =>
  new Set(
    columns.filter((column) =>
      usesDecimalCommas(
        rows.map(({ value }) => value[column]).filter((cell) => typeof cell === "string"),
      ),
    ),
  );

function resolve(reference: string, tables: CollectedTables): PickedRows | string {
  const name = tables.names.find((one) => reference === one || reference.startsWith(`${one}.`));
  const table = name === undefined ? undefined : tables.find(name);
  if (name === undefined || table === undefined)
    return `There is no table ${JSON.stringify(reference.slice(0, 100))}; there are ${tables.names.join(", ") || "none yet"}.`;
  const part = reference.slice(name.length + 1);
  const { rows } = table;
  const [first] = rows;
  const commas = findCommaColumns(rows, table.columns);
  if (part === "") return { ...buildWhole(rows), commas };
  if (part === "count") {
    const places = first === undefined ? {} : { "": findRowSource(first) };
    return { value: rows.length, places, commas };
  }
  if (first === undefined) return `Table ${name} has no rows.`;
  if (part === "first") return { ...toPlainRow(first, ""), commas };
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
      commas,
      column,
    };
  }
  const source = first.sources[column];
  const places = source === undefined ? {} : { "": source };
  return { value: first.value[column], places, commas, column };
}

const findRowSource = ({ sources }: CollectedRow): Source => {
  const [source] = Object.values(sources);
  return { url: source?.url ?? "" };
};

type Plain = Pick<PickedRows, "value" | "places">;

function buildWhole(rows: readonly CollectedRow[]): Plain {
  const all = rows.map((row, at) => toPlainRow(row, `/${at}`));
  return {
    value: all.map(({ value }) => value),
    places: Object.assign({}, ...all.map(({ places }) => places)) as Record<string, Source>,
  };
}

function toPlainRow({ value, sources }: CollectedRow, prefix: string): Plain {
  return {
    value: { ...value },
    places: Object.fromEntries(
      Object.entries(sources).map(([column, source]) => [prefix + buildPointer([column]), source]),
    ),
  };
}
