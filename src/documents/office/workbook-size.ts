// Refuses workbooks that cannot be read within the memory limit before the parser spends minutes on
// them: a sheet of repeated cells packs to a thousandth.
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { TargetError } from "../../errors.ts";
import { listPackedParts, type PackedPart } from "./archive-parts.ts";

/** A cell takes about 2 KiB until its Markdown is written (measured with one number per cell). */
const MAX_CELLS_PER_MIB = 500;
/** Unpacked sheets of ordinary workbooks have 20 to 60 bytes a cell. */
const MAX_BYTES_PER_CELL = 512;
const SHEETS = /^xl\/worksheets\/[^/]+\.xml$/;
const CELL = /<(?:\w{1,20}:)?c[\s/>]/g;
/** Longest start of a cell that the end of a chunk may cut. */
const MAX_TAG_START = 24;

/**
 * Throws SCRAPE_UNSUPPORTED_FILE_ERROR if the sheets of an Open XML workbook have more cells, or are
 * larger unpacked, than a process with this memory can read. Other files pass.
 */
export async function assertWorkbookFits(bytes: Uint8Array, memoryMiB: number): Promise<void> {
  const maxCells = memoryMiB * MAX_CELLS_PER_MIB;
  const maxBytes = maxCells * MAX_BYTES_PER_CELL;
  let [cells, unpacked] = [0, 0];
  for (const part of listPackedParts(bytes, SHEETS)) {
    let tail = "";
    for await (const chunk of unpack(part)) {
      unpacked += chunk.length;
      const text = tail + chunk.toString("latin1");
      // A cut start of a tag is kept for the next chunk.
      const cut = text.lastIndexOf("<");
      const isCut = cut >= 0 && cut > text.length - MAX_TAG_START;
      cells += (isCut ? text.slice(0, cut) : text).match(CELL)?.length ?? 0;
      tail = isCut ? text.slice(cut) : "";
      if (cells > maxCells) throw refuse(`has more than ${maxCells} cells`);
      if (unpacked > maxBytes) throw refuse(`has sheets of more than ${maxBytes} bytes of XML`);
    }
    cells += tail.match(CELL)?.length ?? 0;
  }
}

async function* unpack({ content, isDeflated }: PackedPart): AsyncGenerator<Buffer> {
  if (!isDeflated) {
    yield content;
    return;
  }
  try {
    const inflated = Readable.from([content]).pipe(createInflateRaw());
    for await (const chunk of inflated) yield chunk as Buffer;
  } catch {
    // The parser reports damaged archives.
  }
}

const refuse = (what: string): TargetError =>
  new TargetError(
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    `The workbook ${what}, which is more than the memory limit of a document process (QUARRY_DOCUMENT_MEMORY_MIB) can hold; it was not read.`,
  );
