// Names as hashes for lookups in a learned table.
import type { HashList } from "./hash-list.ts";

const SPACE = 32;
/** One FNV-1a step. */
const updateHash = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** FNV-1a of a text in lower case, seeded with the kind of name. */
export function computeHash(seed: number, text: string): number {
  let hash = updateHash(seed, SPACE);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    hash = updateHash(hash, code >= 65 && code <= 90 ? code + 32 : code);
  }
  return hash;
}
/** Longer values are not names. */
export const MAX_NAME_CHARACTERS = 40;
/** Seeds of name hashes, by kind of name. */
export const SEED = 0x811c9dc5;

/**
 * Adds the hashes of words (runs of at least two letters, split at camelCase) and of whole names
 * with several parts. Ignores case and replaces a run of digits by 0.
 */
export function readWords(
  value: string,
  wordSeed: number,
  nameSeed: number | undefined,
  found: HashList,
  first: number,
): void {
  let word = wordSeed;
  let letters = 0;
  let name = nameSeed ?? 0;
  let length = 0;
  let hasParts = false;
  let wasSmall = false;
  let wasDigit = false;
  for (let index = 0; index <= value.length; index++) {
    const code = index < value.length ? value.charCodeAt(index) : SPACE;
    const isCapital = code >= 65 && code <= 90;
    const folded = isCapital ? code + 32 : code;
    const isLetter = (folded >= 97 && folded <= 122) || code > 127;
    if (letters > 0 && (!isLetter || (isCapital && wasSmall))) {
      if (letters > 1) found.addOnce(word, first);
      word = wordSeed;
      letters = 0;
    }
    if (isLetter) {
      word = updateHash(word, folded);
      letters++;
    }
    wasSmall = isLetter && !isCapital;
    if (nameSeed === undefined) continue;
    const isDigit = code >= 48 && code <= 57;
    if (code <= SPACE) {
      if (hasParts && length <= MAX_NAME_CHARACTERS) found.addOnce(name, first);
      name = nameSeed;
      length = 0;
      hasParts = false;
    } else if (!isDigit || !wasDigit) {
      name = updateHash(name, isDigit ? 48 : folded);
      length++;
      if (code === 45 || code === 95) hasParts = true;
    }
    wasDigit = isDigit;
  }
}
