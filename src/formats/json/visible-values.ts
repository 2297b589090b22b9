// What a page shows for one property: a label that means it, a column of that name, or the only value of its type. Where
// the page shows several different values, none is given.
import { isStruck, type PageNode } from "../../page-model/node.ts";
import type { Pair, PairKind } from "../../page-model/pairs.ts";
import type { ValueType } from "../../page-model/typed-values.ts";
import { currentText } from "../../page-model/grids.ts";
import { pathOf } from "../../html/parse/tree.ts";
import { shorten, type Evidence, type Leaf, type SourceKind } from "./finding.ts";
import { similarity, nameOf, withoutWords, type Name } from "./names.ts";
import type { Shape } from "./shape.ts";
import { readStock } from "./stock.ts";
import { isCurrent, ofType, type Place, type VisibleScope } from "./visible-scope.ts";
import { currentPrices } from "./visible-prices.ts";
import { titleOf } from "./visible-title.ts";

export type Confidence = "high" | "medium";

export type VisibleValue = {
  readonly leaves: readonly Leaf[];
  readonly confidence: Confidence;
  /** The node that shows it. */
  readonly node: PageNode;
};

export type VisibleAnswer =
  | { readonly found: VisibleValue }
  /** Why the page gives no value: for `missing`. */
  | { readonly reason: string };

const NOTHING: VisibleAnswer = { reason: "the page shows no label or value for it" };

export function findVisibleValue(
  property: Name,
  shape: Shape,
  scope: VisibleScope,
  typeWords: ReadonlySet<string>,
): VisibleAnswer {
  const wanted = withoutWords(property, typeWords);
  const labeled = fromLabels(property, wanted, shape, scope, typeWords);
  if (labeled !== undefined) return labeled;
  const typed = fromTypes(wanted, shape, scope);
  if (typed !== undefined) return typed;
  return NOTHING;
}

/** Leaves for a value with the place it was read from. */
export function toVisibleLeaf(
  scope: VisibleScope,
  node: PageNode,
  value: string | number | boolean,
  source: SourceKind,
  text = scope.model.lineOf(node),
): Leaf {
  const evidence: Evidence = {
    source,
    selector: pathOf(node.element),
    ref: node.ref,
    text: shorten(text),
  };
  return { kind: "leaf", value, evidence };
}

/** Kinds of pairs from which a label is believed without a second look. */
const FIRM: ReadonlySet<PairKind> = new Set(["term", "row", "colon", "control", "spoken"]);

