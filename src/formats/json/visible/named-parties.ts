// Finds who makes or sells an item: "Sold by Hearth & Co", "by Aero" below the title, a link to the
// page of a brand.
import type { PageNode } from "../../../page-model/node.ts";
import { selectNearestToHeading, type Place, type VisibleScope } from "./visible-scope.ts";

const MAX_LINE = 100;
const MAX_PARTY = 60;
const SOLD_BY =
  /^(?:sold(?: (?:and|&) (?:shipped|dispatched|fulfilled))? by|(?:verkauf|verkauft)(?: und versand\p{L}*)? (?:durch|von)|vendu(?: et expédié)? par|vendido(?: y enviado| e entregue)? por|vendut[oa](?: e spedit[oa])? da|ver(?:koop|kocht)(?: en verz\p{L}+)? door|säljs(?: och levereras)? av|sælges(?: og leveres)? af|sprzedaje(?: i wysyła)?|sprzedawca)[\s:]+(.+)$/iu;
const MADE_BY = /^(?:by|von|par|door|av|af|di)\s+(.{2,60})$/iu;
const BRAND_PATH =
  /\/(?:brands?|marken?|marques?|marcas?|merken?|hersteller|manufacturers?|vendors?|marka|varumarken?|producent\p{L}*)\/[^/?#]+/iu;

/** Names behind "Sold by". */
export const findSellers = (scope: VisibleScope): Place[] =>
  scope.pieces.flatMap((piece) => {
    const line = scope.model.lineOf(piece);
    const party = line.length <= MAX_LINE ? SOLD_BY.exec(line)?.[1] : undefined;
    return party === undefined ? [] : [toParty(scope, piece, party)];
  });

/** Names of links to the page of a brand and of a line such as "by Aero", near the heading. */
export function findBrands(scope: VisibleScope): Place[] {
  const { model } = scope;
  const linked = scope.elements("a").flatMap((node): Place[] => {
    const text = model.lineOf(node);
    const isBrand =
      text.length > 1 &&
      text.length <= MAX_PARTY &&
      BRAND_PATH.test(node.element.attribs["href"] ?? "");
    // "Visit the Aero store" names it in a sentence.
    return isBrand && text.split(/\s+/).length <= 4 ? [toPlace(node, text)] : [];
  });
  const near = selectNearestToHeading(scope, linked);
  return near.length > 0 ? near : findMakers(scope);
}

/** "by Aero" in a short line of its own with a link, beside the heading. */
function findMakers(scope: VisibleScope): Place[] {
  const { model } = scope;
  const { heading } = model;
  const around = heading === undefined ? undefined : model.parent(heading);
  if (around === undefined) return [];
  return scope.pieces.flatMap((piece): Place[] => {
    if (!model.contains(around, piece) || piece.index < (heading?.index ?? 0)) return [];
    if (piece.index > (heading?.end ?? 0) + MAX_NODES_BEHIND) return [];
    const party = MADE_BY.exec(model.lineOf(piece))?.[1];
    const link = model.below(piece).find(({ element }) => element.name === "a");
    return party !== undefined && link !== undefined && model.lineOf(link) === party.trim()
      ? [toPlace(link, party.trim())]
      : [];
  });
}

/** Elements between the heading and the name of the maker. */
const MAX_NODES_BEHIND = 3;

/** The link in a line is the name; without one, the words up to the next sentence. */
function toParty(scope: VisibleScope, piece: PageNode, party: string): Place {
  const link = scope.model
    .below(piece)
    .find(({ element, from, to }) => element.name === "a" && to > from);
  const text = link === undefined ? "" : scope.model.lineOf(link);
  if (link !== undefined && party.startsWith(text)) return toPlace(link, text);
  return toPlace(piece, (party.split(/\s[·•|(–]\s?|[.,;]\s/u, 1)[0] ?? party).trim());
}

const toPlace = (node: PageNode, text: string): Place => ({
  node,
  value: { type: "number", text, at: 0 },
});
