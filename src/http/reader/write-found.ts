// Search results within a token budget, each with the passages that match.
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

/** Minimum tokens of a page, including title and URL. */
const MIN_PAGE_TOKENS = 150;
const MAX_TITLE_CHARACTERS = 300;
const MIN_CONTENT_TOKENS = 20;

export type FoundPage = {
  readonly title: string | undefined;
  readonly url: string;
  readonly content: string;
  /** Tokens of the whole page. */
  readonly totalTokens: number;
};

export async function writeFound(
  data: Readonly<Record<string, unknown>>,
  words: string,
  budget: number,
): Promise<{ readonly text: string; readonly results: FoundPage[] }> {
  const all = Object.values(data)
    .filter((list) => Array.isArray(list))
    .flat() as MatchedPage[];
  // Few pages with content rather than many without.
  const found = all.slice(0, Math.max(1, Math.floor(budget / MIN_PAGE_TOKENS)));
  const results: FoundPage[] = [];
  let left = budget;
  for (const [index, { url, title, markdown, description, metadata }] of found.entries()) {
    const whole = markdown ?? description ?? "";
    const totalTokens = countTokens(whole);
    const facts = { title: title?.slice(0, MAX_TITLE_CHARACTERS), url, totalTokens };
    const factsTokens = countTokens(`${writeFrontMatter(facts)}\n\n`);
    const room = Math.floor(left / (found.length - index)) - factsTokens;
    // A page of which nothing can be shown is left out, except the best.
    if (room < MIN_CONTENT_TOKENS && index > 0) continue;
    const stem = await loadStem(normalizeLanguage(metadata?.language));
    const space = Math.max(MIN_CONTENT_TOKENS, room);
    const content = totalTokens <= space ? whole.trim() : choose(whole, words, space, stem);
    left -= countTokens(content) + factsTokens;
    results.push({ ...facts, content });
  }
  const text = results
    .map(({ content, ...facts }) => `${writeFrontMatter(facts)}\n${content}\n`)
    .join("\n");
  return { text: text === "" ? "Nothing was found.\n" : text, results };
}

/** The matching passages, or the beginning. */
function choose(markdown: string, words: string, room: number, stem: Stem): string {
  const all = splitPassages(markdown, splitSections(markdown));
  const passages = findPassages(all, words, { main: room, outside: 0 }, stem);
  const text = passages.map((passage) => passage.text).join("\n\n…\n\n");
  return takeTokens(text === "" ? markdown : text, room).text.trim();
}
