// Words as searches compare them.

/** Words of a text in lower case and without accents: letters and digits, and single characters of unspaced scripts. */
export function wordsOf(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase();
  return (
    plain.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Words of a URL's path, query and subdomain: "/docs/getStarted_2" is docs, get, started, 2. */
export function urlWords(url: string): string[] {
  const parsed = URL.parse(url);
  if (parsed === null) return [];
  const text = `${parsed.hostname.replace(/^www\./, "")} ${parsed.pathname} ${parsed.search}`;
  return wordsOf(decode(text).replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
