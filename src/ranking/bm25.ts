// Okapi BM25 (Robertson and Zaragoza 2009, section 3): how well texts fit the words that are asked for.

/** Saturation of repeated words, and how much a long text is held against it. */
const K1 = 1.2;
const B = 0.75;

/**
 * A score for each text, 0 where it has none of the words. `lengths` are in words; each of `amounts` is one word asked for,
 * with how often every text has it. Both may be weighted, fractions included.
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
        (rarity * amount * (K1 + 1)) / (amount + K1 * (1 - B + B * relative));
    }
  }
  return scores;
}

/** The words of a text of several fields, each counted by the weight of its field. */
export class WeightedWords {
  readonly counts = new Map<string, number>();
  length = 0;

  add(words: readonly string[], weight: number): void {
    for (const word of words) this.counts.set(word, (this.counts.get(word) ?? 0) + weight);
    this.length += words.length * weight;
  }
}
