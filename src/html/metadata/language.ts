import { detectAll } from "tinyld/light";
import { CONTENT_LANGUAGE } from "./facts.ts";
import type { Page, Rule } from "./rule.ts";

const MIN_CHARACTERS = 200;
/** What has to be left of a sample without its code. */
const MIN_WORDS_CHARACTERS = 100;
/**
 * Below these the guesser has little to go by; ordinary prose has .6 and more. What is left of manuals full of names is English
 * nearly always when it is taken for that, and hardly ever the other language it is taken for.
 */
const MIN_ACCURACY = { en: 0.1, other: 0.3 };
/** How much likelier than the next one a language has to be. */
const MIN_LEAD = 2;

const CODE = /[_(){}<>=@\\/*|#\d]|[a-z][A-Z]|::|->|^[A-Z]{2,}$/;

/** Names in code, abbreviations and addresses look like Italian or German to one who counts letters. */
const withoutCode = (text: string): string =>
  text
    .split(" ")
    .filter((word) => {
      const bare = word.replace(/^["'(]|["').,;:!?]{1,3}$/g, "");
      return !/^[\x20-\x7e]*$/.test(bare) || !CODE.test(bare);
    })
    .join(" ");

/** The language a text is written in; undefined where there is too little of it or the guess is a weak one. */
export function guessLanguage(text: string): string | undefined {
  if (text.length < MIN_CHARACTERS) return undefined;
  const words = withoutCode(text);
  if (words.length < MIN_WORDS_CHARACTERS) return undefined;
  const [best, next] = detectAll(words);
  if (best === undefined || best.accuracy < MIN_LEAD * (next?.accuracy ?? 0)) return undefined;
  const least = best.lang === "en" ? MIN_ACCURACY.en : MIN_ACCURACY.other;
  return best.accuracy < least ? undefined : best.lang;
}

const tag = (value: string | undefined): string | undefined => {
  const first = value?.split(",")[0]?.trim() ?? "";
  return /^[a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3}$/i.test(first)
    ? first.replace(/_/g, "-")
    : undefined;
};

/** The language of the page: as declared, else guessed from its text when there is enough of it. */
export const languageRules: readonly Rule[] = [
  // As written, because clients get what html[lang] says.
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
