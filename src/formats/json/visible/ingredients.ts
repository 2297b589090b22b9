// Reads the items of a list of ingredients: "250 g de farine", "2 tbsp olive oil", or the measure and
// the name in parts of their own.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import { readNumbers } from "../values/measures.ts";
import { FRACTIONS } from "../values/fractions.ts";
import type { WantedProperty } from "./label-match.ts";
import type { RowGroup } from "./row-group.ts";
import { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const MAX_ITEM = 160;

const NUMBER = String.raw`(?:\d+\s?[½⅓⅔¼¾⅛]|[½⅓⅔¼¾⅛]|\d+\s\d/\d|\d/\d|\d[\d.,]*)`;
const RANGE = String.raw`${NUMBER}(?:\s?(?:[-–—]|to|bis|à|a|o|oder|or|tot)\s?${NUMBER})?`;

/** Measures of recipes, one line for each language. */
const UNITS = [
  String.raw`kg|g|gr|mg|l|dl|cl|ml|oz|ounces?|lbs?|pounds?|pints?|quarts?|inch(?:es)?|cm`,
  String.raw`cups?|tbsp\.?|tbs\.?|tsp\.?|tablespoons?|teaspoons?|pinch(?:es)?|dash(?:es)?|cloves?|slices?|sprigs?|cans?|tins?|bunch(?:es)?|sticks?|handfuls?|packets?|knobs?`,
  String.raw`EL|TL|Esslöffel|Teelöffel|Prisen?|Msp\.?|Messerspitzen?|Bund|Dosen?|Zehen?|Scheiben?|Stück|Stk\.?|Pck\.?|Päckchen|Packung(?:en)?|Tassen?|Becher|Zweige?|Handvoll|Stangen?|Blätter|Blatt`,
  String.raw`c\.\s?à\s?(?:soupe|café|s\.?|c\.?)|càs|càc|cuill[eè]res?\s(?:à|a)\s(?:soupe|café)|cuillerées?|pincées?|gousses?|tranches?|bottes?|brins?|sachets?|verres?|feuilles?|boîtes?`,
  String.raw`cucharadas?|cucharaditas?|cdas?\.?|cdtas?\.?|tazas?|dientes?|pizcas?|rebanadas?|hebras?|ramas?|ramitas?|puñados?|chorritos?|manojos?|latas?|hojas?|vasos?`,
  String.raw`cucchiai(?:o|ni|no)?|spicchi(?:o)?|pizzic(?:o|hi)|fett[ae]|mazz(?:o|etto|i)|filett[io]|rametti?|rametto|fogli[ae]|bustin[ae]|bicchier[ei]|scatol[ae]`,
  String.raw`eetlepels?|theelepels?|el|tl|teentjes?|teen|tenen|snuf(?:je)?|plakken?|plakjes?|blikjes?|blik|bosje|takjes?|stuks?`,
  String.raw`colheres?\s(?:de|\()\s?(?:sopa|chá)\)?|xícaras?|dentes?|pitadas?|fatias?`,
  String.raw`łyżk[aię]|łyżek|łyżeczk[aię]|łyżeczek|szklank[aię]|szklanek|ząbk[iów]*|ząbek|szczypt[aęy]|msk|tsk|krm|st|spsk|ss|ts|lžíce|lžička|hrnek|stroužky?`,
].join("|");
const MEASURE = String.raw`${RANGE}(?:\s?(?:${UNITS})(?![\p{L}]))?`;
/** Amounts to taste. */
const TO_TASTE = String.raw`q\.?\s?b\.?|n\.?\s?B\.?|to taste|nach Geschmack|naar smaak`;

const ONLY_MEASURE = new RegExp(String.raw`^(?:${MEASURE}|${TO_TASTE})$`, "iu");
const LEADING = new RegExp(
  String.raw`^(?:(?:ca\.?|about|approx\.?|environ|etwa|circa)\s)?(${MEASURE})\s+(?:(?:of|de|di)\s|d['’])?(?=\p{L})(.+)$`,
  "iu",
);
const UNIT = new RegExp(String.raw`^${RANGE}\s?(${UNITS})$`, "iu");
/** "can (400 g) tomatoes": a measure that is not understood. */
const UNREAD_UNIT = new RegExp(String.raw`^(?:${UNITS})(?!\p{L})`, "iu");
/** "A pinch of salt" names the salt. */
const ONE_OF = new RegExp(
  String.raw`^(?:an?|one|eine?|une?|un[oa]?|een|en|ett)\s(?:\p{L}+\s)?(?:${UNITS})\s(?:(?:of|de|di)\s|d['’])?(?=\p{L})(.+)$`,
  "iu",
);

type Ingredient = {
  readonly name: string | undefined;
  readonly measure: string | undefined;
};

const known = new WeakMap<VisibleScope, Ingredient>();

function readIngredient(scope: VisibleScope): Ingredient {
  let read = known.get(scope);
  if (read === undefined) {
    const texts = scope.pieces
      .filter((piece) => !isHidden(piece))
      .flatMap((piece) => splitParts(scope.model, piece))
      .filter((text) => text !== "");
    const line = parseTexts(texts);
    read = { ...line, name: readMarkedName(scope, line) };
    known.set(scope, read);
  }
  return read;
}

/** A class such as `ingredient-name`, which plugins of recipes give the name beside its notes. */
const NAME_CLASS = /(?:^|[-_])(?:name|item|product)$/i;

/** The only part of a line whose class marks it as the name, if the line's name begins with it. */
function readMarkedName(scope: VisibleScope, { name }: Ingredient): string | undefined {
  const { model, roots } = scope;
  const parts = roots
    .flatMap((root) => model.below(root))
    .filter(({ element }) =>
      (element.attribs["class"] ?? "").split(/\s+/).some((each) => NAME_CLASS.test(each)),
    )
    .map((node) => model.lineOf(node).trim());
  const [only = "", other] = parts;
  return other === undefined && only !== "" && name?.startsWith(only) === true ? only : name;
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
  if (name !== undefined && (UNREAD_UNIT.test(name) || /^[x×]\s?\d/u.test(name)))
    return { name: undefined, measure: undefined };
  if (measure !== undefined) return { name, measure };
  // "Salt, pepper" has no measure; "1 (400 g) can" is not understood.
  const plain = ONE_OF.exec(line)?.[1] ?? line;
  return { name: /^\p{L}/u.test(plain) ? plain : undefined, measure: undefined };
}

const NAME = /^(?:name|item|ingredient|product|text|zutat)$/;
const AMOUNT = /^(?:amount|quantity|qty|menge|measure|quantite|cantidad|quantita|hoeveelheid)$/;
const UNIT_NAME = /^(?:unit|einheit|unite|unidad|unita|eenheid|unit of measure)$/;

/** True for the words of a name such as `ingredients` or `zutaten`. */
export const isIngredientsName = (words: Iterable<string>): boolean =>
  [...words].some((word) => parseName(word).concepts.has("ingredients"));

/** The items of the lists below headings such as "Ingredients", also of several parts. */
export function listIngredientGroups(model: PageModel): RowGroup[] {
  return model.sections.flatMap(({ title, level, start, end }): RowGroup[] => {
    if (!isIngredientsName(parseName(title).words)) return [];
    const items = model.nodes
      .slice(start, end)
      .filter((node) => node.element.name === "ul" && !isHidden(node))
      .flatMap((list) => listMeasured(model, list));
    if (items.length < MIN_ITEMS) return [];
    const parts = model.sections.filter((part) => part.level > level && part.start >= start);
    const findPart = ({ index }: PageNode): string =>
      parts.findLast((part) => part.start <= index && index < part.end)?.title ?? "";
    const scopes = items.map((node) => VisibleScope.record(model, { nodes: [node] }));
    return [{ scopes, title, groups: items.map(findPart) }];
  });
}

/** The items of a list of which most have a measure: no steps, links or buttons. */
function listMeasured(model: PageModel, list: PageNode): PageNode[] {
  const items = model
    .children(list)
    .filter((node) => node.element.name === "li" && !isHidden(node) && node.to > node.from);
  const read = items.map((node) => parseTexts(splitParts(model, node)));
  const measured = read.filter(({ measure }) => measure !== undefined).length;
  const names = new Set(read.map(({ name }) => name));
  const hasLists = items.some((item) =>
    model.below(item).some(({ element: { name } }) => name === "ul" || name === "ol"),
  );
  return hasLists || measured * 2 <= items.length || names.size * 2 <= items.length ? [] : items;
}

const MIN_ITEMS = 2;

/** True for a table of nutrition facts, whose rows have measures, too. */
export const isNutritionTable = ({ title, scopes }: RowGroup): boolean =>
  NUTRIENTS.test(title) ||
  scopes.some(({ roots, model }) => roots.some((root) => ENERGY.test(model.lineOf(root))));

const NUTRIENTS = /nutri|nähr|voeding|wartości odżyw|näring|næring|栄養|营养/iu;
const ENERGY = /\d\s?(?:kcal|kJ)(?!\p{L})/u;

/** Name, measure, amount or unit of an item in a list of ingredients; undefined elsewhere. */
export function findIngredientPart(
  { name: wanted, typeWords }: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (scope.isPage || !isIngredientsName(typeWords)) return undefined;
  const key = wanted.words.filter((word) => !typeWords.has(word)).join(" ") || "name";
  const { name, measure } = readIngredient(scope);
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  const read = (): string | number | undefined => {
    if (NAME.test(key)) return name;
    if (measure === undefined) return undefined;
    if (UNIT_NAME.test(key)) return UNIT.exec(measure)?.[1];
    if (!AMOUNT.test(key)) return undefined;
    return isNumber ? toAmount(measure, scope) : measure;
  };
  const value = read();
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
