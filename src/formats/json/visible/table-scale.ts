// The scale of a table's numbers, such as "EUR million", and the one that a property asks for.
import { CURRENCY_CODES } from "../../../page-model/currency.ts";
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Name } from "../names/names.ts";
import { findWantedScale, findWrittenScale, parseScale } from "../values/scales.ts";
import type { LookupResult } from "./grid-look-up.ts";

/** Rows whose numbers are no amounts of the table's scale. */
const UNSCALED =
  /per share|(?:je|pro|per) aktie|par action|por acción|por ação|per azione|per aandeel|per aksje|na akcję|na akcii|1株|每股|[%％]|margin|ratio|quote|employees|headcount|\beps\b|\((?:\p{Sc}|[A-Z]{3})\)$/iu;
/** Texts that only say what the numbers are: "EUR million", "£m", "in thousands of US dollars". */
const UNIT_CELL = /^[\p{L}\p{Sc}\s.'’/()-]{1,40}$/u;

/**
 * The factor from the numbers of a table to those that a property asks for, where both say their
 * scale: 1,000,000 for `revenue_eur` in a table in "EUR million". A property that names neither a
 * scale nor a currency gets the number as printed. Undefined if a property in millions meets a large
 * number in a table that names no scale.
 */
export function findScaleBetween(
  model: PageModel,
  { grid, row, column, cell }: LookupResult,
  name: Name,
  shape: Shape,
): number | undefined {
  const [first] = row.cells;
  // A price or profit per share is no total.
  if (name.words.includes("per")) return 1;
  if (findWrittenScale(cell.text) !== undefined || UNSCALED.test(first?.text ?? "")) return 1;
  const named = findWantedScale(name, shape);
  const wanted = named ?? (namesCurrency(name, shape) ? 1 : undefined);
  if (wanted === undefined) return 1;
  const units = row.cells.slice(1).map((each) => each?.text ?? "");
  const texts = [
    ...units.filter((text) => UNIT_CELL.test(text)),
    grid.headers[column] ?? "",
    grid.headers[0] ?? "",
    grid.caption,
    readLineBefore(model, grid.node),
  ];
  const scale = texts.map(readScaleWord).find((found) => found !== undefined);
  if (scale !== undefined) return scale / wanted;
  const isLarge = cell.text.replaceAll(/[.,]\d{1,2}(?!\d)|\D/g, "").length >= MIN_LARGE_DIGITS;
  return named !== undefined && isLarge ? undefined : 1;
}

/** Digits of a number that is hardly in millions. */
const MIN_LARGE_DIGITS = 5;
const MAX_LINE = 120;
const MAX_PARAGRAPH = 1_000;
const IN_SCALE = /(?<!\p{L})(?:in|en|em)\s(?:[A-Z]{3}\s|\p{Sc}\s?)?\p{L}{3,12}/giu;

/** The text before a table: "Statements of income (unaudited; in thousands)". */
function readLineBefore(model: PageModel, node: PageNode): string {
  for (
    let at: PageNode | undefined = node, up = 0;
    at !== undefined && up < MAX_LEVELS;
    at = model.parent(at), up += 1
  ) {
    const before = model.previous(at, true);
    if (before === undefined) continue;
    const line = model.lineOf(before);
    // A paragraph may speak of other amounts, too: only "in thousands" counts.
    return line.length <= MAX_LINE
      ? line
      : [...line.slice(0, MAX_PARAGRAPH).matchAll(IN_SCALE)].map(([phrase]) => phrase).join(" ");
  }
  return "";
}

const MAX_LEVELS = 4;

/** The only scale named in a text: "EUR million", "€m", "in thousands". */
function readScaleWord(text: string): number | undefined {
  const words = text.match(/\p{L}{2,12}/gu) ?? [];
  const signed = /\p{Sc}\s?(m|mn|k|bn)(?!\p{L})/iu.exec(text)?.[1];
  // "T€" and "TEUR" are thousands in German.
  const thousands = /(?<!\p{L})T\s?(?:\p{Sc}|EUR|CHF)(?!\p{L})/u.test(text) ? "k" : "";
  const scales = new Set(
    [...words, signed ?? "", thousands].map(parseScale).filter((scale) => scale !== undefined),
  );
  const [only] = scales;
  return scales.size === 1 ? only : undefined;
}

const namesCurrency = ({ words }: Name, { description }: Shape): boolean =>
  [...words, ...(description.match(/\p{L}{2,12}/gu) ?? [])].some((word) =>
    CURRENCIES.has(word.toLowerCase()),
  );

const CURRENCIES: ReadonlySet<string> = new Set([
  ...CURRENCY_CODES.map((code) => code.toLowerCase()),
  ..."euro euros dollar dollars pound pounds franc francs yen yuan rupee rupees kronor kroner zloty".split(
    " ",
  ),
]);
