// Ranks the links of a map by a search: BM25 (Robertson and Zaragoza 2009, section 3) over the words of URL, title and
// description. Titles say more about a page than the words around it, so they count more.

export type RankedLink = {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
};

const WEIGHTS = { title: 3, path: 2, description: 1 } as const;
/** Saturation of repeated words, and how much a long text is held against it. */
const K1 = 1.2;
const B = 0.75;

/** Words of a text in lower case and without accents: letters and digits, and single characters of unspaced scripts. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
  return (
    plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Words of a URL's path, query and subdomain: "/docs/getStarted_2" is docs, get, started, 2. */
export function urlWords(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const text = `${parsed.hostname.replace(/^www\./, "")} ${parsed.pathname} ${parsed.search}`;
  return wordsOf(decode(text).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}

type Counted = {
  readonly link: RankedLink;
  readonly counts: ReadonlyMap<string, number>;
  length: number;
};

function count(link: RankedLink): Counted {
  const counts = new Map<string, number>();
  let length = 0;
  const add = (words: readonly string[], weight: number): void => {
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + weight);
    length += words.length * weight;
  };
  add(urlWords(link.url), WEIGHTS.path);
  if (link.title !== undefined) add(wordsOf(link.title), WEIGHTS.title);
  if (link.description !== undefined) add(wordsOf(link.description), WEIGHTS.description);
  return { link, counts, length };
}

/** How often the query's word is there: as it is, or, counting less, as the beginning of a longer word. */
function frequency({ counts }: Counted, word: string): number {
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
  const counted = links.map((link) => ({ ...count(link), link }));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, links.length);
  const scores = new Float64Array(counted.length);
  for (const word of words) {
    const frequencies = counted.map((entry) => frequency(entry, word));
    const holding = frequencies.filter((amount) => amount > 0).length;
    const rarity = Math.log(1 + (counted.length - holding + 0.5) / (holding + 0.5));
    for (const [index, amount] of frequencies.entries()) {
      if (amount === 0) continue;
      const relative = (counted[index]?.length ?? 0) / Math.max(1, average);
      scores[index] =
        (scores[index] ?? 0) +
        (rarity * amount * (K1 + 1)) / (amount + K1 * (1 - B + B * relative));
    }
  }
  return counted
    .map(({ link }, index) => ({ link, score: scores[index] ?? 0 }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .map(({ link }) => link);
}
