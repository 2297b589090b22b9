// Finds the author. Declared names are trusted unless they only name the site. Names found in the
// text are cut out of bylines and must look like names.

import type { Candidate } from "./facts.ts";
import { listNames } from "./json-ld.ts";
import { cleanByline, cleanDeclared } from "./person-name.ts";
import { findHeadlinePosition, type Page, type Rule } from "./rule.ts";

const METAS = [
  "author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author",
  "cXenseParse:author", "citation_author", "byl", "rbauthors", "shareaholic:article_author_name", "article.author", "og:author",
  "creator",
]; // prettier-ignore

const MAX_AUTHORS = 20;

/** Words that occur only in names of companies, societies and newsrooms. */
const CORPORATE =
  /(?:^|[\s,])(?:e\.\s?V\.|GmbH|AG|Inc\.?|Ltd\.?|LLC|S\.?A\.?|Media|Média|Verlag|Redaktion|Redacción|Rédaction|Stiftung|Foundation|Association|Verband|Magazin|Magazine|News|Clinic|Newsroom|Agencies|Agenturen|Staff|Team)(?:$|[\s,])/u;

/** True if a declared author is only a company, a society or a newsroom. */
export const isCorporate = (name: string): boolean =>
  CORPORATE.test(name) && !/[,|]|\s[-–]\s/.test(name);

/**
 * True if a declared author is not a person: the site, its publisher, or a generic account name.
 */
export function isSiteAuthor(name: string, page: Page): boolean {
  return (
    page.main.some((node) => listNames(node, "publisher").includes(name)) ||
    /^(?:admin(?:istrator)?|redaktion|editor(?:ial)?|staff|webmaster|root)$/i.test(name) ||
    ADDRESS.test(name) ||
    page.isSiteName(name)
  );
}

/** The address of a site in a name: "Example News (www.example.com)". */
const ADDRESS = /\bwww\.|https?:/i;

/** Types of authors that are not persons. */
const NO_PERSON = /Organi[sz]ation|WebSite|Brand/;

function listLinkedAuthors(page: Page, without?: RegExp): string[] {
  for (const property of ["author", "creator"]) {
    for (const node of page.main) {
      const names = listNames(node, property, without)
        .map(cleanDeclared)
        .filter((name) => name !== "");
      if (names.length > 0) return names;
    }
  }
  return [];
}

/**
 * Returns the persons whom linked data names as authors of the page. Linked data states types
 * deliberately, unlike a meta author, which is often an account.
 */
export function listLinkedPeople(page: Page): string[] {
  for (const property of ["author", "creator"])
    for (const node of page.main) {
      if (listNames(node, property, undefined, "Person").length === 0) continue;
      const names = listNames(node, property, NO_PERSON)
        .map(cleanDeclared)
        .filter((name) => name !== "" && !isSiteAuthor(name, page));
      if (!names.every(isCorporate)) return [...new Set(names)].slice(0, MAX_AUTHORS);
    }
  return [];
}

function listMetaAuthors(page: Page): string[] {
  for (const key of METAS) {
    const inverted = key.startsWith("citation") || key.startsWith("dc");
    const names = page
      .metaAll(key)
      .map((value) =>
        cleanDeclared(inverted ? value.replace(/^([^,]+), ([^,]+)$/, "$2 $1") : value),
      )
      .filter((name) => name !== "");
    if (names.length > 0) return names;
  }
  for (const number of [1, 2]) {
    const label = page.meta(`twitter:label${number}`) ?? "";
    if (/written|author|verfasst|geschrieben|écrit|escrito|scritto/i.test(label))
      return [cleanDeclared(page.meta(`twitter:data${number}`) ?? "")];
  }
  return [];
}

/** A name of an account, not of a person: "jdoe", "JaneD", "user_12". */
export const isAccount = (name: string): boolean =>
  /^[\w.@-]+$/.test(name) && (!/^[A-Z]/.test(name) || /[\d_@]|[a-z][A-Z]/.test(name));

const listDeclaredAuthors = (page: Page): string[] => [
  ...new Set([...listLinkedAuthors(page), ...listMetaAuthors(page)]),
];

function join(names: readonly string[]): string | undefined {
  return names.length === 0 ? undefined : [...new Set(names)].slice(0, MAX_AUTHORS).join(", ");
}

