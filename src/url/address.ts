// IP addresses as bytes: every spelling is parsed to bytes first, and only bytes are classified.
import { IPV4_RANGES, IPV6_RANGES, type AddressClass, type RangeRow } from "./address-ranges.ts";

export type { AddressClass } from "./address-ranges.ts";
export { ADDRESS_CLASS_TEXT } from "./address-ranges.ts";

/** 4 bytes for IPv4, 16 for IPv6, in network order. */
export type AddressBytes = Uint8Array;

export type Cidr = { readonly bytes: AddressBytes; readonly prefix: number };

/**
 * Parses an IPv4 address in any spelling of the WHATWG URL standard (section 3.5): one to four
 * parts, each decimal, octal (0…) or hexadecimal (0x…), the last one filling the rest. Returns
 * undefined for other texts.
 */
export function parseIpv4(text: string): AddressBytes | undefined {
  const parts = text.split(".");
  if (parts.length > 1 && parts.at(-1) === "") parts.pop();
  if (parts.length === 0 || parts.length > 4) return undefined;
  const numbers = parts.map(parseIpv4Number);
  let value = 0;
  for (const [index, number] of numbers.entries()) {
    if (number === undefined) return undefined;
    const last = index === numbers.length - 1;
    if (number >= (last ? 256 ** (5 - numbers.length) : 256)) return undefined;
    value += last ? number : number * 256 ** (3 - index);
  }
  return Uint8Array.of(value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255);
}

function parseIpv4Number(part: string): number | undefined {
  if (/^0x[0-9a-f]*$/i.test(part)) return part.length === 2 ? 0 : Number(part);
  if (/^0[0-7]*$/.test(part)) return Number.parseInt(part, 8);
  return /^[1-9][0-9]*$/.test(part) ? Number(part) : undefined;
}

/**
 * Parses an IPv6 address (RFC 4291 section 2.2), with or without a dotted IPv4 tail or a zone
 * ("%eth0", ignored).
 */
export function parseIpv6(text: string): AddressBytes | undefined {
  const zone = text.indexOf("%");
  const address = zone === -1 ? text : text.slice(0, zone);
  if (!/^[0-9a-f:.]{2,}$/i.test(address)) return undefined;
  const halves = address.split("::");
  if (halves.length > 2) return undefined;
  const head = parsePieces(halves[0] ?? "", halves.length === 1);
  const tail = halves.length === 2 ? parsePieces(halves[1] ?? "", true) : [];
  if (head === undefined || tail === undefined) return undefined;
  const missing = 16 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined;
  return Uint8Array.from([...head, ...Array.from<number>({ length: missing }).fill(0), ...tail]);
}

function parsePieces(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === "") return [];
  const bytes: number[] = [];
  const pieces = text.split(":");
  for (const [index, piece] of pieces.entries()) {
    if (piece.includes(".")) {
      const dotted = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(piece);
      const numbers = dotted?.slice(1).map(Number) ?? [];
      const fits = numbers.length === 4 && numbers.every((number) => number < 256);
      if (!mayEndInIpv4 || index !== pieces.length - 1 || !fits) return undefined;
      bytes.push(...numbers);
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(piece)) return undefined;
      const number = Number.parseInt(piece, 16);
      bytes.push(number >> 8, number & 255);
    }
  }
  return bytes;
}

/** Parses an IPv4 or IPv6 address in any spelling, IPv6 with or without brackets. */
export function parseAddress(text: string): AddressBytes | undefined {
  if (text.startsWith("[") && text.endsWith("]")) return parseIpv6(text.slice(1, -1));
  return text.includes(":") ? parseIpv6(text) : parseIpv4(text);
}

/** Parses "10.0.0.0/8", "fd00::/8", or a single address. Host bits are ignored. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf("/");
  const bytes = parseAddress(slash === -1 ? text : text.slice(0, slash));
  if (bytes === undefined) return undefined;
  const bits = bytes.length * 8;
  if (slash === -1) return { bytes, prefix: bits };
  const prefix = text.slice(slash + 1);
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bits) return undefined;
  return { bytes, prefix: Number(prefix) };
}

/** True if the address is in the range. IPv4 and IPv6 never match each other. */
export function isInCidr(address: AddressBytes, { bytes, prefix }: Cidr): boolean {
  if (address.length !== bytes.length) return false;
  const whole = prefix >> 3;
  for (let index = 0; index < whole; index++) if (address[index] !== bytes[index]) return false;
  const rest = prefix & 7;
  if (rest === 0) return true;
  return ((address[whole] ?? 0) ^ (bytes[whole] ?? 0)) >> (8 - rest) === 0;
}

type Range = { readonly cidr: Cidr; readonly meaning: RangeRow[1] };

const toRanges = (rows: readonly RangeRow[]): Range[] =>
  rows
    .map(([text, meaning]) => {
      const cidr = parseCidr(text);
      if (cidr === undefined) throw new Error(`not a CIDR: ${text}`);
      return { cidr, meaning };
    })
    .toSorted((one, other) => other.cidr.prefix - one.cidr.prefix);

const IPV4 = toRanges(IPV4_RANGES);
const IPV6 = toRanges(IPV6_RANGES);

/**
 * Returns the class of an address. An IPv6 address with an embedded IPv4 one (mapped, NAT64, 6to4,
 * Teredo, ISATAP) is classified by that. Only "public" may be reached without the operator's
 * permission.
 */
export function classifyAddress(bytes: AddressBytes): AddressClass {
  const carried = readIsatapTail(bytes);
  if (carried !== undefined) {
    const inside = classifyAddress(carried);
    if (inside !== "public") return inside;
  }
  const range = (bytes.length === 4 ? IPV4 : IPV6).find(({ cidr }) => isInCidr(bytes, cidr));
  if (range === undefined) return "reserved";
  if (typeof range.meaning === "string") return range.meaning;
  const { at, flipped, whenPublic } = range.meaning;
  const inside = bytes.slice(at, at + 4);
  const meaning = classifyAddress(flipped ? inside.map((byte) => byte ^ 255) : inside);
  return meaning === "public" ? whenPublic : meaning;
}

/**
 * Returns the IPv4 address in an ISATAP interface identifier (RFC 5214 section 6.1), with any
 * prefix.
 */
function readIsatapTail(bytes: AddressBytes): AddressBytes | undefined {
  if (bytes.length !== 16 || bytes[10] !== 0x5e || bytes[11] !== 0xfe || bytes[9] !== 0)
    return undefined;
  return bytes[8] === 0 || bytes[8] === 2 ? bytes.slice(12) : undefined;
}

/** Formats dotted decimal, or IPv6 as in RFC 5952. */
export function formatAddress(bytes: AddressBytes): string {
  if (bytes.length === 4) return bytes.join(".");
  const pieces = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  const text = pieces.join(":");
  const zeros = text
    .match(/(?:^|(?<=:))0(?::0)+(?=:|$)/g)
    ?.reduce((longest, run) => (run.length > longest.length ? run : longest), "");
  if (!zeros) return text;
  const at = text.search(new RegExp(`(?:^|(?<=:))${zeros}(?=:|$)`));
  return `${text.slice(0, at).replace(/:$/, "")}::${text.slice(at + zeros.length).replace(/^:/, "")}`;
}
