// Stems words by language (Snowball), so that "houses" finds "house". The rules of a language are
// loaded on first use.

export type Stem = (word: string) => string;

const LOADERS: Readonly<Record<string, () => Promise<{ readonly stemmer: Stem }>>> = {
  ar: () => import("@orama/stemmers/arabic"),
  bg: () => import("@orama/stemmers/bulgarian"),
  da: () => import("@orama/stemmers/danish"),
  de: () => import("@orama/stemmers/german"),
  el: () => import("@orama/stemmers/greek"),
  en: () => import("@orama/stemmers/english"),
  es: () => import("@orama/stemmers/spanish"),
  fi: () => import("@orama/stemmers/finnish"),
  fr: () => import("@orama/stemmers/french"),
  ga: () => import("@orama/stemmers/irish"),
  hi: () => import("@orama/stemmers/indian"),
  hu: () => import("@orama/stemmers/hungarian"),
  hy: () => import("@orama/stemmers/armenian"),
  id: () => import("@orama/stemmers/indonesian"),
  it: () => import("@orama/stemmers/italian"),
  lt: () => import("@orama/stemmers/lithuanian"),
  ne: () => import("@orama/stemmers/nepali"),
  nl: () => import("@orama/stemmers/dutch"),
  no: () => import("@orama/stemmers/norwegian"),
  pt: () => import("@orama/stemmers/portuguese"),
  ro: () => import("@orama/stemmers/romanian"),
  ru: () => import("@orama/stemmers/russian"),
  sr: () => import("@orama/stemmers/serbian"),
  sv: () => import("@orama/stemmers/swedish"),
  ta: () => import("@orama/stemmers/tamil"),
  tr: () => import("@orama/stemmers/turkish"),
  uk: () => import("@orama/stemmers/ukrainian"),
};

/** Unknown language: words are not stemmed. */
export const NO_LANGUAGE = "";

const keepUnchanged: Stem = (word) => word;
const MAX_REMEMBERED = 40_000;
const MIN_CHARACTERS = 3;
const loaded = new Map<string, Promise<Stem>>();

/**
 * Returns the language code of a tag if there are rules for it ("en" of "en-GB"), otherwise
 * NO_LANGUAGE.
 */
export function normalizeLanguage(tag: unknown): string {
  if (typeof tag !== "string") return NO_LANGUAGE;
  const code = tag.trim().toLowerCase().split(/[-_]/)[0] ?? "";
  const known = code === "nb" || code === "nn" ? "no" : code;
  return Object.hasOwn(LOADERS, known) ? known : NO_LANGUAGE;
}

/** Loads the stemmer of a language. Results are memoized. */
export function loadStem(language: string): Promise<Stem> {
  const load = LOADERS[language];
  if (load === undefined) return Promise.resolve(keepUnchanged);
  let stem = loaded.get(language);
  if (stem === undefined) {
    stem = load().then(({ stemmer }) => memoizeStemmer(stemmer));
    loaded.set(language, stem);
  }
  return stem;
}

function memoizeStemmer(stemmer: Stem): Stem {
  const stems = new Map<string, string>();
  return (word) => {
    if (word.length < MIN_CHARACTERS) return word;
    const known = stems.get(word);
    if (known !== undefined) return known;
    // A word with an empty stem stays unchanged.
    const stem = stemmer(word) || word;
    if (stems.size >= MAX_REMEMBERED) stems.clear();
    stems.set(word, stem);
    return stem;
  };
}
