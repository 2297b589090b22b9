// Search results within a token budget, each with the passages that match.
import { writeFrontMatter } from "../../formats/markdown/front-matter.ts";
import { findPassages, splitPassages } from "../../mcp/passages.ts";
import { splitSections } from "../../mcp/sections.ts";
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
const MAX_FACTS_TOKENS = 60;

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
    const room = Math.max(20, Math.floor(left / (found.length - index)) - MAX_FACTS_TOKENS);
    const whole = markdown ?? description ?? "";
    const stem = await loadStem(normalizeLanguage(metadata?.language));
    const content = countTokens(whole) <= room ? whole.trim() : choose(whole, words, room, stem);
    left -= countTokens(content) + MAX_FACTS_TOKENS;
    results.push({ title: title ?? undefined, url, content, totalTokens: countTokens(whole) });
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
