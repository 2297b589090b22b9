// The lines of a robots.txt. Octets stay octets here: each character is one, so that a path in any encoding compares.

export type Line = {
  readonly key: "user-agent" | "allow" | "disallow" | "crawl-delay" | "sitemap";
  /** One character per octet, trimmed, without comment. */
  readonly value: string;
  /** Counted from 1. */
  readonly number: number;
};

/** RFC 9309 section 2.5: what a crawler must be able to read. */
const MAX_BYTES = 500 * 1024;
/** No honest rule is longer than a URL may be; what follows is cut. */
const MAX_LINE_BYTES = 16 * 1024;

/** Spellings in the wild, as search engines take them. */
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

/** The lines that mean something, in order. A last line that the size limit cuts in two is left out. */
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
  // "Disallow /x" lacks its colon; with exactly two words it is clear what is meant.
  const [, word = "", rest = ""] =
    colon === -1
      ? (/^([\w-]+)[ \t]+(\S+)$/.exec(content) ?? [])
      : ["", content.slice(0, colon), content.slice(colon + 1)];
  const key = KEYS.get(trim(word).toLowerCase());
  return key === undefined ? undefined : { key, value: trim(rest) };
}

/** Takes off blanks and tabs. Not the no-break space, which as an octet may be half a letter. */
function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 32 || code === 9 || code === 11 || code === 12;
