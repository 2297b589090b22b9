// Builds llms.txt (https://llmstxt.org) and llms-full.txt of a site from the pages of a crawl. The
// same pages give the same files in any order of fetching.
import { arrangeSite, type SitePage, stripSiteName } from "./arrange-site.ts";
import { fold, listLinks, listLinkTokens, tokenize, toPlainText } from "./markdown-tokens.ts";
import { TurnBudget } from "../../runtime/turn-budget.ts";
import { countTokens } from "../../ranking/model-tokens.ts";

const MAX_OPENING = 4_000;
/** Shorter paragraphs are captions, dates and the like. */
const MIN_PROSE = 40;
const MAX_DESCRIPTION = 200;
/** Minimum length of a cut description; below it, only the first pages of sections have one. */
const MIN_DESCRIPTION = 60;
/** A description or title shared by more pages is that of the site. */
const MAX_SHARING = 2;

/** Returns the description of a page, or its first sentences. */
export function describePage(page: SitePage, isShared: (description: string) => boolean): string {
  const stated = fold(page.description);
  if (stated !== "" && !isShared(stated)) return shorten(stated, MAX_DESCRIPTION);
  for (const token of tokenize(page.markdown.slice(0, MAX_OPENING))) {
    if (token.type !== "paragraph") continue;
    const text = toPlainText([token]);
    const linked = listLinks([token]).length > 0 ? toPlainText(listLinkTokens(token)) : "";
    // A line of links is navigation; a copyright notice says nothing of the page.
    if (COPYRIGHT.test(text) || text.split(" | ").length > MAX_BARS) continue;
    if (text.length >= MIN_PROSE && linked.length < text.length / 2)
      return shorten(text, MAX_DESCRIPTION);
  }
  return "";
}

/** More parts between bars are a row of letters or links. */
const MAX_BARS = 5;
const COPYRIGHT = /^(?:copyright\b|©|\(c\)\s)/i;

/** Pages whose title is that of the site, as in several others, take their first heading instead. */
function withOwnTitles(pages: readonly SitePage[]): SitePage[] {
  const sharing = new Map<string, number>();
  for (const { title } of pages) sharing.set(title, (sharing.get(title) ?? 0) + 1);
  return pages.map((page) => {
    if ((sharing.get(page.title) ?? 0) <= MAX_SHARING) return page;
    const heading = tokenize(page.markdown.slice(0, MAX_OPENING)).find(
      ({ type }) => type === "heading",
    );
    const own = heading === undefined ? "" : toPlainText([heading]);
    return own === "" ? page : { ...page, title: own };
  });
}

/** Ends after a sentence if possible, else between words. */
function shorten(text: string, max: number): string {
  const [first = ""] = text.split(/(?<=[.!?。！？])\s/, 1);
  if (first.length >= MIN_PROSE && first.length <= max) return first;
  if (text.length <= max) return text;
  const space = text.lastIndexOf(" ", max);
  return `${text.slice(0, space > 0 ? space : max)} …`;
}

