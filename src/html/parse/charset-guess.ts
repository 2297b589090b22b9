import { analyse } from "chardet";
import { toEncodingName, toLatin1 } from "./charset-label.ts";

const SAMPLE_BYTES = 256 * 1_024;
const GUESS_CHARACTERS = 8 * 1_024;
const MIN_CONFIDENCE = 15;

const LANGUAGE_ENCODINGS: Readonly<Record<string, readonly string[]>> = {
  ja: ["shift_jis", "euc-jp", "iso-2022-jp"],
  zh: ["gb18030", "gbk", "big5"],
  ko: ["euc-kr"],
  ru: ["windows-1251", "koi8-r", "iso-8859-5", "ibm866"],
  uk: ["windows-1251", "koi8-u", "koi8-r"],
  bg: ["windows-1251"],
  el: ["windows-1253", "iso-8859-7"],
  he: ["windows-1255", "iso-8859-8"],
  ar: ["windows-1256", "iso-8859-6"],
  fa: ["windows-1256"],
  tr: ["windows-1254", "iso-8859-9"],
  pl: ["windows-1250", "iso-8859-2"],
  cs: ["windows-1250", "iso-8859-2"],
  sk: ["windows-1250", "iso-8859-2"],
  hu: ["windows-1250", "iso-8859-2"],
  ro: ["windows-1250", "iso-8859-2"],
  th: ["windows-874"],
  vi: ["windows-1258"],
};

const MULTI_BYTE: ReadonlySet<string> = new Set([
  "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "gbk", "big5", "euc-kr",
]); // prettier-ignore

/** True if the encoding has multi-byte characters, so that invalid bytes can be detected. */
export function isMultiByte(encoding: string): boolean {
  return MULTI_BYTE.has(encoding) || encoding.startsWith("utf-");
}

/**
 * Counts valid and broken multi-byte UTF-8 sequences in the first 256 KiB, ignoring a cut at the
 * end.
 */
export function countUtf8(bytes: Uint8Array): { good: number; bad: number } {
  const end = Math.min(bytes.length, SAMPLE_BYTES);
  let good = 0;
  let bad = 0;
  for (let at = 0; at < end;) {
    const first = bytes[at] ?? 0;
    if (first < 0x80) {
      at++;
      continue;
    }
    const length = first >= 0xf0 && first < 0xf5 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
    if (length === 0 || first >= 0xf5) {
      bad++;
      at++;
      continue;
    }
    if (at + length > end) break;
    let next = 1;
    while (next < length && ((bytes[at + next] ?? 0) & 0xc0) === 0x80) next++;
    if (next === length) good++;
    else bad++;
    at += next;
  }
  return { good, bad };
}

/** Detects UTF-16 by the NUL bytes that ASCII markup leaves. Returns undefined for other text. */
export function guessUtf16(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const end = Math.min(bytes.length & ~1, 1_024);
  if (end < 4) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < end; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const pairs = end / 2;
  if (odd > pairs * 0.3 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.3 && odd < pairs * 0.05) return "utf-16be";
  return undefined;
}

/**
 * Returns the share of non-ASCII letters outside tags: about .05 in French, over .8 in Russian,
 * Greek or Chinese.
 */
export function computeHighLetterShare(text: string): number {
  let high = 0;
  let letters = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) high++;
    else if ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) letters++;
  }
  return high === 0 ? 0 : high / (high + letters);
}

/**
 * Returns the readable part of a page's bytes (no tags, scripts or styles) as Latin-1 characters,
 * from at most 256 KiB.
 */
export function sampleText(bytes: Uint8Array): string {
  return toLatin1(bytes.subarray(0, SAMPLE_BYTES))
    .replace(/<(script|style)\b[^]*?(?:<\/\1\s*>|$)/gi, " ")
    .replace(/<[a-z!/?][^<>]{0,2000}>/gi, " ")
    .replace(/[ \t\r\n]{2,}/g, " ");
}

/**
 * Returns the most likely legacy encoding by letter statistics (chardet). A declared language
 * decides between close candidates. Returns undefined if nothing is likely.
 */
export function guessEncoding(sample: string, language: string | undefined): string | undefined {
  const firstHigh = Math.max(0, sample.search(/[\x80-\xff]/));
  const bytes = Buffer.from(
    sample.slice(Math.max(0, firstHigh - 500), firstHigh + GUESS_CHARACTERS),
    "latin1",
  );
  const favoured = LANGUAGE_ENCODINGS[language ?? ""] ?? [];
  let best: { encoding: string; score: number } | undefined;
  for (const { name, confidence } of analyse(bytes)) {
    const encoding = toEncodingName(name);
    if (encoding === undefined || encoding.startsWith("utf-16") || name.startsWith("UTF-32"))
      continue;
    const broken = isMultiByte(encoding) ? computeBrokenShare(bytes, encoding) : 0;
    const score =
      confidence * (1 - Math.min(1, broken * 10)) + (favoured.includes(encoding) ? 40 : 0);
    if (score >= MIN_CONFIDENCE && (best === undefined || score > best.score)) {
      best = { encoding, score };
    }
  }
  return best?.encoding;
}

/**
 * Returns replacement characters per non-ASCII character when the bytes are decoded: 0 fits, 1 does
 * not.
 */
export function computeBrokenShare(bytes: Uint8Array, encoding: string): number {
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, SAMPLE_BYTES), { stream: true });
  let broken = 0;
  let high = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x80) high++;
    if (code === 0xfffd) broken++;
  }
  return high === 0 ? 0 : broken / high;
}
