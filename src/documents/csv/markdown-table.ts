// Writes records as a GFM table while they are read.
// https://github.github.com/gfm/#tables-extension-
import { InlineRun } from "../../html/markdown/inline.ts";
import { stripInvisible } from "../../runtime/strip-invisible.ts";
import { NO_MARKS } from "../../html/markdown/marks.ts";
import type { ByteText } from "./byte-text.ts";
import { BLANK, type RecordReceiver } from "./records.ts";
import { hasVisibleContent, mayBeInvisible } from "./visible-content.ts";
import type { TableShape } from "./shape.ts";

/**
 * Records are padded to the table width only while the table stays within this factor of the file's
 * real cells.
 */
const MAX_GROWTH = 8;
const PIPE = 124;
/** Cells up to this many bytes are copied byte by byte, which is cheaper than a call. */
const MAX_SHORT_BYTES = 64;

const FIRST_OF_UTF8 = 0x80;
/** Bytes without Markdown meaning anywhere in a cell. */
const IS_PLAIN = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= FIRST_OF_UTF8) return mayBeInvisible(byte) ? 0 : 1;
  return /[ "-%'-)+-;=-Z^a-{}]/.test(String.fromCharCode(byte)) ? 1 : 0;
});

export class MarkdownTable implements RecordReceiver {
  readonly #out: ByteText;
  readonly #shape: TableShape;
  readonly #isRagged: boolean;
  readonly #run = new InlineRun();
  #column = 0;
  #written = 0;
  #hasText = false;
  #lineStart = 0;
  #isFirst = true;

  constructor(shape: TableShape, out: ByteText) {
    this.#out = out;
    this.#shape = shape;
    this.#isRagged = shape.usedColumns * shape.records > shape.cells * MAX_GROWTH + 1_000;
    if (shape.hasHeader) return;
    this.#fill(shape.usedColumns);
    this.#endLine();
    this.#writeRule();
    this.#isFirst = false;
  }

  onCell(bytes: Buffer, start: number, end: number): void {
    if (this.#column === 0) this.#lineStart = this.#out.size;
    if (!this.#shape.isUsed(this.#column++)) return;
    this.#hasText ||= hasVisibleContent(bytes, start, end);
    this.#written++;
    this.#open();
    writeCell(bytes, start, end, this.#out, this.#run);
    this.#out.bytes[this.#out.size++] = BLANK;
  }

  endRecord(): void {
    if (this.#hasText) {
      // GFM treats missing cells at the end of a row as empty, except in the header.
      if (this.#isFirst || !this.#isRagged) this.#fill(this.#shape.usedColumns - this.#written);
      this.#endLine();
      if (this.#isFirst) this.#writeRule();
      this.#isFirst = false;
    } else this.#out.size = this.#lineStart;
    this.#column = 0;
    this.#written = 0;
    this.#hasText = false;
  }

  /** Starts a cell and reserves the space that ends it. */
  #open(): void {
    const out = this.#out;
    out.reserve(3);
    out.bytes[out.size++] = PIPE;
    out.bytes[out.size++] = BLANK;
  }

  #fill(cells: number): void {
    for (let count = 0; count < cells; count++) {
      this.#open();
      this.#out.bytes[this.#out.size++] = BLANK;
    }
  }

  #writeRule(): void {
    for (let count = 0; count < this.#shape.usedColumns; count++) this.#out.appendAscii("| --- ");
    this.#endLine();
  }

  #endLine(): void {
    this.#out.appendAscii("|\n");
  }
}

/** Writes the text of a cell as Markdown, and reserves one more byte. */
function writeCell(bytes: Buffer, start: number, end: number, out: ByteText, run: InlineRun): void {
  let from = start;
  let to = end;
  while (from < to && bytes[from] === BLANK) from++;
  while (to > from && bytes[to - 1] === BLANK) to--;
  out.reserve(to - from + 1);
  if (!isPlain(bytes, from, to)) {
    run.text(stripInvisible(bytes.toString("utf8", from, to)), NO_MARKS);
    out.appendText(run.take("tag").replaceAll("|", "\\|").replaceAll("\n", " "));
    out.reserve(1);
  } else if (to - from > MAX_SHORT_BYTES) out.copy(bytes, from, to);
  else for (let at = from; at < to; at++) out.bytes[out.size++] = bytes[at] as number;
}

function isPlain(bytes: Buffer, from: number, to: number): boolean {
  let last = 0;
  for (let at = from; at < to; at++) {
    const byte = bytes[at] as number;
    if (IS_PLAIN[byte] === 0 || (byte === BLANK && last === BLANK)) return false;
    last = byte;
  }
  return true;
}