const toPeopleRule =
  (read: (page: Page) => string[]) =>
  (page: Page): string | undefined => {
    const names = read(page).filter((name) => !isSiteAuthor(name, page));
    return names.every(isCorporate) ? undefined : join(names);
  };

type Test = (candidate: Candidate, page: Page) => boolean;

const isOwn: Test = ({ place }) => place === "own";
const hasMark =
  (start: string): Test =>
  ({ mark }) =>
    mark.startsWith(start);
const isNear: Test = ({ position }, page) => {
  const at = findHeadlinePosition(page);
  return at === undefined || (position >= at - 60 && position <= at + 100);
};

/** Classes of what stands beside an author's name. */
const NO_NAME_MARK = /author[\w-]*(?:role|job|__title|contact|social|socmed|archive|feed|follow)/i;

// Returns the first byline with a name, and those that follow it closely (joint authors).
const createBylineRule = (max: number, ...tests: readonly Test[]) =>
  createNameRule(max, (name, page) => !page.isSiteName(name), tests);

function createNameRule(
  max: number,
  accepts: (name: string, page: Page) => boolean,
  tests: readonly Test[],
) {
  return (page: Page): string | undefined => {
    const names: string[] = [];
    let last: number | undefined;
    for (const candidate of page.facts.authors) {
      if (!tests.every((test) => test(candidate, page)) || NO_NAME_MARK.test(candidate.mark))
        continue;
      if (last !== undefined && candidate.position - last > 12) break;
      // An element around the whole article may carry its author in a class.
      if (page.headline !== undefined && candidate.value.startsWith(page.headline.value)) continue;
      const name = cleanByline(candidate.value);
      if (name === "" || !accepts(name, page)) continue;
      if (!names.some((known) => known.includes(name) || name.includes(known))) names.push(name);
      last = candidate.position;
      if (names.length >= max) break;
    }
    return join(names);
  };
}

