// Checks phrases in the text of a page: whether words are consecutive.
import type { Lookup } from "./lookup.ts";
import type { Site, Term } from "./query.ts";
import { isWithin } from "./sites.ts";
import { fold, isPair, toIndexWords } from "./words.ts";

/** Letters and digits with single spaces between words and at both ends. */
export function flatten(text: string): string {
  return ` ${fold(text)
    .replaceAll(/[^\p{L}\p{N}\p{M}]+/gu, " ")
    .trim()} `;
}

export type PhrasedPage = {
  readonly url: string;
  readonly title: string;
  readonly description: string;
  readonly text: string;
};

/** True if the page has the required phrases and none of the excluded ones. */
export function matchesPhrases(page: PhrasedPage, { query }: Lookup): boolean {
  const phrases = query.groups.filter((group) => group.every(isPhrase));
  const without = query.without.filter(isPhrase);
  const sites = query.withoutSites.filter(({ path }) => path !== undefined);
  if (phrases.length === 0 && without.length === 0 && sites.length === 0) return true;
  const texts = {
    any: flatten(`${page.title} . ${page.description} . ${page.text}`),
    title: flatten(page.title),
    url: flatten(page.url),
  };
  const has = ({ text, field }: Term): boolean => {
    const flat = flatten(text);
    // Scripts without spaces have none around their words.
    return texts[field].includes(toIndexWords(text).some(isPair) ? flat.trim() : flat);
  };
  return (
    phrases.every((group) => group.some(has)) &&
    !without.some(has) &&
    !sites.some((site) => isOnSite(page.url, site))
  );
}

const isPhrase = ({ text, isPhrase: quoted }: Term): boolean =>
  quoted && toIndexWords(text).length > 1;

function isOnSite(address: string, { host, path = "/" }: Site): boolean {
  const url = URL.parse(address);
  return url !== null && isWithin(url.hostname, host) && url.pathname.startsWith(path);
}
