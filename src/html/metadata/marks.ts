// Classifies elements by class names, ids, itemprops and rels: an author, a date, or a part with
// lower trust.

import type { Element } from "domhandler";
import { measureLength } from "../parse/char-code-at.ts";
import { getClassNumber, mayHaveUncommon, getElementTagNumber } from "../parse/nodes.ts";
import { tagSet } from "../parse/tag-numbers.ts";

const AUTHOR =
  /(?:^|[\s_-])(?:authors?(?:-?(?:name|link))?|byline|by-line|byauthor|posted-?by|written-?by|writer|autor(?:en|in|es)?|auteur|autore|redakteur|journalist|contributor|username|bigusername|nickname)(?:$|[\s_-])|(?:author|byline)[_-]*(?:name|link|$|\s)|[a-z]Author(?:Name)?(?:$|[\s_-])|^(?:author|byline)|(?:^|\s)fn(?:$|\s)/;
/** BEM names, whose last part decides: `job-card__author`, `author-box__name`, `share--author`. */
const AUTHOR_ELEMENT = /(?:__|--)author(?:-?name)?(?:$|\s)|author(?:-\w+)*__name(?:$|\s)/;
const NOT_AUTHOR =
  /comment|avatar|photo|image|\bimg|picture|bio\b|biograph|social|follow|desc|about|more|related|box|widget|sidebar|footer|title-author|role|job|twitter|count|share|icon|newsletter/i;
const DATE =
  /(?:^|[\s_-])(?:date|datum|fecha|published|publish-?date|publishdate|pub-?date|post-?date|entry-?date|article-?date|date-?published|timestamp|dateline|posted-?on|posted|updated|meta|byline|time|erstellt|dt-published|submitted|info|publicationTime|authored)(?:$|[\s_-])|[a-z](?:Date|PublishTime|PublicationTime)(?:$|[\s_-])/;
const NOT_DATE =
  /comment|event|upcoming|related|copyright|picker|calendar|footer|countdown|expire|today|current-?date/i;
const COMMENTS =
  /(?:^|[\s_-])(?:comments?|comment-?list|commentmetadata|disqus|respond|related|recommended|recommendations|more-?(?:posts|articles|stories|news)|latest|recent-?posts|read-?(?:next|more)|popular|trending|teasers?|carousel)(?:$|[\s_-])/i;
/** Page builders call every element a widget. */
const ASIDE =
  /(?:^|[\s_-])(?:sidebar|(?<!elementor-)widgets?(?!-span)|footer|site-footer|breadcrumbs?|newsletter|menu|mega-?menu|navigation|navbar)(?:$|[\s_-])/i;
const ASIDE_TAGS = tagSet("nav aside footer");
export const isAsideTag = (element: Element): boolean =>
  ASIDE_TAGS[getElementTagNumber(element)] === 1;
/** Path segments before the last one in author addresses. */
const AUTHOR_FOLDERS: ReadonlySet<string> = new Set(
  (
    "author authors autor autoren autores autorin auteur auteurs contributor contributors writer writers redakteur redakteure " +
    "producers journalist journalists profile by"
  ).split(" "),
);
/** Segments that other people's pages have too. */
const PROFILE = /\/(?:profile|by)\//;
const DATE_PROPERTIES: ReadonlySet<string> = new Set([
  "datePublished",
  "dateModified",
  "dateCreated",
  "uploadDate",
]);

/**
 * Position: the page's own part, a side part (navigation, footer), or comments and related items.
 */
export type Place = "own" | "aside" | "comments";

/**
 * Returns whether an element claims to be an author or a date, and by which mark; undefined for
 * most elements.
 */
