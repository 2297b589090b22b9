// Reads the items of a list of ingredients: "250 g de farine", "2 tbsp olive oil", or the measure and
// the name in parts of their own.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import { readNumbers } from "../values/measures.ts";
import type { WantedProperty } from "./label-match.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const MAX_ITEM = 160;

const FRACTIONS: Readonly<Record<string, number>> = {
  "½": 0.5,
  "⅓": 1 / 3,
  "⅔": 2 / 3,
  "¼": 0.25,
  "¾": 0.75,
  "⅛": 0.125,
};
const NUMBER = String.raw`(?:\d+\s?[½⅓⅔¼¾⅛]|[½⅓⅔¼¾⅛]|\d+\s\d/\d|\d/\d|\d[\d.,]*)`;
const RANGE = String.raw`${NUMBER}(?:\s?(?:[-–—]|to|bis|à|a|o|oder|or|tot)\s?${NUMBER})?`;

/** Measures of recipes, longest first within a language. */
const UNITS = [
  String.raw`kg|g|gr|mg|l|dl|cl|ml|oz|ounces?|lbs?|pounds?|pints?|quarts?|inch(?:es)?|cm`,
  String.raw`cups?|tbsp\.?|tbs\.?|tsp\.?|tablespoons?|teaspoons?|pinch(?:es)?|dash(?:es)?|cloves?|slices?|sprigs?|cans?|tins?|bunch(?:es)?|sticks?|handfuls?|packets?|knobs?`,
  String.raw`EL|TL|Esslöffel|Teelöffel|Prisen?|Msp\.?|Messerspitzen?|Bund|Dosen?|Zehen?|Scheiben?|Stück|Stk\.?|Pck\.?|Päckchen|Packung(?:en)?|Tassen?|Becher|Zweige?|Handvoll|Stangen?|Blätter|Blatt`,
  String.raw`c\.\s?à\s?(?:soupe|café|s\.?|c\.?)|càs|càc|cuill[eè]res?\s(?:à|a)\s(?:soupe|café)|cuillerées?|pincées?|gousses?|tranches?|bottes?|brins?|sachets?|verres?|feuilles?|boîtes?|noix`,
  String.raw`cucharadas?|cucharaditas?|cdas?\.?|cdtas?\.?|tazas?|dientes?|pizcas?|rebanadas?|manojos?|latas?|hojas?|vasos?`,
  String.raw`cucchiai(?:o|ni|no)?|spicchi(?:o)?|pizzic(?:o|hi)|fett[ae]|mazz(?:o|etto|i)|filett[io]|rametti?|rametto|fogli[ae]|bustin[ae]|bicchier[ei]|scatol[ae]`,
  String.raw`eetlepels?|theelepels?|el|tl|teentjes?|teen|tenen|snuf(?:je)?|plakken?|plakjes?|blikjes?|blik|bosje|takjes?|stuks?`,
  String.raw`colheres?\s(?:de|\()\s?(?:sopa|chá)\)?|xícaras?|dentes?|pitadas?|fatias?`,
  String.raw`łyżk[aię]|łyżek|łyżeczk[aię]|łyżeczek|szklank[aię]|szklanek|ząbk[iów]*|ząbek|szczypt[aęy]|msk|tsk|krm|st|spsk|tsk|ss|ts|lžíce|lžička|hrnek|stroužky?`,
].join("|");
const MEASURE = String.raw`${RANGE}(?:\s?(?:${UNITS})(?![\p{L}]))?`;
/** As much as one likes. */
const TO_TASTE = String.raw`q\.?\s?b\.?|n\.?\s?B\.?|to taste|nach Geschmack|naar smaak`;

const ONLY_MEASURE = new RegExp(String.raw`^(?:${MEASURE}|${TO_TASTE})$`, "u");
const LEADING = new RegExp(
  String.raw`^(?:(?:ca\.?|about|approx\.?|environ|etwa|circa)\s)?(${MEASURE})\s+(?:(?:of|de|di)\s|d['’])?(?=\p{L})(.+)$`,
  "u",
);
const UNIT = new RegExp(String.raw`^${RANGE}\s?(${UNITS})$`, "u");

