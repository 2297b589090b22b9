// Ranks the links of a map by a search: BM25 over the words of URL, title and description. Titles say more about a page than
// the words around it, so they count more.
import { scoreTexts, WeightedWords } from "../ranking/bm25.ts";
import { urlWords, wordsOf } from "../ranking/words.ts";

export type RankedLink = {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
};

const WEIGHTS = { title: 3, path: 2, description: 1 } as const;
function countWords({ url, title, description }: RankedLink): WeightedWords {
  const words = new WeightedWords();
  words.add(urlWords(url), WEIGHTS.path);
  if (title !== undefined) words.add(wordsOf(title), WEIGHTS.title);
  if (description !== undefined) words.add(wordsOf(description), WEIGHTS.description);
  return words;
}

/** How often the query's word is there: as it is, or, counting less, as the beginning of a longer word. */
function frequency({ counts }: WeightedWords, word: string): number {
  const exact = counts.get(word) ?? 0;
  if (exact > 0 || word.length < 3) return exact;
  let partial = 0;
  for (const [other, amount] of counts) if (other.startsWith(word)) partial += amount / 2;
  return partial;
}

/** The links that hold at least one word of the search, the best first; equals keep their order. */
export function rankLinks<Link extends RankedLink>(links: readonly Link[], search: string): Link[] {
  const words = [...new Set(wordsOf(search))];
  if (words.length === 0) return [...links];
  const counted = links.map((link) => countWords(link));
  const scores = scoreTexts(
    counted.map(({ length }) => length),
    words.map((word) => counted.map((entry) => frequency(entry, word))),
  );
  return links
    .map((link, index) => ({ link, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ link }) => link);
}
