// Words as searches compare them.

/** A text in lower case and without accents. */
export function plainTextOf(text: string): string {
  // Nothing but the case of ASCII changes by it, and most URLs are nothing else.
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
}

/** Words of a text in lower case and without accents: letters and digits, and single characters of unspaced scripts. */
export function wordsOf(text: string): string[] {
  return (
    plainTextOf(text).match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu,
    ) ?? []
  );
}

/** Words of a URL's path, query and subdomain: "/docs/getStarted_2" is docs, get, started, 2. */
export function urlWords(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const text = `${parsed.hostname.replace(/^www\./, "")} ${parsed.pathname} ${parsed.search}`;
  return wordsOf(decode(text).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
}

/** A URL's path and query as one plain text: "/docs/getStarted_2" is "/docs/getstarted_2". */
export function urlPathText(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : plainTextOf(decode(`${parsed.pathname}${parsed.search}`));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
