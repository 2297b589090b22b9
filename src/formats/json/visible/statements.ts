// Reads booleans from short statements: "Breakfast is included" for `breakfast_included`, "No credit card
// required" for `credit_card_required`, "Pets: allowed on request" for `pets_allowed`.
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import { mentions, splitSentences } from "./sentences.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

type Predicate = {
  /** The last word of the names of such properties. */
  readonly name: RegExp;
  /** Affirming words. */
  readonly yes: RegExp;
  /** Opposites, such as "excluded". */
  readonly opposite: RegExp;
};

const toPattern = (words: string): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, "iu");

const PREDICATES: readonly Predicate[] = [
  {
    name: /^(?:included|include|inclusive|inklusive|incluse?|inclus[oa]|incluid[oa]|inbegriffen|enthalten)$/,
    yes: toPattern(
      "included|inclusive|inbegriffen|inklusive|inkl\\.?|enthalten|compris(?:e?s?)|inclus(?:e?s?)|incluid[oa]s?|incluye|inclus[oaie]|compres[oaie]|inbegrepen|inclusief|wliczon[aey]|ingår|inkludert|inkluderet",
    ),
    opposite: toPattern(
      "excluded|exclusive|exkl\\.?|zzgl\\.?|en supplément|esclus[oaie]|excluid[oa]s?|exclusief",
    ),
  },
  {
    name: /^(?:allowed|permitted|welcome|accepted|friendly|erlaubt|admis|ammess[oaie]|admitid[oa]s?)$/,
    yes: toPattern(
      "allowed|permitted|welcome|accepted|erlaubt|willkommen|gestattet|admise?s?|accept[ée]e?s?|autorisée?s?|bienvenue?s?|se admiten|admitid[oa]s?|bienvenid[oa]s?|ammess[oaie]|accettat[oaie]|benvenut[oaie]|toegestaan|welkom|dozwolone|mile widziane|tillåtn?a|tillåtet|velkomm?en",
    ),
    opposite: toPattern(
      "prohibited|forbidden|verboten|untersagt|interdite?s?|prohibid[oa]s?|vietat[oaie]|verboden|zabronione|förbjud[ae]t?",
    ),
  },
  {
    name: /^(?:required|needed|necessary|erforderlich|requise?|obligatoire|requerid[oa]|necessari[oa])$/,
    yes: toPattern(
      "required|needed|necessary|mandatory|essential|erforderlich|notwendig|vorausgesetzt|requise?s?|obligatoires?|exigée?s?|nécessaires?|requerid[oa]s?|obligatori[oa]s?|imprescindible|necesari[oa]s?|richiest[oaie]|obbligatori[oaie]?|necessari[oaie]?|vereist|verplicht|noodzakelijk|wymagan[aey]|krävs",
    ),
    opposite: toPattern(
      "unnecessary|optional|entbehrlich|facultati(?:f|ve)s?|opcional|facoltativ[oa]",
    ),
  },
];

