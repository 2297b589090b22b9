// First pass over a table: columns with content, width, and whether the first record is a header.
import type { RecordReceiver } from "./records.ts";
import { hasVisibleContent } from "./visible-content.ts";

/** Maximum bytes per cell, and columns, to compare for header detection. */
const MAX_SCANNED = { bytes: 60, columns: 1_000 } as const;

export class TableShape implements RecordReceiver {
  /** Records with content, and their cells. */
  records = 0;
  cells = 0;
  /** Columns with content. */
  usedColumns = 0;
  #isUsed = new Uint8Array(64);
  #width = 0;
  #hasText = false;
  /** Start of each cell in the first and second record. */
  readonly #opening: [string[], string[]] = [[], []];

  onCell(bytes: Buffer, start: number, end: number): void {
    const column = this.#width++;
    const hasText = hasVisibleContent(bytes, start, end);
    if (hasText) {
      this.#hasText = true;
      this.#use(column);
    }
    if (this.records < 2 && column < MAX_SCANNED.columns)
      this.#opening[this.records]?.push(
        bytes.toString("utf8", start, Math.min(end, start + MAX_SCANNED.bytes)).trim(),
      );
  }

  endRecord(): void {
    if (this.#hasText) {
      this.records++;
      this.cells += this.#width;
    } else this.#opening[this.records]?.splice(0);
    this.#width = 0;
    this.#hasText = false;
  }

  isUsed(column: number): boolean {
    return this.#isUsed[column] === 1;
  }

  /** True if the first record is a header. It is not if it has a number above a number. */
  get hasHeader(): boolean {
    const [names, values] = this.#opening;
    return !names.some((name, column) => isValue(name, values[column] ?? ""));
  }

  #use(column: number): void {
    if (column >= this.#isUsed.length) {
      const wider = new Uint8Array(2 * column);
      wider.set(this.#isUsed);
      this.#isUsed = wider;
    }
    if (this.#isUsed[column] === 1) return;
    this.#isUsed[column] = 1;
    this.usedColumns++;
  }
}

const NUMBER = /^[-+]?[$€£]?(?:\d[\d.,' ]*|[.,]\d+)(?:e[-+]?\d+)?%?$/i;
const DATE = /^\d{4}-\d\d-\d\d(?:$|[T ])/;
const YEAR = /^(?:1[5-9]|2[01])\d\d$/;

const isNumber = (text: string): boolean => NUMBER.test(text) || DATE.test(text);

/** Columns may be named after years. */
const isValue = (text: string, below: string): boolean =>
  isNumber(text) && isNumber(below) && (!YEAR.test(text) || YEAR.test(below));
