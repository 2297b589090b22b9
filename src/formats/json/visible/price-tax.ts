// Prices with and without tax: "29,99 € inkl. MwSt.", "£20.00 ex VAT".
import type { PageNode } from "../../../page-model/node.ts";
import type { Name } from "../names/names.ts";
import type { Place, VisibleScope } from "./visible-scope.ts";

/** "amount" is the tax itself. */
export type PriceTax = "included" | "excluded" | "amount";

const TAX = String.raw`(?:vat|(?:sales )?tax(?:es)?|gst|m\.?w\.?st|mehrwertsteuer|ust|umsatzsteuer|tva|iva|i\.v\.a|btw|moms|mva|alv|dph|ddv|pdv|áfa|kdv|ндс|пдв|ддс|φπα)(?![\p{L}])`;
/** "19 %", "gesetzl.", "der". */
const BETWEEN = String.raw`[\s\u00A0]{0,2}(?:(?:\d{1,2}(?:[.,]\d)?\s?%|\p{L}{1,12}\.?)\s{1,2}){0,3}`;
const WITHOUT = String.raw`(?<!\p{L})(?:excl(?:\.|uding|usive)?|exkl(?:\.|usive)?|exclusief|ekskl\.?|ex\.?|plus|zzgl\.?|zuzügl(?:\.|ich)?|ohne|without|before|hors|sans|sin|senza|sem|bez|без|zonder|utan|uden|uten)`;
const WITH = String.raw`(?<!\p{L})(?:incl(?:\.|uding|usive)?|inclusief|inc\.?|inkl(?:\.|usive)?|enth(?:ält|\.)|einschl(?:\.|ießlich)?|mit|with|avec|con|com|med|vč\.?|včetně|vrátane|s|z|с|со)`;
const joinPatterns = (...parts: readonly string[]): RegExp => new RegExp(parts.join("|"), "iu");
const EXCLUDED = joinPatterns(
  String.raw`${WITHOUT}${BETWEEN}${TAX}`,
  String.raw`\+\s?(?:\d{1,2}\s?%\s?)?${TAX}`,
  String.raw`(?<!\p{L})${TAX}\.?\s?(?:esclus|excl|exkl|escl|non compr|non incl|not incl|no incl|não incl|ikke incl|ej inkl)`,
  String.raw`(?<!\p{L})(?:h\.?t\.?|hors taxes?)(?![\p{L}])`,
  String.raw`(?<!\p{L})nett?o?(?:preis|price)?(?![\p{L}]|\s?(?:weight|gewicht))`,
  "税抜|税別|不含税|未稅|未税|부가세 별도",
);
const INCLUDED = joinPatterns(
  String.raw`${WITH}${BETWEEN}${TAX}`,
  String.raw`(?<!\p{L})${TAX}\.?\s?(?:inclus|inclu[ií]d|compris|compres|incl|inkl|inbegr)`,
  String.raw`(?<!\p{L})(?:t\.?t\.?c\.?|brutto(?:preis)?|gross)(?![\p{L}])`,
  "税込|含税|含稅|부가세 포함",
);
const TAX_ALONE = joinPatterns(String.raw`(?<!\p{L})${TAX}`, "消費税|增值税");

const MAX_AROUND = 90;
const MAX_LABEL = 40;

const known = new WeakMap<VisibleScope, Map<PageNode, PriceTax | undefined>>();

/** Decides whether a price includes tax, by the words in its line, beside it or in its label. */
export function findPriceTax(scope: VisibleScope, place: Place): PriceTax | undefined {
  const taxes = known.get(scope) ?? new Map<PageNode, PriceTax | undefined>();
  known.set(scope, taxes);
  if (!taxes.has(place.node)) taxes.set(place.node, readTax(scope, place));
  return taxes.get(place.node);
}

function readTax(scope: VisibleScope, { node, value }: Place): PriceTax | undefined {
  for (const text of listTextsAround(scope, node)) {
    const words = text.replace(value.text, " ¤ ");
    if (EXCLUDED.test(words)) return "excluded";
    if (INCLUDED.test(words)) return "included";
    if (TAX_ALONE.test(words)) return "amount";
  }
  return undefined;
}

/**
 * The line of a price, its label, the lines around it while it is their only price, the next line.
 */
function* listTextsAround(scope: VisibleScope, node: PageNode): Generator<string> {
  const { model } = scope;
  yield model.lineOf(node);
  for (const pair of scope.pairs)
    if (pair.label.length <= MAX_LABEL && model.contains(pair.node, node)) yield pair.label;
  let outer = node;
  for (let at = model.parent(node); at !== undefined; at = model.parent(at)) {
    if (at.to - at.from > MAX_AROUND || model.typedValues(at).filter(isPrice).length > 1) break;
    outer = at;
    yield model.lineOf(at);
  }
  const next = model.next(outer);
  if (next !== undefined && next.to - next.from <= MAX_AROUND) {
    const isLabel = [next, model.next(next)].some(
      (each) => each !== undefined && model.typedValues(each).some(isPrice),
    );
    if (!isLabel) yield model.lineOf(next);
  }
}

const isPrice = ({ type }: { readonly type: string }): boolean => type === "price";

/**
 * Prices for everyone where a page gives both: those without tax count only where no other is shown.
 */
export function preferTaxIncluded(scope: VisibleScope, places: readonly Place[]): Place[] {
  const withTax = places.filter((place) => findPriceTax(scope, place) !== "excluded");
  return withTax.length > 0 ? withTax : [...places];
}

/** "inkl. MwSt.", "zzgl. Versand" behind a price, which do not change what it is the price of. */
const NOTES = new RegExp(
  String.raw`(?:${WITHOUT}|${WITH}|(?<!\p{L})(?:free|frei|gratis)|\+)${BETWEEN}(?:${TAX}|versand\p{L}{0,8}|shipping|delivery|postage|porto|liefer\p{L}{0,8}|livraison|frais de port|envío|gastos de envío|spedizione|verzend\p{L}{0,8}|frakt|doprav\p{L}{0,3}|wysył\p{L}{0,3})(?:\s(?:costs?|fees?|charges?))?`,
  "giu",
);

/** The words around a price without notes about tax and shipping behind it. */
export function stripNotes(line: string, price: string): string {
  const at = line.indexOf(price);
  if (at === -1) return line;
  const behind = line.slice(at + price.length).replaceAll(NOTES, " ");
  return `${line.slice(0, at)} ${behind}`;
}

const NET = new Set("net netto excluding excl ex without before".split(" "));
const GROSS = new Set("gross brutto including incl inc with".split(" "));
const TAX_WORDS = new Set("tax taxes vat gst mwst iva tva btw moms".split(" "));

/** The tax state that a name asks for: `net_price`, `price_excl_vat`, `gross_price`. */
export function findTaxInName({ words }: Name): "included" | "excluded" | undefined {
  const isTaxed = words.some((word) => TAX_WORDS.has(word));
  const has = (set: ReadonlySet<string>, ...plain: readonly string[]): boolean =>
    words.some((word) => plain.includes(word) || (isTaxed && set.has(word)));
  if (has(NET, "net", "netto")) return "excluded";
  return has(GROSS, "gross", "brutto") ? "included" : undefined;
}
