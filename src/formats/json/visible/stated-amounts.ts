// Finds amounts in sentences: "Extra editors cost $7 per month" for `extra_editor_price`, "Retours sous
// 30 jours" for `return_days`. The sentence, or the question above it, must have every word of the
// property's name, and no other amount of the kind.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { toSingularWords } from "../names/names.ts";
import { findBoundBefore, isRange, readNumbers } from "../values/measures.ts";
import type { WantedProperty } from "./label-match.ts";
import { OTHER_TIME } from "./other-meanings.ts";
import { findPeriodInWords } from "./price-periods.ts";
import { isPriced } from "./property-kind.ts";
import { FREE, mentions, splitSentences } from "./sentences.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { A_PERIOD, TIMES } from "../values/time-words.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const MAX_SENTENCE = 180;
const MAX_QUESTION = 120;
/** Words of names about the amount itself, not about its subject. */
const OF_AMOUNT: ReadonlySet<string> = new Set(
  "amount value price cost fee charge rate total per each percent percentage pct number count in of for from the a an and or is has free threshold minimum maximum min max limit up to".split(
    " ",
  ),
);
const PERCENT = /^(?:percent|percentage|pct|discount|share|rabatt|remise)$/;
/** Words of names whose amount is a lower limit: `free_shipping_threshold`. */
const THRESHOLD = /^(?:threshold|minimum|min|from|over)$/;
const FROM =
  /(?:from|over|above|exceeding|orders? of|spend|ab|über|dès|à partir de|plus de|desde|a partir de|más de|superiori a|oltre|a partire da|vanaf|boven|od|powyżej|från|over|fra|から|以上|满)\s*(?:the|i|gli|les|los|den|de)?\s*$/iu;

type Amount = { readonly amount: number; readonly at: number };

/** Reads the amount of a text; undefined if there is none or more than one. */
type AmountReader = (text: string) => Amount | undefined;

type Question = {
  readonly read: AmountReader;
  /** The words of the property's name that say what the amount is of. */
  readonly words: readonly string[];
  readonly isShare: boolean;
  readonly isThreshold: boolean;
  /** True for something free of charge: `free_trial_days`. */
  readonly isFree: boolean;
};

function toQuestion(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): Question | undefined {
  if (shape.kind !== "number" && shape.kind !== "integer") return undefined;
  if (wanted.bound !== undefined || wanted.subunit !== undefined || wanted.unit !== undefined)
    return undefined;
  const { base, name, currency } = wanted;
  const subjects = base.words.filter(
    (word) => !OF_AMOUNT.has(word) && !PERCENT.test(word) && TIMES[word] === undefined,
  );
  const time = TIMES[name.words.at(-1) ?? ""];
  // The price of a month may be that of a year's contract.
  if (time === undefined && findPeriodInWords(base.words) !== undefined) return undefined;
  const isShare = name.words.some((word) => PERCENT.test(word));
  const isThreshold = name.words.some((word) => THRESHOLD.test(word));
  const isMoney = currency !== undefined || isPriced(base) || isThreshold;
  if (subjects.length === 0 || (time === undefined && !isShare && !isMoney)) return undefined;
  const read =
    time !== undefined
      ? readTime(time, scope)
      : isShare
        ? readShare(scope)
        : readPrice(currency, scope);
  const isFree = name.words.includes("free");
  return { read, words: isFree ? ["free", ...subjects] : subjects, isShare, isThreshold, isFree };
}

/** "20 % of students" is no discount. */
const readShare =
  ({ model }: VisibleScope): AmountReader =>
  (text) => {
    const [value, other] = model.read(text).filter(({ type }) => type === "percent");
    if (value?.amount === undefined || other !== undefined) return undefined;
    const behind = text.slice(value.at + value.text.length);
    if (/^\s(?:of|der|des|de|di|van)\s/iu.test(behind)) return undefined;
    return { amount: Math.abs(value.amount), at: value.at };
  };

const readPrice =
  (currency: string | undefined, { model }: VisibleScope): AmountReader =>
  (text) => {
    const [value, other] = model.read(text).filter(({ type }) => type === "price");
    if (value?.amount === undefined || other !== undefined) return undefined;
    if (currency !== undefined && value.unit !== currency) return undefined;
    return { amount: Math.abs(value.amount), at: value.at };
  };

const readTime =
  (pattern: RegExp, { model }: VisibleScope): AmountReader =>
  (text) => {
    const [found, other] = text.matchAll(pattern);
    if (found === undefined || other !== undefined) return undefined;
    if (A_PERIOD.test(text.slice(found.index + found[0].length))) return undefined;
    const [amount] = readNumbers(found[1] ?? "", model.usesDecimalComma);
    return amount === undefined ? undefined : { amount, at: found.index };
  };

/** "non-profit" is one word. */
const joinHyphens = (text: string): string => text.replaceAll(/(?<=\p{L})-(?=\p{L})/gu, "");

/** The part of a sentence that has its number: a share of one thing stands beside another one. */
const findClause = (sentence: string): string =>
  sentence.split(/[,;]\s|\s(?:and|und|et|y|e|och|og)\s/u).find((clause) => /\d/.test(clause)) ??
  sentence;

