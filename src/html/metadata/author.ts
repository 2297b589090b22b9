// Who wrote it. Declared names are trusted as they are; names read from the page are cut out of bylines and must look like names.

import type { Candidate } from "./facts.ts";
import { namesOf } from "./json-ld.ts";
import { mainNodes, metaRule, type Page, type Rule } from "./rule.ts";
import { squash } from "./short-text.ts";

const LEAD =
  /^(?:(?:(?:written|posted|published|reviewed|created|words|story|text|article|geschrieben|verfasst|erstellt|publié|escrito|publicado|scritto)\s+)?(?:by|von|par|por|di|door|av|af|przez|od)\b|(?:author|autor|autorin|auteur|autore|text|redaktion|by|von|verfasser|автор|作者|文)\s*[:：]|✍)\s*[:：]?\s*/i;
const CUT =
  /\s+[|•·–—/]\s*|\s+-\s+|\s*\(|\s*[|•·]|\n|\s+(?:on|am|le|el|in|at|um)\s+(?=\p{L}*\.?,?\s*\d)|,?\s+(?:last\s+)?(?:updated|published|posted|geposted|aktualisiert|veröffentlicht|read more|min read|minute|follow|share)\b|\s*,?\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s+\d|\d{1,2}[./]|\d{4}).*$/iu;
const ROLE =
  /,\s*(?:[^,]*\b(?:editor|writer|reporter|correspondent|contributor|author|staff|journalist|ceo|cto|founder|director|manager|md|phd|ph\.d|m\.d|rd|rn|mba|freelance|redakteur|redaktion|redakteurin|chef|senior|specialist|strategist|expert)\b).*$/i;
const NOT_A_NAME =
  /https?:|www\.|@|^\W*$|[{}<>]|^(?:author|by|admin(?:istrator)?|editor|home|menu|share|posts?|login|unknown|anonymous|null|undefined|none|n\/a|about|contact|more|redaktion)$|copyright|©|all rights|view all|read more|posts by|subscribe|cookie/i;

/** A declared author as a name: addresses and e-mails are dropped, a leading "by" is cut. Empty when nothing is left. */
export function cleanDeclared(value: string): string {
  const name = squash(value.replace(/<[^<>]{0,200}>/g, " "))
    .replace(LEAD, "")
    .replace(/^@/, "");
  if (name.length > 150 || /^(?:https?:)?\/\/|^www\.|^null$|^undefined$|^\S+@\S+$/i.test(name))
    return "";
  return name;
}

/** The names inside a byline as it stands on a page ("By Jane Doe, Staff Writer | May 3"), or "" when it holds none. */
export function cleanByline(value: string): string {
  let text = squash(value);
  if (text.length > 160) return "";
  text = text.replace(LEAD, "").replace(LEAD, "");
  const cut = CUT.exec(text);
  if (cut !== null && cut.index > 0) text = text.slice(0, cut.index);
  text = text
    .replace(ROLE, "")
    .replace(/[\s,;:|.–-]+$/, (end) =>
      end.startsWith(".") && /\b\p{Lu}$/u.test(text.slice(0, -end.length)) ? "." : "",
    );
  if (text.length < 3 || text.length > 90 || NOT_A_NAME.test(text) || /\d{2}|[?!]/.test(text))
    return "";
  const words = text.split(" ").length;
  const parts = text.split(/,|\s(?:and|und|et|y|&)\s/).length;
  return words <= 4 * parts && words <= 12 ? text : "";
}

function linkedAuthor(page: Page): string | undefined {
  for (const property of ["author", "creator"]) {
    for (const node of mainNodes(page)) {
      const names = namesOf(node, property)
        .map(cleanDeclared)
        .filter((name) => name !== "");
      if (names.length > 0) return [...new Set(names)].join(", ");
    }
  }
  return undefined;
}

function firstByline(
  page: Page,
  test: (candidate: Candidate) => boolean,
  most = 1,
): string | undefined {
  const names = new Set<string>();
  let last: number | undefined;
  for (const candidate of page.facts.authors) {
    if (candidate.muted || !test(candidate)) continue;
    if (last !== undefined && candidate.position - last > 15) break;
    const name = cleanByline(candidate.value);
    if (name === "") continue;
    if (![...names].some((known) => known.includes(name) || name.includes(known))) names.add(name);
    last = candidate.position;
    if (names.size >= most) break;
  }
  return names.size === 0 ? undefined : [...names].join(", ");
}

// "By Jane Doe" as its own text near the headline, on pages that mark nothing.
const LOOSE_BYLINE =
  /^(?:by|von|par|por)\s+(\p{Lu}[\p{L}'’.-]+(?:\s+\p{Lu}[\p{L}'’.-]*){1,3})(?:$|\s*[|,•·])/iu;

function looseByline(page: Page): string | undefined {
  for (const { value, muted } of page.facts.bylineTexts) {
    const name = muted ? undefined : LOOSE_BYLINE.exec(value)?.[1];
    if (name !== undefined) return cleanByline(name);
  }
  return undefined;
}

export const authorRules: readonly Rule[] = [
  ["json-ld author", linkedAuthor],
  metaRule(
    ["author", "article:author", "article:author_name", "dc.creator", "dcterms.creator", "parsely-author", "sailthru.author", "cXenseParse:author", "citation_author", "byl", "rbauthors", "shareaholic:article_author_name", "article.author", "og:author", "creator"],
    cleanDeclared,
  ),
  ["microdata author", (page) => firstByline(page, ({ mark }) => mark === "itemprop", 5)],
  ["rel author", (page) => firstByline(page, ({ mark }) => mark === "rel", 5)],
  ["byline by class", (page) => firstByline(page, ({ mark }) => mark.startsWith("class"), 5)],
  ["byline text", looseByline],
]; // prettier-ignore