function fromLabels(
  property: Name,
  wanted: Name,
  shape: Shape,
  scope: VisibleScope,
  typeWords: ReadonlySet<string>,
): VisibleAnswer | undefined {
  const like = (text: string): number => {
    const label = nameOf(text);
    const score = Math.max(
      similarity(property, label),
      similarity(wanted, withoutWords(label, typeWords)),
    );
    if (score >= 0.9) return score;
    // A label with fewer words than the property names it; one with more names something narrower.
    return score > 0 && label.words.length < property.words.length ? score : 0;
  };
  const columns = scope.cells
    .map((named) => ({ ...named, score: like(named.name) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);
  const [column] = columns;
  if (
    column !== undefined &&
    column.cell.text !== "" &&
    columns.filter(({ score }) => score === column.score).length === 1
  )
    return {
      found: {
        leaves: leavesOfNode(
          scope,
          column.cell.node,
          currentText(scope.model, column.cell),
          shape,
          wanted,
          "table",
        ),
        confidence: column.score >= 0.9 ? "high" : "medium",
        node: column.cell.node,
      },
    };
  const scored = scope.pairs
    .map((pair) => ({ pair, score: like(pair.label) }))
    .filter(
      ({ pair, score }) => score >= 0.6 && !isStruck(pair.node) && suits(pair, wanted, shape),
    );
  if (scored.length === 0) return undefined;
  const best = Math.max(...scored.map(({ score }) => score));
  const matches = scored.filter(({ score }) => score === best).map(({ pair }) => pair);
  const [match] = narrow(matches, scope);
  if (match === undefined)
    return {
      reason: `the page shows ${new Set(matches.map(({ value }) => fold(value))).size} different values for it`,
    };
  const confidence = best >= 0.9 && FIRM.has(match.kind) ? "high" : "medium";
  return {
    found: {
      leaves: leavesOfPair(scope, match, shape, wanted),
      confidence,
      node: match.node,
    },
  };
}

/** Neighbors and headings may stand together by chance: what follows must be of the property's type. */
function suits(pair: Pair, wanted: Name, shape: Shape): boolean {
  if (pair.kind === "count") return shape.kind !== "string" || wanted.words.length > 0;
  if (pair.kind !== "neighbors" && pair.kind !== "section") return true;
  if (shape.kind === "number" || shape.kind === "integer") return /\d/.test(pair.value);
  // A name over its description is not a label with its value.
  return pair.value.length <= 300;
}

/** One pair where all that is left says the same. */
function narrow(pairs: readonly Pair[], scope: VisibleScope): Pair[] {
  if (isOne(pairs)) return [...pairs];
  const heading = scope.isPage ? scope.model.heading : undefined;
  const near =
    heading === undefined ? [] : pairs.filter(({ node }) => isBesideHeading(scope, heading, node));
  if (near.length > 0 && isOne(near)) return near;
  const firm = (near.length > 0 ? near : pairs).filter(({ kind }) => FIRM.has(kind));
  return firm.length > 0 && isOne(firm) ? firm : [];
}

const isOne = (pairs: readonly Pair[]): boolean =>
  new Set(pairs.map(({ value }) => fold(value))).size === 1;

const fold = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** In the smallest part of the page that has the heading and more than the heading. */
function isBesideHeading(scope: VisibleScope, heading: PageNode, node: PageNode): boolean {
  const { model } = scope;
  for (let at = model.parent(heading); at !== undefined; at = model.parent(at)) {
    if (model.contains(at, node)) return true;
    if (at.to - at.from > (heading.to - heading.from) * 3 + 200) return false;
  }
  return false;
}

function leavesOfPair(scope: VisibleScope, pair: Pair, shape: Shape, wanted: Name): Leaf[] {
  const whole = scope.model.lineOf(pair.node);
  // Part of a node, or of a control: the text alone.
  if (pair.value !== whole || pair.kind === "colon" || pair.kind === "control")
    return [
      toVisibleLeaf(
        scope,
        pair.node,
        typedText(scope, pair.value, shape, wanted),
        "label",
        whole || pair.value,
      ),
    ];
  return leavesOfNode(scope, pair.node, pair.value, shape, wanted, "label");
}

/** The value of a node: its machine-readable form, its link where an address is wanted, its text. */
function leavesOfNode(
  scope: VisibleScope,
  node: PageNode,
  text: string,
  shape: Shape,
  wanted: Name,
  source: SourceKind,
): Leaf[] {
  const below = scope.model.below(node);
  const machine = below.map(({ element: { name, attribs } }) =>
    name === "time"
      ? attribs["datetime"]
      : name === "data" || name === "meter"
        ? attribs["value"]
        : undefined,
  );
  const [stated, ...others] = machine.filter((value) => value !== undefined && value.trim() !== "");
  const leaves: Leaf[] = [];
  if (stated !== undefined && others.length === 0 && shape.kind !== "boolean")
    if (
      shape.format !== undefined ||
      shape.kind !== "string" ||
      DATES.some((concept) => wanted.concepts.has(concept))
    )
      leaves.push(toVisibleLeaf(scope, node, stated, source));
  if (wantsAddress(wanted, shape)) {
    const [link] = below.filter(
      ({ element }) =>
        element.attribs["href"] !== undefined || element.attribs["src"] !== undefined,
    );
    const address = link?.element.attribs["href"] ?? link?.element.attribs["src"];
    if (link !== undefined && address !== undefined)
      leaves.push(toVisibleLeaf(scope, link, address, source));
  }
  leaves.push(toVisibleLeaf(scope, node, typedText(scope, text, shape, wanted), source, text));
  return leaves;
}

const DATES = ["date", "published", "modified", "start", "end", "deadline", "birth date"];

export const wantsAddress = (wanted: Name, shape: Shape): boolean =>
  shape.format === "uri" ||
  shape.format === "url" ||
  ["url", "image", "logo", "website"].some((concept) => wanted.concepts.has(concept));

/** The part of a text that is of the wanted type, where there is one only. */
function typedText(scope: VisibleScope, text: string, shape: Shape, wanted: Name): string {
  const type = typeOf(wanted, shape);
  if (type === undefined) return text;
  const node = scope.model.nodes[0];
  if (node === undefined) return text;
  const values = scope.model.read(text).filter((value) => value.type === type);
  return values.length === 1 && values[0] !== undefined ? values[0].text : text;
}

function typeOf({ concepts }: Name, shape: Shape): ValueType | undefined {
  if (concepts.has("price") || concepts.has("list price")) return "price";
  if (concepts.has("email") || shape.format === "email") return "email";
  return undefined;
}

/** The only value of a type in a scope. */
function fromTypes(wanted: Name, shape: Shape, scope: VisibleScope): VisibleAnswer | undefined {
  const { concepts } = wanted;
  const has = (...names: readonly string[]): boolean => names.some((name) => concepts.has(name));
  if (has("list price"))
    return only(
      scope,
      ofType(scope, "price").filter((place) => !isCurrent(place)),
      shape,
    );
  if (has("price")) return only(scope, currentPrices(scope), shape);
  if (has("currency")) return currency(scope);
  if (has("email") || shape.format === "email") return only(scope, ofType(scope, "email"), shape);
  if (has("phone")) return only(scope, phones(scope), shape);
  if (has("rating")) return only(scope, ofType(scope, "rating"), shape);
  if (has("availability")) return availability(scope, shape);
  if (!scope.isPage) {
    if (has("name")) return title(scope);
    if (has("url")) return link(scope);
    if (has("image")) return picture(scope);
    if (has("date", "published", "start", "deadline"))
      return only(scope, ofType(scope, "date"), shape);
    if (has("description")) return prose(scope);
  }
  if (shape.kind === "number" || shape.kind === "integer") return counted(wanted, scope, shape);
  return undefined;
}

function only(
  scope: VisibleScope,
  places: readonly Place[],
  shape: Shape,
): VisibleAnswer | undefined {
  const [first] = places;
  if (first === undefined) return undefined;
  const different = new Set(
    places.map(({ value }) => value.amount ?? value.unit ?? fold(value.text)),
  );
  if (different.size > 1) return { reason: `the page shows ${different.size} values of its type` };
  return {
    found: {
      leaves: [leafOf(scope, first, shape)],
      confidence: scope.isPage ? "medium" : "high",
      node: first.node,
    },
  };
}

function leafOf(scope: VisibleScope, { value, node }: Place, shape: Shape): Leaf {
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  const given =
    isNumber && value.amount !== undefined
      ? value.amount
      : value.type === "date" && shape.format !== undefined
        ? (dateOf(node) ?? value.unit ?? value.text)
        : value.text;
  return toVisibleLeaf(scope, node, given, "list", value.text);
}

const dateOf = ({ element: { name, attribs } }: PageNode): string | undefined =>
  name === "time" ? attribs["datetime"] : undefined;

function currency(scope: VisibleScope): VisibleAnswer | undefined {
  const prices = currentPrices(scope).filter(({ value }) => value.unit !== undefined);
  const [first] = prices;
  if (first === undefined || new Set(prices.map(({ value }) => value.unit)).size > 1)
    return undefined;
  const leaf = toVisibleLeaf(scope, first.node, first.value.unit ?? "", "list", first.value.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/** Numbers of telephones; a number in a `tel:` link is one whatever it looks like. */
function phones(scope: VisibleScope): Place[] {
  const linked = scope
    .elements("a")
    .filter(({ element }) => element.attribs["href"]?.startsWith("tel:"))
    .map((node): Place => {
      const text = scope.model.lineOf(node);
      const shown = /\d/.test(text)
        ? text
        : (node.element.attribs["href"] ?? "").slice("tel:".length);
      return { node, value: { type: "phone", text: shown.trim(), at: 0 } };
    });
  return linked.length > 0 ? linked : ofType(scope, "phone");
}

function availability(scope: VisibleScope, shape: Shape): VisibleAnswer | undefined {
  const heading = scope.isPage ? scope.model.heading : undefined;
  const stated = scope.pieces.flatMap((node) => {
    const text = scope.model.lineOf(node);
    const stock = readStock(text);
    return stock === undefined || (heading !== undefined && node.index < heading.index)
      ? []
      : [{ node, stock, text }];
  });
  const [first] = stated;
  if (first === undefined) return undefined;
  if (new Set(stated.map(({ stock }) => stock)).size > 1)
    return { reason: "the page shows different states of availability" };
  const isPlain = shape.kind === "string" && shape.enum === undefined;
  const value =
    shape.kind === "boolean" ? first.stock !== "OutOfStock" : isPlain ? first.text : first.stock;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, first.node, value, "list", first.text)],
      confidence: "medium",
      node: first.node,
    },
  };
}