/** Names a page without a title: by the last part of its path, else by its URL. */
function readFileName(url: string): string {
  const name = URL.parse(url)?.pathname.split("/").at(-1) ?? "";
  if (name === "") return url;
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

type Line = { readonly link: string; readonly description: string };

export type LlmsTxt = { readonly text: string; readonly listed: number; readonly total: number };

/**
 * Writes llms.txt within a number of tokens: shorter descriptions first, then fewer of them, then
 * fewer pages of each section.
 */
export async function writeLlmsTxt(
  start: string,
  given: readonly SitePage[],
  maxTokens: number,
): Promise<LlmsTxt> {
  const turn = new TurnBudget();
  const pages = withOwnTitles(given);
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
      const link = `- [${toLabel(strip(page.title) || readFileName(page.url))}](${toTarget(page.url)})`;
      lines.push({ link, description: describePage(page, isShared) });
    }
    described.push({ title, lines });
  }
  const total = described.reduce((sum, { lines }) => sum + lines.length, 0);
  /** Lists `max` pages of each section, the first `describedCount` of them with descriptions. */
  const write = (
    max: number,
    longest: number,
    describedCount = max,
  ): { text: string; listed: number } => {
    let listed = 0;
    const parts = described.map(({ title, lines }) => {
      const shown = lines.slice(0, max);
      listed += shown.length;
      const list = shown.map(({ link, description }, at) =>
        at >= describedCount || description === ""
          ? link
          : `${link}: ${shorten(description, longest)}`,
      );
      return `## ${title}\n\n${list.join("\n")}`;
    });
    const left = total - listed;
    const note = left === 0 ? [] : [`${left} more pages of the site are not listed.`];
    return { text: `${[head, ...parts, ...note].join("\n\n")}\n`, listed };
  };
  const largest = Math.max(1, ...described.map(({ lines }) => lines.length));
  const doesFit = ({ text }: { readonly text: string }): boolean => countTokens(text) <= maxTokens;
  for (const longest of [MAX_DESCRIPTION, MAX_DESCRIPTION / 2, MIN_DESCRIPTION]) {
    const whole = write(largest, longest);
    if (doesFit(whole)) return { ...whole, total };
  }
  if (doesFit(write(largest, 0, 0))) {
    const describedCount = findMost(largest, (count) =>
      doesFit(write(largest, MIN_DESCRIPTION, count)),
    );
    return { ...write(largest, MIN_DESCRIPTION, describedCount), total };
  }
  const most = findMost(largest, (count) => doesFit(write(count, 0, 0)));
  return { ...write(Math.max(1, most), 0, 0), total };
}

/** Returns the largest count below `tooMany` that fits, 0 if none does. */
function findMost(tooMany: number, doesFit: (count: number) => boolean): number {
  let [fits, above] = [0, tooMany];
  while (above - fits > 1) {
    const middle = Math.floor((fits + above) / 2);
    if (doesFit(middle)) fits = middle;
    else above = middle;
  }
  return fits;
}

const toLabel = (text: string): string => fold(text).replaceAll(/[[\]\\]/g, String.raw`\$&`);
const toTarget = (url: string): string =>
  url.replaceAll(/[()\s<>]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

export type LlmsFullTxt = {
  readonly text: string;
  readonly total: number;
  /** URLs of the pages whose text did not fit. */
  readonly omitted: readonly string[];
};

/**
 * Writes the text of all pages in the order of llms.txt, whole pages within a number of characters.
 * The end of the file lists the pages that did not fit.
 */
export function writeLlmsFullTxt(
  start: string,
  given: readonly SitePage[],
  maxCharacters: number,
): LlmsFullTxt {
  const { home, sections } = arrangeSite(start, withOwnTitles(given));
  const all = [...(home === undefined ? [] : [home]), ...sections.flatMap((part) => part.pages)];
  const parts = all.map(({ title, url, markdown, isCut }) => ({
    url,
    text:
      isCut === true
        ? ""
        : `# ${fold(title) || readFileName(url)}\n\nSource: <${url}>\n\n${markdown.trim()}\n`,
  }));
  const write = (room: number): LlmsFullTxt => {
    const kept: string[] = [];
    const omitted: string[] = [];
    let left = room;
    for (const { url, text } of parts) {
      const fits = text !== "" && text.length < left;
      if (fits) left -= text.length + 1;
      (fits ? kept : omitted).push(fits ? text : url);
    }
    const list = omitted.map((url) => `- <${url}>`).join("\n");
    const note = `${omitted.length} of ${all.length} pages are left out, because the file would be longer than ${maxCharacters} characters:\n\n${list}\n`;
    const text = [...kept, ...(omitted.length > 0 ? [note] : [])].join("\n");
    return { text, total: all.length, omitted };
  };
  let [room, file] = [maxCharacters + 1, write(maxCharacters + 1)];
  // The list of the omitted pages takes room too.
  while (file.text.length > maxCharacters && room > 0) {
    room -= file.text.length - maxCharacters;
    file = write(room);
  }
  return file;
}
