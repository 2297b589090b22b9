// What separates the cells of a file: its own word for it (`sep=;`, as Excel writes it), or what parts its first records most evenly.
import { readRecords, type RecordReceiver } from "./records.ts";
import { isFilled } from "./seen.ts";

/** From the one that text holds least to the one it holds most: of those that part alike, the first is meant. */
const DELIMITERS = ["\t", ";", "|", ","] as const;
const USUAL = ",";
const SAMPLE_BYTES = 1024 * 1024;
const SAMPLE_RECORDS = 200;

export type Delimiter = {
  /** Its code in ASCII. */
  readonly code: number;
  /** Where the records begin. */
  readonly start: number;
};

/** The delimiter of a file in UTF-8. */
export function findDelimiter(bytes: Buffer): Delimiter {
  const said = /^sep=([\t;|,:^])(?:\r\n|[\r\n])/i.exec(bytes.toString("latin1", 0, 7));
  if (said !== null) return { code: codeOf(said[1] as string), start: said[0].length };
  const sample = bytes.subarray(0, SAMPLE_BYTES);
  let best = { code: codeOf(USUAL), score: 0 };
  for (const delimiter of DELIMITERS) {
    const code = codeOf(delimiter);
    const score = evenness(sample, code);
    if (score > best.score) best = { code, score };
  }
  return { code: best.code, start: 0 };
}

const codeOf = (delimiter: string): number => delimiter.charCodeAt(0);

/** Share of the records that have the width most have, 0 to 1; less where cells go on behind their quotes. */
function evenness(sample: Buffer, delimiter: number): number {
  const widths = new Widths();
  const { strays, unclosedAt } = readRecords(sample, delimiter, widths);
  const { usual, records, first } = widths;
  if (usual.width < 2) return 0;
  const faults = strays + (unclosedAt === undefined ? 0 : 1);
  const even = Math.max(0, usual.records - faults) / records;
  // The names of the columns are parted like what stands below them; a decimal comma is in none.
  return first > 1 ? even : even / 2;
}

class Widths implements RecordReceiver {
  records = 0;
  /** Cells of the first record. */
  first = 0;
  readonly #counts = new Map<number, number>();
  #width = 0;
  #hasText = false;

  cell(bytes: Buffer, start: number, end: number): void {
    this.#width++;
    this.#hasText ||= isFilled(bytes, start, end);
  }

  endRecord(): boolean {
    if (this.#hasText) {
      this.records++;
      this.first ||= this.#width;
      this.#counts.set(this.#width, (this.#counts.get(this.#width) ?? 0) + 1);
    }
    this.#width = 0;
    this.#hasText = false;
    return this.records >= SAMPLE_RECORDS;
  }

  /** The width most records have, of several the largest. */
  get usual(): { width: number; records: number } {
    let usual = { width: 0, records: 0 };
    for (const [width, records] of this.#counts)
      if (records > usual.records || (records === usual.records && width > usual.width))
        usual = { width, records };
    return usual;
  }
}
