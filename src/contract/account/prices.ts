// Prices of calls in credits. Source: wire contract, section 20.
/** Credits on top of the base price unless the name says otherwise. */
export const PRICES = {
  page: 1,
  json: 4,
  deterministicJson: 9,
  question: 4,
  highlights: 4,
  audio: 4,
  video: 4,
  redaction: 4,
  stealth: 4,
  zeroDataRetention: 1,
  lockdownHit: 4,
  unresolvedName: 1,
  lockdownMiss: 1,
  map: 1,
  searchPerTenResults: 2,
  codeMinute: 2,
  promptMinute: 7,
} as const;

/** Returns the credits of a search by number of results, without scraping them. */
export const computeSearchPrice = (results: number): number =>
  Math.ceil(results / 10) * PRICES.searchPerTenResults;

/** Returns the credits of browser time: each started minute, at least one. */
export function computeBrowserPrice(durationMs: number, usedPrompt: boolean): number {
  const minutes = Math.max(1, Math.ceil(durationMs / 60_000));
  return minutes * (usedPrompt ? PRICES.promptMinute : PRICES.codeMinute);
}
