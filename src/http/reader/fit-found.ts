// Search results within a token budget, each with the passages that match.
import { RequestError } from "../../errors.ts";
import { writeFrontMatter } from "../../formats/markdown/front-matter.ts";
import { findPassages, splitPassages } from "../../formats/markdown/passages.ts";
import { splitSections } from "../../formats/markdown/sections.ts";
import { loadStem, normalizeLanguage, type Stem } from "../../ranking/stems.ts";
import { countTokens, takeTokens } from "../../ranking/model-tokens.ts";

type MatchedPage = {
  readonly url: string;
  readonly title?: string | null | undefined;
  readonly markdown?: string | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: { readonly language?: unknown } | undefined;
};

export type FoundPage = {
  readonly title?: string;
  readonly url: string;
  /** Tokens of the whole page. */
  readonly totalTokens: number;
  readonly content: string;
};

export type Found = {
  readonly results: readonly FoundPage[];
  readonly warning?: string | undefined;
};

type Request = {
  /** Lists of pages by source, each best first. */
  readonly data: Readonly<Record<string, unknown>>;
  readonly words: string;
  /** Tokens of the whole answer. */
  readonly budget: number;
  readonly warning?: string | undefined;
};

/** Few pages with content are better than many without. */
const MIN_PAGE_TOKENS = 150;
/** The best page gets more than its share if its URL is long. */
const MIN_BEST_CONTENT_TOKENS = 60;
const MIN_CONTENT_TOKENS = 8;
const MAX_TITLE_CHARACTERS = 300;
/** Share of the room that a title takes at most if the content fills the rest. */
const TITLE_SHARE = 0.2;
const MAX_WARNING_SHARE = 0.2;

/**
 * Fits the best pages into the budget. `write` returns the whole answer, whose tokens count.
 * Warning and titles are shortened before the content. Throws BAD_REQUEST if no URL fits.
 */
export async function fitFound(
  { data, words, budget, warning }: Request,
  write: (found: Found) => string,
): Promise<Found> {
  const count = (found: Found): number => countTokens(write(found));
  const emptyTokens = count({ results: [] });
  const countPage = (page: FoundPage): number => count({ results: [page] }) - emptyTokens;
  const pages = listPages(data).map((page) => ({ ...page, bareTokens: countPage(page.bare) }));

  const smallest = Math.min(...pages.map(({ bareTokens }) => bareTokens + MIN_CONTENT_TOKENS));
  const needed = emptyTokens + (pages.length === 0 ? 0 : smallest);
  if (budget < needed)
    throw new RequestError(
      "BAD_REQUEST",
      `x-max-tokens: ${budget} is too few for ${pages.length === 0 ? "an answer" : "the URL of a page"}; give at least ${needed}.`,
    );

  const warningShare = pages.length === 0 ? 1 : MAX_WARNING_SHARE;
  const warningRoom = Math.min(budget - needed, Math.floor(budget * warningShare));
  const told =
    warning &&
    shorten(warning, (text) => count({ results: [], warning: text }) <= emptyTokens + warningRoom);

  const maxPages = Math.max(1, Math.floor(budget / MIN_PAGE_TOKENS));
  const results: FoundPage[] = [];
  let left = budget - count({ results: [], warning: told });
  for (const [index, page] of pages.entries()) {
    const places = Math.min(maxPages - results.length, pages.length - index);
    if (places === 0) break;
    const best = Math.min(left, page.bareTokens + MIN_BEST_CONTENT_TOKENS);
    const share = Math.max(Math.floor(left / places), results.length === 0 ? best : 0);
    if (share < page.bareTokens + MIN_CONTENT_TOKENS) continue;
    const fitting = await fitPage(page, words, share, countPage);
    if (fitting === undefined) continue;
    results.push(fitting);
    left -= countPage(fitting);
  }
  const last = results.pop();
  // The tokens of the whole may differ a little from the sum of its parts.
  const fitted =
    last &&
    shortenContent(last, (page) => count({ results: [...results, page], warning: told }) <= budget);
  return { results: [...results, ...(fitted === undefined ? [] : [fitted])], warning: told };
}

type Page = {
  readonly bare: FoundPage;
  readonly title: string;
  readonly whole: string;
  readonly language: unknown;
};

/** Pages without content are left out: they would take the place of others. */
function listPages(data: Request["data"]): Page[] {
  const all = Object.values(data)
    .filter((list) => Array.isArray(list))
    .flat() as MatchedPage[];
  return all.flatMap(({ url, title, markdown, description, metadata }) => {
    const whole = [markdown, description].find((text) => (text ?? "").trim() !== "");
    if (typeof whole !== "string") return [];
    const bare = { url, totalTokens: countTokens(whole), content: "" };
    return [
      { bare, title: title?.trim() ?? "", whole: whole.trim(), language: metadata?.language },
    ];
  });
}

async function fitPage(
  { bare, title, whole, language, bareTokens }: Page & { readonly bareTokens: number },
  words: string,
  share: number,
  countPage: (page: FoundPage) => number,
): Promise<FoundPage | undefined> {
  const room = share - bareTokens;
  const titleRoom = room - Math.min(bare.totalTokens, Math.ceil(room * (1 - TITLE_SHARE)));
  const shown =
    title === ""
      ? undefined
      : shorten(
          title.slice(0, MAX_TITLE_CHARACTERS),
          (text) => countPage({ ...bare, title: text }) - bareTokens <= titleRoom,
        );
  const titled = { ...(shown !== undefined && { title: shown }), ...bare };
  const space = share - countPage(titled);
  const content =
    bare.totalTokens <= space
      ? whole
      : choose(whole, words, space, await loadStem(normalizeLanguage(language)));
  return shortenContent({ ...titled, content }, (page) => countPage(page) <= share);
}

const shortenContent = (
  page: FoundPage,
  fits: (page: FoundPage) => boolean,
): FoundPage | undefined => {
  const content = shorten(page.content, (text) => fits({ ...page, content: text }));
  return content === undefined ? undefined : { ...page, content };
};

/** Part of a text that is left at each attempt. */
const SHORTEN_FACTOR = 0.85;

/** Returns the text if it fits, else a beginning that does; undefined if none fits. */
function shorten(text: string, fits: (text: string) => boolean): string | undefined {
  if (fits(text)) return text;
  for (
    let length = Math.floor(text.length * SHORTEN_FACTOR);
    length > 0;
    length = Math.floor(length * SHORTEN_FACTOR)
  ) {
    const part = text.slice(0, length);
    const space = part.lastIndexOf(" ");
    const kept = space > length / 2 ? part.slice(0, space) : part.replace(/[\uD800-\uDBFF]$/, "");
    const shortened = `${kept.trimEnd()}…`;
    if (kept.trim() !== "" && fits(shortened)) return shortened;
  }
  return undefined;
}

/** Writes the answer as text: the pages with front matter. */
export const asText = ({ results, warning }: Found): string =>
  [
    ...(warning === undefined ? [] : [`(${warning})\n`]),
    ...(results.length === 0 ? ["Nothing was found.\n"] : []),
    ...results.map(({ content, ...facts }) => `${writeFrontMatter(facts)}\n${content}\n`),
  ].join("\n");

/** The matching passages, or the beginning. */
function choose(markdown: string, words: string, room: number, stem: Stem): string {
  const all = splitPassages(markdown, splitSections(markdown));
  const passages = findPassages(all, words, { main: room, outside: 0 }, stem);
  const text = passages.map((passage) => passage.text).join("\n\n…\n\n");
  return takeTokens(text === "" ? markdown : text, room).text.trim();
}
