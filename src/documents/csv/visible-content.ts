// Detects cells with visible content by their UTF-8 bytes if possible.
import { stripInvisible } from "../../runtime/strip-invisible.ts";

const BLANK = 32;
const DELETE = 0x7f;
/** Lead bytes of characters that may be spaces or invisible (invisible.ts). */
const INVISIBLE_LEADS: ReadonlySet<number> = new Set([
  0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf3,
]);
/** Bytes of a cell to check first. */
const OPENING_BYTES = 64;

/** True if the character with this lead byte may be invisible; non-ASCII only. */
export const mayBeInvisible = (byte: number): boolean => INVISIBLE_LEADS.has(byte);

/** True if a cell has visible content. */
export function hasVisibleContent(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte <= BLANK || byte === DELETE) continue;
    if (byte < DELETE || !mayBeInvisible(byte)) return true;
    const hasText = (to: number): boolean =>
      stripInvisible(bytes.toString("utf8", at, to)).trim() !== "";
    return (at + OPENING_BYTES < end && hasText(at + OPENING_BYTES)) || hasText(end);
  }
  return false;
}
