// URL paths and the patterns of robots.txt in one spelling, so that they compare octet by octet (RFC 9309 section 2.2.2).

/** What a URL may hold unescaped: unreserved and reserved characters of RFC 3986, less "*" and "$". */
const PLAIN = /^[\w.~:/?#[\]@!&'()+,;=-]*$/;

/**
 * Escapes in upper case, none for unreserved characters, all others escaped that a URL may not hold. "*" and "$" stand for
 * themselves only when they are escaped, in a path always. `text` holds one character per octet.
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
