// Numbers in table cells, as pages of any language write them.
import { readNumbers, roundAmount } from "../../formats/json/values/measures.ts";
import { findWrittenScale } from "../../formats/json/values/scales.ts";

const MONEY = /\p{Sc}|(?<!\p{L})(?:[A-Z]{3}|kr|zł|Kč|Ft|lei|TL)(?!\p{L})/u;

/**
 * The only number in a cell: `1.234,50` and `1,234.50` are the same, `(1,204)` is negative, `12.4K`
 * is 12400. A dot before three digits separates thousands in amounts of money and where the column
 * has decimal commas. Undefined for none or several.
 */
export function readNumber(text: string, hasDecimalCommas: boolean): number | undefined {
  const numbers = readNumbers(text, hasDecimalCommas || MONEY.test(text));
  const [number, another] = numbers;
  if (number === undefined || another !== undefined) return undefined;
  return roundAmount(number * (findWrittenScale(text) ?? 1));
}

/**
 * True if a column has decimal commas: one of its cells is unambiguous, and none is a decimal
 * point.
 */
export function usesDecimalCommas(cells: readonly string[]): boolean {
  const text = cells.join("\n");
  return /\d,\d{1,2}(?![\d,])|\d\.\d{3},\d/.test(text) && !/\d,\d{3}\.\d/.test(text);
}
