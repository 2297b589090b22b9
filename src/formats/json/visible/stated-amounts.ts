// Finds amounts in sentences: "Extra editors cost $7 per month" for `extra_editor_price`, "Retours sous
// 30 jours" for `return_days`. The sentence, or the question or heading above it, must have every word
// of the property's name, and no other amount of the kind.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, toSingularWords, type Name } from "../names/names.ts";
import { findBoundBefore, isRange } from "../values/measures.ts";
import type { WantedProperty } from "./label-match.ts";
import { findPeriodInWords } from "./price-periods.ts";
import { isPriced } from "./property-kind.ts";
import { OTHER_TIME } from "./visible-dates.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const MAX_SENTENCE = 180;
const MAX_TITLE = 120;
/** Letters from which on a word also stands for its inflected forms: "return" and "returned". */
const MIN_STEM = 5;

/** Words of names that say how an amount is given, not of what. */
const OF_AMOUNT: ReadonlySet<string> = new Set(
  "amount value price cost fee charge rate total per each percent percentage pct number count in of for from the a an and or is has free threshold minimum maximum min max limit up to".split(
    " ",
  ),
);
const FREE =
  /(?<!\p{L})(?:free|gratis|kostenlos\p{L}*|kostenfrei\p{L}*|versandkostenfrei|portofrei|gratuit\p{L}*|offert\p{L}*|gratuit[oae]s?|grátis|omaggio|darmow\p{L}+|bezpłatn\p{L}+|zdarma|бесплатн\p{L}+|無料|免费|무료)(?!\p{L})/iu;
const PERCENT = /^(?:percent|percentage|pct|discount|share|rabatt|remise)$/;
/** A limit from which on something holds: `free_shipping_threshold`. */
const THRESHOLD = /^(?:threshold|minimum|min|from|over)$/;
const FROM =
  /(?:from|over|above|exceeding|orders? of|spend|ab|über|dès|à partir de|plus de|desde|a partir de|más de|superiori a|oltre|a partire da|vanaf|boven|od|powyżej|från|over|fra|から|以上|满)\s*(?:the|i|gli|les|los|den|de)?\s*$/iu;

/** The amount in a text; undefined if there is none, a range or more than one. */
type ReadText = (text: string) => { readonly amount: number; readonly at: number } | undefined;

/** What the property asks for, and the words that say of what. */
type Question = { readonly read: ReadText; readonly words: readonly string[] };

function toQuestion(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): Question | undefined {
  if (shape.kind !== "number" && shape.kind !== "integer") return undefined;
  if (wanted.bound !== undefined || wanted.subunit !== undefined || wanted.unit !== undefined)
    return undefined;
  // The price of a month may be that of a year's contract.
  if (findPeriodInWords(wanted.base.words) !== undefined) return undefined;
  const { base, name, currency } = wanted;
  const words = base.words.filter(
    (word) => !OF_AMOUNT.has(word) && !PERCENT.test(word) && TIMES[word] === undefined,
  );
  const [last = ""] = name.words.slice(-1);
  const time = TIMES[last];
  const read: ReadText | undefined =
    time !== undefined
      ? readTime(time)
      : name.words.some((word) => PERCENT.test(word))
        ? readTyped("percent", undefined, "", scope)
        : currency !== undefined || isPriced(base) || isThreshold(name)
          ? readTyped("price", currency, shape.description, scope)
          : undefined;
  return read === undefined || words.length === 0 ? undefined : { read, words };
}

const isThreshold = ({ words }: Name): boolean => words.some((word) => THRESHOLD.test(word));

/** "Price in EUR" asks for no dollars. */
const isOtherCurrency = (unit: string | undefined, description: string): boolean => {
  const named = /\b(?:EUR|USD|GBP|CHF|NOK|SEK|DKK|PLN|CZK)\b/.exec(description)?.[0];
  return named !== undefined && unit !== named;
};

function readTyped(
  type: "percent" | "price",
  currency: string | undefined,
  description: string,
  { model }: VisibleScope,
): ReadText {
  return (text) => {
    const [value, other] = model.read(text).filter((each) => each.type === type);
    if (value?.amount === undefined || other !== undefined) return undefined;
    if (currency !== undefined && value.unit !== currency) return undefined;
    if (type === "price" && isOtherCurrency(value.unit, description)) return undefined;
    return { amount: Math.abs(value.amount), at: value.at };
  };
}

/** Units of time as names have them, with their words in other languages. */
const TIMES: Readonly<Record<string, RegExp>> = {
  minute: /(\d+)[\s-]?(?:min(?:ute[ns]?|utos?|uti|uten|ut)?\b|minut\p{L}*)/giu,
  hour: /(\d+)[\s-]?(?:hours?|stunden?|heures?|horas?|ore|uur|uren|godzin\p{L}*|timm\p{L}*|timer)(?!\p{L})/giu,
  day: /(\d+)[\s-]?(?:(?:working |business |calendar )?days?|tage?n?|jours?|días?|dias?|giorni|giorno|dagen|dag|dni|dagar|dage|dager|дн\p{L}+)(?!\p{L})/giu,
  week: /(\d+)[\s-]?(?:weeks?|wochen?|semaines?|semanas?|settiman[ae]|we(?:e|)ken|tygodni\p{L}*|veck\p{L}+|uger|uker)(?!\p{L})/giu,
  month:
    /(\d+)[\s-]?(?:months?|monate?n?|mois|mes(?:es)?|mesi|mese|maanden|maand|miesi\p{L}+|månad\p{L}*|måned\p{L}*)(?!\p{L})/giu,
  year: /(\d+)[\s-]?(?:years?|jahre?n?|ans?|années?|años?|anos?|anni|anno|jaar|lat\p{L}?|rok\p{L}*|år)(?!\p{L})/giu,
};

