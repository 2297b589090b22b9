// Ranks the links of a map for a search with BM25 over the words of URL, title and description.
// Titles describe a page better than the text around a link, so they weigh more. A match inside a
// word ("json" in /parsejson) keeps a link too, but only breaks ties.
import { scoreTexts, WeightedWords } from "../../ranking/bm25.ts";
import { toPlainText, readUrlPath, toUrlWords, toWords } from "../../ranking/words.ts";

export type RankedLink = {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
};

const WEIGHTS = { title: 3, path: 2, description: 1 } as const;
function countWords({ url, title, description }: RankedLink): WeightedWords {
  const words = new WeightedWords();
  words.add(toUrlWords(url), WEIGHTS.path);
  if (title !== undefined) words.add(toWords(title), WEIGHTS.title);
  if (description !== undefined) words.add(toWords(description), WEIGHTS.description);
  return words;
}

/** Shorter parts match inside most words. */
const MIN_PART = 3;

/** Frequency of the query's word; a prefix match counts less. */
function measureFrequency({ counts }: WeightedWords, word: string): number {
  const exact = counts.get(word) ?? 0;
  if (exact > 0 || word.length < MIN_PART) return exact;
  let partial = 0;
  for (const [other, amount] of counts) if (other.startsWith(word)) partial += amount / 2;
  return partial;
}

/** The texts of a link that are searched inside words. */
type Insides = { readonly path: string; readonly title: string };

const collectInsides = ({ url, title }: RankedLink): Insides => ({
  path: readUrlPath(url),
  title: title === undefined ? "" : toPlainText(title),
});

/** The weighted number of fields that contain the query's word anywhere. */
function scorePresence({ path, title }: Insides, word: string): number {
  return (path.includes(word) ? WEIGHTS.path : 0) + (title.includes(word) ? WEIGHTS.title : 0);
}

/**
 * Returns the links that contain at least one word of the search, best first. Ties keep their
 * order.
 */
export function rankLinks<Link extends RankedLink>(links: readonly Link[], search: string): Link[] {
  const words = [...new Set(toWords(search))];
  if (words.length === 0) return [...links];
  const counted = links.map((link) => countWords(link));
  const lengths = counted.map(({ length }) => length);
  const amounts = words.map((word) => counted.map((entry) => measureFrequency(entry, word)));
  const scores = scoreTexts(lengths, amounts);
  const insides = links.map((link) => collectInsides(link));
  const insideScores = scoreTexts(
    lengths,
    words.map((word, which) =>
      insides.map((texts, index) =>
        word.length < MIN_PART || (amounts[which]?.[index] ?? 0) > 0
          ? 0
          : scorePresence(texts, word),
      ),
    ),
  );
  return links
    .map((link, index) => ({
      link,
      score: scores[index] ?? 0,
      insideScore: insideScores[index] ?? 0,
    }))
    .filter(({ score, insideScore }) => score > 0 || insideScore > 0)
    .toSorted((one, other) => other.score - one.score || other.insideScore - one.insideScore)
    .map(({ link }) => link);
}
