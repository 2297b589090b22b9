// Decides whether the rows of a list are what its name asks for, where they have nothing but names,
// links and texts: the jackets of a shop are no employees.
import { type Name, parseName, scoreSimilarity, toSingularWords } from "../names/names.ts";
import { isReference } from "./citations.ts";
import type { RowGroup } from "./row-group.ts";
import { selectPlacesOfType, type VisibleScope } from "./visible-scope.ts";

/** Meanings that the records of any list have. */
const GENERAL = ["name", "url", "image", "description", "body"];

/** Names of lists of anything. */
const ANYTHING =
  /^(?:item|entry|record|result|row|card|thing|list|element|object|data|listing|link|page|value|option|name|title|section)$/;
const FOR_SALE = /^(?:product|offer|deal|good|produkt|produit|producto|prodotto)$/;
const WORK =
  /^(?:reference|publication|paper|work|article|bibliography|citation|source|literature|book)$/;
const MIN_SHARE = 0.5;
const MIN_SCORE = 0.55;

type Row = Readonly<Record<string, unknown>> | undefined;

/** True if rows have no value that tells what they are. */
export const hasOnlyGeneralValues = (rows: readonly Row[]): boolean =>
  rows.every((row) =>
    Object.keys(row ?? {}).every((name) => {
      const { concepts } = parseName(name);
      return GENERAL.some((concept) => concepts.has(concept));
    }),
  );

/**
 * True if rows may be what their list is named after: the heading of the page, the addresses that
 * they link to or their classes say so. Things with prices are others unless the page has the noun,
 * and people are named somewhere on their page.
 */
export function areRowsOf(group: RowGroup, wanted: Name): boolean {
  const { scopes } = group;
  if (wanted.words.some((word) => ANYTHING.test(word))) return true;
  const isMost = (test: (row: VisibleScope) => boolean): boolean =>
    scopes.filter((row) => test(row)).length >= scopes.length * MIN_SHARE;
  if (
    isPageAbout(scopes[0], wanted) ||
    isMost((row) => linksTo(row, wanted) || hasClassOf(row, wanted)) ||
    (wanted.words.some((word) => WORK.test(word)) && isMost(isReference))
  )
    return true;
  if (isMost((row) => selectPlacesOfType(row, "price").length > 0))
    return wanted.words.some((word) => FOR_SALE.test(word)) || isNamed(scopes[0], wanted);
  return !wanted.words.some((word) => PERSON.test(word)) || isNamed(scopes[0], wanted);
}

/**
 * True for rows with prices below a heading such as "Bestsellers", where products are asked for.
 */
export const areForSale = ({ scopes }: RowGroup, { words }: Name): boolean =>
  words.some((word) => FOR_SALE.test(word)) &&
  scopes.filter((row) => selectPlacesOfType(row, "price").length > 0).length >=
    scopes.length * MIN_SHARE;

/** True if the page has the noun of the list, or a word for people in one of people, anywhere. */
function isNamed(row: VisibleScope | undefined, wanted: Name): boolean {
  const words = toSingularWords((row?.model.text ?? "").slice(0, MAX_TEXT));
  const isOfPeople = wanted.words.some((word) => PERSON.test(word));
  return words.some((word) => meansSame(word, wanted) || (isOfPeople && PEOPLE.test(word)));
}

const MAX_TEXT = 50_000;
const PERSON =
  /^(?:employee|people|person|staff|team|colleague|speaker|presenter|instructor|teacher|lecturer|faculty|member|author|doctor|lawyer|attorney|agent|player|leader|director|founder|partner|contact)$/;
const PEOPLE =
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
