// Finds shipping cost, delivery time and the stock of an item in short lines without a label:
// "+ $5.95 shipping", "Lieferung in 2–3 Werktagen", "Only 3 left in stock".
import { isStruck, type PageNode } from "../../../page-model/node.ts";
import { stripNotes } from "./price-tax.ts";
import { selectPlacesOfType, type Place, type VisibleScope } from "./visible-scope.ts";

const MAX_LINE = 100;
const SHIPPING =
  /(?<!\p{L})(?:shipping|ships?|delivery|delivered|delivers|postage|p&p|dispatch(?:ed)?|\p{L}{0,12}versand\p{L}{0,10}|liefer\p{L}{0,10}|geliefert|zustellung|livraison|livré\p{L}{0,2}|expédi\p{L}{1,4}|frais de port|envío|entrega|spedi\p{L}{1,7}|consegna|verzend\p{L}{0,8}|bezorg\p{L}{0,5}|levering|geleverd|levertijd|frakt|leverans|levereres|dostaw\p{L}{0,2}|wysyłk\p{L}{0,2}|doprav\p{L}{0,3}|doručen\p{L}{0,2}|доставк\p{L}{0,2}|送料|配送)(?!\p{L})/iu;
/** A limit for free shipping, or shipping of other orders. */
const THRESHOLD =
  /(?<!\p{L})(?:over|above|from|orders?|spend|minimum|more than|under|free|ab|über|bestellwert|kostenlos|gratis|frei|dès|à partir|plus de|gratuit\p{L}?|desde|a partir|superior\p{L}*|mayor\p{L}*|oltre|vanaf|boven|od|powyżej|nad|fri|över|express|fast(?:er)?|schneller|rapid\p{L}?|próximo día|next.day|returns?|rück\p{L}*|retour\p{L}*)(?!\p{L})/iu;
/** Delivery to another country. */
const ABROAD =
  /(?<!\p{L})(?:nach|to|vers|naar|verso|hacia|para|do|till)\s(?!you|your|home|door)\p{Lu}\p{Ll}{3,}|international|abroad|overseas|ausland|étranger|estero|extranjero|buitenland/u;
const FREE =
  /^(?:\p{P}\s?)?(?:(?:free|fast free) (?:standard )?(?:shipping|delivery)|(?:kostenlose[rn]?|gratis) (?:versand|lieferung)|versandkostenfrei(?:e lieferung)?|livraison (?:gratuite|offerte)|envío gratis|spedizione gratuita|gratis (?:verzending|bezorging)|gratis verzonden|darmowa (?:dostawa|wysyłka)|fri frakt|doprava zdarma|entrega grátis|frete grátis|送料無料)[.!]?$/iu;

/** Prices of delivery; zero where the page says that it is free, whatever the order. */
export function findShippingCosts(scope: VisibleScope): Place[] {
  const { model } = scope;
  const priced = selectPlacesOfType(scope, "price").filter(({ node, value }) => {
    const line = readSentenceAround(scope, node, value.text);
    const words = line.replace(value.text, " ");
    return (
      !isStruck(node) &&
      !ABROAD.test(words) &&
      line.length <= MAX_LINE &&
      SHIPPING.test(words) &&
      !THRESHOLD.test(words) &&
      model.read(line).filter(({ type }) => type === "price").length === 1
    );
  });
  const free = scope.pieces
    .filter((piece) => FREE.test(model.lineOf(piece).trim()) && !isConditional(scope, piece))
    .map((node): Place => {
      const text = model.lineOf(node);
      return { node, value: { type: "price", text, at: 0, amount: 0 } };
    });
  return [...priced, ...free];
}

/** True if the words behind "Free shipping" limit it: "on orders over $50". */
function isConditional({ model }: VisibleScope, node: PageNode): boolean {
  const next = model.next(node);
  const words = next === undefined || next.to - next.from > MAX_LINE ? "" : model.lineOf(next);
  return /\d/.test(words) && THRESHOLD.test(words);
}

/** True for a price in a sentence about delivery; notes such as "plus shipping" do not count. */
export const isShippingPrice = (scope: VisibleScope, { node, value }: Place): boolean =>
  SHIPPING.test(stripNotes(readSentenceAround(scope, node, value.text), value.text));

/** The sentence of a price. */
function readSentenceAround(
  { model, pieces }: VisibleScope,
  node: PageNode,
  price: string,
): string {
  const piece = pieces.find((each) => model.contains(each, node)) ?? node;
  const line = model.lineOf(piece);
  return line.split(/(?<=[^\d\s][.!?])\s+(?=\p{Lu})/u).find((each) => each.includes(price)) ?? line;
}

