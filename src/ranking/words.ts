// Tokenizes text for search.

/** Returns a text in lower case without accents. */
export function toPlainText(text: string): string {
  // Fast path: for ASCII, as in most URLs, only the case changes.
  if (/^\p{ASCII}*$/u.test(text)) return text.toLowerCase();
  return text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
}

/**
 * Returns the words of a text in lower case without accents: letters and digits, and single
 * characters of scripts without spaces.
 */
export function toWords(text: string): string[] {
  return (
    toPlainText(text).match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu,
    ) ?? []
  );
}

/**
 * Returns the words of a URL's path, query and subdomain: "/docs/getStarted_2" gives docs, get,
 * started, 2.
 */
export function toUrlWords(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const text = `${parsed.hostname.replace(/^www\./, "")} ${parsed.pathname} ${parsed.search}`;
  return toWords(decode(text).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
}

/**
 * Returns a URL's path and query as plain text: "/docs/getStarted_2" gives "/docs/getstarted_2".
 */
export function readUrlPath(url: string): string {
  const parsed = URL.parse(url);
  return parsed === null ? "" : toPlainText(decode(`${parsed.pathname}${parsed.search}`));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
