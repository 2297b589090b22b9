// Decides whether the rows of a list are what its name asks for, where they have nothing but names,
// links and texts: the jackets of a shop are no employees.
import { type Name, parseName, scoreSimilarity, toSingularWords } from "../names/names.ts";
import { isReference } from "./citations.ts";
import type { RowGroup } from "./row-group.ts";
import { selectPlacesOfType, type VisibleScope } from "./visible-scope.ts";

/** Meanings that the records of any list have. */
const GENERAL_CONCEPTS = ["name", "url", "image", "description", "body"];

/** Names of lists of anything. */
const GENERIC_NOUNS =
  /^(?:item|entry|record|result|row|card|thing|list|element|object|data|listing|link|page|value|option|name|title|section)$/;
const GOODS_NOUNS = /^(?:product|offer|deal|good|produkt|produit|producto|prodotto)$/;
const PUBLICATION_NOUNS =
  /^(?:reference|publication|paper|work|article|bibliography|citation|source|literature|book)$/;
const MIN_SHARE = 0.5;
const MIN_SCORE = 0.55;

type Row = Readonly<Record<string, unknown>> | undefined;

/** True if rows have only values that records of any kind have. */
export const hasOnlyGeneralValues = (rows: readonly Row[]): boolean =>
  rows.every((row) =>
    Object.keys(row ?? {}).every((name) => {
      const { concepts } = parseName(name);
      return GENERAL_CONCEPTS.some((concept) => concepts.has(concept));
    }),
  );

/**
 * True if rows may be what their list is named after: the heading of the page, the addresses that
 * they link to or their classes say so. People, occasions and things with prices need a heading that
 * names them.
 */
export function areRowsOf(group: RowGroup, wanted: Name): boolean {
  const { scopes } = group;
  if (wanted.words.some((word) => GENERIC_NOUNS.test(word))) return true;
  const isMost = (test: (row: VisibleScope) => boolean): boolean =>
    scopes.filter((row) => test(row)).length >= scopes.length * MIN_SHARE;
  if (
    isPageAbout(scopes[0], wanted) ||
    isMost((row) => linksTo(row, wanted) || hasClassOf(row, wanted)) ||
    (wanted.words.some((word) => PUBLICATION_NOUNS.test(word)) && isMost(isReference))
  )
    return true;
  const isOfPeople = wanted.words.some((word) => PEOPLE_NOUNS.test(word));
  const isPriced = isMost((row) => selectPlacesOfType(row, "price").length > 0);
  if (!isOfPeople && !isPriced && !wanted.words.some((word) => EVENT_NOUNS.test(word))) return true;
  if (isPriced && wanted.words.some((word) => GOODS_NOUNS.test(word))) return true;
  return isHeaded(group, wanted, isOfPeople);
}

/**
 * True for rows with prices below a heading such as "Bestsellers", where products are asked for.
 */
export const areForSale = ({ scopes }: RowGroup, { words }: Name): boolean =>
  words.some((word) => GOODS_NOUNS.test(word)) &&
  scopes.filter((row) => selectPlacesOfType(row, "price").length > 0).length >=
    scopes.length * MIN_SHARE;

/** True if a heading above the rows has the noun of the list, or a word for people: "Meet us". */
function isHeaded(
  { scopes, title, heading }: RowGroup,
  wanted: Name,
  isOfPeople: boolean,
): boolean {
  const [first] = scopes;
  const start = first?.roots[0]?.index ?? 0;
  const around = (first?.model.sections ?? []).filter(
    (section) => section.start <= start && start < section.end,
  );
  return [title, heading ?? "", ...around.map((section) => section.title)]
    .flatMap((text) => toSingularWords(text))
    .some((word) => meansSame(word, wanted) || (isOfPeople && PEOPLE_HEADINGS.test(word)));
}

const EVENT_NOUNS =
  /^(?:event|concert|show|screening|meeting|webinar|conference|session|talk|workshop|match|game|job|vacancy|opening|auction)$/;
const PEOPLE_NOUNS =
  /^(?:employee|people|person|staff|team|colleague|speaker|presenter|instructor|teacher|lecturer|faculty|member|author|doctor|lawyer|attorney|agent|player|leader|director|founder|partner|contact)$/;
const PEOPLE_HEADINGS =
  /^(?:people|team|staff|us|who|personen|mitarbeiter|wir|ansprechpartner|equipe|equipo|nous|nosotro|chi|wie|ons|zespol|medarbetare|ansatte|speaker|member|employee)$/;

function isPageAbout(row: VisibleScope | undefined, wanted: Name): boolean {
  const model = row?.model;
  const title = model?.heading === undefined ? "" : model.lineOf(model.heading);
  return (
    scoreSimilarity(wanted, parseName(title)) >= MIN_SCORE ||
    toSingularWords(title).some((word) => meansSame(word, wanted))
  );
}

/** "/people/ann-vale" is a person. */
const linksTo = (row: VisibleScope, wanted: Name): boolean =>
  row.elements("a").some(({ element }) => {
    const path = (element.attribs["href"] ?? "").replace(/^[a-z]+:\/\/[^/]*|[?#].*$/gi, "");
    return toSingularWords(path.slice(0, MAX_PATH)).some((word) => meansSame(word, wanted));
  });

const MAX_PATH = 120;

/** "lot__medium" is a lot. */
const hasClassOf = ({ roots, model }: VisibleScope, wanted: Name): boolean =>
  roots.some((root) =>
    [root, ...model.children(root)].some(({ element }) =>
      toSingularWords((element.attribs["class"] ?? "").slice(0, MAX_PATH)).some((word) =>
        meansSame(word, wanted),
      ),
    ),
  );

const meansSame = (word: string, { words, concepts }: Name): boolean => {
  if (words.includes(word)) return true;
  const { concepts: own } = parseName(word);
  return [...concepts].some((concept) => own.has(concept));
};
