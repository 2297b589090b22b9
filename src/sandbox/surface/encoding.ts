// Bytes and text for code in the interpreter, which has neither Buffer nor TextEncoder.

/** Encodes text as UTF-8; lone surrogates become U+FFFD. */
export function encodeUtf8(text: string): number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const given = character.codePointAt(0) ?? 0;
    const code = given >= 0xd800 && given <= 0xdfff ? 0xfffd : given;
    if (code < 0x80) bytes.push(code);
    else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
    else if (code < 0x10000)
      bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
    else
      bytes.push(
        0xf0 | (code >> 18),
        0x80 | ((code >> 12) & 63),
        0x80 | ((code >> 6) & 63),
        0x80 | (code & 63),
      );
  }
  return bytes;
}

/** Decodes UTF-8; each byte that begins no character becomes U+FFFD. */
export function decodeUtf8(bytes: ArrayLike<number>): string {
  let text = "";
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0;
    const more =
      first < 0x80
        ? 0
        : first < 0xc2
          ? -1
          : first < 0xe0
            ? 1
            : first < 0xf0
              ? 2
              : first < 0xf5
                ? 3
                : -1;
    let code = more <= 0 ? first : first & (0x3f >> more);
    let isWhole = more >= 0;
    for (let next = 1; isWhole && next <= more; next++) {
      const byte = bytes[at + next] ?? 0;
      isWhole = (byte & 0xc0) === 0x80;
      code = (code << 6) | (byte & 63);
    }
    const isValid =
      isWhole &&
      !(code >= 0xd800 && code <= 0xdfff) &&
      !(more === 2 && code < 0x800) &&
      !(more === 3 && code < 0x10000);
    text += isValid ? String.fromCodePoint(code) : "\ufffd";
    if (isValid) at += Math.max(0, more);
  }
  return text;
}

export function toBase64(bytes: ArrayLike<number>): string {
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  let text = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const group = ((bytes[at] ?? 0) << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
    const left = bytes.length - at;
    text += (signs[group >> 18] ?? "") + (signs[(group >> 12) & 63] ?? "");
    text += left > 1 ? (signs[(group >> 6) & 63] ?? "") : "=";
    text += left > 2 ? (signs[group & 63] ?? "") : "=";
  }
  return text;
}

/** Decodes base64 and base64url; other characters are skipped. */
export function fromBase64(text: string): number[] {
  const signs = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const bytes: number[] = [];
  let group = 0;
  let bits = 0;
  for (const sign of text) {
    const value = signs.indexOf(sign === "-" ? "+" : sign === "_" ? "/" : sign);
    if (value < 0) continue;
    group = ((group << 6) | value) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((group >> bits) & 255);
  }
  return bytes;
}

/** The part of Node's Buffer that code for pages uses. Crosses to the host as base64. */
export class Bytes extends Uint8Array {
  static override from(given: unknown, encoding?: unknown): Bytes {
    if (typeof given === "string") {
      const name = typeof encoding === "string" ? encoding.toLowerCase() : "utf8";
      if (name === "base64" || name === "base64url") return new Bytes(fromBase64(given));
      if (name === "hex")
        return new Bytes(
          (given.match(/[0-9a-f]{2}/gi) ?? []).map((pair) => Number.parseInt(pair, 16)),
        );
      if (name === "latin1" || name === "binary" || name === "ascii")
        return new Bytes(Array.from(given, (character) => character.charCodeAt(0) & 255));
      return new Bytes(encodeUtf8(given));
    }
    const picture = given as { base64?: unknown };
    if (typeof picture === "object" && picture !== null && typeof picture.base64 === "string")
      return new Bytes(fromBase64(picture.base64));
    if (given instanceof ArrayBuffer) return new Bytes(new Uint8Array(given));
    return new Bytes(given as ArrayLike<number>);
  }

  static alloc(size: number, fill = 0): Bytes {
    return new Bytes(size).fill(fill) as Bytes;
  }

  static concat(parts: readonly ArrayLike<number>[]): Bytes {
    const all = new Bytes(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  static isBuffer(value: unknown): boolean {
    return value instanceof Bytes;
  }

  static byteLength(value: unknown, encoding?: string): number {
    return Bytes.from(value, encoding).length;
  }

  override toString(encoding?: string | null): string {
    const name = typeof encoding === "string" ? encoding.toLowerCase() : "utf8";
    if (name === "base64") return toBase64(this);
    if (name === "base64url")
      return toBase64(this).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    if (name === "hex")
      return Array.from(this, (byte) => byte.toString(16).padStart(2, "0")).join("");
    if (name === "latin1" || name === "binary" || name === "ascii")
      return Array.from(this, (byte) => String.fromCharCode(byte)).join("");
    return decodeUtf8(this);
  }

  equals(other: ArrayLike<number>): boolean {
    return this.length === other.length && this.every((byte, at) => byte === other[at]);
  }
}

export function createEncoders() {
  return {
    TextEncoder: class TextEncoder {
      readonly encoding = "utf-8";
      encode(text = ""): Uint8Array {
        return new Uint8Array(encodeUtf8(String(text)));
      }
    },
    TextDecoder: class TextDecoder {
      readonly encoding = "utf-8";
      constructor(label = "utf-8") {
        if (!/^(?:unicode-1-1-)?utf-?8$/i.test(label))
          throw new RangeError(`TextDecoder: only utf-8 is available here, not ${label}.`);
      }
      decode(given?: ArrayBuffer | ArrayLike<number>): string {
        if (given === undefined) return "";
        return decodeUtf8(given instanceof ArrayBuffer ? new Uint8Array(given) : given);
      }
    },
    Buffer: Bytes,
    atob: (text: string) => Bytes.from(String(text), "base64").toString("latin1"),
    btoa: (text: string) => Bytes.from(String(text), "latin1").toString("base64"),
  };
}
