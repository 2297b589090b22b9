// Recognizes declared data of other items, such as related products, and prices that the page does
// not show.
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Leaf, Thing, Value } from "./finding.ts";
import { toSingularWords } from "../names/names.ts";

/** Types whose name is the heading or title of their own page. */
const ITEM =
  /^(?:Product(?:Group|Model)?|IndividualProduct|Book|Movie|Recipe|Course|SoftwareApplication|Vehicle|Car|\w*Event)$/;
/** Minimum share of the words of one name that the other has. */
const MIN_SHARED = 0.5;
const WITHOUT_SPACES = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Drops items that neither the heading nor the title of the page names: the page is about another
 * one.
 */
export function dropOtherItems(
  things: readonly Thing[],
  model: PageModel | undefined,
  title: string,
): readonly Thing[] {
  const heading = model?.heading === undefined ? "" : model.lineOf(model.heading);
  const headingWords = listNameWords(heading);
  if (headingWords.size === 0) return things;
  const titleWords = new Set([...headingWords, ...listNameWords(title)]);
  const items = things.filter(({ types }) => types.some((type) => ITEM.test(type)));
  const others = items.filter(({ source, fields, evidence }) => {
    const name = fields.get("name")?.[0];
    if (name?.kind !== "leaf") return false;
    // Markup stands in the visible page: the only item there is the page's. A heading may name the
    // shop or a section, so the only item of script data is the page's if its name or number is shown.
    const isOnly = !items.some((each) => each.source === source && each.fields !== fields);
    if (isOnly && (source !== "json-ld" || isShown(fields, model))) return false;
    const words = listNameWords(String(name.value));
    const shares = [measureShare(words, titleWords), measureShare(headingWords, words)] as const;
    // Lists mostly have related items, which share some words with the main one.
    const isListed = evidence.path?.includes("itemListElement[") === true;
    const share = isListed ? Math.min(...shares) : Math.max(...shares);
    return words.size > 0 && (share < MIN_SHARED || (isListed && share === MIN_SHARED));
  });
  const dropped = new Set<Value>();
  for (const other of others) collectThings(other, dropped);
  // The page does not say which of several editions it is about.
  for (const { fields } of things) {
    const editions = (fields.get(EDITIONS) ?? []).filter((value) => value.kind === "thing");
    if (editions.length > 1) for (const edition of editions) collectThings(edition, dropped);
  }
  return things.filter((thing) => !dropped.has(thing) && !isListOf(thing, dropped));
}

/** The editions of a book: hardcover, paperback, audio. */
const EDITIONS = "workExample";
const LIST = /^(?:ItemList|ListItem|OfferCatalog)$/;

/** A list has entries, which have items; references may form a cycle. */
const MAX_LIST_DEPTH = 2;

/** True for a list, or an entry of one, that leads to a dropped item. */
const isListOf = (
  { types, fields }: Thing,
  dropped: ReadonlySet<Value>,
  depth = MAX_LIST_DEPTH,
): boolean =>
  depth > 0 &&
  types.some((type) => LIST.test(type)) &&
  [...fields.values()]
    .flat()
    .some(
      (value) =>
        value.kind === "thing" && (dropped.has(value) || isListOf(value, dropped, depth - 1)),
    );

/** Fields that tell items apart. */
const IDENTITY = ["name", "sku", "mpn"];

/** True if the page shows the item's name or number as a text of its own. */
function isShown(fields: Thing["fields"], model: PageModel | undefined): boolean {
  const [root] = model?.nodes ?? [];
  if (model === undefined || root === undefined) return false;
  const wanted = new Set(
    IDENTITY.flatMap((name) => fields.get(name) ?? [])
      .flatMap((value) => (value.kind === "leaf" ? [toKey(String(value.value))] : []))
      .filter((key) => key !== ""),
  );
  return model.pieces(root).some((piece) => wanted.has(toKey(model.lineOf(piece))));
}

const toKey = (text: string): string => [...listNameWords(text)].join(" ");

/** Adds a thing and all things in it, such as its offers. */
function collectThings(thing: Thing, found: Set<Value>): void {
  if (found.has(thing)) return;
  found.add(thing);
  for (const value of [...thing.fields.values()].flat())
    if (value.kind === "thing") collectThings(value, found);
}

/** Words of a name; pairs of characters in scripts without spaces. */
function listNameWords(name: string): ReadonlySet<string> {
  const words = toSingularWords(name.slice(0, 300));
  return new Set(
    words.flatMap((word) =>
      WITHOUT_SPACES.test(word) && word.length > 2
        ? Array.from({ length: word.length - 1 }, (_, at) => word.slice(at, at + 2))
        : [word],
    ),
  );
}

function measureShare(words: ReadonlySet<string>, others: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of words) if (others.has(word)) shared += 1;
  return shared / words.size;
}

const shownAmounts = new WeakMap<PageModel, ReadonlySet<number>>();

/**
 * True for a number in script data that the page shows as no price. It may be in cents, before a
 * discount, or the price of a variant.
 */
export function isHiddenPrice({ value, evidence }: Leaf, model: PageModel | undefined): boolean {
  if (evidence.source !== "state" || model === undefined) return false;
  const amount = Number(value);
  return !Number.isNaN(amount) && !listShownAmounts(model).has(amount);
}

function listShownAmounts(model: PageModel): ReadonlySet<number> {
  const known = shownAmounts.get(model);
  if (known !== undefined) return known;
  const [root] = model.nodes;
  const pieces = root === undefined ? [] : model.pieces(root);
  const amounts = new Set(
    pieces.flatMap((piece) =>
      model
        .typedValues(piece)
        .flatMap(({ type, amount }) => (type === "price" && amount !== undefined ? [amount] : [])),
    ),
  );
  shownAmounts.set(model, amounts);
  return amounts;
}
