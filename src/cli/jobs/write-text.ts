import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createFault } from "./output.ts";

/** Writes a text in pieces to a file, else to standard output. */
export async function writeText(
  text: Iterable<string> | AsyncIterable<string>,
  file: string | undefined,
): Promise<void> {
  if (file === undefined) {
    for await (const part of text) process.stdout.write(part);
    return;
  }
  try {
    await pipeline(Readable.from(text), createWriteStream(file));
  } catch (error) {
    const isOfFile = (error as NodeJS.ErrnoException).path === file;
    throw isOfFile ? createFault(file, error) : error;
  }
}
