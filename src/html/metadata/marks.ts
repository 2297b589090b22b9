// What class names, ids, itemprops and rels say about an element: an author, a date, or a part to be trusted less.

import type { Element } from "domhandler";

const AUTHOR =
  /(?:^|[\s_-])(?:author(?:s|-?name)?|byline|by-line|byauthor|post-?author|entry-?author|article-?author|posted-?by|written-?by|writer|autor(?:en|in|es)?|auteur|autore|redakteur|journalist|contributor|p-author|fn)(?:$|[\s_-]|__|--)|(?:author|byline)(?:[_-]*name|[_-]*link)|[a-z]Author(?:Name)?(?:$|[\s_-])|^(?:author|byline)/;
const NOT_AUTHOR =
  /comment|avatar|photo|image|\bimg|picture|bio\b|biograph|social|follow|desc|about|more|related|box|widget|sidebar|footer|title-author|role|job|twitter|count|share|icon|newsletter/i;
const DATE =
  /(?:^|[\s_-])(?:date|datum|fecha|data-pubblicazione|published|publish-?date|pub-?date|post-?date|entry-?date|article-?date|date-?published|timestamp|dateline|posted-?on|posted|updated|meta|post-?meta|entry-?meta|byline|time|erstellt|dt-published|submitted|info)(?:$|[\s_-]|__|--)|[a-z]Date(?:$|[\s_-])/;
const NOT_DATE =
  /comment|event|upcoming|related|copyright|picker|calendar|footer|countdown|expire/i;
const MUTING =
  /(?:^|[\s_-])(?:comments?|comment-?list|disqus|respond|related|recommended|recommendations|sidebar|widgets?|footer|site-footer|breadcrumbs?|more-?(?:posts|articles|stories|news)|latest|recent-?posts|read-?(?:next|more)|popular|trending|teasers?|carousel|newsletter|menu|mega-?menu|navigation|navbar)(?:$|[\s_-]|__|--)/i;
const MUTING_TAGS: ReadonlySet<string> = new Set(["nav", "aside", "footer"]);
const DATE_PROPERTIES: ReadonlySet<string> = new Set([
  "datePublished",
  "dateModified",
  "dateCreated",
  "uploadDate",
]);

/** Says what an element claims to hold: an author or a date, with the kind of mark; undefined for most elements. */
export function classify(element: Element): { kind: "author" | "date"; mark: string } | undefined {
  const { attribs } = element;
  const property = attribs["itemprop"];
  if (property !== undefined) {
    if (property === "author" || property === "creator")
      return { kind: "author", mark: "itemprop" };
    if (DATE_PROPERTIES.has(property)) return { kind: "date", mark: property };
  }
  const rel = attribs["rel"];
  if (rel !== undefined && /(?:^|\s)author(?:$|\s)/i.test(rel))
    return { kind: "author", mark: "rel" };
  const identity = attribs["class"] ?? attribs["id"] ?? attribs["data-testid"];
  if (identity === undefined || identity.length > 300) return undefined;
  if (element.name === "body" || element.name === "html") return undefined;
  if (AUTHOR.test(identity) && !NOT_AUTHOR.test(identity))
    return { kind: "author", mark: `class ${identity}` };
  if (DATE.test(identity) && !NOT_DATE.test(identity))
    return { kind: "date", mark: `class ${identity}` };
  return undefined;
}

/** Says whether what stands inside an element speaks about something else than this page's own content. */
export function isMuting(element: Element): boolean {
  if (MUTING_TAGS.has(element.name)) return true;
  if (element.name === "body" || element.name === "main" || element.name === "article")
    return false;
  const { attribs } = element;
  const identity = attribs["class"] ?? attribs["id"];
  return identity !== undefined && identity.length < 300 && MUTING.test(identity);
}
