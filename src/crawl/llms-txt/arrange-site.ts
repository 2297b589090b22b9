// Sorts the pages of a site into sections, as its navigation does: by the outline of the start page,
// else by folder. The same pages give the same sections in any order of fetching.
import type { Token, Tokens } from "marked";
import { trimEndMatching } from "../../runtime/trim-end-matching.ts";
import { fold, listLinks, listLinkTokens, tokenize, toPlainText, walk } from "./markdown-tokens.ts";

export type SitePage = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  /** Only the beginning of the text is here, for the page's description. */
  readonly isCut?: boolean;
  /** Links of the page in order. */
  readonly links: readonly string[];
};

export type Section = { readonly title: string; readonly pages: readonly SitePage[] };

/** Maximum characters of a page to search for its outline or first sentence. */
const MAX_OUTLINE_CHARACTERS = 100_000;
/** Identifies a page: its URL without fragment, index file and closing slash. */
const toKey = (url: string): string =>
  url
    .replace(/#.*$/s, "")
    .replace(/\/index\.x?html?$/i, "")
    .replace(/\/$/, "");

/** Sorts the pages of a site into sections, the start page excluded. */
export function arrangeSite(
  start: string,
  pages: readonly SitePage[],
): { readonly home: SitePage | undefined; readonly sections: Section[] } {
  const byKey = new Map<string, SitePage>();
  for (const page of pages.toSorted((a, b) => (a.url < b.url ? -1 : 1)))
    if (!byKey.has(toKey(page.url))) byKey.set(toKey(page.url), page);
  const home = byKey.get(toKey(start));
  byKey.delete(toKey(start));
  const folders = groupByFolder(start, home, [...byKey.values()]);
  if (home === undefined) return { home, sections: folders };
  const outlined = groupByOutline(start, readOutline(home.markdown), byKey);
  if (outlined === undefined) return { home, sections: folders };
  const largest = Math.max(0, ...outlined.map((section) => section.pages.length));
  // An outline with nearly everything in one section says less than the folders.
  const isLopsided = largest > MAX_SECTION_SHARE * byKey.size && folders.length > outlined.length;
  const sections = isLopsided ? folders : outlined;
  return { home, sections: moveIndexes(start, sections, byKey.size) };
}

/** Readers may skip this section (llmstxt.org). */
const OPTIONAL = "Optional";
/** A page beside the start page with at least so many links, and little text but theirs. */
const MIN_INDEX_LINKS = 30;
const MIN_INDEX_SHARE = 0.7;
const MAX_INDEX_CHARACTERS = 20_000;

/**
 * Moves indexes of the whole site, such as one of words by letter, into a last section: those of the
 * overview, and those beside the start page with links to much of the site.
 */
function moveIndexes(start: string, sections: readonly Section[], siteSize: number): Section[] {
  const minLinks = Math.max(MIN_HUB_LINKS, HUB_SHARE * siteSize);
  const found = sections.flatMap(({ title, pages }) =>
    pages.filter(
      (page) =>
        (title === OVERVIEW ||
          (getFolder(page.url) === getFolder(start) &&
            new Set(page.links.map(toKey)).size >= minLinks)) &&
        isIndex(page),
    ),
  );
  const series = listSeries(found);
  const moved = new Set(found);
  const kept = sections.flatMap((section): Section[] => {
    if (section.title === OVERVIEW)
      for (const page of section.pages)
        if (series.has(readSeries(page.title) ?? "")) moved.add(page);
    const pages = section.pages.filter((page) => !moved.has(page));
    return pages.length === 0 ? [] : [{ ...section, pages }];
  });
  if (moved.size === 0 || kept.length === 0) return [...sections];
  const order = sections.flatMap(({ pages }) => pages).filter((page) => moved.has(page));
  return [...kept, { title: OPTIONAL, pages: order }];
}

/** "Index – Y" of a title "Index – Y — Boats 1.0" is of the series "Index". */
const readSeries = (title: string): string | undefined =>
  /^(.{2,60}?) [–—-] \S{1,8}(?: [—–|·-] |$)/.exec(title)?.[1];

const MIN_SERIES = 3;

/** Names that several indexes have in common: one of few entries belongs to them. */
function listSeries(pages: readonly SitePage[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { title } of pages) {
    const name = readSeries(title);
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Set([...counts].filter(([, count]) => count >= MIN_SERIES).map(([name]) => name));
}

function isIndex({ markdown, links }: SitePage): boolean {
  if (links.length < MIN_INDEX_LINKS) return false;
  const tokens = tokenize(markdown.slice(0, MAX_INDEX_CHARACTERS));
  const linked = toPlainText(tokens.flatMap(listLinkTokens)).length;
  return linked >= toPlainText(tokens).length * MIN_INDEX_SHARE;
}

const MAX_SECTION_SHARE = 0.6;
/** A page with links to more pages than this, and this share of all, is an index of the site. */
const MIN_HUB_LINKS = 50;
const HUB_SHARE = 0.3;

type Placed = { readonly title: string; readonly page: SitePage };

/**
 * Sections of the start page, with the pages below those of the outline, nearest first. Undefined
 * if the outline has fewer than two sections.
 */
function groupByOutline(
  start: string,
  groups: readonly Group[],
  byKey: ReadonlyMap<string, SitePage>,
): Section[] | undefined {
  const left = new Map(byKey);
  const sections = new Map<string, SitePage[]>();
  const put = (title: string, page: SitePage): void => {
    const there = sections.get(title);
    if (there === undefined) sections.set(title, [page]);
    else there.push(page);
    left.delete(toKey(page.url));
  };
  let level: Placed[] = [];
  for (const { title, links } of groups)
    for (const link of links) {
      const page = left.get(toKey(link));
      if (page === undefined) continue;
      put(title, page);
      level.push({ title, page });
    }
  if (sections.size < 2) return undefined;
  while (level.length > 0) {
    const next: Placed[] = [];
    for (const placed of chooseParents(start, level, left)) {
      put(placed.title, placed.page);
      next.push(placed);
    }
    level = next;
  }
  for (const { title, pages } of groupByFolder(start, undefined, [...left.values()]))
    for (const page of pages) put(title, page);
  return [...sections].map(([title, inside]) => ({ title, pages: inside }));
}

/**
 * Pages that a level of pages links to, each in the section of its best parent: one of the same
 * folder or that it links back to, then one that is no index of the site, then the first.
 */
function chooseParents(
  start: string,
  level: readonly Placed[],
  left: ReadonlyMap<string, SitePage>,
): Placed[] {
  const best = new Map<string, { parent: number; rank: number }>();
  const base = getFolder(start);
  const linked = level.map(({ page }) => [
    ...new Set(page.links.map(toKey).filter((key) => left.has(key))),
  ]);
  const back = new Map(
    [...new Set(linked.flat())].map((key) => [key, new Set(left.get(key)?.links.map(toKey))]),
  );
  const max = Math.max(MIN_HUB_LINKS, HUB_SHARE * left.size);
  for (const [parent, { page }] of level.entries()) {
    const keys = linked[parent] ?? [];
    const folder = getFolder(page.url);
    for (const key of keys) {
      const isNear = folder !== base && folder === getFolder(left.get(key)?.url ?? "");
      const isMutual = back.get(key)?.has(toKey(page.url)) === true;
      const rank = (isNear ? 2 : 0) + (isMutual ? 2 : 0) + (keys.length > max ? 0 : 1);
      if (rank > (best.get(key)?.rank ?? -1)) best.set(key, { parent, rank });
    }
  }
  return level.flatMap(({ title }, parent) =>
    (linked[parent] ?? []).flatMap((key) => {
      const page = left.get(key);
      return page !== undefined && best.get(key)?.parent === parent ? [{ title, page }] : [];
    }),
  );
}

/** The URL up to the last slash of its path. */
const getFolder = (url: string): string => url.replace(/[?#].*$/s, "").replace(/[^/]*$/, "");

type Group = { readonly title: string; readonly links: string[] };

/** Reads headings, bold lines and nested lists of the start page, and the links below each. */
function readOutline(markdown: string): Group[] {
  const groups = new Map<string, Group>();
  const getOrAddGroup = (title: string): Group => {
    const group = groups.get(title) ?? { title, links: [] };
    groups.set(title, group);
    return group;
  };
  let current = OVERVIEW;
  for (const token of tokenize(markdown.slice(0, MAX_OUTLINE_CHARACTERS))) {
    const isBold = isBoldLine(token);
    if (token.type === "heading" || isBold) {
      const isTitle = !isBold && (token as Tokens.Heading).depth === 1;
      if (!isTitle) current = trimEndMatching(toPlainText([token]), /[:\s]/) || current;
      // A heading may be a link itself.
      getOrAddGroup(current).links.push(...listLinks([token]));
      continue;
    }
    if (token.type !== "list") {
      getOrAddGroup(current).links.push(...listLinks([token]));
      continue;
    }
    for (const item of (token as Tokens.List).items) {
      const nested = item.tokens.filter(({ type }) => type === "list");
      const own = item.tokens.filter(({ type }) => type !== "list");
      const isSection = listLinks(nested).length > 0 && toPlainText(own) !== "";
      const group = getOrAddGroup(isSection ? toPlainText(own) : current);
      group.links.push(...listLinks(item.tokens));
    }
  }
  return [...groups.values()].filter(({ links }) => links.length > 0);
}

const MAX_BOLD_LINE = 80;

/** A paragraph of bold text only, which many manuals use as a heading. */
function isBoldLine(token: Token): boolean {
  if (token.type !== "paragraph") return false;
  const { tokens } = token as Tokens.Paragraph;
  return tokens.length === 1 && tokens[0]?.type === "strong" && token.raw.length <= MAX_BOLD_LINE;
}

const OVERVIEW = "Overview";

/**
 * Sections by the first folder below that of the start page, in the order and with the titles of
 * the start page's links to them. Pages beside the start page are its overview.
 */
function groupByFolder(
  start: string,
  home: SitePage | undefined,
  pages: readonly SitePage[],
): Section[] {
  const links = home === undefined ? [] : listLabelledLinks(home.markdown);
  const position = new Map<string, number>();
  for (const [at, { url }] of links.entries())
    if (!position.has(toKey(url))) position.set(toKey(url), at);
  const getPosition = ({ url }: SitePage): number => position.get(toKey(url)) ?? links.length;
  const groups = Map.groupBy(pages, ({ url }) => nameFolder(start, url));
  const strip = stripSiteName(pages.map(({ title }) => title));
  const sections = [...groups].map(([name, group]) => {
    const index = group.find(({ url }) => isIndexOf(name, url));
    const ordered = sortByLinkOrder(group, getPosition, index);
    const label = index === undefined ? undefined : links[getPosition(index)]?.text;
    // A label within a sentence is no name: all "What's new" documents.
    const isName = label !== undefined && !/^\p{Ll}/u.test(label);
    const title = isName ? label : index === undefined ? "" : fold(strip(index.title));
    return {
      name,
      title: name === "" || title === "" ? buildFolderTitle(name) : title,
      pages: ordered,
      // The overview comes first, the folders as the start page names them.
      at: name === "" ? -1 : Math.min(...group.map(getPosition)),
    };
  });
  return sections
    .toSorted((one, other) => one.at - other.at || (one.name < other.name ? -1 : 1))
    .map(({ title, pages: inside }) => ({ title, pages: inside }));
}

function nameFolder(start: string, pageUrl: string): string {
  const base = URL.parse(start);
  const folder = base?.pathname.replace(/[^/]*$/, "") ?? "/";
  const url = URL.parse(pageUrl);
  if (url === null || url.host !== base?.host || !url.pathname.startsWith(folder))
    return url?.host ?? "";
  const rest = url.pathname.slice(folder.length);
  return rest.includes("/") ? rest.slice(0, rest.indexOf("/")) : "";
}

/** True for the first page of a folder: /library/, /library/index.html. */
const isIndexOf = (name: string, url: string): boolean =>
  toKey(url.replace(/[?#].*$/s, "")).endsWith(`/${name}`);

/**
 * Pages as the start page lists them, each followed by those that it links to. Others follow: the
 * first page of the folder, then by URL.
 */
function sortByLinkOrder(
  pages: readonly SitePage[],
  positionOf: (page: SitePage) => number,
  first: SitePage | undefined,
): SitePage[] {
  const left = new Map(pages.map((page) => [toKey(page.url), page]));
  const ordered: SitePage[] = [];
  const take = (page: SitePage): void => {
    ordered.push(page);
    left.delete(toKey(page.url));
  };
  const seeds = pages.toSorted(
    (one, other) =>
      positionOf(one) - positionOf(other) ||
      Number(other === first) - Number(one === first) ||
      (one.url < other.url ? -1 : 1),
  );
  for (const seed of seeds) {
    if (!left.has(toKey(seed.url))) continue;
    let at = ordered.length;
    take(seed);
    for (; at < ordered.length; at++)
      for (const link of ordered[at]?.links ?? []) {
        const next = left.get(toKey(link));
        if (next !== undefined) take(next);
      }
  }
  return ordered;
}

type LabelledLink = { readonly url: string; readonly text: string };

function listLabelledLinks(markdown: string): LabelledLink[] {
  const found: LabelledLink[] = [];
  for (const token of walk(tokenize(markdown.slice(0, MAX_OUTLINE_CHARACTERS)))) {
    if (token.type !== "link") continue;
    const text = toPlainText([token]);
    if (text !== "") found.push({ url: (token as Tokens.Link).href, text });
  }
  return found;
}

function buildFolderTitle(name: string): string {
  if (name === "") return OVERVIEW;
  let words = name;
  try {
    words = decodeURIComponent(name);
  } catch {
    // Invalid escapes are shown unchanged.
  }
  const spaced = words.includes(".") ? words : words.replaceAll(/[-_+]+/g, " ").trim();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * Returns a title without the ending that more than half of all titles have, such as " — Site
 * name".
 */
export function stripSiteName(titles: readonly string[]): (title: string) => string {
  const counts = new Map<string, number>();
  for (const title of titles) {
    const end = SITE_NAME.exec(title)?.[0];
    if (end !== undefined) counts.set(end, (counts.get(end) ?? 0) + 1);
  }
  const [common] = [...counts].toSorted(([, a], [, b]) => b - a);
  if (common === undefined || common[1] < 3 || common[1] <= titles.length / 2)
    return (title) => title;
  const [end] = common;
  return (title) =>
    title.endsWith(end) && title.length > end.length ? title.slice(0, -end.length) : title;
}

const SITE_NAME = / (?:[—–|·»:]|-) [^—–|·»]{1,80}$/;
