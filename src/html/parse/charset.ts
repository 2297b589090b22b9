// Decodes bytes to text in the order of browsers (HTML §13.2.3): byte order mark, transport header,
// the page's declaration, then statistics. A declaration that the bytes contradict loses, because
// scraped pages cannot be corrected by hand.

import { isAscii, isUtf8 } from "node:buffer";
import {
  computeBrokenShare,
  countUtf8,
  guessEncoding,
  guessUtf16,
  computeHighLetterShare,
  isMultiByte,
  sampleText,
} from "./charset-guess.ts";
import {
  parseHeaderEncoding,
  findDeclaredCharset,
  toEncodingName,
  toLatin1,
} from "./charset-label.ts";

export type CharsetSource = "bom" | "header" | "page" | "bytes" | "default";

export type DecodedText = {
  readonly text: string;
  /** WHATWG encoding name in lower case, such as "utf-8" or "shift_jis". */
  readonly charset: string;
  /** Source of the encoding; "bytes" if nothing was declared or the declaration was wrong. */
  readonly source: CharsetSource;
};

type Choice = Omit<DecodedText, "text">;

const ESCAPE = 0x1b;
const MAX_BROKEN_SHARE = 0.03;

/**
 * Decodes a response body. `contentType` is the header as sent ("" if missing); `mimeType` defaults
 * to the header's type. Never throws: undecodable bytes become replacement characters. Linear in
 * size.
 */
export function decodeText(bytes: Uint8Array, contentType: string, mimeType?: string): DecodedText {
  const choice = chooseCharset(bytes, contentType, mimeType ?? parseEssence(contentType));
  return { text: read(bytes, choice.charset), ...choice };
}

/**
 * Returns the text as UTF-8 without a byte order mark: the input bytes, uncopied, if they already
 * are.
 */
export function toUtf8Bytes(bytes: Uint8Array, contentType: string, mimeType?: string): Uint8Array {
  const { charset } = chooseCharset(bytes, contentType, mimeType ?? parseEssence(contentType));
  if (isPlainAscii(bytes, charset)) return bytes;
  if (charset !== "utf-8" || !isUtf8(bytes)) return new TextEncoder().encode(read(bytes, charset));
  return markEncoding(bytes) === "utf-8" ? bytes.subarray(3) : bytes;
}

function chooseCharset(bytes: Uint8Array, contentType: string, mimeType: string): Choice {
  const mark = markEncoding(bytes);
  if (mark !== undefined) return { charset: mark, source: "bom" };
  const header = parseHeaderEncoding(contentType);
  if (isAscii(bytes)) return chooseForAscii(bytes, header, mimeType);
  if (header === "utf-16le" || header === "utf-16be") {
    return { charset: guessUtf16(bytes) ?? header, source: "header" };
  }
  if (isUtf8(bytes)) return chooseForUtf8(bytes, header, mimeType);
  return chooseForLegacy(bytes, header, mimeType);
}

// UTF-16 without a mark and ISO-2022-JP consist only of ASCII bytes.
function chooseForAscii(bytes: Uint8Array, header: string | undefined, mimeType: string): Choice {
  if (bytes.includes(0)) {
    const utf16 = guessUtf16(bytes);
    if (utf16 !== undefined)
      return { charset: utf16, source: header === utf16 ? "header" : "bytes" };
  }
  if (bytes.includes(ESCAPE)) {
    const found = /\x1b\$[@B]|\x1b\(J/.test(toLatin1(bytes.subarray(0, 65_536))); // oxlint-disable-line no-control-regex
    if (found) {
      return { charset: "iso-2022-jp", source: header === "iso-2022-jp" ? "header" : "bytes" };
    }
  }
  if (header !== undefined && !header.startsWith("utf-16")) {
    return { charset: header, source: "header" };
  }
  const declared = isMarkup(mimeType) ? findDeclaredCharset(bytes).encoding : undefined;
  return declared === undefined
    ? { charset: "utf-8", source: "default" }
    : { charset: declared, source: "page" };
}

// Valid UTF-8 with a non-ASCII character is UTF-8, with one exception: a short text in a declared
// Asian encoding can be valid by chance, so the declaration wins below eight sequences.
function chooseForUtf8(bytes: Uint8Array, header: string | undefined, mimeType: string): Choice {
  if (header === "utf-8") return { charset: "utf-8", source: "header" };
  const page = isMarkup(mimeType) ? findDeclaredCharset(bytes).encoding : undefined;
  const declared = header ?? page;
  if (declared === "utf-8") return { charset: "utf-8", source: "page" };
  if (declared !== undefined && isMultiByte(declared) && countUtf8(bytes).good < 8) {
    return { charset: declared, source: header === undefined ? "page" : "header" };
  }
  return page === "utf-8"
    ? { charset: "utf-8", source: "page" }
    : { charset: "utf-8", source: "bytes" };
}

function chooseForLegacy(bytes: Uint8Array, header: string | undefined, mimeType: string): Choice {
  const page = isMarkup(mimeType) ? findDeclaredCharset(bytes) : {};
  const utf8 = countUtf8(bytes);
  const mostlyUtf8 = utf8.good > 0 && utf8.bad <= utf8.good * 0.1;
  const declared: readonly Choice[] = [
    ...(header === undefined ? [] : [{ charset: header, source: "header" } as const]),
    ...(page.encoding === undefined ? [] : [{ charset: page.encoding, source: "page" } as const]),
  ];
  if (mostlyUtf8) {
    return (
      declared.find(({ charset }) => charset === "utf-8") ?? { charset: "utf-8", source: "bytes" }
    );
  }
  for (const choice of declared) if (isPlausible(bytes, choice.charset)) return choice;
  const sample = sampleText(bytes);
  const guessed = guessEncoding(sample, page.language);
  if (guessed !== undefined) return { charset: guessed, source: "bytes" };
  return {
    charset: declared.find(({ charset }) => charset !== "utf-8")?.charset ?? "windows-1252",
    source: "default",
  };
}

// A multi-byte decoding must be nearly free of errors. Western European text is mostly ASCII
// letters, so a page declared Latin-1 with mostly high bytes is in another script and the header is
// only the server's default.
function isPlausible(bytes: Uint8Array, charset: string): boolean {
  if (isMultiByte(charset)) return computeBrokenShare(bytes, charset) <= MAX_BROKEN_SHARE;
  if (charset === "windows-1252" || charset === "iso-8859-15")
    return computeHighLetterShare(sampleText(bytes)) < 0.35;
  return true;
}

function markEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) return "utf-8";
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return undefined;
}

function read(bytes: Uint8Array, charset: string): string {
  if (isPlainAscii(bytes, charset)) return toLatin1(bytes);
  return new TextDecoder(toEncodingName(charset) ?? "utf-8").decode(bytes);
}

/** True if each byte is the code of its character. */
const isPlainAscii = (bytes: Uint8Array, charset: string): boolean =>
  isAscii(bytes) && !charset.startsWith("utf-16") && charset !== "iso-2022-jp";

function parseEssence(contentType: string): string {
  return (contentType.split(";", 1)[0] ?? "").trim().toLowerCase();
}

// Only markup can declare its own encoding; a missing type is treated as HTML.
function isMarkup(mimeType: string): boolean {
  return mimeType === "" || mimeType.endsWith("html") || mimeType.endsWith("xml");
}
