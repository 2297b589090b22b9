import { detect } from "tinyld/light";
import { CONTENT_LANGUAGE } from "./facts.ts";
import type { Page, Rule } from "./rule.ts";

const LEAST_CHARACTERS = 200;

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
  [
    "text",
    (page: Page) =>
      page.facts.sample.length < LEAST_CHARACTERS ? undefined : detect(page.facts.sample),
  ],
];