// "By Jane Doe" as a separate text on pages without markup. Requires capitals, because nothing else
// proves that it is a name.
const BYLINE_TEXT =
  /(?:by|von|par|por|di|door|av|author|autor|autorin|auteur|verfasser)\s*:?\s+((?:(?:dr|prof)\.\s+)?\p{Lu}[\p{L}.'’-]*(?:\s+(?:(?:de|van|von|der|la|le|di|da|del|bin|al)\s+)*\p{Lu}[\p{L}.'’-]*){0,3}(?:(?:,|\s+(?:and|und|et|y|&))\s+\p{Lu}[\p{L}.'’-]*\s+\p{Lu}[\p{L}.'’-]*){0,4})(?=$|\s*(?:[|,•·–(/]|-(?!\d))|\s+(?:on|am|le|el|in|at)\s|\s+\p{L}*\.?\s*\d)/iu;

function createBylineTextRule(...tests: readonly Test[]) {
  return (page: Page): string | undefined => {
    for (const candidate of page.facts.bylineTexts) {
      if (!tests.every((test) => test(candidate, page))) continue;
      const found = BYLINE_TEXT.exec(candidate.value)?.[1] ?? "";
      if (!/^\p{Lu}/u.test(found) || (found === found.toUpperCase() && found.length < 4)) continue;
      const name = cleanByline(found);
      if (name !== "" && !/\s\p{Ll}{4,}/u.test(name.replace(/\s(?:and|und)\s/g, " "))) return name;
    }
    return undefined;
  };
}

// "Written by Jane Doe" at the end of the text.
const WRITTEN_WORDS =
  /^\s*(?:written|words|story|article|text|geschrieben|verfasst|escrito|écrit|rédigé|scritto)\s+(?:by|von|par|por|di)\s/iu;
const saysWritten = createBylineTextRule(isOwn, ({ value }) => WRITTEN_WORDS.test(value));

// Several such texts belong to several reviews or articles.
function findOnlyWrittenAuthor(page: Page): string | undefined {
  const written = page.facts.bylineTexts.filter(({ value }) => WRITTEN_WORDS.test(value));
  return written.length === 1 ? saysWritten(page) : undefined;
}

// Author links far from the headline count if they all name the same person.
function findOnlyLinkedAuthor(page: Page): string | undefined {
  const names = new Set<string>();
  for (const { mark, value, place } of page.facts.authors) {
    if (mark !== "href" || place === "comments") continue;
    const name = cleanByline(value);
    if (name !== "" && !page.isSiteName(name)) names.add(name);
  }
  return names.size === 1 ? [...names][0] : undefined;
}

function findMicrodataAuthor(page: Page): string | undefined {
  const found = page.facts.authors.find((one) => one.mark === "itemprop" && one.place === "own");
  return found === undefined ? undefined : cleanByline(found.value);
}

/** Maximum elements between a headline and its byline. */
const MAX_HEADLINE_DISTANCE = 40;

// Some pages carry the comments' class around the whole article. A byline directly below the
// headline is that of the article.
const isBelowHeadline: Test = ({ position, mark }, page) => {
  const at = findHeadlinePosition(page);
  return (
    at !== undefined &&
    position >= at &&
    position <= at + MAX_HEADLINE_DISTANCE &&
    page.headline?.place !== "comments" &&
    !mark.startsWith("href")
  );
};

/** Maximum elements between a headline and a byline without markup that is certainly its own. */
const MAX_BYLINE_DISTANCE = 15;

const isBesideHeadline: Test = ({ position }, page) => {
  const at = findHeadlinePosition(page);
  return at === undefined || Math.abs(position - at) <= MAX_BYLINE_DISTANCE;
};

const readMarkedByline = createNameRule(1, () => true, [
  isOwn,
  isNear,
  ({ mark }) => /^(?:itemprop|rel|class)/.test(mark),
]);

// The page shows its site or newsroom as the author. A declared one has a cleaner name.
const findSiteByline = (page: Page): string | undefined =>
  listDeclaredAuthors(page).length === 0 ? readMarkedByline(page) : undefined;

/** Two or three capitalized words. */
const FULL_NAME = /^(?:\p{Lu}[\p{L}’'.-]*\s){1,2}\p{Lu}[\p{L}’'-]+$/u;

// On a personal site, the author and the site have the same name. Other names in the text are then
// those of people it is about.
function findNamesake(page: Page): string | undefined {
  const [name, ...others] = listDeclaredAuthors(page);
  return name !== undefined && others.length === 0 && FULL_NAME.test(name) && !isCorporate(name)
    ? name
    : undefined;
}

const findLinkedNames = createBylineRule(5, isOwn, isNear, hasMark("href"));
const findClassNames = createBylineRule(5, isOwn, isNear, hasMark("class"));

// A class may mark only the last of several linked authors.
function findJointAuthors(page: Page): string | undefined {
  const linked = findLinkedNames(page);
  const marked = findClassNames(page);
  if (linked === undefined || marked === undefined) return undefined;
  const names = linked.split(", ");
  return names.length > 1 && names.includes(marked) ? linked : undefined;
}

export const authorRules: readonly Rule[] = [
  ["json-ld author", toPeopleRule((page) => listLinkedAuthors(page, NO_PERSON))],
  ["meta author", toPeopleRule((page) => listMetaAuthors(page).filter((name) => !isAccount(name)))],
  ["author of the first post", (page) => page.findFirstPost()?.author],
  ["microdata author", createBylineRule(5, isOwn, hasMark("itemprop"))],
  ["rel author", createBylineRule(5, isOwn, hasMark("rel"))],
  ["linked authors", findJointAuthors],
  ["byline by class", findClassNames],
  ["byline text beside the headline", createBylineTextRule(isOwn, isBesideHeadline)],
  ["byline below the headline", createBylineRule(3, isBelowHeadline)],
  ["link to an author", createBylineRule(3, isOwn, isNear, hasMark("href"))],
  ["meta author, an account", toPeopleRule(listMetaAuthors)],
  ["meta author, named like the site", findNamesake],
  ["byline text", createBylineTextRule(isOwn, isNear)],
  ["byline in a side part", createBylineRule(5, ({ place }) => place !== "comments", isNear)],
  ["byline, the site", findSiteByline],
  ["byline by class anywhere", createBylineRule(1, isOwn, hasMark("class"))],
  ["text that says written by", findOnlyWrittenAuthor],
  ["only link to an author", findOnlyLinkedAuthor],
  ["json-ld author, the site", (page) => join(listLinkedAuthors(page))],
  ["meta author, the site", (page) => join(listMetaAuthors(page))],
  ["microdata author, the site", findMicrodataAuthor],
];