type Ingredient = {
  readonly name: string | undefined;
  readonly measure: string | undefined;
};

const read = new WeakMap<VisibleScope, Ingredient>();

function readIngredient(scope: VisibleScope): Ingredient {
  let known = read.get(scope);
  if (known === undefined) {
    const texts = scope.pieces
      .filter((piece) => !isHidden(piece))
      .flatMap((piece) => splitParts(scope.model, piece))
      .filter((text) => text !== "");
    known = parseTexts(texts);
    read.set(scope, known);
  }
  return known;
}

/** The texts of the elements of a line, if they are all of it. */
function splitParts(model: PageModel, node: PageNode): string[] {
  const parts = model.children(node).filter((child) => !isHidden(child) && child.to > child.from);
  const covered = parts.reduce((sum, { from, to }) => sum + to - from, 0);
  const [only] = parts;
  if (only === undefined || covered + parts.length < node.to - node.from)
    return [model.lineOf(node).trim()];
  return parts.length === 1
    ? splitParts(model, only)
    : parts.map((part) => model.lineOf(part).trim());
}

function parseTexts(texts: readonly string[]): Ingredient {
  const line = texts.join(" ").trim();
  if (line.length > MAX_ITEM) return { name: undefined, measure: undefined };
  const measures = texts.filter((text) => ONLY_MEASURE.test(text));
  const rest = texts.filter((text) => !ONLY_MEASURE.test(text));
  if (measures.length === 1 && rest.length === 1) return { name: rest[0], measure: measures[0] };
  const [, measure, name] = LEADING.exec(line) ?? [];
  if (measure !== undefined) return { name, measure };
  // "Salt, pepper" has no measure; "1 (400 g) can" is not understood.
  return { name: /^\p{L}/u.test(line) ? line : undefined, measure: undefined };
}

const NAME = /^(?:name|item|ingredient|product|text|zutat)$/;
const AMOUNT = /^(?:amount|quantity|qty|menge|measure|quantite|cantidad|quantita|hoeveelheid)$/;
const UNIT_NAME = /^(?:unit|einheit|unite|unidad|unita|eenheid|unit of measure)$/;

const isIngredient = (typeWords: ReadonlySet<string>): boolean =>
  [...typeWords].some((word) => parseName(word).concepts.has("ingredients"));

/** Name, measure, amount or unit of an item in a list of ingredients; undefined elsewhere. */
export function findIngredientPart(
  { name: wanted, typeWords }: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (scope.isPage || !isIngredient(typeWords)) return undefined;
  const key = wanted.words.filter((word) => !typeWords.has(word)).join(" ") || "name";
  const { name, measure } = readIngredient(scope);
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  const value = NAME.test(key)
    ? name
    : measure === undefined
      ? undefined
      : AMOUNT.test(key)
        ? isNumber
          ? toAmount(measure, scope)
          : measure
        : UNIT_NAME.test(key)
          ? UNIT.exec(measure)?.[1]
          : undefined;
  const [node] = scope.roots;
  if (value === undefined || node === undefined) return undefined;
  const leaves = [toVisibleLeaf(scope, node, value, "list")];
  return { found: { leaves, confidence: "medium", node } };
}

/** The amount of a measure; undefined for a range. */
function toAmount(measure: string, { model }: VisibleScope): number | undefined {
  const [, written = ""] = new RegExp(`^(${RANGE})`, "u").exec(measure) ?? [];
  const [, whole = "0", sign = ""] = /^(\d*)\s?([½⅓⅔¼¾⅛])$/u.exec(written) ?? [];
  if (sign !== "") return round(Number(whole) + (FRACTIONS[sign] ?? 0));
  const [, full = "0", over, under] = /^(?:(\d+)\s)?(\d)\/(\d)$/.exec(written) ?? [];
  if (over !== undefined) return round(Number(full) + Number(over) / Number(under));
  const [amount, other] = readNumbers(written, model.usesDecimalComma);
  return /^\d[\d.,]*$/.test(written) && other === undefined ? amount : undefined;
}

const round = (amount: number): number => Number(amount.toFixed(3));
