// Encoding labels from headers and pages, mapped to the platform's decoder names.

// Spellings seen in the wild that the WHATWG label table lacks.
const ALIASES: ReadonlyMap<string, string> = new Map([
  ["ansi", "windows-1252"],
  ["cp932", "shift_jis"],
  ["cp936", "gbk"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
  ["eucjp", "euc-jp"],
  ["euckr", "euc-kr"],
  ["gb-18030", "gb18030"],
  ["gb-2312", "gbk"],
  ["iso-latin-1", "windows-1252"],
  ["latin-1", "windows-1252"],
  ["ms949", "euc-kr"],
  ["ms950", "big5"],
  ["shift-js", "shift_jis"],
  ["uhc", "euc-kr"],
  ["utf", "utf-8"],
  ["utf8mb4", "utf-8"],
  ["utf-8859-1", "windows-1252"],
  ["win-1251", "windows-1251"],
  ["win1251", "windows-1251"],
]);

/**
 * Returns the lower-case WHATWG name of an encoding label as pages write it ("UTF8", "gb2312",
 * "'latin1'"), or undefined if no decoder exists (Encoding Standard §4.2).
 */
export function toEncodingName(spelling: string): string | undefined {
  const key = spelling
    .trim()
    .replace(/^["']+|["';,]+$/g, "")
    .trim()
    .toLowerCase();
  if (key === "" || key.length > 40) return undefined;
  const label = ALIASES.get(key) ?? key;
  // The Encoding Standard's prescan reads this label as windows-1252 (HTML §13.2.3.2).
  if (label === "x-user-defined") return "windows-1252";
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** Returns the charset parameter of a Content-Type header as an encoding name, or undefined. */
export function parseHeaderEncoding(contentType: string): string | undefined {
  const match = /charset\s*=\s*("[^"]*"|'[^']*'|[^\s;,]+)/i.exec(contentType.slice(0, 500));
  return match?.[1] === undefined ? undefined : toEncodingName(match[1]);
}

const PRESCAN_BYTES = 8_192;
const META = /<meta\b((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;

/**
 * Finds the encoding that a page declares: the XML declaration, `<meta charset>` or `<meta
 * http-equiv>` in its first 8 KiB, outside comments (HTML §13.2.3.2 requires at least 1 KiB).
 * `language` is `html[lang]`, a hint for detection.
 */
export function findDeclaredCharset(bytes: Uint8Array): { encoding?: string; language?: string } {
  const head = toLatin1(bytes.subarray(0, PRESCAN_BYTES)).replace(/<!--[^]*?(?:-->|$)/g, "");
  const language = /<html\b[^>]*?\b(?:xml:)?lang\s*=\s*["']?([a-z]{2,3})/i.exec(head)?.[1];
  const encoding = findXmlEncoding(head) ?? findMetaEncoding(head);
  return {
    ...(encoding === undefined ? {} : { encoding }),
    ...(language === undefined ? {} : { language: language.toLowerCase() }),
  };
}

function findXmlEncoding(head: string): string | undefined {
  const match = /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([^"']+)["']/i.exec(head);
  return toAsciiCompatible(match?.[1]);
}

function findMetaEncoding(head: string): string | undefined {
  for (const [, attributes = ""] of head.matchAll(META)) {
    const direct = /(?:^|[\s"'/])charset\s*=\s*("[^"]*"|'[^']*'|[^\s"'>/;]+)/i.exec(
      attributes,
    )?.[1];
    const content = /\bcontent\s*=\s*("[^"]*"|'[^']*')/i.exec(attributes)?.[1];
    const pragma = /\bhttp-equiv\s*=\s*["']?content-type/i.test(attributes);
    const inContent =
      pragma && content !== undefined
        ? /charset\s*=\s*["']?([^\s"';]+)/i.exec(content.slice(1, -1))?.[1]
        : undefined;
    const name = toAsciiCompatible(pragma ? (inContent ?? direct) : direct);
    if (name !== undefined) return name;
  }
  return undefined;
}

// A declaration that was read byte by byte cannot be in UTF-16, even if labelled so.
function toAsciiCompatible(label: string | undefined): string | undefined {
  const name = label === undefined ? undefined : toEncodingName(label);
  return name === "utf-16le" || name === "utf-16be" ? "utf-8" : name;
}

/**
 * Converts bytes to a string of code points 0–255; the cheapest way to scan ASCII markup in an
 * unknown encoding.
 */
export function toLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}
