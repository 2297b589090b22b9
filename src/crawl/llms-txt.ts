// Builds llms.txt (https://llmstxt.org) and llms-full.txt of a site from the pages of a crawl. The
// same pages give the same files in any order of fetching.
import { lexer as lex, type Token, type Tokens } from "marked";
import { TurnBudget } from "../runtime/turn-budget.ts";
import { countTokens } from "../ranking/model-tokens.ts";

export type SitePage = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly markdown: string;
  /** Links of the page in order. */
  readonly links: readonly string[];
};

export type Section = { readonly title: string; readonly pages: readonly SitePage[] };

/** Maximum characters of a page to search for its outline or first sentence. */
const MAX_OUTLINE = 100_000;
const MAX_OPENING = 4_000;
/** Shorter paragraphs are captions, dates and the like. */
const MIN_PROSE = 40;
const MAX_DESCRIPTION = 200;
/** A description shared by more pages is that of the site. */
const MAX_SHARING = 2;

/** Deeper than Quarry writes quotes and lists; the lexer is quadratic in the depth. */
const TOO_DEEP = /^[ \t]*(?:(?:[>*+-][ \t]){30}|>{30})/m;

/** Returns no tokens for Markdown that is nested too deep. */
const tokenize = (markdown: string): readonly Token[] =>
  TOO_DEEP.test(markdown) ? [] : lex(markdown);

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
  const sections = new Map<string, SitePage[]>();
  const put = (title: string, page: SitePage): void => {
    const there = sections.get(title);
    if (there === undefined) sections.set(title, [page]);
    else there.push(page);
    byKey.delete(toKey(page.url));
  };
  const groups = home === undefined ? [] : readOutline(home.markdown);
  const queue: { title: string; page: SitePage }[] = [];
  if (groups.filter(({ links }) => links.some((link) => byKey.has(toKey(link)))).length > 1)
    for (const { title, links } of groups)
      for (const link of links) {
        const page = byKey.get(toKey(link));
        if (page === undefined) continue;
        put(title, page);
        queue.push({ title, page });
      }
  // Pages below those of the outline, nearest first.
  for (let at = 0; at < queue.length; at++) {
    const { title, page } = queue[at] as (typeof queue)[number];
    for (const link of page.links) {
      const next = byKey.get(toKey(link));
      if (next === undefined || toKey(next.url) === toKey(start)) continue;
      put(title, next);
      queue.push({ title, page: next });
    }
  }
  const rest = [...byKey.values()];
  for (const [title, group] of groupByFolder(start, rest))
    for (const page of group) put(title, page);
  return { home, sections: [...sections].map(([title, group]) => ({ title, pages: group })) };
}

type Group = { readonly title: string; readonly links: string[] };

/** Reads headings and nested lists of the start page, and the links below each. */
function readOutline(markdown: string): Group[] {
  const groups = new Map<string, Group>();
  const groupOf = (title: string): Group => {
    const group = groups.get(title) ?? { title, links: [] };
    groups.set(title, group);
    return group;
  };
  let current = OVERVIEW;
  for (const token of tokenize(markdown.slice(0, MAX_OUTLINE))) {
    if (token.type === "heading") {
      if ((token as Tokens.Heading).depth > 1) current = toPlainText([token]) || current;
      // A heading may be a link itself.
      groupOf(current).links.push(...listLinks([token]));
      continue;
    }
    if (token.type !== "list") {
      groupOf(current).links.push(...listLinks([token]));
      continue;
    }
    for (const item of (token as Tokens.List).items) {
      const nested = item.tokens.filter(({ type }) => type === "list");
      const own = item.tokens.filter(({ type }) => type !== "list");
      const isSection = listLinks(nested).length > 0 && toPlainText(own) !== "";
      const group = groupOf(isSection ? toPlainText(own) : current);
      group.links.push(...listLinks(item.tokens));
    }
  }
  return [...groups.values()].filter(({ links }) => links.length > 0);
}

const OVERVIEW = "Overview";

/** Walks tokens in reading order without recursion. */
function* walk(tokens: readonly Token[]): Generator<Token> {
  const stack = [...tokens].toReversed();
  for (let token = stack.pop(); token !== undefined; token = stack.pop()) {
    yield token;
    const inner: Token[] = [];
    if (token.type === "list") inner.push(...(token as Tokens.List).items);
    else if (token.type === "table") {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [...header, ...rows.flat()]) inner.push(...cell.tokens);
    } else if ("tokens" in token && token.tokens !== undefined) inner.push(...token.tokens);
    for (const child of inner.toReversed()) stack.push(child);
  }
}

function listLinks(tokens: readonly Token[]): string[] {
  const links: string[] = [];
  for (const token of walk(tokens))
    if (token.type === "link") links.push((token as Tokens.Link).href);
  return links;
}

function toPlainText(tokens: readonly Token[]): string {
  let text = "";
  for (const token of walk(tokens)) {
    if (token.type === "br") text += " ";
    const isLeaf = !("tokens" in token) || token.tokens === undefined;
    if (isLeaf && /^(?:text|codespan|escape)$/.test(token.type))
      text += (token as Tokens.Text).text;
  }
  return fold(text);
}

const fold = (text: string): string => text.replaceAll(/\s+/g, " ").trim();

/** Groups by the first folder below that of the start page; its pages come first. */
function groupByFolder(start: string, pages: readonly SitePage[]): Map<string, SitePage[]> {
  const base = URL.parse(start);
  const folder = base?.pathname.replace(/[^/]*$/, "") ?? "/";
  const found = new Map<string, SitePage[]>();
  for (const page of pages) {
    const url = URL.parse(page.url);
    const isBelow = url?.host === base?.host && url?.pathname.startsWith(folder);
    const rest = isBelow === true ? (url?.pathname.slice(folder.length) ?? "") : "";
    const name = rest.includes("/") ? rest.slice(0, rest.indexOf("/")) : "";
    const group = isBelow === true ? name : (url?.host ?? "");
    const there = found.get(group);
    if (there === undefined) found.set(group, [page]);
    else there.push(page);
  }
  const entries = [...found].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return new Map(entries.map(([name, group]) => [buildFolderTitle(name), group]));
}

