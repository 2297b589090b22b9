// Parses the lines of a robots.txt. One character per octet, so that paths in any encoding compare.

export type Line = {
  readonly key: "user-agent" | "allow" | "disallow" | "crawl-delay" | "sitemap";
  /** One character per octet, trimmed, without comment. */
  readonly value: string;
  /** From 1. */
  readonly number: number;
};

/** Minimum size that a crawler must read (RFC 9309 section 2.5). */
const MAX_BYTES = 500 * 1024;
/** No genuine rule is longer than a URL may be; the rest is cut. */
const MAX_LINE_BYTES = 16 * 1024;

/** Common misspellings that search engines accept. */
const KEYS = new Map<string, Line["key"]>([
  ["user-agent", "user-agent"],
  ["useragent", "user-agent"],
  ["user agent", "user-agent"],
  ["allow", "allow"],
  ["disallow", "disallow"],
  ["dissallow", "disallow"],
  ["dissalow", "disallow"],
  ["disalow", "disallow"],
  ["diasllow", "disallow"],
  ["disallaw", "disallow"],
  ["crawl-delay", "crawl-delay"],
  ["crawldelay", "crawl-delay"],
  ["sitemap", "sitemap"],
  ["site-map", "sitemap"],
]);

/** Yields the meaningful lines in order. Skips a last line that the size limit cuts. */
export function* readLines(body: Uint8Array | string): Generator<Line> {
  const bytes = typeof body === "string" ? Buffer.from(body, "utf8") : Buffer.from(body);
  const start = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  const isCut = bytes.length - start > MAX_BYTES;
  const text = bytes.toString("latin1", start, start + Math.min(bytes.length - start, MAX_BYTES));
  const written = text.split(/\r\n|\r|\n/);
  if (isCut) written.pop();
  for (const [index, content] of written.entries()) {
    const line = readLine(content.slice(0, MAX_LINE_BYTES));
    if (line !== undefined) yield { ...line, number: index + 1 };
  }
}

function readLine(written: string): Omit<Line, "number"> | undefined {
  const content = trim(written.split("#", 1)[0] ?? "");
  const colon = content.indexOf(":");
  // "Disallow /x" lacks its colon, but with exactly two words the meaning is clear.
  const [, word = "", rest = ""] =
    colon === -1
      ? (/^([\w-]+)[ \t]+(\S+)$/.exec(content) ?? [])
      : ["", content.slice(0, colon), content.slice(colon + 1)];
  const key = KEYS.get(trim(word).toLowerCase());
  return key === undefined ? undefined : { key, value: trim(rest) };
}

/** Trims spaces and tabs, but not the no-break space, which as an octet may be half a character. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 11 || code === 12;