export function classify(element: Element, identity: Identity): Mark | undefined {
  const { attribs, name } = element;
  const isUnusual = mayHaveUncommon(element);
  const property = isUnusual ? attribs["itemprop"] : undefined;
  if (property !== undefined) {
    if (property === "author" || property === "creator")
      return { kind: "author", mark: "itemprop" };
    if (DATE_PROPERTIES.has(property)) return { kind: "date", mark: property };
  }
  if (name === "a") {
    const { href } = attribs;
    const rel = isUnusual ? attribs["rel"] : undefined;
    if (rel !== undefined && /(?:^|\s)author(?:$|\s)/i.test(rel))
      return { kind: "author", mark: "rel" };
    if (href !== undefined && measureLength(href) < 300 && isAuthorAddress(href))
      return { kind: "author", mark: PROFILE.test(href) ? "href profile" : "href" };
  }
  const { mark } = identity;
  return mark === undefined || name === "body" || name === "html" ? undefined : mark;
}

/** True if the last but one path segment is one for authors, as in `/author/jane-doe/`. */
function isAuthorAddress(href: string): boolean {
  const end = href.endsWith("/") ? href.length - 1 : href.length;
  const last = href.lastIndexOf("/", end - 1);
  if (last < 1 || last === end - 1) return false;
  const folder = href.lastIndexOf("/", last - 1);
  return folder !== -1 && AUTHOR_FOLDERS.has(href.slice(folder + 1, last));
}

const REPLY = /^(?:comment|suggestedAnswer|acceptedAnswer)$/;

/** True for microdata about a reply to the page's own text. */
const isReply = (element: Element): boolean =>
  mayHaveUncommon(element) &&
  "itemscope" in element.attribs &&
  REPLY.test(element.attribs["itemprop"] ?? "");

/** Returns the place of an element's content if it is about something other than the page. */
export function findLowTrustPlace(element: Element, { place }: Identity): Place {
  if (isReply(element)) return "comments";
  if (place === "own") return isAsideTag(element) ? "aside" : place;
  const { name } = element;
  return name === "body" || name === "main" || name === "article" || name === "html"
    ? "own"
    : place;
}

type Mark = { readonly kind: "author" | "date"; readonly mark: string };
/** Meaning of an element's class, id or test id. */
export type Identity = { readonly mark: Mark | undefined; readonly place: Place };

/**
 * Caches name meanings for one page, because the same few hundred class names repeat thousands of
 * times.
 */
export class NameCache {
  /** By class attribute number. */
  readonly byClass: Identity[] = [];
  readonly byName = new Map<string, Identity>();
}

const NO_IDENTITY: Identity = { mark: undefined, place: "own" };
const MAX_REMEMBERED = 5_000;

/** Reads the names of an element; most have no meaning. */
export function readIdentity(element: Element, memory: NameCache): Identity {
  const { attribs } = element;
  const number = getClassNumber(element);
  if (number > 0) return (memory.byClass[number] ??= readNames(attribs["class"] ?? ""));
  const classes = number === 0 ? undefined : attribs["class"];
  const identity =
    classes ?? attribs["id"] ?? (mayHaveUncommon(element) ? attribs["data-testid"] : undefined);
  if (identity === undefined) return NO_IDENTITY;
  const known = memory.byName.get(identity);
  if (known !== undefined) return known;
  const read = readNames(identity);
  if (memory.byName.size < MAX_REMEMBERED) memory.byName.set(identity, read);
  return read;
}

function readNames(identity: string): Identity {
  if (measureLength(identity) > 300) return NO_IDENTITY;
  return { mark: toMark(identity), place: toPlace(identity) };
}

function toMark(identity: string): Mark | undefined {
  if (AUTHOR_ELEMENT.test(identity) || (AUTHOR.test(identity) && !NOT_AUTHOR.test(identity)))
    return { kind: "author", mark: `class ${identity}` };
  if (DATE.test(identity) && !NOT_DATE.test(identity))
    return { kind: "date", mark: `class ${identity}` };
  return undefined;
}

function toPlace(identity: string): Place {
  if (COMMENTS.test(identity)) return "comments";
  return ASIDE.test(identity) ? "aside" : "own";
}
