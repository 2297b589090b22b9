// Which cells hold anything that a reader sees, told by their bytes in UTF-8 where these can tell.
import { withoutInvisible } from "../../html/markdown/invisible.ts";

const BLANK = 32;
const DELETE = 0x7f;
/** Bytes that begin a character which may be a space, or not be seen (invisible.ts). */
const UNSEEN_LEADS: ReadonlySet<number> = new Set([0xc2, 0xcd, 0xd8, 0xe1, 0xe2, 0xe3, 0xef, 0xf3]);
/** So much of a cell is looked at first. */
const OPENING_BYTES = 64;

/** Whether what this byte begins may not be seen; beyond ASCII only. */
export const mayBeUnseen = (byte: number): boolean => UNSEEN_LEADS.has(byte);

/** Whether a cell holds anything that is seen. */
export function isFilled(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte <= BLANK || byte === DELETE) continue;
    if (byte < DELETE || !mayBeUnseen(byte)) return true;
    const hasText = (to: number): boolean =>
      withoutInvisible(bytes.toString("utf8", at, to)).trim() !== "";
    return (at + OPENING_BYTES < end && hasText(at + OPENING_BYTES)) || hasText(end);
  }
  return false;
}