/**
 * Words of another thing, time or share: a refund, what happens after or before, "no", "more than".
 */
const OTHER =
  /refund|rembours|erstatt|reembols|rimbors|terugbeta|process|bearbeit|trait[eé]|tramit|verwerk|express|remind|erinner|\bends?\b|endet|\bstarts?\b|begin|delet|lösch|backup|extend|verläng|prolong|instead|statt|au lieu|\bsaves?\b|spar|waive|\bdrop(?:s|ped)?\b|\bnever\b|n[’']t\b|no longer|entfällt|entfallen|jamais|nunca|\bmai\b|nooit|(?:more|less|mehr|weniger) (?:than|als)|moins de|up to|bis zu|jusqu|hasta|fino a|\bafter\b|\bbefore\b|until|\bother\b|\bmost\b|competitor|\bandere\b|\bautres?\b|\botros\b|\baltri\b|\bna\b|\bnach\b|\bvor\b|\bbis\b|après|avant|después|antes|\bdopo\b|\bprima\b|\b(?:no|not|without|kein\p{L}*|ohne|nicht|pas|sans|sin|senza|geen|zonder|bez)\b/iu;

/** "No card needed" says nothing of the amount. */
const NO_CARD = /[,;]?\s*no (?:credit )?card\b.*$/iu;

/** A short sentence with one number and none of such words. */
const isPlain = (sentence: string): boolean =>
  sentence.length <= MAX_SENTENCE &&
  (sentence.match(/\d[\d.,]*/g) ?? []).length === 1 &&
  !OTHER.test(sentence.replace(NO_CARD, ""));

/** Maximum elements between an answer and its `details`. */
const MAX_LEVELS = 4;

/** The question that a piece answers; a heading of another kind says nothing of the amount. */
function readQuestion({ model }: VisibleScope, node: PageNode): string {
  let details = model.parent(node);
  for (let level = 1; level < MAX_LEVELS && details?.element.name !== "details"; level++)
    details = details === undefined ? undefined : model.parent(details);
  const summary =
    details?.element.name === "details"
      ? model.children(details).find(({ element }) => element.name === "summary")
      : undefined;
  const section = model.sections.findLast(
    ({ start, end, heading }) =>
      start <= node.index && node.index < end && heading !== model.heading,
  );
  const title = summary === undefined ? (section?.title ?? "") : model.lineOf(summary);
  return title.length <= MAX_QUESTION && /[?？]\s*$/u.test(title) ? title : "";
}

/** Words between a subject and its amount: "Returns within 30 days". */
const BETWEEN: ReadonlySet<string> = new Set(
  "within in for of is are last lasts cost costs from over under the a an innerhalb von binnen ab für kostet kosten beträgt sous dans les pendant de dès en dentro durante entro per voor kost period fee price get gets off".split(
    " ",
  ),
);

const isBetween = (text: string): boolean =>
  text
    .toLowerCase()
    .split(/[\s:,–—-]+/u)
    .every((word) => word === "" || BETWEEN.has(word));

/** Maximum words up to the subject behind an amount: "3-year limited warranty". */
const MAX_BEHIND = 3;

/** True if a single word is directly before or behind the amount: "30-day returns". */
function isBeside(word: string, sentence: string, { at }: Amount): boolean {
  const before = sentence.slice(0, at).split(/[\s(]+(?=[^\s(])/u);
  const [behind = ""] = /^[\d.,]+[^.,;:!?()\d]*/u.exec(sentence.slice(at)) ?? [];
  // "Returns within 14 days of delivery" says nothing of the delivery.
  const [own = ""] = behind.split(/\sof\s/u);
  const following = own.split(/[\s/-]+/u).slice(1, 1 + MAX_BEHIND);
  if (following.some((token) => mentions(word, toSingularWords(token), token))) return true;
  for (let first = before.length - 1; first >= 0; first--) {
    const token = before[first] ?? "";
    const between = before.slice(first + 1).join(" ");
    if (!isBetween(between)) return false;
    if (mentions(word, toSingularWords(joinHyphens(token)), token)) return true;
  }
  return false;
}

/** "Try every feature free for 21 days" is a free trial. */
const TRIAL =
  /(?<!\p{L})(?:try|tests?|testen|testet|ausprobieren|essayez|essayer|prueba|pruébalo|probar|prova|provalo|probeer|wypróbuj|prova|prøv)(?!\p{L})/iu;

/** Verb, "free" and amount in one clause, with the amount directly behind or before "free". */
function isFreeTrial(sentence: string, { at }: Amount): boolean {
  const [verb, free] = [TRIAL.exec(sentence), FREE.exec(sentence)];
  if (verb === null || free === null) return false;
  const places = [verb.index, free.index, at];
  const clause = sentence.slice(Math.min(...places), Math.max(...places));
  const between =
    at > free.index
      ? sentence.slice(free.index + free[0].length, at)
      : sentence.slice(at, free.index);
  return !/[,:;]\s/.test(clause) && between.length <= MAX_BESIDE_FREE;
}

/** Maximum characters between "free" and the amount: " for ", "14 Tage ". */
const MAX_BESIDE_FREE = 12;

const HOW_MUCH =
  /^(?:and |but )?(?:how (?:long|many|much)|wie (?:lange|viele?|hoch)|combien|quelle est la (?:durée|remise)|cuánt[oa]s?|cuál es|quant[oaie]|qual è|hoe (?:lang|veel)|ile|hur (?:länge|många|mycket)|hvor (?:lenge|længe|mange|meget))(?!\p{L})/iu;

/** Words of questions beside their subject: "How long is the warranty?". */
const OF_QUESTION: ReadonlySet<string> = new Set(
  `how long many much days weeks months years hours is are does do the a an last lasts cost have i you it your my our free
  wie lange viele hoch tage wochen monate jahre ist sind die der das dauert gilt habe ich eine ein kostet
  combien quelle est la le les durée de du temps dure coûte ai je
  cuánto cuánta cuántos cuántas cuál es el los dura tiempo tengo cuesta días
  quanto quanta quanti quante qual è il lo gli costa giorni hoe lang veel duurt de het mijn heb ik kost dagen`.split(
    /\s+/,
  ),
);

/** "21 days, with all features" below "How long is the free trial?". */
function isAmountAnswer(
  question: string,
  sentence: string,
  { at }: Amount,
  words: readonly string[],
): boolean {
  if (at > MAX_BEFORE_ANSWER || !HOW_MUCH.test(question.trim())) return false;
  const asked = question.toLowerCase().match(/[\p{L}'’-]+/gu) ?? [];
  return asked.every(
    (word) =>
      OF_QUESTION.has(word) ||
      words.some((subject) => mentions(subject, toSingularWords(word), word)),
  );
}

/** Maximum characters before the amount of a direct answer: "About 21 days" is none. */
const MAX_BEFORE_ANSWER = 1;

/** True if a sentence, with the question above it, has every word of the question's subject. */
function hasSubject(
  { words, isShare }: Question,
  scope: VisibleScope,
  { node, sentence, amount }: Stated,
): boolean {
  const said = joinHyphens(isShare ? findClause(sentence) : sentence);
  const title = isShare ? "" : readQuestion(scope, node);
  const all = `${said} ${joinHyphens(title)}`;
  const tokens = toSingularWords(all);
  const isTrial = words.includes("trial") && isFreeTrial(said, amount);
  if (!words.every((word) => (word === "trial" && isTrial) || mentions(word, tokens, all)))
    return false;
  if (isAmountAnswer(title, sentence, amount, words)) return true;
  if (isTrial) return true;
  // A word of the name must be in the sentence itself.
  const own = toSingularWords(said);
  if (!words.some((word) => mentions(word, own, said))) return false;
  const [only = "", other] = words;
  return other !== undefined || isShare || isBeside(only, sentence, amount);
}

type Stated = {
  readonly node: PageNode;
  readonly sentence: string;
  readonly amount: Amount;
};

/** Classes of texts by readers, who speak of other things as well. */
const READER_CLASSES =
  /(?:^|[\s_-])(?:reviews?|comments?|testimonials?|bewertung(?:en)?|avis|opiniones)(?:$|[\s_-])/i;

function isOfReader({ model }: VisibleScope, node: PageNode): boolean {
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at)) {
    const { name, attribs } = at.element;
    if (name === "body" || name === "main" || name === "article") return false;
    if (name === "blockquote" || READER_CLASSES.test(attribs["class"] ?? "")) return true;
  }
  return false;
}

/** Sentences of a piece with an amount of the question's kind, at the present time. */
function listStated(
  question: Question,
  wanted: WantedProperty,
  scope: VisibleScope,
  node: PageNode,
): Stated[] {
  const text = isHidden(node) ? "" : scope.model.textOf(node);
  if (!/\d/.test(text) || isOfReader(scope, node)) return [];
  return splitSentences(text).flatMap((sentence) => {
    const amount = isPlain(sentence) ? question.read(sentence) : undefined;
    if (amount === undefined || isRange(sentence) || OTHER_TIME.test(sentence)) return [];
    // "Free delivery from €40" is no cost of delivery.
    if (!question.isFree && isPriced(wanted.base) && FREE.test(sentence)) return [];
    const before = sentence.slice(0, amount.at);
    const isLimit = FROM.test(before) || findBoundBefore(before) !== undefined;
    return isLimit === question.isThreshold ? [{ node, sentence, amount }] : [];
  });
}

/** The amount that sentences of the page state for the property; undefined if there is none. */
export function findStatedAmount(
  wanted: WantedProperty,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const question = scope.isPage ? toQuestion(wanted, shape, scope) : undefined;
  if (question === undefined) return undefined;
  const found = scope.pieces
    .flatMap((node) => listStated(question, wanted, scope, node))
    .filter((stated) => hasSubject(question, scope, stated));
  const [first] = found;
  if (first === undefined) return undefined;
  if (new Set(found.map(({ amount }) => amount.amount)).size > 1)
    return { reason: "sentences of the page state different amounts" };
  const leaf = toVisibleLeaf(scope, first.node, first.amount.amount, "section", first.sentence);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}