/** Negations anywhere in a statement. */
const NEGATION = toPattern(
  "no|not|\\p{L}+n[’']t|never|none|without|neither|cannot|nicht|nie|kein(?:e[rsnm]?)?|ohne|ne|n['’]\\p{L}+|pas|aucune?|sans|jamais|nunca|sin|ningun[oa]?|non|nessun[oa]?|senza|mai|niet|geen|nooit|zonder|bez|inte|ej|inga?|ikke|ingen",
);
const LEADING_NEGATION =
  /^\s*(?:no|without|keine?|ohne|aucune?|pas d['’e]|sans|sin|ningun[oa]?|nessun[oa]?|senza|geen|zonder|inga?|ingen|bez)\s+/iu;
/** "is not", "ist nicht", "n'est pas", "non sono": directly before the predicate. */
const NEGATED =
  /(?<!\p{L})(?:(?:is|are|ist|sind|est|sont|es|está|zijn|är|er)\s)?(?:(?:is|are)n[’']t|not|nicht|pas|non|no|niet|inte|ej|ikke)\s(?:(?:sono|è|est|es|se)\s)?/iu;

const MAX_STATEMENT = 120;
/**
 * Words beside subject and predicate that change nothing: "Breakfast is always included in the
 * price".
 */
const NEUTRAL: ReadonlySet<string> = new Set(
  `a an the is are our your all always also and of in with price prices rate rates room fare rent full daily
  der die das den dem ein eine ist sind im in preis mietpreis zimmerpreis alle immer auch unser unsere
  le la les l un une est sont dans prix tarif tous toujours aussi nos votre
  el los las una es está son en precio tarifa todo siempre también
  il lo gli i è sono nel prezzo sempre anche het de een zijn prijs altijd ook
  o os as é são no preço w cenie jest är ingår i priset er prisen se`.split(/\s+/),
);

/** The boolean that the statements of the page, or of a record, make for the property. */
export function findStatement(
  { base }: WantedProperty,
  { kind }: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const last = base.words.at(-1) ?? "";
  const predicate = PREDICATES.find(({ name }) => name.test(last));
  const subject = base.words.slice(0, -1).filter((word) => word !== "is" && word !== "are");
  if (kind !== "boolean" || predicate === undefined || subject.length === 0) return undefined;
  const cards = scope.isPage ? listPricedCards(scope.model) : [];
  const isOutside = (node: PageNode): boolean =>
    !isHidden(node) && !cards.some((card) => scope.model.contains(card, node));
  const pieces = scope.pieces.filter(isOutside);
  const stated = [
    ...pieces.flatMap((node) =>
      splitSentences(scope.model.textOf(node)).map((text) => ({ node, text })),
    ),
    ...scope.pairs
      .filter(
        ({ kind: layout, node }) => layout !== "prefix" && layout !== "count" && isOutside(node),
      )
      .map(({ node, label, value }) => ({ node, text: `${label}: ${value}` })),
  ];
  const found = stated.flatMap(({ node, text }) => {
    const value = readStatement(text, subject, predicate);
    return value === undefined ? [] : [{ node, text, value }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.some(({ value }) => value !== first.value))
    return { reason: "statements of the page contradict each other" };
  const leaf = toVisibleLeaf(scope, first.node, first.value, "section", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/**
 * Records with a price, such as rates and plans. Their inclusions do not hold for the whole page.
 */
const listPricedCards = (model: PageModel): PageNode[] =>
  model.recordSets
    .flatMap(({ records }) => records.flatMap(({ nodes }) => nodes))
    .filter((node) =>
      model
        .pieces(node)
        .some((piece) => model.typedValues(piece).some(({ type }) => type === "price")),
    );

/** Reads a statement about the subject as true or false; undefined if it says more than that. */
function readStatement(
  text: string,
  subject: readonly string[],
  predicate: Predicate,
): boolean | undefined {
  if (text.length > MAX_STATEMENT || /[?？\d]/u.test(text)) return undefined;
  // "Breakfast is served daily; parking is included": each clause has its own subject.
  const clauses = text.split(/[,;()]\s|\s[–—]\s|(?<=\p{L})[.](?=\s)/u);
  const [clause, other] = clauses.filter((each) => hasSubject(subject, each));
  if (clause === undefined || other !== undefined) return undefined;
  const isWhole = predicate.yes.test(clause) || predicate.opposite.test(clause);
  const said = isWhole ? clause : joinLast(clauses, clause);
  if (hasOtherWords(said, subject, predicate)) return undefined;
  if (NEGATION.test(said)) return isNegated(said, subject, predicate) ? false : undefined;
  const [isSo, isOpposite] = [predicate.yes.test(said), predicate.opposite.test(said)];
  return isSo === isOpposite ? undefined : isSo;
}

/**
 * "Pets allowed in the garden", "Breakfast buffet": words beside subject, predicate and negation.
 */
function hasOtherWords(
  said: string,
  subject: readonly string[],
  { yes, opposite }: Predicate,
): boolean {
  const rest = [yes, opposite, NEGATION].reduce((text, words) => text.replace(words, " "), said);
  const words = rest.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.some(
    (word) =>
      !NEUTRAL.has(word) && !subject.some((each) => mentions(each, parseName(word).words, word)),
  );
}

/**
 * True for "No pets", "No card required" and "Breakfast is not included"; "Pets are welcome at no
 * charge" denies another thing.
 */
function isNegated(said: string, subject: readonly string[], { yes }: Predicate): boolean {
  const rest = said.replace(LEADING_NEGATION, "");
  if (rest !== said) {
    const [first = ""] = rest.split(/\s+/u);
    const isFirst = mentions(subject[0] ?? "", parseName(first).words, first);
    const words = rest.split(/\s+/u).length;
    return isFirst && !NEGATION.test(rest) && (yes.test(rest) || words <= subject.length + 1);
  }
  const [before = "", behind = "", ...more] = said.split(NEGATED);
  const isOne = more.length === 0 && behind !== "" && !NEGATION.test(before);
  return isOne && yes.exec(behind)?.index === 0 && !NEGATION.test(behind);
}

/**
 * "Breakfast, with cakes and ham, is included": the predicate in the last clause of the sentence.
 */
function joinLast(clauses: readonly string[], clause: string): string {
  const last = clauses.at(-1) ?? "";
  const isPredicate = /^(?:is|are|ist|sind|est|sont|es|está|son|è|sono)\s/iu.test(last.trim());
  return isPredicate && last !== clause ? `${clause} ${last}` : clause;
}

const hasSubject = (subject: readonly string[], clause: string): boolean => {
  const tokens = parseName(clause).words;
  return subject.every((word) => mentions(word, tokens, clause));
};
