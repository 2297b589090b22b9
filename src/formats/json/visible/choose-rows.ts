// Chooses the list of a page whose rows answer for an array of objects.
import { scoreSimilarity, parseName, parseNameInContext, type Name } from "../names/names.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { areForSale, areRowsOf, hasOnlyGeneralValues } from "./row-kind.ts";
import type { RowGroup } from "./row-group.ts";

export type Filling = Readonly<Record<string, unknown>> | undefined;

/** Number of rows that are tried to choose a group. */
const SAMPLE_ROWS = 6;

/** Share of the item's properties that the rows of a group must fill. */
const MIN_SHARE = 0.3;

/** Rows of the page's main list, and the share its rows must fill: no other list is likely. */
const MIN_MAIN_LIST_ROWS = 5;

const MIN_SHARE_OF_LONG = 0.2;

/** Filled properties per row that make a match by chance unlikely. */
const MIN_CONCLUSIVE = 4;
/** Share of a page's text that only its main list has, and the rows of a list. */
const MAIN_COVERAGE = 0.35;
const MIN_ROWS = 3;

/** True for a list that may have few of the properties of a schema which asks for much. */
const isPlausibleList = (group: RowGroup, mean: number, isNamed: boolean, wanted: Name): boolean =>
  mean >= MIN_CONCLUSIVE ||
  (group.scopes.length >= MIN_ROWS &&
    !isHeadingRun(group) &&
    (isNamed ||
      areForSale(group, wanted) ||
      (!hasOtherHeading(group, wanted) && measureCoverage(group) >= MAIN_COVERAGE)));

/**
 * True for a list below a short heading that is not the page's and has no word of the requested
 * name: it says what else the list has. A longer one is a slogan. A list in parts has the headings of
 * its parts.
 */
function hasOtherHeading({ title, heading, scopes }: RowGroup, wanted: Name): boolean {
  const [first, last] = [scopes[0], scopes.at(-1)];
  const [start, end] = [first?.roots[0]?.index ?? 0, last?.roots[0]?.index ?? 0];
  return (first?.model.sections ?? []).some(
    (section) =>
      section.heading !== first?.model.heading &&
      (section.title === title || section.title === heading) &&
      section.start <= start &&
      end < section.end &&
      section.title.split(/\s+/).length <= MAX_NAMING_WORDS &&
      !parseName(section.title).words.some((word) => wanted.words.includes(word)),
  );
}

/** "Open days" names the entries below it, "Simple prices for every team" does not. */
const MAX_NAMING_WORDS = 3;

/** Properties that a row must fill, unless its list has the requested name or is the main one. */
const MIN_FILLED = 2;

/**
 * Returns the group whose rows fill most of the item's properties; undefined if no group fills
 * enough of them.
 */
export function chooseRowGroup(
  groups: readonly RowGroup[],
  items: Shape,
  wanted: Name,
  fill: (scope: VisibleScope, group: string) => Filling,
): RowGroup | undefined {
  const fitting: Candidate[] = [];
  const named = groups.filter((group) => isListNamed(group, wanted)).slice(0, MAX_NAMED);
  const asksForPeriod = [...items.properties.keys()].some((name) =>
    PERIOD_NAME.test(parseName(name).key),
  );
  const names = [...items.properties.keys()];
  const title = names.find((name) => parseNameInContext(name, names, wanted).concepts.has("name"));
  for (const group of groups) {
    if (group.isOfPeriods === true && !asksForPeriod) continue;
    const filled = sample(group.scopes.map((scope, at) => ({ scope, at }))).map(({ scope, at }) =>
      fill(scope, group.groups[at] ?? ""),
    );
    const mean =
      filled.reduce((sum, value) => sum + Object.keys(value ?? {}).length, 0) /
      Math.max(1, filled.length);
    // The people below "Staff" are its list, whether they are grouped by department or not.
    const isNamed =
      isListNamed(group, wanted) || named.some((other) => other !== group && holds(other, group));
    // One property may be filled from any list: the list must have the requested heading or be the
    // page's main list.
    const isFew = mean < MIN_FILLED;
    if (isFew && !isNamed && (isHeadingRun(group) || measureCoverage(group) < 0.5)) continue;
    if (!isNamed && hasOnlyGeneralValues(filled) && !areRowsOf(group, wanted)) continue;
    const share = mean / Math.max(1, items.properties.size);
    // Long lists are the main content of a page; a heading with the requested name decides between
    // lists.
    const score = share + (isNamed ? 0.3 : 0) + Math.min(group.scopes.length, 20) * 0.005;
    const least =
      group.scopes.length >= MIN_MAIN_LIST_ROWS && measureCoverage(group) >= 0.2
        ? MIN_SHARE_OF_LONG
        : MIN_SHARE;
    const isSure = share >= least;
    const isTitled = title !== undefined && filled.every((value) => value?.[title] !== undefined);
    if (
      !isSure &&
      !(isTitled && mean >= MIN_FILLED && isPlausibleList(group, mean, isNamed, wanted))
    )
      continue;
    // A heading over several records of a list is no record.
    if (isHeadingRun(group) && fitting.some((inner) => isWithin(inner.group, group))) continue;
    fitting.push({ group, score, isSure });
  }
  const isAnySure = fitting.some(({ isSure }) => isSure);
  const [best] = fitting
    .filter(({ isSure }) => isSure || !isAnySure)
    .toSorted((one, other) => other.score - one.score);
  const chosen = best?.group;
  if (chosen === undefined || isListNamed(chosen, wanted)) return chosen;
  // All parts of a list, not the one whose rows are fullest.
  return fitting.find(({ group }) => isPartOf(chosen, group))?.group ?? chosen;
}

