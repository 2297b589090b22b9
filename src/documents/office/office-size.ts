// Refuses office files that cannot be read within the memory limit before the parser spends minutes
// on them: repeated cells or paragraphs pack to a thousandth.
import { Readable } from "node:stream";
import { createInflateRaw } from "node:zlib";
import { TargetError } from "../../errors.ts";
import { listPackedParts, type PackedPart } from "./archive-parts.ts";

/** A cell takes about 2 KiB until its Markdown is written (measured with one number per cell). */
const MAX_ELEMENTS_PER_MIB = 500;
/** Unpacked content of ordinary files has 20 to 60 bytes a cell, 100 to 300 a paragraph. */
const MAX_BYTES_PER_ELEMENT = 512;
const CONTENT =
  /^(?:xl\/worksheets\/[^/]+\.xml|content\.xml|word\/document\.xml|ppt\/slides\/[^/]+\.xml)$/;
const ELEMENT = /<(?:\w{1,20}:)?(c|table-cell|p|h)[\s/>]/g;
/** Longest start of an element that the end of a chunk may cut. */
const MAX_TAG_START = 34;

/**
 * Throws SCRAPE_UNSUPPORTED_FILE_ERROR if an Open XML or OpenDocument file has more cells or
 * paragraphs, or is larger unpacked, than a process with this memory can read. Other files pass.
 */
export async function assertOfficeFits(bytes: Uint8Array, memoryMiB: number): Promise<void> {
  const max = memoryMiB * MAX_ELEMENTS_PER_MIB;
  const maxBytes = max * MAX_BYTES_PER_ELEMENT;
  const counts = { cells: 0, paragraphs: 0, bytes: 0 };
  const count = (xml: string): void => {
    for (const [, name] of xml.matchAll(ELEMENT))
      counts[name === "p" || name === "h" ? "paragraphs" : "cells"]++;
    for (const kind of ["cells", "paragraphs"] as const)
      if (counts[kind] > max) throw createTooLargeError(`has more than ${max} ${kind}`);
    if (counts.bytes > maxBytes)
      throw createTooLargeError(`has more than ${maxBytes} bytes of XML`);
  };
  for (const part of listPackedParts(bytes, CONTENT)) {
    let tail = "";
    for await (const chunk of unpack(part)) {
      counts.bytes += chunk.length;
      const text = tail + chunk.toString("latin1");
      // A cut start of an element is kept for the next chunk.
      const cut = text.lastIndexOf("<");
      const isCut = cut >= 0 && cut > text.length - MAX_TAG_START;
      count(isCut ? text.slice(0, cut) : text);
      tail = isCut ? text.slice(cut) : "";
    }
    count(tail);
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

const createTooLargeError = (what: string): TargetError =>
  new TargetError(
    "SCRAPE_UNSUPPORTED_FILE_ERROR",
    `The document ${what}, too much for the memory of a document process. Raise QUARRY_DOCUMENT_MEMORY_MIB or split the file.`,
  );
