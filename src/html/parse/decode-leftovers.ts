// Character references left in text that should have none. JSON in a script is not decoded by the
// parser, but some generators escape it anyway, and others escape the values of meta elements twice.
import { decodeHTMLStrict } from "entities/decode";

/** Decodes leftover character references, also doubly escaped ones, and folds whitespace. */
export function decodeLeftovers(text: string): string {
  const decoded = text.includes("&")
    ? decodeHTMLStrict(
        text
          .replace(/&(?:amp|#0?38|#x26);/gi, "&")
          .replace(/&(?:#0?39|#x27|apos|rsquo|#8217);/gi, "’")
          .replace(/&(?:quot|#34|#8220|#8221);/g, '"')
          .replace(/&#(?:8211|8212);/g, "–"),
      )
    : text;
  return decoded.replace(/\s+/g, " ").trim();
}
