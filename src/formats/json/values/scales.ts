// Millions and thousands: in which the page writes an amount, and in which a property asks for it.
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Name } from "../names/names.ts";

const THOUSAND =
  /^(?:k|tsd|thousands?|tausend|milliers?|miles|mila|migliaia|milhares|tys|tis|tkr|tusen|duizend|тыс)$/;
const MILLION =
  /^(?:m|mm|mn|mio|mill|millions?|millionen|millones|milioni|milhões|milhoes|mln|mil\.|miljoner|miljoen|milionů|milionu|млн|meur|musd|mkr)$/;
const BILLION = /^(?:bn|billions?|mrd|milliarden?|milliards?|miliardi|mld|miljard(?:er)?|млрд)$/;

/** The factor of a word such as "million" or "Mio."; undefined for other words. */
export function parseScale(word: string): number | undefined {
  const folded = word.toLowerCase().replace(/\.$/, "");
  if (THOUSAND.test(folded)) return 1e3;
  if (MILLION.test(folded)) return 1e6;
  return BILLION.test(folded) ? 1e9 : undefined;
}

const WORD = /\p{L}{2,12}/gu;

/** "Full amount, not in millions." */
const NOT_SCALED = /(?<!\p{L})(?:not|nicht|pas|no|non|niet)\s(?:in|en|em)\s\p{L}{2,12}/giu;

/** The scale that a property's name or description asks for: `revenue_million`, "in thousands". */
export function findWantedScale(name: Name, { description }: Shape): number | undefined {
  const words = [...name.words, ...(description.replace(NOT_SCALED, " ").match(WORD) ?? [])];
  return words.map(parseScale).find((scale) => scale !== undefined);
}

const SCALED =
  /(\d)\s?(k|m|M|K|mm|mn|bn|[Mm]io\.?|[Mm]rd\.?|[Mm]ln|[Mm]ld|[Tt]sd\.?|[Mm]illion(?:s|en)?|[Bb]illions?|[Tt]housand|[Mm]illiard(?:en|s|e)?|[Mm]illones|[Mm]ilioni|[Mm]iljoner|[Mm]iljoen|млн|млрд|тыс\.?)(?![\p{L}\d²³])/u;
const MONEY = /\p{Sc}|(?<!\p{L})(?:[A-Z]{3}|kr|zł|Kč|Ft|Fr)(?!\p{L})/u;

/** The scale written behind the number of a text; a lower-case "m" may be meters, unless it is money. */
export function findWrittenScale(text: string): number | undefined {
  const [, , written = ""] = SCALED.exec(text) ?? [];
  if (written === "" || ((written === "m" || written === "mm") && !MONEY.test(text)))
    return undefined;
  return parseScale(written);
}
