// Normalizes URL paths and robots.txt patterns, so that they compare octet by octet (RFC 9309
// section 2.2.2).

/**
 * Characters that may be unescaped in a URL: unreserved and reserved characters of RFC 3986,
 * without "*" and "$".
 */
const PLAIN = /^[\w.~:/?#[\]@!&'()+,;=-]*$/;

/**
 * Normalizes percent-encoding: upper case, none for unreserved characters, and all other invalid
 * characters escaped. "*" and "$" are literal only when escaped, except in paths. `text` has one
 * character per octet.
 */
export function toComparable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(/%[\da-f]{2}|[^\w.~:/?#[\]@!&'()+,;=-]/gi, (found) => {
    if (found.length === 1) return escapeOctet(found.charCodeAt(0));
    const octet = Number.parseInt(found.slice(1), 16);
    const character = String.fromCharCode(octet);
    return /[\w.~-]/.test(character) ? character : found.toUpperCase();
  });
}

const escapeOctet = (octet: number): string =>
  `%${octet.toString(16).toUpperCase().padStart(2, "0")}`;
