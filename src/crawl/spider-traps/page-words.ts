// The words of a page as numbers, to detect whether it has new text. One pass over the bytes
// without a tree. It skips tags, comments, scripts, styles, and mixed letter-digit words, which are
// usually ids.

export type PageWords = {
  /** Fingerprint of all words in order. */
  readonly fingerprint: number;
  readonly words: ReadonlySet<number>;
};

const MAX_BYTES = 262_144;
const LESS_THAN = 0x3c;
const LETTER_CLASS = 1;
const DIGIT_CLASS = 2;

/** By byte: letter, digit or neither. Non-ASCII bytes count as letters. */
const KIND = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x30 && byte <= 0x39) return DIGIT_CLASS;
  const lower = byte | 0x20;
  return byte >= 0x80 || (lower >= 0x61 && lower <= 0x7a) ? LETTER_CLASS : 0;
});

/** `keepNumbers`: a changed number makes the page new. */
export function readWords(body: Uint8Array, keepNumbers: boolean): PageWords {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.length, MAX_BYTES));
  const words = new Set<number>();
  let high = 0x811c9dc5;
  let low = 5381;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte === LESS_THAN) {
      at = findTagEnd(bytes, at);
      continue;
    }
    if (KIND[byte] === 0) continue;
    let word = 0x811c9dc5;
    let kinds = 0;
    for (; at < bytes.length; at++) {
      const next = bytes[at] ?? 0;
      const kind = KIND[next] ?? 0;
      if (kind === 0) break;
      kinds |= kind;
      word = Math.imul(
        word ^ (kind === LETTER_CLASS && next < 0x80 ? next | 0x20 : next),
        0x01000193,
      );
    }
    at -= 1;
    if (kinds === LETTER_CLASS || (keepNumbers && kinds === DIGIT_CLASS)) {
      words.add(word);
      high = Math.imul(high ^ word, 0x01000193);
      low = (Math.imul(low, 33) + word) | 0;
    }
  }
  return { fingerprint: (high >>> 0) * 0x20_0000 + (low & 0x1f_ffff), words };
}

/** Returns the end of the tag at `at`; for scripts, styles and comments the end of the element. */
function findTagEnd(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0;
  let end = -1;
  if (first === 0x21 && bytes.toString("latin1", at + 1, at + 4) === "!--")
    end = bytes.indexOf("-->", at);
  else if ((first | 0x20) === 0x73) {
    const [name] = /^(?:script|style)/i.exec(bytes.toString("latin1", at + 1, at + 7)) ?? [];
    if (name !== undefined) end = bytes.indexOf(`</${name}`, at, "latin1");
  }
  const close = bytes.indexOf(0x3e, end === -1 ? at : end);
  return close === -1 ? bytes.length : close;
}
