// Okapi BM25 (Robertson and Zaragoza 2009, section 3): relevance of texts for query words.

/** Saturation of repeated words, and length normalization. */
const TERM_SATURATION = 1.2;
const LENGTH_NORMALIZATION = 0.75;

/**
 * Returns a score for each text, 0 if it has none of the words. `lengths` are in words; each of
 * `amounts` has a query word's count in every text. Both may be weighted fractions.
 */
export function scoreTexts(
  lengths: readonly number[],
  amounts: Iterable<readonly number[]>,
): Float64Array {
  const scores = new Float64Array(lengths.length);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length);
  for (const often of amounts) {
    const holding = often.filter((amount) => amount > 0).length;
    if (holding === 0) continue;
    const rarity = Math.log(1 + (lengths.length - holding + 0.5) / (holding + 0.5));
    for (const [index, amount] of often.entries()) {
      if (amount === 0) continue;
      const relative = (lengths[index] ?? 0) / Math.max(1, mean);
      scores[index] =
        (scores[index] ?? 0) +
        (rarity * amount * (TERM_SATURATION + 1)) /
          (amount + TERM_SATURATION * (1 - LENGTH_NORMALIZATION + LENGTH_NORMALIZATION * relative));
    }
  }
  return scores;
}

/** Counts words of a text with several fields, each weighted by its field. */
export class WeightedWords {
  readonly counts = new Map<string, number>();
  length = 0;

  add(words: readonly string[], weight: number): void {
    for (const word of words) this.counts.set(word, (this.counts.get(word) ?? 0) + weight);
    this.length += words.length * weight;
  }
}
