// Search results within a token budget, each with the passages that match.
import { writeFrontMatter } from "../../formats/front-matter.ts";
import { findPassages, splitPassages } from "../../mcp/passages.ts";
import { splitSections } from "../../mcp/sections.ts";
import { countTokens, takeTokens } from "../../ranking/model-tokens.ts";

type MatchedPage = {
  readonly url: string;
  readonly title?: string | null | undefined;
  readonly markdown?: string | undefined;
  readonly description?: string | null | undefined;
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

export function writeFound(
  data: Readonly<Record<string, unknown>>,
  words: string,
  budget: number,
): { readonly text: string; readonly results: FoundPage[] } {
  const all = Object.values(data)
    .filter((list) => Array.isArray(list))
    .flat() as MatchedPage[];
  // Few pages with content rather than many without.
  const found = all.slice(0, Math.max(1, Math.floor(budget / MIN_PAGE_TOKENS)));
  const results: FoundPage[] = [];
  let left = budget;
  for (const [index, { url, title, markdown, description }] of found.entries()) {
    const room = Math.max(20, Math.floor(left / (found.length - index)) - MAX_FACTS_TOKENS);
    const whole = markdown ?? description ?? "";
    const content = countTokens(whole) <= room ? whole.trim() : choose(whole, words, room);
    left -= countTokens(content) + MAX_FACTS_TOKENS;
    results.push({ title: title ?? undefined, url, content, totalTokens: countTokens(whole) });
  }
  const text = results
    .map(({ content, ...facts }) => `${writeFrontMatter(facts)}\n${content}\n`)
    .join("\n");
  return { text: text === "" ? "Nothing was found.\n" : text, results };
}

/** The matching passages, or the beginning. */
function choose(markdown: string, words: string, room: number): string {
  const passages = findPassages(splitPassages(markdown, splitSections(markdown)), words, room);
  const text = passages.map((passage) => passage.text).join("\n\n…\n\n");
  return takeTokens(text === "" ? markdown : text, room).text.trim();
}
