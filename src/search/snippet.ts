// Cuts the part of a text that contains the words of a query.
import { isPair, isLoneCharacter } from "./words.ts";

const MAX_SNIPPET_CHARACTERS = 240;
/** Occurrences of one word that are examined. */
const MAX_PLACES = 20;
const LETTER = /[\p{L}\p{N}]/u;

type Place = { readonly at: number; readonly word: number };

/**
 * Returns about 240 characters around the closest group of query words, and how many different
 * words those are; the beginning of the text if none is found. `words` are as indexed, so they may
 * be prefixes.
 */
export function cutSnippet(
  text: string,
  words: readonly string[],
): { readonly snippet: string; readonly found: number } {
  const places = findPlaces(text.toLowerCase(), words);
  let best = { from: 0, found: 0 };
  for (const [first, place] of places.entries()) {
    const found = new Set<number>();
    for (let next = first; next < places.length; next++) {
      const other = places[next] as Place;
      if (other.at - place.at > MAX_SNIPPET_CHARACTERS - 40) break;
      found.add(other.word);
    }
    if (found.size > best.found) best = { from: place.at, found: found.size };
  }
  return { snippet: cutAround(text, best.from), found: best.found };
}

function findPlaces(text: string, words: readonly string[]): Place[] {
  const places: Place[] = [];
  for (const [word, form] of words.entries()) {
    const isUnspaced = isPair(form) || isLoneCharacter(form);
    let count = 0;
    for (
      let at = text.indexOf(form);
      at >= 0 && count < MAX_PLACES;
      at = text.indexOf(form, at + 1)
    ) {
      if (!isUnspaced && LETTER.test(text[at - 1] ?? " ")) continue;
      places.push({ at, word });
      count += 1;
    }
  }
  return places.toSorted((one, other) => one.at - other.at);
}

/** Starts at the sentence if it is near, otherwise at a word, and ends after a word. */
function cutAround(text: string, at: number): string {
  if (text.length <= MAX_SNIPPET_CHARACTERS) return text;
  const before = text.slice(Math.max(0, at - 60), at);
  const sentence = Math.max(...[". ", "! ", "? ", "。"].map((end) => before.lastIndexOf(end)));
  const word = before.indexOf(" ");
  let from = 0;
  if (at > 60)
    from = at - before.length + (sentence >= 0 ? sentence + 2 : word >= 0 ? word + 1 : 0);
  else if (sentence >= 0) from = sentence + 2;
  let to = Math.min(text.length, from + MAX_SNIPPET_CHARACTERS);
  if (to < text.length) {
    const space = text.lastIndexOf(" ", to);
    if (space > from + MAX_SNIPPET_CHARACTERS / 2) to = space;
  }
  const cut = text
    .slice(from, to)
    .replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, "")
    .trim();
  return `${from > 0 ? "… " : ""}${cut}${to < text.length ? " …" : ""}`;
}
