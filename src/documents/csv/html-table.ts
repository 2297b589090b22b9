// Writes the first records of a file as an HTML table, up to the maximum number of cells of a page.
import type { ByteText } from "./byte-text.ts";
import { BLANK, LINE_FEED, type RecordReceiver } from "./records.ts";
import { hasVisibleContent } from "./visible-content.ts";
import type { TableShape } from "./shape.ts";

/** A tree with this many cells takes a quarter of a GB and one second. */
const MAX_CELLS = 500_000;
const MAX_BYTES = 32 * 1024 * 1024;

const TAB = 9;
const REFERENCES = new Map(
  Object.entries({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }).map(([sign, text]) => [
    sign.charCodeAt(0),
    text,
  ]),
);
/** Bytes that cannot be copied: control codes and HTML syntax. */
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < BLANK || REFERENCES.has(byte) ? 1 : 0,
);

export class HtmlTable implements RecordReceiver {
  /** Records written so far. */
  records = 0;
  readonly #out: ByteText;
  readonly #hasHeader: boolean;
  #cells = 0;
  #column = 0;
  #hasText = false;
  #lineStart = 0;
  #isFull = false;

  constructor({ hasHeader }: TableShape, out: ByteText) {
    this.#out = out;
    this.#hasHeader = hasHeader;
    out.appendAscii("<table>");
  }

  onCell(bytes: Buffer, start: number, end: number): void {
    if (this.#isFull) return;
    const out = this.#out;
    if (this.#column === 0) this.#lineStart = out.size;
    this.#cells++;
    if (this.#cells > MAX_CELLS || out.size + end - start > MAX_BYTES) {
      this.#isFull = true;
      out.size = this.#lineStart;
      return;
    }
    const name = this.#hasHeader && this.records === 0 ? "th" : "td";
    out.appendAscii(this.#column++ === 0 ? `<tr><${name}>` : `<${name}>`);
    this.#hasText ||= hasVisibleContent(bytes, start, end);
    escapeInto(out, bytes, start, end);
    out.appendAscii(`</${name}>`);
  }

  endRecord(): boolean {
    if (this.#isFull) return true;
    if (this.#hasText) {
      this.#out.appendAscii("</tr>\n");
      this.records++;
    } else {
      this.#out.size = this.#lineStart;
      this.#cells -= this.#column;
    }
    this.#column = 0;
    this.#hasText = false;
    return false;
  }
}

/** Escapes a text for HTML. Line breaks become spaces, as they are shown. */
function escapeInto(out: ByteText, bytes: Buffer, start: number, end: number): void {
  let from = start;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (IS_SPECIAL[byte] === 0) continue;
    out.copy(bytes, from, at);
    from = at + 1;
    const reference = REFERENCES.get(byte);
    if (reference !== undefined) out.appendAscii(reference);
    else if (byte === LINE_FEED || byte === TAB) out.appendAscii(" ");
  }
  out.copy(bytes, from, end);
}
