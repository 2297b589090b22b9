// Whether an item can be bought, by what the page states or by its button for buying.
import type { PageNode } from "../../page-model/node.ts";
import type { Shape } from "../../runtime/json-schema/shape.ts";
import { buys, readStock, type Stock } from "./stock.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

type Statement = { readonly node: PageNode; readonly stock: Stock; readonly text: string };

export function findAvailability(scope: VisibleScope, shape: Shape): VisibleAnswer | undefined {
  const heading = scope.isPage ? scope.model.heading : undefined;
  const isBehind = ({ index }: PageNode): boolean => heading === undefined || index > heading.index;
  const stated = scope.pieces.filter(isBehind).flatMap((node): Statement[] => {
    const text = scope.model.lineOf(node);
    const stock = readStock(text);
    return stock === undefined ? [] : [{ node, stock, text }];
  });
  const all = stated.length > 0 ? stated : buttons(scope).filter(({ node }) => isBehind(node));
  const [first] = all;
  if (first === undefined) return undefined;
  if (new Set(all.map(({ stock }) => stock)).size > 1)
    return { reason: "the page shows different states of availability" };
  // A button says that it can be bought, not in which words the page would say so.
  const isPlain = shape.kind === "string" && shape.enum === undefined;
  if (isPlain && stated.length === 0) return undefined;
  const value =
    shape.kind === "boolean" ? first.stock !== "OutOfStock" : isPlain ? first.text : first.stock;
  const leaf = toVisibleLeaf(scope, first.node, value, "list", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/** Buttons that put the item into a cart; a disabled one says nothing for certain. */
function buttons(scope: VisibleScope): Statement[] {
  return scope.elements("button", "input", "a").flatMap((node): Statement[] => {
    const { name, attribs } = node.element;
    if (attribs["disabled"] !== undefined || attribs["aria-disabled"] === "true") return [];
    if (name === "a" && attribs["role"] !== "button" && !/btn|button/i.test(attribs["class"] ?? ""))
      return [];
    const text = name === "input" ? (attribs["value"] ?? "") : scope.model.lineOf(node);
    return buys(text) ? [{ node, stock: "InStock", text }] : [];
  });
}
