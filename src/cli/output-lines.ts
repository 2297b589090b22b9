// Documents as lines of JSON, in a file or on standard output.
import { once } from "node:events";
import { open, type FileHandle } from "node:fs/promises";
import type { Document } from "../../client/wire.ts";
import { RequestError } from "../errors.ts";
import { addressOf, fault, type Output, type OutputJob } from "./output.ts";
import { readWholeLines } from "./whole-lines.ts";

const toLines = (documents: readonly Document[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join("");

/** Writes to standard output, as fast as it is read; a reader that has gone ends the command. */
export function openStandardOutput(): Output {
  return {
    where: "standard output",
    written: 0,
    async add(documents) {
      if (process.stdout.destroyed)
        throw new RequestError("BAD_REQUEST", "Standard output was closed by its reader.");
      if (!process.stdout.write(toLines(documents)))
        await Promise.race([once(process.stdout, "drain"), once(process.stdout, "close")]);
      return documents.map(() => undefined);
    },
    close: async () => undefined,
  };
}

/**
 * Appends to the file what it does not hold yet. A file with something else in it is refused: it is somebody's work.
 */
export async function openLinesFile(file: string, job: OutputJob): Promise<Output> {
  let written = 0;
  let first = "";
  let wholeBytes: number;
  try {
    wholeBytes = await readWholeLines(file, (line) => {
      if (written === 0) first = line;
      written += 1;
    });
  } catch (error) {
    throw fault(file, error);
  }
  if (written > 0 && !(await isOf(first, job)))
    throw new RequestError(
      "BAD_REQUEST",
      `--out: ${file} holds other documents than those of ${job.id}. Name another file, or remove this one.`,
    );
  const handle = await openToAppend(file, wholeBytes);
  return {
    where: file,
    written,
    async add(documents) {
      await handle.appendFile(toLines(documents)).catch((error: unknown) => {
        throw fault(file, error);
      });
      return documents.map(() => undefined);
    },
    close: () => handle.close(),
  };
}

async function openToAppend(file: string, wholeBytes: number): Promise<FileHandle> {
  try {
    const handle = await open(file, "a");
    // What was cut off is written again; a text without any line end is none of ours.
    const { size } = await handle.stat();
    if (size > 0 && wholeBytes === 0) {
      await handle.close();
      throw Object.assign(new Error("not a file of lines"), { code: "it holds something else" });
    }
    await handle.truncate(wholeBytes);
    return handle;
  } catch (error) {
    throw fault(file, error);
  }
}

async function isOf(line: string, job: OutputJob): Promise<boolean> {
  const first = await job.first();
  if (first === undefined) return false;
  try {
    const held = JSON.parse(line) as Partial<Document>;
    return held.metadata !== undefined && keyOf(held as Document) === keyOf(first);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

const keyOf = (document: Document): string =>
  `${String(document.metadata["scrapeId"])} ${addressOf(document)}`;