const readTime =
  (pattern: RegExp): ReadText =>
  (text) => {
    const [found, other] = text.matchAll(pattern);
    return found === undefined || other !== undefined
      ? undefined
      : { amount: Number(found[1]), at: found.index };
  };

/** "non-profit" is one word. */
const joinHyphens = (text: string): string => text.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "");

/** True if a text has a word, in an inflected form or in another language. */
function mentions(word: string, tokens: readonly string[], text: string): boolean {
  if (word === "free") return FREE.test(text);
  const name = parseName(word);
  return tokens.some((token) => {
    if (token === word) return true;
    if (word.length >= MIN_STEM && token.startsWith(word)) return true;
    const { concepts } = parseName(token);
    return [...concepts].some((concept) => name.concepts.has(concept));
  });
}

/** Sentences of a piece: a decimal point or an abbreviation ends none. */
const splitSentences = (text: string): string[] =>
  text
    .split(/(?<=[\p{L}\d)%€]{2}[.!?])\s+(?=\p{Lu}|\d)|\n|\s[·•|]\s/u)
    .map((sentence) => sentence.trim());

/** The part of a sentence that has its number: a share of one thing stands beside another one. */
const findClause = (sentence: string): string =>
  sentence.split(/[,;]\s|\s(?:and|und|et|y|e|och|og)\s/u).find((clause) => /\d/.test(clause)) ??
  sentence;

/** Words of another thing, time or share: a refund, what happens after or before, "no", "more than". */
const OTHER =
  /refund|rembours|erstatt|reembols|rimbors|terugbeta|process|bearbeit|trait[eé]|tramit|verwerk|express|remind|erinner|\bends?\b|endet|\bstarts?\b|begin|delet|lösch|backup|extend|verläng|prolong|instead|statt|au lieu|\bsaves?\b|spar|(?:more|less|mehr|weniger) (?:than|als)|moins de|up to|bis zu|jusqu|hasta|fino a|\bafter\b|\bbefore\b|until|\bnach\b|\bvor\b|\bbis\b|après|avant|después|antes|\bdopo\b|\bprima\b|\b(?:no|not|without|kein\p{L}*|ohne|nicht|pas|sans|sin|senza|geen|zonder|bez)\b/iu;

/** "No card needed" says nothing of the amount. */
const NO_CARD = /[,;]?\s*no (?:credit )?card\b.*$/iu;

/** A short sentence with one number and none of such words. */
const isPlain = (sentence: string): boolean =>
  sentence.length <= MAX_SENTENCE &&
  (sentence.match(/\d[\d.,]*/g) ?? []).length === 1 &&
  !OTHER.test(sentence.replace(NO_CARD, ""));

/** The question or heading that a piece stands below. */
function readTitle({ model }: VisibleScope, node: PageNode): string {
  const details = model.parent(node);
  const summary =
    details?.element.name === "details"
      ? model.children(details).find(({ element }) => element.name === "summary")
      : undefined;
  if (summary !== undefined) return model.lineOf(summary);
  const inside = model.sections.filter(
    ({ start, end, heading }) =>
      start <= node.index && node.index < end && heading !== model.heading,
  );
  const title = inside.at(-1)?.title ?? "";
  return title.length <= MAX_TITLE ? title : "";
}

/** The amount that sentences of the page state for the property; undefined if there is none. */
export function findStatedAmount(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const question = scope.isPage ? toQuestion(wanted, shape, scope) : undefined;
  if (question === undefined) return undefined;
  const isFree = wanted.name.words.includes("free");
  const words = isFree ? ["free", ...question.words] : question.words;
  const found = scope.pieces.flatMap((node) => {
    if (isHidden(node)) return [];
    const text = scope.model.textOf(node);
    if (!/\d/.test(text)) return [];
    return splitSentences(text).flatMap((sentence) => {
      const value = isPlain(sentence) ? question.read(sentence) : undefined;
      if (value === undefined || isRange(sentence) || OTHER_TIME.test(sentence)) return [];
      // "Free delivery from €40" is no cost of delivery.
      if (!isFree && isPriced(wanted.base) && FREE.test(sentence)) return [];
      const before = sentence.slice(0, value.at);
      const isLimit = FROM.test(before) || findBoundBefore(before) !== undefined;
      if (isLimit !== isThreshold(wanted.name)) return [];
      const isShare = wanted.name.words.some((word) => PERCENT.test(word));
      const said = isShare ? findClause(sentence) : sentence;
      const all = joinHyphens(isShare ? said : `${said} ${readTitle(scope, node)}`);
      const tokens = toSingularWords(all);
      // A word of the name must stand in the sentence itself.
      const own = toSingularWords(joinHyphens(said));
      return words.every((word) => mentions(word, tokens, all)) &&
        words.some((word) => mentions(word, own, said))
        ? [{ node, sentence, amount: value.amount }]
        : [];
    });
  });
  const [first] = found;
  if (first === undefined) return undefined;
  if (new Set(found.map(({ amount }) => amount)).size > 1)
    return { reason: "sentences of the page state different amounts" };
  const leaf = toVisibleLeaf(scope, first.node, first.amount, "section", first.sentence);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}
