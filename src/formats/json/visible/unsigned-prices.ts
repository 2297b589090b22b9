// Finds amounts without a sign in a record, as menus and price lists write them.
import type { PageModel } from "../../../page-model/page-model.ts";
import { readCurrentText } from "../../../page-model/grids.ts";
import { isStruck, type PageNode } from "../../../page-model/node.ts";
import { toSingularWords, parseName } from "../names/names.ts";
import { selectPlacesOfType, type Place, type VisibleScope } from "./visible-scope.ts";
import { findTitleNode } from "./visible-title.ts";

/** "12,50": an amount with cents. */
const WITH_CENTS = /^\d{1,4}[.,]\d{2}$/;
/** "14": a count, a rank or a note as often as a price. No year. */
const WHOLE = /^(?!(?:19|20)\d\d$)[1-9]\d{0,3}$/;

/** "19.30" may be a time of day. */
const CLOCK = /^(?:[01]?\d|2[0-3])\.[0-5]\d$/;

const CURRENCY = /\p{Sc}|(?<!\p{L})(?:euros?|eur|usd|gbp|chf|dollars?|pounds?|zł|kč|kr)(?!\p{L})/iu;

const PRICES_IN =
  /(?:prices|preise|prix|precios|prezzi|preços|prijzen|priser|ceny)[^.\n]{0,40}(?:\p{Sc}|euro|eur|usd|gbp|chf|dollar|pound)/iu;

/** A note behind an amount, such as the price of another size: "15 (half portion 9)". */
const NOTE = /\s\([^()]{1,40}\)$/u;

/**
 * Amounts without a sign; none beside other amounts, and only where the page names a currency.
 * Whole numbers must be in an element whose class says that it is a price, or behind the title on
 * a page that says in which currency its prices are.
 */
export function findUnsignedPrices(scope: VisibleScope): Place[] {
  const { model } = scope;
  if (scope.isPage || selectPlacesOfType(scope, "price").length > 0) return [];
  const written = scope.pieces
    .filter((node) => !isStruck(node))
    .map((node) => ({ node, text: readAmountText(scope, node) }))
    .filter(({ text }) => WITH_CENTS.test(text) || WHOLE.test(text));
  // The number of a dish is no price beside "9,50".
  const withCents = written.filter(({ text }) => WITH_CENTS.test(text));
  const amounts = withCents.length > 0 ? withCents : written;
  const classed = amounts.filter(({ node }) => hasPriceClass(scope, node));
  const [only, other] = classed.length > 0 ? classed : amounts;
  if (only === undefined || other !== undefined) return [];
  const { namesCurrency, statesPrices: isStated } = readCurrencies(model);
  if (!namesCurrency) return [];
  const { node, text } = only;
  const title = findTitleNode(scope);
  const isSure = WITH_CENTS.test(text)
    ? !CLOCK.test(text)
    : classed.length > 0 || (isStated && title !== undefined && node.index > title.index);
  if (!isSure && !(isStated && WITH_CENTS.test(text))) return [];
  const amount = Number(text.replace(",", "."));
  return [{ node, value: { type: "price", text, at: 0, amount } }];
}

type Currencies = { readonly namesCurrency: boolean; readonly statesPrices: boolean };
const currencies = new WeakMap<PageModel, Currencies>();

/** What a page says of its currency, read once for all its records. */
function readCurrencies(model: PageModel): Currencies {
  let known = currencies.get(model);
  if (known === undefined) {
    const { text } = model;
    known = { namesCurrency: CURRENCY.test(text), statesPrices: PRICES_IN.test(text) };
    currencies.set(model, known);
  }
  return known;
}

/** The text of a piece without crossed-out parts and a note in brackets. */
function readAmountText({ model }: VisibleScope, node: PageNode): string {
  if (node.to - node.from > MAX_PIECE) return "";
  return readCurrentText(model, { node, text: model.lineOf(node) }).replace(NOTE, "");
}

const MAX_PIECE = 60;

/** True for `class="dish-price"`, also around the piece within the record. */
function hasPriceClass(scope: VisibleScope, node: PageNode): boolean {
  for (
    let at: PageNode | undefined = node;
    at !== undefined && scope.has(at) && at.to - at.from <= MAX_PIECE && !scope.roots.includes(at);
    at = scope.model.parent(at)
  )
    if (toSingularWords(at.element.attribs["class"] ?? "").some(isPriceWord)) return true;
  return false;
}

const isPriceWord = (word: string): boolean => parseName(word).concepts.has("price");
