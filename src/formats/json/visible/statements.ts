// Reads booleans from short statements: "Breakfast is included" for `breakfast_included`, "No credit card
// required" for `credit_card_required`, "Pets: allowed on request" for `pets_allowed`.
import { isHidden } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import { mentions, splitSentences } from "./sentences.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

type Predicate = {
  /** The last word of the names of such properties. */
  readonly name: RegExp;
  readonly yes: RegExp;
  readonly no: RegExp;
};

const toPattern = (words: string): RegExp =>
  new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, "iu");

const PREDICATES: readonly Predicate[] = [
  {
    name: /^(?:included|include|inclusive|inklusive|incluse?|inclus[oa]|incluid[oa]|inbegriffen|enthalten)$/,
    yes: toPattern(
      "included|inclusive|inbegriffen|inklusive|inkl\\.?|enthalten|compris(?:e?s?)|inclus(?:e?s?)|incluid[oa]s?|incluye|inclus[oaie]|compres[oaie]|inbegrepen|inclusief|wliczon[aey]|ingår|inkludert|inkluderet",
    ),
    no: toPattern(
      "excluded|exclusive|not included|nicht (?:inbegriffen|enthalten|inklusive)|exkl\\.?|zzgl\\.?|non (?:compris(?:e?s?)|inclus(?:e?s?|[oaie])|compres[oaie])|en supplément|no (?:incluid[oa]s?|incluye)|esclus[oaie]|niet inbegrepen|exclusief|ingår inte",
    ),
  },
  {
    name: /^(?:allowed|permitted|welcome|accepted|friendly|erlaubt|admis|ammess[oaie]|admitid[oa]s?)$/,
    yes: toPattern(
      "allowed|permitted|welcome|accepted|erlaubt|willkommen|gestattet|admise?s?|accept[ée]e?s?|autorisée?s?|bienvenue?s?|se admiten|admitid[oa]s?|bienvenid[oa]s?|ammess[oaie]|accettat[oaie]|benvenut[oaie]|toegestaan|welkom|dozwolone|mile widziane|tillåtn?a|tillåtet|velkomm?en",
    ),
    no: toPattern(
      "not (?:allowed|permitted|accepted)|no|nicht (?:erlaubt|gestattet)|keine|verboten|non admise?s?|interdite?s?|no se admiten|prohibid[oa]s?|non (?:sono )?ammess[oaie]|vietat[oaie]|niet toegestaan|geen|verboden|zabronione|ej tillåt\\p{L}+|inte tillåt\\p{L}+",
    ),
  },
  {
    name: /^(?:required|needed|necessary|erforderlich|requise?|obligatoire|requerid[oa]|necessari[oa])$/,
    yes: toPattern(
      "required|needed|necessary|mandatory|essential|must have|erforderlich|notwendig|vorausgesetzt|zwingend|requise?s?|obligatoires?|exigée?s?|nécessaires?|requerid[oa]s?|obligatori[oa]s?|imprescindible|necesari[oa]s?|richiest[oaie]|obbligatori[oaie]?|necessari[oaie]?|vereist|verplicht|noodzakelijk|wymagan[aey]|krävs",
    ),
    no: toPattern(
      "not (?:required|needed|necessary|mandatory|essential)|no|without|unnecessary|optional|nicht (?:erforderlich|notwendig|nötig)|keine?|ohne|sans|aucune?|pas (?:nécessaire|requise?|obligatoire)|no (?:es )?(?:necesari[oa]|requerid[oa]|obligatori[oa])|sin|senza|non (?:è )?(?:richiest[oa]|necessari[oa]|obbligatori[oa])|nessuna?|niet (?:nodig|vereist|verplicht)|geen|zonder|nie jest wymagan[aey]|krävs inte",
    ),
  },
];

const MAX_STATEMENT = 120;
/** Conditions, exceptions, questions and choices. */
const CONDITIONAL =
  /[?？]|(?<!\p{L})(?:if|unless|only|except|some|may|might|can be|could|depending|under \d+|when|wenn|falls|nur|außer|teilweise|je nach|manche|si|sauf|seulement|selon|certain\p{L}*|sólo|solo|excepto|según|algun\p{L}*|se|tranne|eccetto|secondo|alcun\p{L}*|als|alleen|behalve|tenzij|usually|normally|previously|until|was|were)(?!\p{L})/iu;

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
  const pieces = scope.pieces.filter((node) => !isHidden(node));
  const stated = [
    ...pieces.flatMap((node) =>
      splitSentences(scope.model.textOf(node)).map((text) => ({ node, text })),
    ),
    ...scope.pairs
      .filter(({ kind: layout }) => layout !== "prefix" && layout !== "count")
      .map(({ node, label, value }) => ({ node, text: `${label}: ${value}` })),
  ];
  const found = stated.flatMap(({ node, text }) => {
    const value = judge(text, subject, predicate);
    return value === undefined ? [] : [{ node, text, value }];
  });
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.some(({ value }) => value !== first.value))
    return { reason: "statements of the page contradict each other" };
  const leaf = toVisibleLeaf(scope, first.node, first.value, "section", first.text);
  return { found: { leaves: [leaf], confidence: "medium", node: first.node } };
}

/** What a statement says of a subject; undefined if it says nothing certain. */
function judge(
  text: string,
  subject: readonly string[],
  { yes, no }: Predicate,
): boolean | undefined {
  // A clause about something else: "Breakfast is served daily; parking is included".
  const clauses = text.split(/[,;()]\s|\s[–—]\s|(?<=\p{L})[.](?=\s)/u);
  const own = clauses.filter((clause) => isAbout(subject, clause));
  const [clause] = own;
  if (clause === undefined || own.length > 1 || text.length > MAX_STATEMENT) return undefined;
  const said = yes.test(clause) || no.test(clause) ? clause : (joinNext(clauses, clause) ?? "");
  if (said === "" || CONDITIONAL.test(said)) return undefined;
  if (no.test(said)) return yes.test(said) || said === clause ? false : undefined;
  return yes.test(said) ? true : undefined;
}

/** "Breakfast, with cakes and ham, is included": the predicate in the last clause of the sentence. */
function joinNext(clauses: readonly string[], clause: string): string | undefined {
  const last = clauses.at(-1) ?? "";
  const isPredicate = /^(?:is|are|ist|sind|est|sont|es|está|son|è|sono|is)\s/iu.test(last.trim());
  return isPredicate && last !== clause ? `${clause} ${last}` : undefined;
}

const isAbout = (subject: readonly string[], clause: string): boolean => {
  const tokens = parseName(clause).words;
  return subject.every((word) => mentions(word, tokens, clause));
};
