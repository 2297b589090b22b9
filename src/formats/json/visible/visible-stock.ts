// Decides whether an item can be bought, by the stated availability or by its buy button.
import { isTag } from "domhandler";
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { findCurrentPrices } from "./visible-prices.ts";
import { isBuyButton, readStock, type Stock } from "../values/stock.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

type Statement = { readonly node: PageNode; readonly stock: Stock; readonly text: string };

export function findAvailability(scope: VisibleScope, shape: Shape): VisibleAnswer | undefined {
  const stated = listStatements(scope);
  const all = stated.length > 0 || isPurchaseUncertain(scope) ? stated : readButtons(scope);
  const [first] = all;
  if (first === undefined) return undefined;
  if (new Set(all.map(({ stock }) => stock)).size > 1)
    return { reason: "the page shows different states of availability" };
  // A button shows that the item can be bought, but not the page's wording.
  const isPlain = shape.kind === "string" && shape.enum === undefined;
  if (isPlain && stated.length === 0) return undefined;
  const value =
    shape.kind === "boolean" ? first.stock !== "OutOfStock" : isPlain ? first.text : first.stock;
  const leaf = toVisibleLeaf(scope, first.node, value, "list", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/**
 * True if all statements of a page's item say that it is in stock, false if all say the reverse.
 */
export function readShownStock(scope: VisibleScope): boolean | undefined {
  const shown = new Set(listStatements(scope).map(({ stock }) => stock));
  if (shown.size !== 1) return undefined;
  if (shown.has("InStock")) return true;
  return shown.has("OutOfStock") ? false : undefined;
}

const listStatements = (scope: VisibleScope): Statement[] =>
  scope.pieces.flatMap((node): Statement[] => {
    const line = scope.model.lineOf(node);
    // "$19.99 · In stock": the part about the stock.
    const parts = line.split(/\s+[·•|]\s+/u);
    const text = parts.find((part) => readStock(part) !== undefined) ?? line;
    const stock = readStock(line);
    return stock === undefined || isOfVariant(scope, node) ? [] : [{ node, stock, text }];
  });

/**
 * True in a table of several columns or in one of several records: the statement is for one
 * variant.
 */
function isOfVariant({ model, isPage }: VisibleScope, node: PageNode): boolean {
  if (!isPage) return false;
  const { heading } = model;
  const isInTable = model.grids.some(
    (grid) => grid.headers.length > 2 && model.contains(grid.node, node),
  );
  return (
    isInTable ||
    model.recordSets.some(({ records }) => {
      const own = records.filter(({ nodes }) => nodes.some((each) => model.contains(each, node)));
      const isWhole =
        heading !== undefined &&
        own.some(({ nodes }) => nodes.some((each) => model.contains(each, heading)));
      const [first] = own;
      if (first === undefined || isWhole || records.length < 2) return false;
      // A variant has a name and more beside the statement.
      return (
        first.nodes.reduce((sum, each) => sum + model.pieces(each).length, 0) >= 2 &&
        records.some(
          (record) =>
            record !== first &&
            !record.nodes.some((each) =>
              model.pieces(each).some((piece) => readStock(model.lineOf(piece)) !== undefined),
            ),
        )
      );
    })
  );
}

/** Classes and styles that make a button look disabled without its attribute. */
const LOOKS_DISABLED =
  /(?:^|[\s_-])(?:disabled|sold-?out|unavailable|out-?of-?stock)(?![:\w-])|(?:^|\s)(?:cursor-not-allowed|pointer-events-none)(?:\s|$)|pointer-events:\s?none/i;
/** Offers to notify when an item is available again. */
const NOTIFY_BUTTON =
  /^(?:notify me|(?:e-?)?mail me when|let me know|remind me|join (?:the )?wait(?:ing )?list|wait-?list|back in stock|benachrichtig|(?:bei )?verfügbarkeit|sobald (?:wieder )?verfügbar|(?:prévenez|m['’]avert|alertez)|avísa?me|notifícame|avvisami|avise-me|houd mij op de hoogte|powiadom|сообщить|уведомить|入荷|再入荷|到货通知|到貨通知|재입고)/iu;

/**
 * True if a buy button is not enough: the page offers to notify of a return, some variants cannot
 * be chosen, or no price is next to it.
 */
function isPurchaseUncertain(scope: VisibleScope): boolean {
  if (findCurrentPrices(scope).length === 0) return true;
  const isUnavailable = scope.elements("select", "input", "button").some((node) => {
    const { name, attribs, children } = node.element;
    if (name === "select")
      return children.some(
        (child) =>
          isTag(child) && child.attribs["disabled"] !== undefined && child.attribs["value"] !== "",
      );
    if (name === "input" && attribs["type"] !== "radio") return false;
    const isDisabled = attribs["disabled"] !== undefined || attribs["aria-disabled"] === "true";
    return isDisabled && (name === "input" || isChoice(scope, node));
  });
  return (
    isUnavailable ||
    scope
      .elements("button", "a", "label", "summary")
      .some((node) => NOTIFY_BUTTON.test(scope.model.lineOf(node)))
  );
}

/**
 * Buttons of galleries and quantities, which are disabled at their first picture or at one piece.
 */
const STEPS =
  /prev|next|slide|swip|carousel|gallery|arrow|chevron|minus|plus|decre|incre|reduce|quantit|\bqty|menge|anzahl|weniger|zurück|précédent|diminuer|anterior|menos|cantidad|precedente|quantità|vorige|poprzedni|mniej/iu;

/**
 * True for a button that may be a variant: it names something, and is no step of a gallery or
 * quantity.
 */
function isChoice(scope: VisibleScope, node: PageNode): boolean {
  const text = scope.model.lineOf(node);
  const {
    class: classes = "",
    name = "",
    id = "",
    "aria-label": label = "",
  } = node.element.attribs;
  return /[\p{L}\d]/u.test(text) && !STEPS.test([text, label, classes, name, id].join(" "));
}

/**
 * Buttons that put the item into a cart; a button that is or looks disabled is no certain evidence.
 */
function readButtons(scope: VisibleScope): Statement[] {
  return scope.elements("button", "input", "a", "img").flatMap((node): Statement[] => {
    const { name, attribs } = node.element;
    if (attribs["disabled"] !== undefined || attribs["aria-disabled"] === "true") return [];
    if (LOOKS_DISABLED.test(`${attribs["class"] ?? ""} ${attribs["style"] ?? ""}`)) return [];
    if (name === "a" && attribs["role"] !== "button" && !/btn|button/i.test(attribs["class"] ?? ""))
      return [];
    const text =
      name === "button" || name === "a"
        ? scope.model.lineOf(node)
        : (attribs[name === "img" || attribs["type"] === "image" ? "alt" : "value"] ?? "");
    return isBuyButton(text) ? [{ node, stock: "InStock", text }] : [];
  });
}
