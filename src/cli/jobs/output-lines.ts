// Documents as JSON lines in a file or on standard output.
import { once } from "node:events";
import { open, readFile, type FileHandle } from "node:fs/promises";
import type { Document } from "../../../client/wire.ts";
import { RequestError } from "../../errors.ts";
import { readAddress, createFault, type Output, type OutputJob } from "./output.ts";
import { readWholeLines } from "./whole-lines.ts";

/**
 * Lines cannot be restored individually: a file without its first lines is rejected, and one
 * without its last is resumed.
 */
const NOTHING_MISSING = { gone: [], restore: async () => undefined } as const;

const toLines = (documents: readonly Document[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join("");

/** Writes to standard output with backpressure; a closed reader ends the command. */
export function openStandardOutput(): Output {
  return {
    ...NOTHING_MISSING,
    where: "standard output",
    written: 0,
    async add(documents) {
      const createClosedError = (cause?: unknown): RequestError =>
        new RequestError("BAD_REQUEST", "Standard output was closed by its reader.", { cause });
      if (process.stdout.destroyed) throw createClosedError();
      if (!process.stdout.write(toLines(documents)))
        await once(process.stdout, "drain").catch((error: unknown) => {
          throw createClosedError(error);
        });
      return documents.map(() => undefined);
    },
    close: async () => undefined,
  };
}

/**
 * Appends the missing documents. A file with other content is rejected, so that no data is
 * overwritten.
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
    throw createFault(file, error);
  }
  if (written > 0 && !(await isOf(first, job)))
    throw new RequestError(
      "BAD_REQUEST",
      `--out: ${file} holds other documents than those of ${job.id}. Name another file, or remove this one.`,
    );
  const handle = await openToAppend(file, wholeBytes);
  return {
    ...NOTHING_MISSING,
    where: file,
    written,
    async add(documents) {
      await handle.appendFile(toLines(documents)).catch((error: unknown) => {
        throw createFault(file, error);
      });
      return documents.map(() => undefined);
    },
    close: () => handle.close(),
  };
}

async function openToAppend(file: string, wholeBytes: number): Promise<FileHandle> {
  try {
    if (wholeBytes === 0 && !(await isTornOrEmpty(file)))
      throw new RequestError(
        "BAD_REQUEST",
        `--out: ${file} contains something other than lines of documents. Name another file, or remove this one.`,
      );
    const handle = await open(file, "a");
    await handle.truncate(wholeBytes);
    return handle;
  } catch (error) {
    throw error instanceof RequestError ? error : createFault(file, error);
  }
}

/** Returns true for a file without a newline: empty, or with a torn first document. */
async function isTornOrEmpty(file: string): Promise<boolean> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text === "" || (text.startsWith('{"') && decode(text) === undefined);
}

function decode(line: string): Partial<Document> | undefined {
  try {
    return JSON.parse(line) as Partial<Document>;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function isOf(line: string, job: OutputJob): Promise<boolean> {
  const first = await job.first();
  const held = decode(line);
  if (first === undefined || held?.metadata === undefined) return false;
  return toKey(held as Document) === toKey(first);
}

const toKey = (document: Document): string =>
  `${String(document.metadata["scrapeId"])} ${readAddress(document)}`;
