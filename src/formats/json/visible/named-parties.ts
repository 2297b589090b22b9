// Finds who makes or sells an item: "Sold by Hearth & Co", "by Aero" below the title, a link to the
// page of a brand.
import type { PageNode } from "../../../page-model/node.ts";
import { findTitleNode } from "./visible-title.ts";
import { selectNearestToHeading, type Place, type VisibleScope } from "./visible-scope.ts";

const MAX_LINE = 100;
const MAX_PARTY = 60;
const SOLD_BY =
  /^(?:sold(?: (?:and|&) (?:shipped|dispatched|fulfilled))? by|(?:verkauf|verkauft)(?: und versand\p{L}*)? (?:durch|von)|vendu(?: et expédié)? par|vendido(?: y enviado| e entregue)? por|vendut[oa](?: e spedit[oa])? da|ver(?:koop|kocht)(?: en verz\p{L}+)? door|säljs(?: och levereras)? av|sælges(?: og leveres)? af|sprzedaje(?: i wysyła)?|sprzedawca)[\s:]+(.+)$/iu;
/** "Sold by the meter", "sold by 30 shops". */
const NO_PARTY = /^(?:\p{Ll}|\d+\s)/u;
const MADE_BY = /^(?:by|von|par|door|av|af|di)\s+(.{2,60})$/iu;
const BRAND_PATH =
  /\/(?:brands?|marken?|marques?|marcas?|merken?|hersteller|manufacturers?|vendors?|marka|varumarken?|producent\p{L}*)\/[^/?#]+/iu;
/** "Visit the Aero store". */
const STORE =
  /^(?:visit the (.{2,40}) store|(?:besuche|besuchen sie) den (.{2,40})[ -](?:store|shop)|visiter la boutique (.{2,40})|visita la tienda de (.{2,40})|visita lo store di (.{2,40})|bezoek de (.{2,40})[ -](?:store|winkel))$/iu;
/** Links with the name in a sentence: "More from Aero". */
const CALL_TO_ACTION =
  /^(?:visit|shop|see|view|show|discover|explore|more|all|follow|besuch\p{L}*|mehr|alle|zum|zur|entdeck\p{L}*|voir|tous|toute?s?|plus|découvr\p{L}*|visiter|ver|más|todos|visita|vedi|tutti|scopri|meer|bekijk|bezoek|visa|se|zobacz|więcej)\s/iu;

/** Names behind "Sold by". */
export const findSellers = (scope: VisibleScope): Place[] =>
  scope.pieces.flatMap((piece) => {
    const line = scope.model.lineOf(piece);
    const party = line.length <= MAX_LINE ? SOLD_BY.exec(line)?.[1] : undefined;
    if (party === undefined) return [];
    const place = toParty(scope, piece, party);
    const isNamed = place.node !== piece || line.includes(":") || !NO_PARTY.test(place.value.text);
    return isNamed ? [place] : [];
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
    if (!isBrand) return [];
    const inSentence = STORE.exec(text)
      ?.slice(1)
      .find((name) => name !== undefined);
    if (inSentence !== undefined) return [toPlace(node, inSentence)];
    return text.split(/\s+/).length <= 4 && !CALL_TO_ACTION.test(text) ? [toPlace(node, text)] : [];
  });
  const near = selectNearestToHeading(scope, linked);
  return near.length > 0 ? near : findMakers(scope);
}

/**
 * The brand in the line above the title of a card, where the address of the card starts with it too:
 * "Aero" for `/p/aero-desk-lamp`.
 */
export function findBrandAboveTitle(scope: VisibleScope): Place[] {
  const { model, pieces } = scope;
  const title = findTitleNode(scope);
  const at = pieces.findIndex((piece) => title !== undefined && model.contains(piece, title));
  const above = pieces[at - 1];
  if (title === undefined || above === undefined) return [];
  const name = model.lineOf(above);
  const isNamedSo = (slug: string): boolean => {
    const [brand, product] = [toSlug(name), toSlug(model.lineOf(title))];
    const [first = ""] = product.split("-");
    // The name of the product follows; else the line may be its category.
    return brand !== "" && first !== "" && slug.startsWith(`${brand}-${first}`);
  };
  const isBrand =
    name.length <= MAX_PARTY &&
    scope
      .elements("a")
      .some(({ element }) =>
        (element.attribs["href"] ?? "").toLowerCase().split(/[/?#]/).some(isNamedSo),
      );
  return isBrand ? [toPlace(above, name)] : [];
}

const toSlug = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "");

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
