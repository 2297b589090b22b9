import { detectAll } from "tinyld/light";
import { CONTENT_LANGUAGE } from "./facts.ts";
import type { Page, Rule } from "./rule.ts";

const MIN_CHARACTERS = 200;
/** Minimum characters of a sample without its code. */
const MIN_WORDS_CHARACTERS = 100;
/**
 * Minimum accuracy of a guess. Ordinary prose scores .6 and more. Manuals full of names are nearly
 * always English if detected as English, and rarely any other detected language.
 */
const MIN_ACCURACY = { en: 0.1, other: 0.3 };
/** Minimum factor by which the best language must lead. */
const MIN_LEAD = 2;

const CODE = /[_(){}<>=@\\/*|#\d]|[a-z][A-Z]|::|->|^[A-Z]{2,}$/;

/** Code names, abbreviations and addresses look like Italian or German to letter statistics. */
const stripCode = (text: string): string =>
  text
    .split(" ")
    .filter((word) => {
      const bare = word.replace(/^["'(]|["').,;:!?]{1,3}$/g, "");
      return !/^[\x20-\x7e]*$/.test(bare) || !CODE.test(bare);
    })
    .join(" ");

/** Letters of one language only, minimum share of all letters, and the letters of its script. */
const OWN_LETTERS: readonly (readonly [language: string, own: RegExp, share: number])[] = [
  // The detector mistakes Vietnamese for Hungarian: both have many letters with marks.
  ["vi", /[ăđơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ]/giu, 0.06],
  // Urdu before Persian, because Urdu uses all letters of Persian.
  ["ur", /[ٹڈڑےںۓھ]/gu, 0.04],
  ["fa", /[پچژگی\u06a9]/gu, 0.04],
];

/** Detects further languages by letters that only they have. */
function detectByLetters(text: string): string | undefined {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  return OWN_LETTERS.find(
    ([, own, share]) => (text.match(own)?.length ?? 0) >= letters * share && letters > 0,
  )?.[0];
}

/** Detects the language of a text. Returns undefined for short texts and weak guesses. */
export function guessLanguage(text: string): string | undefined {
  if (text.length < MIN_CHARACTERS) return undefined;
  const words = stripCode(text);
  if (words.length < MIN_WORDS_CHARACTERS) return undefined;
  const told = detectByLetters(words);
  if (told !== undefined) return told;
  const [best, next] = detectAll(words);
  if (best === undefined || best.accuracy < MIN_LEAD * (next?.accuracy ?? 0)) return undefined;
  const min = best.lang === "en" ? MIN_ACCURACY.en : MIN_ACCURACY.other;
  return best.accuracy < min ? undefined : best.lang;
}

const tag = (value: string | undefined): string | undefined => {
  const first = value?.split(",")[0]?.trim() ?? "";
  return /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(first)
    ? first.replace(/_/g, "-")
    : undefined;
};

/** The language of the page: as declared, else detected from its text if there is enough. */
export const languageRules: readonly Rule[] = [
  // As written, because clients expect html[lang] unchanged.
  ["html lang", (page: Page) => page.facts.language],
  ["http-equiv content-language", (page: Page) => tag(page.meta(CONTENT_LANGUAGE))],
  ["meta og:locale", (page: Page) => tag(page.meta("og:locale"))],
  [
    "meta language",
    (page: Page) =>
      tag(page.meta("language") ?? page.meta("content-language") ?? page.meta("dc.language")),
  ],
  ["text", (page: Page) => guessLanguage(page.facts.sample)],
];