function buildFolderTitle(name: string): string {
  if (name === "") return OVERVIEW;
  let words = name;
  try {
    words = decodeURIComponent(name);
  } catch {
    // Invalid escapes are shown unchanged.
  }
  const spaced = words.includes(".") ? words : words.replaceAll(/[-_+]+/g, " ");
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

/** Returns the description of a page, or its first sentences. */
export function describePage(page: SitePage, isShared: (description: string) => boolean): string {
  const stated = fold(page.description);
  if (stated !== "" && !isShared(stated)) return shorten(stated, MAX_DESCRIPTION);
  for (const token of tokenize(page.markdown.slice(0, MAX_OPENING))) {
    if (token.type !== "paragraph") continue;
    const text = toPlainText([token]);
    const linked = listLinks([token]).length > 0 ? toPlainText(listLinkTokens(token)) : "";
    // A line of links is navigation.
    if (text.length >= MIN_PROSE && linked.length < text.length / 2)
      return shorten(text, MAX_DESCRIPTION);
  }
  return "";
}

const listLinkTokens = (token: Token): Token[] =>
  [...walk([token])].filter(({ type }) => type === "link");

/** Ends after a sentence if possible, else between words. */
function shorten(text: string, most: number): string {
  const [first = ""] = text.split(/(?<=[.!?。！？])\s/, 1);
  if (first.length >= MIN_PROSE && first.length <= most) return first;
  if (text.length <= most) return text;
  const space = text.lastIndexOf(" ", most);
  return `${text.slice(0, space > 0 ? space : most)} …`;
}

type Line = { readonly link: string; readonly description: string };

export type LlmsTxt = { readonly text: string; readonly listed: number; readonly total: number };

/** Writes llms.txt within a number of tokens: shorter lines first, then fewer of each section. */
export async function writeLlmsTxt(
  start: string,
  pages: readonly SitePage[],
  maxTokens: number,
): Promise<LlmsTxt> {
  const turn = new TurnBudget();
  const { home, sections } = arrangeSite(start, pages);
  const strip = stripSiteName(pages.map(({ title }) => title));
  const sharing = new Map<string, number>();
  for (const page of pages) {
    const stated = fold(page.description);
    sharing.set(stated, (sharing.get(stated) ?? 0) + 1);
  }
  const isShared = (text: string): boolean => (sharing.get(text) ?? 0) > MAX_SHARING;
  const name = fold(home?.title ?? "") || (URL.parse(start)?.host ?? start);
  const about = home === undefined ? "" : describePage(home, () => false);
  const head = [`# ${name}`, ...(about === "" ? [] : [`> ${about}`])].join("\n\n");
  const described: { title: string; lines: Line[] }[] = [];
  for (const { title, pages: inside } of sections) {
    const lines: Line[] = [];
    for (const page of inside) {
      await turn.yieldWhenSpent();
      const link = `- [${toLabel(strip(page.title) || page.url)}](${toTarget(page.url)})`;
      lines.push({ link, description: describePage(page, isShared) });
    }
    described.push({ title, lines });
  }
  const total = described.reduce((sum, { lines }) => sum + lines.length, 0);
  const write = (most: number, longest: number): { text: string; listed: number } => {
    let listed = 0;
    const parts = described.map(({ title, lines }) => {
      const shown = lines.slice(0, most);
      listed += shown.length;
      const list = shown.map(({ link, description }) =>
        longest === 0 || description === "" ? link : `${link}: ${shorten(description, longest)}`,
      );
      return `## ${title}\n\n${list.join("\n")}`;
    });
    const left = total - listed;
    const note = left === 0 ? [] : [`${left} more pages of the site are not listed.`];
    return { text: `${[head, ...parts, ...note].join("\n\n")}\n`, listed };
  };
  const largest = Math.max(1, ...described.map(({ lines }) => lines.length));
  for (const longest of [MAX_DESCRIPTION, MAX_DESCRIPTION / 2, 0]) {
    const whole = write(largest, longest);
    if (countTokens(whole.text) <= maxTokens) return { ...whole, total };
  }
  // The most pages of each section that fit.
  let [fits, tooMany] = [0, largest];
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (countTokens(write(middle, 0).text) <= maxTokens) fits = middle;
    else tooMany = middle;
  }
  return { ...write(Math.max(1, fits), 0), total };
}

const toLabel = (text: string): string => fold(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
const toTarget = (url: string): string =>
  url.replaceAll(/[()\s<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/**
 * Writes the text of all pages in the order of llms.txt, whole pages within a number of characters.
 */
export function writeLlmsFullTxt(
  start: string,
  pages: readonly SitePage[],
  maxCharacters: number,
): { readonly text: string; readonly left: number } {
  const { home, sections } = arrangeSite(start, pages);
  const all = [...(home === undefined ? [] : [home]), ...sections.flatMap((part) => part.pages)];
  const parts: string[] = [];
  let [room, left] = [maxCharacters, 0];
  for (const { title, url, markdown } of all) {
    const text = `# ${fold(title) || url}\n\nSource: <${url}>\n\n${markdown.trim()}\n`;
    if (text.length > room) left += 1;
    else parts.push(text);
    if (text.length <= room) room -= text.length + 1;
  }
  if (left > 0) parts.push(`${left} pages are left out, because the file would be too long.\n`);
  return { text: parts.join("\n"), left };
}
