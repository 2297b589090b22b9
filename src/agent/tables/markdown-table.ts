// Reads tables from a page's Markdown by column name.
import { scoreSimilarity, parseNameInContext, parseName } from "../../formats/json/names/names.ts";
import { readNumber, usesDecimalCommas } from "./cell-number.ts";
import type { ListTarget } from "../answer/target.ts";

const MAX_ROWS = 500;
/** From this similarity on a column heading means the field. */
const MIN_LIKENESS = 0.6;
const NUMERIC = new Set(["number", "integer"]);

/** Parses a Markdown table into rows by column name; undefined for any other text. */
export function readTable(text: string): Record<string, string>[] | undefined {
  const lines = text.split("\n").map((line) => line.trim());
  const [head = "", rule = ""] = lines;
  if (!head.startsWith("|") || !/^\|(?:\s*:?-+:?\s*\|)+$/.test(rule)) return undefined;
  const names = splitCells(head).map((name, index) => (name === "" ? `column${index + 1}` : name));
  return lines.slice(2, MAX_ROWS + 2).map((line) => {
    const cells = splitCells(line);
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? ""]));
  });
}

/** Returns the cells of one table line as plain text. */
export const splitCells = (line: string): string[] =>
  line
    .replace(/^\||\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => toPlainText(cell).trim());

/** Each part stops at the next bracket, which keeps pages full of brackets linear. */
const LINK = /(?<!\\)!?\[((?:[^[\]\\]|\\.)*)\]\((?:[^()]|\([^()]*\))*\)/g;

/** Not inside words: URLs and program names contain such signs. */
const EMPHASIS = /(?<![\\\p{L}\p{N}_])_{1,3}(?=\S)([^_\n]*[^_\s\\])_{1,3}(?![\p{L}\p{N}_])/gu;

/** True if all words of a text are in links. The second pass handles linked images. */
export const isOnlyLinks = (text: string): boolean =>
  !/[\p{L}\p{N}]/u.test(text.replaceAll(LINK, "").replaceAll(LINK, ""));

/** Strips link targets, emphasis and escapes. */
export const toPlainText = (text: string): string =>
  text
    .replaceAll(LINK, "$1")
    // Linked images.
    .replaceAll(LINK, "$1")
    .replaceAll(EMPHASIS, "$1")
    .replaceAll(/(?<!\\)(?:[*`]{1,3}(?=\S)|(?<=\S)[*`]{1,3})/g, "")
    .replaceAll(/\\([^\s\p{L}\p{N}])/gu, "$1");

/**
 * Reads rows from the page's tables whose columns match a list's fields, including its name field.
 * A table that matches another list better belongs to that one.
 */
export function readTableRows(
  markdown: string,
  lists: readonly ListTarget[],
  index: number,
  nameField: string | undefined,
): Record<string, unknown>[] {
  const found: Record<string, unknown>[] = [];
  const list = lists[index];
  if (list === undefined) return found;
  for (const [block] of markdown.matchAll(/^\|.*(?:\n\|.*)+$/gm)) {
    const rows = readTable(block) ?? [];
    const columns = Object.keys(rows[0] ?? {});
    const fitting = lists.map(({ fields: names }) => matchFields(columns, names));
    const fields = fitting[index] ?? new Map<string, string>();
    if (nameField === undefined || ![...fields.values()].includes(nameField)) continue;
    if (fitting.some(({ size }) => size > fields.size)) continue;
    const commas = new Set(
      columns.filter((column) => usesDecimalCommas(rows.map((row) => row[column] ?? ""))),
    );
    for (const row of rows) {
      const value: Record<string, unknown> = {};
      for (const [column, field] of fields) {
        const read = toType(row[column] ?? "", readFieldType(list, field), commas.has(column));
        if (read !== undefined) value[field] = read;
      }
      if (value[nameField] !== undefined) found.push(value);
    }
  }
  return found;
}

/** Maps columns to fields, one to one. */
function matchFields(columns: readonly string[], fields: readonly string[]): Map<string, string> {
  const pairs = columns
    .flatMap((column) =>
      fields.map((field) => ({
        column,
        field,
        like: scoreSimilarity(parseName(column), parseNameInContext(field, fields)),
      })),
    )
    .filter(({ like }) => like >= MIN_LIKENESS)
    .toSorted((one, other) => other.like - one.like);
  const chosen = new Map<string, string>();
  for (const { column, field } of pairs)
    if (!chosen.has(column) && ![...chosen.values()].includes(field)) chosen.set(column, field);
  return chosen;
}

function readFieldType({ item }: ListTarget, field: string): unknown {
  const properties = item["properties"] as Record<string, Record<string, unknown>> | undefined;
  return properties?.[field]?.["type"];
}

function toType(text: string, type: unknown, hasDecimalCommas: boolean): unknown {
  if (text === "") return undefined;
  if (typeof type === "string" && NUMERIC.has(type)) {
    const number = readNumber(text, hasDecimalCommas);
    return type === "integer" && !Number.isInteger(number) ? undefined : number;
  }
  return type === undefined || type === "string" ? text : undefined;
}