function title(scope: VisibleScope): VisibleAnswer | undefined {
  const node = titleOf(scope);
  if (node === undefined) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, scope.model.lineOf(node), "list")],
      confidence: "high",
      node,
    },
  };
}

function link(scope: VisibleScope): VisibleAnswer | undefined {
  const links = scope
    .elements("a")
    .filter(({ element }) =>
      /^(?!#|javascript:|mailto:|tel:)\S/i.test(element.attribs["href"] ?? ""),
    );
  const titled = titleOf(scope);
  const own =
    titled === undefined
      ? undefined
      : links.find(
          (node) => scope.model.contains(node, titled) || scope.model.contains(titled, node),
        );
  const targets = new Set(links.map(({ element }) => element.attribs["href"]));
  const chosen = own ?? (targets.size === 1 ? links[0] : undefined);
  if (chosen === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, chosen, chosen.element.attribs["href"] ?? "", "list");
  return { found: { leaves: [leaf], confidence: "high", node: chosen } };
}

function picture(scope: VisibleScope): VisibleAnswer | undefined {
  const pictures = scope.elements("img").flatMap((node) => {
    const { src = "", "data-src": late } = node.element.attribs;
    const address = late ?? src;
    return address === "" || address.startsWith("data:") ? [] : [{ node, address }];
  });
  const [first] = pictures;
  if (first === undefined || new Set(pictures.map(({ address }) => address)).size > 1)
    return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, first.node, first.address, "list")],
      confidence: "high",
      node: first.node,
    },
  };
}