const NUMBER = String.raw`\d{1,3}`;
const DAYS = String.raw`(?:(?:business|working|work)[ -]?)?(?:days?|hours?|hrs?|weeks?)|(?:werk|arbeits)?tage?n?|stunden?|wochen?|h(?!\p{L})|jours?(?: ouvr(?:és|ables))?|heures?|semaines?|días?(?: hábiles| laborables)?|horas?|semanas?|giorni(?: lavorativi)?|ore|settimane|(?:werk)?dagen|uur|weken|dni(?: robocz\p{L}{1,3})?|godz\p{L}*|tygodni\p{L}?|(?:arbets)?dagar|veckor|(?:virke|arbejds)?dage|dn[ůíy]|дн\p{L}{1,2}|営業日|日`;
const PERIOD = new RegExp(
  String.raw`(?<![\d.,])${NUMBER}(?:\s?(?:[-–—~]|to|bis|à|a|do|tot|till|til|or|oder|ou)\s?${NUMBER})?\s?(?:${DAYS})`,
  "iu",
);
const RETURNS =
  /return|refund|rückgabe|widerruf|retour|rembours|devoluc|reso\b|resi\b|zwrot|retur|trial|warrant|garanti/iu;

/** A faster delivery for a higher price. */
const EXPRESS = /express|next.day|overnight|eilversand|ekspres|exprés/iu;

/** Times such as "2–4 business days" in lines about delivery, except express delivery. */
export function findDeliveryTimes(scope: VisibleScope): Place[] {
  return scope.pieces.flatMap((node): Place[] => {
    if (node.to - node.from > MAX_LINE || isStruck(node)) return [];
    const line = scope.model.lineOf(node);
    if (!SHIPPING.test(line) || RETURNS.test(line) || EXPRESS.test(line)) return [];
    const match = PERIOD.exec(line);
    if (match === null) return [];
    return [{ node, value: { type: "number", text: match[0].trim(), at: match.index } }];
  });
}

const REMAINING_STOCK = [
  /(?<![\d.,+])(\d{1,5})(?:\s(?:items?|pieces?|pcs\.?|units?|copies))?\s(?:left|remaining|in stock|available)(?!\p{L})/iu,
  /(?:nur noch|noch)\s(\d{1,5})(?:\s(?:stück|artikel))?\s(?:auf lager|verfügbar|vorrätig|lieferbar)/iu,
  /(?<![\d.,+])(\d{1,5})\s(?:stück|stk\.?)\s(?:auf lager|verfügbar|vorrätig|lieferbar)/iu,
  /(?:plus que|il reste|reste)\s(\d{1,5})(?:\s(?:articles?|exemplaires?|pièces?))?(?:\s(?:en stock|disponibles?))?/iu,
  /(?:quedan?|solo|sólo)\s(\d{1,5})(?:\s(?:unidades?|disponibles?))/iu,
  /(?:solo|ne restano|ultimi)\s(\d{1,5})(?:\s(?:pezzi|disponibili|rimasti))/iu,
  /nog\s(?:maar\s)?(\d{1,5})(?:\s(?:stuks?|exemplaren))?\s(?:op voorraad|beschikbaar|over)/iu,
  /(?:został[oay]?|ostatnie|tylko)\s(\d{1,5})\s(?:szt|sztuk)/iu,
  /(?:endast|bara)\s(\d{1,5})\s(?:kvar|st\b|i lager)/iu,
  /(?<![\d.,+])(\d{1,5})\s(?:auf lager|op voorraad|en stock|in magazzino|i lager|na stanie|skladem)(?!\p{L})/iu,
  /(?:lagerbestand|bestand|voorraad|stock|giacenza|lagersaldo)\s?:\s?(\d{1,3}(?:[.,\u00A0\u202F ]\d{3})+|\d{1,6})(?!\d)/iu,
  /残り\s?(\d{1,5})\s?(?:点|個|つ)/u,
];

/** Numbers of pieces that are left. */
export function findStockCounts(scope: VisibleScope): Place[] {
  return scope.pieces.flatMap((node): Place[] => {
    if (node.to - node.from > MAX_LINE) return [];
    const line = scope.model.lineOf(node);
    const match = REMAINING_STOCK.map((pattern) => pattern.exec(line)).find(
      (found) => found !== null,
    );
    const count = match?.[1];
    if (match === undefined || match === null || count === undefined) return [];
    const value = {
      type: "quantity",
      text: match[0],
      at: match.index,
      amount: Number(count.replaceAll(/\D/g, "")),
    } as const;
    return [{ node, value }];
  });
}
