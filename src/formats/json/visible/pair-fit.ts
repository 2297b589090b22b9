// Decides whether the value of a label can be the value of a property: parts may be adjacent by chance.
import { type PageNode } from "../../../page-model/node.ts";
import type { Pair } from "../../../page-model/pairs.ts";
import { isPlaceholder, readChoice } from "./choices.ts";
import { type WantedProperty } from "./label-match.ts";
import { isKnownName, parseName, toSingularWords, type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { isPartialDate } from "../values/partial-dates.ts";
import { type VisibleScope } from "./visible-scope.ts";

/** Neighbors and headings may be adjacent by chance: the value must fit the property's type. */
export function fitsProperty(
  pair: Pair,
  { name: wanted }: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): boolean {
  if (isPlaceholder(pair.value) || NOT_GIVEN.test(pair.value.trim())) return false;
  if (isAddress(wanted) && (isContact(scope, pair.value) || isNameOfPlace(pair, wanted)))
    return false;
  // "For a chat, contact Ada Holm" below "Contact" is no name.
  const isWeak = pair.kind === "neighbors" || pair.kind === "section";
  if (isWeak && isNameOfPerson(wanted) && !PROPER_NAME.test(pair.value)) return false;
  if (wanted.words.at(-1) === "plate" && !NUMBER_PLATE.test(pair.value.trim())) return false;
  // "Notes: Leftovers keep for 3 days." is no rating.
  if (wanted.concepts.has("rating") && pair.value.length > MAX_RATING) return false;
  // "Serving: 1 bowl" is the size of one.
  if (
    wanted.concepts.has("yields") &&
    ONE_SERVING.test(pair.label.trim()) &&
    /^1(?!\d)/.test(pair.value)
  )
    return false;
  // "Releases 46" counts them.
  if (wanted.words.at(-1) === "version" && !VERSION.test(pair.value)) {
    // "Version: 17" is one, "Versions: 17" counts them.
    if (!/version(?!s)/i.test(pair.label) || !/^v?\d{1,4}$/i.test(pair.value.trim())) return false;
  }
  // "ab 24,90 €" is no departure.
  if (NO_PRICE.test(wanted.words.at(-1) ?? "") && isPrice(scope, pair.value)) return false;
  if (shape.kind !== "array" && readChoice(scope.model, pair.node) === "open") return false;
  // A text in brackets explains the text before it.
  if (/^\(.*\)$/.test(pair.value)) return /^\([\d.,\s\p{Sc}]+\)$/u.test(pair.value);
  const isProse = /[.!?。]\s+\S/.test(
    pair.value.replaceAll(/\b(?:Mr|Ms|Mrs|Dr|Prof|St|No|Inc|Ltd|Co)\./g, ""),
  );
  if ((pair.kind === "colon" || pair.kind === "prefix") && isProse && !isLong(wanted)) return false;
  if (shape.kind === "string" && wanted.words.at(-1) === "date" && ONLY_TIME.test(pair.value))
    return false;
  const isDate = scope.model.read(pair.value).some(({ type }) => type === "date");
  if (pair.kind === "prefix" && isDate !== (wanted.words.at(-1) === "date") && isDated(wanted))
    return false;
  if (pair.kind === "prefix" && YEAR.test(pair.value) && !isYearly(wanted)) return false;
  // "Lamp 1" is a name as a whole.
  if (pair.kind === "prefix" && wanted.concepts.has("name") && /^\d/.test(pair.value)) return false;
  if (pair.kind === "prefix" && shape.kind === "string")
    return (
      /^(?:\W?\d|[A-Z]+\d*[-/])/.test(pair.value) &&
      pair.value.trim().split(/\s+/).length <= MAX_PREFIXED
    );
  if (pair.kind !== "colon" && pair.kind !== "row" && isListOfLinks(scope, pair.node)) return false;
  if (pair.kind === "count") return shape.kind !== "string" || wanted.words.length > 0;
  const hasLines = pair.kind === "section" && scope.model.textOf(pair.node).includes("\n");
  if (hasLines && !isOfLines(wanted)) return false;
  if (pair.kind === "neighbors" && isOnlyDate(scope, pair.value) && !acceptsDate(wanted))
    return false;
  if (pair.kind !== "neighbors" && pair.kind !== "section") return true;
  if (shape.kind === "number" || shape.kind === "integer") return /\d/.test(pair.value);
  if (shape.kind === "string" && !isLong(wanted) && hasLabels(pair.value)) return false;
  // A name over its description is not a label with its value.
  return pair.value.length <= 300;
}

const MAX_RATING = 40;
const ONE_SERVING = /(?:serving|portion|porción|porzione|porção|portie|porcja)(?: size)?$/iu;

/** Several links and nothing else are a menu, not one value. */
function isListOfLinks({ model }: VisibleScope, node: PageNode): boolean {
  const links = model
    .below(node)
    .filter(({ element, from, to }) => element.name === "a" && to > from);
  if (links.length < 2) return false;
  const linked = links.reduce((sum, { from, to }) => sum + to - from, 0);
  return linked + links.length * 3 >= node.to - node.from;
}

/** A price alone. */
export const isPrice = ({ model }: VisibleScope, text: string): boolean => {
  const [value] = model.read(text);
  return value?.type === "price" && value.text.length >= text.trim().length - 1;
};

const LONG = ["description", "body", "biography", "requirements", "responsibilities", "answer"];

export const isLong = ({ concepts }: Name): boolean =>
  LONG.some((concept) => concepts.has(concept));

/** A date, with the time or weekday beside it, and nothing else. */
const isOnlyDate = ({ model }: VisibleScope, text: string): boolean =>
  model
    .read(text)
    .some(
      ({ type, text: own }) => type === "date" && text.length <= own.length + MAX_TIME_AND_WEEKDAY,
    ) || isPartialDate(text.split(",", 1)[0] ?? "", model.order);

/** Maximum characters of the time and the weekday beside a date. */
const MAX_TIME_AND_WEEKDAY = 14;

/** "First team" over a date: names of persons, teams and things are no dates. */
const acceptsDate = ({ words }: Name): boolean =>
  !words.some((word) =>
    /^(?:team|club|name|artist|author|speaker|seller|brand|venue|city|opponent)$/.test(word),
  );

/** Hours and addresses take several lines, as long texts do. */
const isOfLines = (wanted: Name): boolean =>
  wanted.concepts.has("opening hours") || isAddress(wanted) || isLong(wanted);

/** "v2.1", "Quill 3.4", "rc-2" at the start; no day such as "12.1.2025". */
const VERSION =
  /^(?:\p{L}[\w.-]*\s)?(?:v?\d+\.\d+(?!\d*\.\d{4})|(?:v|rc|r|alpha|beta|build|release)[ -.]?(?!(?:19|20)\d\d(?!\d))\d[\w.-]*(?=$|\s?[(,·–|]))/iu;
const NUMBER_PLATE = /^(?=.*\d)[\p{Lu}\d][\p{Lu}\d ·-]{2,11}$/u;

/** Texts in place of a value that is not known or not published. */
export const NOT_GIVEN =
  /^(?:[-–—]+|n\/?a|n\.\s?a\.|k\.\s?a\.|not (?:available|disclosed|applicable|specified|provided|known)|unknown|unspecified|keine angabe|nicht (?:bekannt|verfügbar|angegeben)|non (?:communiqué|renseigné|disponible|précisé)e?s?|no (?:disponible|especificado|informado)|non (?:disponibile|specificato|comunicato)|não (?:disponível|informado)|niet (?:beschikbaar|bekend)|onbekend|brak danych|brak informacji|nie podano|no (?:data|information|info)|keine (?:daten|angaben?)|nicht vorhanden|non disponible|pas d[’']information|sin (?:datos|información|especificar)|nessun dato|n\.d\.|geen (?:gegevens|informatie)|ej angivet|uppgift saknas|saknas|ikke (?:oppgitt|angitt)|不明|未公開|未公开|暂无|미상)$/iu;

const isNameOfPerson = ({ words }: Name): boolean =>
  words.at(-1) === "name" && words.some((word) => PERSON.test(word));
const PERSON =
  /^(?:contact|person|agent|broker|manager|recruiter|organizer|organiser|host|teacher|instructor|doctor|landlord|author|speaker|owner)$/;
/** Up to six words with capital letters or particles, at the end or before a comma or a line. */
const PROPER_NAME =
  /^(?:(?:\p{Lu}[\p{L}.'’-]*|von|van|de|del|della|di|da|der|den|le|la|al|bin|y)(?:\s|(?=$|[,(\n|·–—:]))){1,6}(?:$|[,(\n|·–—:])|^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A postal address, not that of a page or mailbox. */
const isAddress = ({ words }: Name): boolean =>
  words.at(-1) === "address" && !words.some((word) => /^(?:email|mail|web|url|ip)$/.test(word));

/** "Venue: Harbor Hall" has no address: only a label that says so may have one without a number. */
const isNameOfPlace = ({ label, value }: Pair, { words }: Name): boolean =>
  words.length > 1 &&
  !/[\d\n]/.test(value) &&
  !["address", "street"].some((concept) => hasWordOf(label, concept));

const hasWordOf = (label: string, concept: string): boolean =>
  [label, ...toSingularWords(label)].some((word) => parseName(word).concepts.has(concept));

/** A telephone number or an email address alone. */
const isContact = ({ model }: VisibleScope, text: string): boolean =>
  model
    .read(text)
    .some(
      ({ type, text: own }) =>
        (type === "phone" || type === "email") && own.length >= text.trim().length - 1,
    );

/** Final words of names whose value is no price. */
const NO_PRICE = /^(?:time|date|duration|departure|arrival|day|year|hour|uhrzeit|abfahrt|ankunft)$/;

/** "Budget 2026" and "Report 2026" name a year; the year is not their value. */
const YEAR = /^(?:19|20)\d\d$/;

const isYearly = ({ words, concepts }: Name): boolean =>
  words.some((word) => YEARLY_WORDS.test(word)) ||
  ["year", "founded", "date", "published", "year built", "fiscal year"].some((concept) =>
    concepts.has(concept),
  );

const YEARLY_WORDS = /^(?:year|date|number|id|code|since|vintage|model|season|edition|founded)$/;

/** A time of day without a date. */
const ONLY_TIME = /^\d{1,2}(?:[:.h]\s?\d{2})?(?:\s?[ap]\.?m\.?|\s?(?:uhr|h))?$/iu;

/** True for a name that says whether its value is a date: `order_date` or `order_number`. */
const isDated = ({ words }: Name): boolean => /^(?:date|number|id|code)$/.test(words.at(-1) ?? "");

/** True for a block with labels of its own: "Merle Vogt Telefon: 0341 5550173". */
const hasLabels = (text: string): boolean =>
  [...text.slice(0, 300).matchAll(/(?<=\s)(\p{L}[\p{L}.-]{1,30}):(?=\s)/gu)].some(
    ([, label = ""]) => isKnownName(label),
  );

/**
 * Maximum words behind a label without a colon: more are a sentence, as in "Version 4 gets security
 * fixes".
 */
const MAX_PREFIXED = 4;