const MIN_PROSE = 60;

/** The only long text of a record. */
function prose(scope: VisibleScope): VisibleAnswer | undefined {
  const long = scope.pieces.filter(({ from, to }) => to - from >= MIN_PROSE);
  const [node] = long;
  if (node === undefined || long.length > 1) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, node, scope.model.lineOf(node), "list")],
      confidence: "medium",
      node,
    },
  };
}

const REVIEWS =
  /^(?:reviews?|ratings?|opinions?|votes?|bewertung(?:en)?|rezensionen|avis|évaluations?|reseñas?|opiniones|valoraciones|calificaciones|recensioni|avaliações|beoordelingen|recenzi[ei]|opinii|отзыв(?:а|ов)?|оценок|レビュー|件|评价|評價|リビュー|리뷰|تقييم(?:ات)?)$/iu;

/** "4 bedrooms", "128 reviews": a number with the property's name as what it counts. */
function counted(wanted: Name, scope: VisibleScope, shape: Shape): VisibleAnswer | undefined {
  const isReviews = wanted.concepts.has("rating count");
  const places = ofType(scope, "quantity").filter(({ value }) => {
    const unit = value.unit ?? "";
    return isReviews ? REVIEWS.test(unit) : similarity(wanted, nameOf(unit)) >= 0.9;
  });
  return only(scope, places, shape);
}
