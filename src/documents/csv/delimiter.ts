// Detects the delimiter of a file: declared (`sep=;`, as Excel writes it), or the one that splits
// the first records most evenly.
import { readRecords, type RecordReceiver } from "./records.ts";
import { hasVisibleContent } from "./visible-content.ts";

/** From the one least common in text to the most common. On a tie the first one wins. */
const DELIMITERS = ["\t", ";", "|", ","] as const;
const USUAL = ",";
const SAMPLE_BYTES = 1024 * 1024;
const MAX_SAMPLE_RECORDS = 200;

export type Delimiter = {
  /** Its ASCII code. */
  readonly code: number;
  /** Offset of the first record. */
  readonly start: number;
};

/** Returns the delimiter of a UTF-8 file. */
export function findDelimiter(bytes: Buffer): Delimiter {
  const said = /^sep=([\t;|,:^])(?:\r\n|[\r\n])/i.exec(bytes.toString("latin1", 0, 7));
  if (said !== null) return { code: readCode(said[1] as string), start: said[0].length };
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let best = { code: readCode(USUAL), score: 0 };
  for (const delimiter of DELIMITERS) {
    const code = readCode(delimiter);
    const score = measureEvenness(sample, code);
    if (score > best.score) best = { code, score };
  }
  return { code: best.code, start: 0 };
}

const readCode = (delimiter: string): number => delimiter.charCodeAt(0);

/**
 * Returns the share of records with the most common width, 0 to 1; less if text follows closing
 * quotes.
 */
function measureEvenness(sample: Buffer, delimiter: number): number {
  const widths = new Widths();
  const { trailingTexts, unclosedAt } = readRecords(sample, delimiter, widths);
  const { usual, records, first } = widths;
  if (usual.width < 2) return 0;
  const faults = trailingTexts + (unclosedAt === undefined ? 0 : 1);
  const even = Math.max(0, usual.records - faults) / records;
  // Column names are split like the rows below them, and contain no decimal commas.
  return first > 1 ? even : even / 2;
}

class Widths implements RecordReceiver {
  records = 0;
  /** Cells of the first record. */
  first = 0;
  readonly #counts = new Map<number, number>();
  #width = 0;
  #hasText = false;

  onCell(bytes: Buffer, start: number, end: number): void {
    this.#width++;
    this.#hasText ||= hasVisibleContent(bytes, start, end);
  }

  endRecord(): boolean {
    if (this.#hasText) {
      this.records++;
      this.first ||= this.#width;
      this.#counts.set(this.#width, (this.#counts.get(this.#width) ?? 0) + 1);
    }
    this.#width = 0;
    this.#hasText = false;
    return this.records >= MAX_SAMPLE_RECORDS;
  }

  /** The most common width; on a tie the largest. */
  get usual(): { width: number; records: number } {
    let usual = { width: 0, records: 0 };
    for (const [width, records] of this.#counts)
      if (records > usual.records || (records === usual.records && width > usual.width))
        usual = { width, records };
    return usual;
  }
}