/**
 * A group whose rows fill enough properties; not sure if the schema asks for much more than they
 * have.
 */
type Candidate = { readonly group: RowGroup; readonly score: number; readonly isSure: boolean };

/** Lists with the requested name that are compared with the others. */
const MAX_NAMED = 5;

/** True if the records of a group are some of those of another one. */
function isPartOf({ scopes }: RowGroup, whole: RowGroup): boolean {
  if (whole.scopes.length <= scopes.length || !whole.groups.some((title) => title !== ""))
    return false;
  const roots = new Set(whole.scopes.map(({ roots: [root] }) => root));
  return scopes.every(({ roots: [root] }) => roots.has(root));
}

/**
 * True if a list, or a part of it, has a heading like the requested name. A part of exactly that name
 * is a list of its own.
 */
export function isListNamed({ title, heading, noun, groups }: RowGroup, wanted: Name): boolean {
  if (noun !== undefined && scoreSimilarity(wanted, parseName(noun)) >= 0.9) return true;
  const names = [...new Set(groups)].map(parseName);
  // "Usage" is the part for `usage_limits`, "Academic staff" one of several for `staff`.
  const isOnePart =
    names.length > 1 &&
    names.some(
      ({ words }) => words.length > 0 && words.every((word) => wanted.words.includes(word)),
    );
  const parts = names.map((name) => scoreSimilarity(wanted, name));
  return (
    [title, heading ?? title].some((text) => scoreSimilarity(wanted, parseName(text)) >= 0.55) ||
    (!isOnePart && parts.some((score) => score >= 0.55))
  );
}

/** True if the records of a group are inside those of another one, which has fewer. */
const isWithin = (inner: RowGroup, outer: RowGroup): boolean =>
  inner.scopes.length > outer.scopes.length &&
  sample(inner.scopes).every(({ roots: [root], model }) =>
    outer.scopes.some(({ roots }) =>
      roots.some((each) => root !== undefined && model.contains(each, root)),
    ),
  );

/** Headings with the text below each are the parts of an article more often than a list. */
const isHeadingRun = ({ scopes: [first] }: RowGroup): boolean => (first?.roots.length ?? 0) > 1;

/** Share of the page's text that is in a group. */
function measureCoverage({ scopes }: RowGroup): number {
  const length = scopes
    .flatMap(({ roots }) => roots)
    .reduce((sum, { from, to }) => sum + to - from, 0);
  return length / Math.max(1, scopes[0]?.model.text.length ?? 1);
}

export function sample<Item>(list: readonly Item[]): Item[] {
  if (list.length <= SAMPLE_ROWS) return [...list];
  const step = (list.length - 1) / (SAMPLE_ROWS - 1);
  return Array.from({ length: SAMPLE_ROWS }, (_, at) => list[Math.round(at * step)] as Item);
}

/** True if the records of a group, by a sample of them, are inside those of another one. */
const holds = (outer: RowGroup, { scopes }: RowGroup): boolean =>
  sample(scopes).every(({ roots: [root], model }) =>
    outer.scopes.some(({ roots }) =>
      roots.some((each) => root !== undefined && each !== root && model.contains(each, root)),
    ),
  );

/** Properties of rows that are periods. */
const PERIOD_NAME =
  /^(?:(?:fiscal|financial|reporting|business|school|calendar) )?(?:year|period|quarter|half|half year|month|date|season|jahr|geschaftsjahr|zeitraum|periode|quartal|halbjahr|monat|annee|exercice|trimestre|semestre|mois|ano|ejercicio|mes|anno|esercizio|mese|jaar|boekjaar|kwartaal|rok|kwartal)$/;
