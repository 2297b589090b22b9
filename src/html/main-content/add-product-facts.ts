// Shops that render prices and variants by script repeat them in linked data. Facts missing from
// the page's text are added below its content.
import type { Document } from "domhandler";
import { createElement, createText } from "../parse/nodes.ts";
import type { PageHints } from "../evidence/page-hints.ts";
import { PRICE_LABEL, type ProductData, type ProductFact } from "../evidence/product-data.ts";
import { findElement, readText, setChildren } from "../parse/tree.ts";
import type { Segmentation } from "./blocks/blocks.ts";

/**
 * Appends a list of linked-data facts about the page's product that no text of the page contains,
 * kept or dropped; the price also if only dropped text contains it. Returns the added facts. If the
 * data describes several products, only the one that the title names is used.
 */
export function addProductFacts(
  root: Document,
  page: Segmentation,
  hints: PageHints,
): ProductFact[] {
  const product = findMainProduct(hints);
  if (product === undefined || product.facts.length === 0) return [];
  const said = fold(page.texts.map(({ data }) => data).join(" "));
  const kept = fold(readText(root));
  const lacking = product.facts.filter(
    (fact) => !isStated(fact, fact.label === PRICE_LABEL ? kept : said),
  );
  if (lacking.length > 0) append(root, lacking);
  return lacking;
}

const fold = (text: string): string => text.toLowerCase().replaceAll(/\s+/g, " ");

function findMainProduct({ products, title }: PageHints): ProductData | undefined {
  if (products.length === 1) return products[0];
  const inTitle = title.toLowerCase();
  return products.find(({ name }) => name !== "" && inTitle.includes(name.toLowerCase()));
}

/** Numbers are compared by digits: a page writes 1.299,00 where its data says 1299.00. */
function isStated({ label, value }: ProductFact, said: string): boolean {
  if (label !== PRICE_LABEL) return said.includes(value.toLowerCase());
  return value.split(" – ").every((price) => {
    const [whole = "", cents = ""] = price.replace(/[^\d.].*$/, "").split(".");
    const grouped = whole.replaceAll(/\B(?=(?:\d{3})+$)/g, "[.,'\\s]?");
    // The digits and the cents may be separate elements.
    const fraction = `[.,\\s]{1,2}${cents.padEnd(2, "0")}`;
    const isWhole = /^0*$/.test(cents);
    return new RegExp(`(?<!\\d)${grouped}${isWhole ? `(?:${fraction})?` : fraction}(?!\\d)`).test(
      said,
    );
  });
}

function append(root: Document, facts: readonly ProductFact[]): void {
  const list = createElement("ul", {});
  setChildren(
    list,
    facts.map(({ label, value }) => {
      const item = createElement("li", {});
      setChildren(item, [createText(`${label}: ${value}`)]);
      return item;
    }),
  );
  const place = findElement(root, (element) => element.name === "body") ?? root;
  setChildren(place, [...place.children, list]);
}
