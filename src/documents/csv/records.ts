// Parses the records of comma-separated values (RFC 4180) as byte ranges in UTF-8, without creating
// strings.

export const LINE_FEED = 10;
export const BLANK = 32;
export const CARRIAGE_RETURN = 13;
const QUOTE = 34;

export type RecordReceiver = {
  /**
   * Receives one cell without its quotes: `start` to `end` (exclusive) of `bytes`, which is only
   * valid during the call.
   */
  onCell(bytes: Buffer, start: number, end: number): void;
  /** Called at the end of a record. Return true to stop reading. */
  endRecord(): boolean | void;
};

export type RecordFaults = {
  /** Number of cells with text after their closing quote. */
  trailingTexts: number;
  /** Offset of a quote without an end, which was read as a character. */
  unclosedAt: number | undefined;
};

/**
 * Reads all records in linear time. Lines end in CRLF, LF or CR. An empty line is a record with one
 * empty cell. Malformed input is accepted: spaces before a quote are ignored, text after a quoted
 * cell belongs to it, and a quote without an end is a character.
 */
export function readRecords(
  bytes: Buffer,
  delimiter: number,
  receiver: RecordReceiver,
): RecordFaults {
  const cells = new CellReader(bytes, delimiter, receiver);
  for (let at = 0; at < bytes.length;) {
    at = cells.readAt(at);
    while (bytes[at] === delimiter) at = cells.readAt(at + 1);
    if (bytes[at] === CARRIAGE_RETURN && bytes[at + 1] === LINE_FEED) at++;
    at++;
    if (receiver.endRecord() === true) break;
  }
  return cells.faults;
}

class CellReader {
  readonly faults: RecordFaults = { trailingTexts: 0, unclosedAt: undefined };
  readonly #bytes: Buffer;
  readonly #delimiter: number;
  readonly #receiver: RecordReceiver;
  /** Buffer for cells that differ from the bytes in the file. */
  #joined = Buffer.alloc(0);

  constructor(bytes: Buffer, delimiter: number, receiver: RecordReceiver) {
    this.#bytes = bytes;
    this.#delimiter = delimiter;
    this.#receiver = receiver;
  }

  /**
   * Emits the cell that starts here. Returns its end: a delimiter, a line end or the end of the
   * file.
   */
  readAt(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (bytes[at] === BLANK) at++;
    if (bytes[at] === QUOTE) {
      const end = this.#readQuoted(at);
      if (end !== undefined) return end;
    }
    const end = this.#endOfPlain(at);
    this.#receiver.onCell(bytes, start, end);
    return end;
  }

  #endOfPlain(from: number): number {
    const bytes = this.#bytes;
    const delimiter = this.#delimiter;
    const { length } = bytes;
    let at = from;
    for (; at < length; at++) {
      const byte = bytes[at];
      if (byte === delimiter || byte === LINE_FEED || byte === CARRIAGE_RETURN) break;
    }
    return at;
  }

  /**
   * Returns undefined for a quote without an end. That scans the whole rest, but only once: all
   * later quotes are paired, and a cell that starts with pairs ends.
   */
  #readQuoted(open: number): number | undefined {
    const bytes = this.#bytes;
    const { length } = bytes;
    let hasPairs = false;
    let close = open + 1;
    for (;;) {
      while (close < length && bytes[close] !== QUOTE) close++;
      if (close >= length) {
        this.faults.unclosedAt ??= open;
        return undefined;
      }
      if (bytes[close + 1] !== QUOTE) break;
      hasPairs = true;
      close += 2;
    }
    const end = this.#endOfPlain(close + 1);
    let last = end;
    while (bytes[last - 1] === BLANK) last--;
    const isStray = last > close + 1;
    if (isStray) this.faults.trailingTexts++;
    if (hasPairs || isStray) this.#join(open + 1, close, isStray ? last : close + 1);
    else this.#receiver.onCell(bytes, open + 1, close);
    return end;
  }

  /** Builds a cell with unescaped quotes and the text after it. */
  #join(start: number, close: number, end: number): void {
    const bytes = this.#bytes;
    if (this.#joined.length < end - start) this.#joined = Buffer.alloc(2 * (end - start));
    const joined = this.#joined;
    let size = 0;
    for (let at = start; at < close; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) at++;
      joined[size++] = byte;
    }
    for (let at = close + 1; at < end; at++) joined[size++] = bytes[at] as number;
    this.#receiver.onCell(joined, 0, size);
  }
}
