// Writes one file per page to a folder, with an index: index.ndjson maps URLs to files and records
// progress, so that a later run resumes.
import { access, open, readFile, rename, rm, writeFile, type FileHandle } from "node:fs/promises";
import path from "node:path";
import type { Document } from "../../../client/wire.ts";
import { RequestError } from "../../errors.ts";
import { makeFolder } from "../../store/database/data-folder.ts";
import { readAddress, createFault, type Output, type OutputJob } from "./output.ts";
import { toPageFiles } from "../../crawl/files/page-file.ts";
import { markPagePath, toPagePath, toPathKey } from "../../crawl/files/page-path.ts";
import { readWholeLines } from "./whole-lines.ts";

type Entry = {
  readonly job: string;
  readonly url: string;
  readonly file: string;
  /** Other files of the page. */
  readonly also?: readonly string[] | undefined;
  readonly status?: number | undefined;
  readonly title?: string | undefined;
};

const INDEX = "index.ndjson";
const PARTIAL = ".partial";
/** Limited by the user's umask. */
const FOLDER_MODE = 0o777;

/** Entries whose files are checked at once. */
const MAX_CONCURRENT_ENTRIES = 100;

/**
 * Opens or creates the folder, and reads how far this job was written and which files are missing.
 */
export async function openFolder(folder: string, job: OutputJob): Promise<Output> {
  const index = path.join(folder, INDEX);
  const owners = new Map<string, string>();
  const written: Entry[] = [];
  let gone: number[];
  let handle: FileHandle;
  try {
    await makeFolder(folder, FOLDER_MODE);
    const wholeBytes = await readWholeLines(index, (line) => {
      const entry = parseEntry(line);
      if (entry === undefined) throw createForeignFolderError(index);
      owners.set(toPathKey(stripExtension(entry.file)), entry.url);
      if (entry.job === job.id) written.push(entry);
    });
    gone = await findMissingFiles(folder, written);
    handle = await open(index, "a");
    await handle.truncate(wholeBytes);
  } catch (error) {
    throw error instanceof RequestError ? error : createFault(folder, error);
  }
  return {
    where: folder,
    written: written.length,
    gone,
    async add(documents) {
      const entries: Entry[] = [];
      try {
        for (const document of documents)
          entries.push(await write(folder, document, owners, job.id));
        await handle.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
      } catch (error) {
        throw createFault(folder, error);
      }
      return entries.map(({ file }) => path.join(folder, file));
    },
    async restore(place, document) {
      const entry = written[place];
      if (entry?.url !== readAddress(document)) return undefined;
      try {
        await restore(folder, document, entry);
      } catch (error) {
        throw createFault(folder, error);
      }
      return path.join(folder, entry.file);
    },
    async close() {
      await handle.close();
      await rm(path.join(folder, PARTIAL), { force: true });
    },
  };
}

const createForeignFolderError = (index: string): RequestError =>
  new RequestError(
    "BAD_REQUEST",
    `--out: ${index} is not an index written by quarry. Name another folder.`,
  );

const stripExtension = (file: string): string => file.replace(/\.[^./]+$/, "");

function parseEntry(line: string): Entry | undefined {
  try {
    const { job, url, file, also = [] } = JSON.parse(line) as Partial<Entry>;
    return job === undefined ||
      url === undefined ||
      file === undefined ||
      isOutside(file) ||
      !Array.isArray(also)
      ? undefined
      : { job, url, file, also };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A file is rewritten at the indexed path, but never outside the folder. */
function isOutside(file: string): boolean {
  const below = path.normalize(file);
  return path.isAbsolute(below) || below.split(path.sep)[0] === "..";
}

/** Returns the numbers of entries with a missing file. */
async function findMissingFiles(folder: string, entries: readonly Entry[]): Promise<number[]> {
  const gone: number[] = [];
  for (let from = 0; from < entries.length; from += MAX_CONCURRENT_ENTRIES) {
    const whole = await Promise.all(
      entries
        .slice(from, from + MAX_CONCURRENT_ENTRIES)
        .map(async ({ file, also = [] }) =>
          (await Promise.all([file, ...also].map((name) => exists(path.join(folder, name))))).every(
            Boolean,
          ),
        ),
    );
    for (const [index, isWhole] of whole.entries()) if (!isWhole) gone.push(from + index);
  }
  return gone;
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (isAbsence(error)) return false;
      throw error;
    },
  );

const isAbsence = ({ code }: NodeJS.ErrnoException): boolean =>
  code === "ENOENT" || code === "ENOTDIR";

async function write(
  folder: string,
  document: Document,
  owners: Map<string, string>,
  job: string,
): Promise<Entry> {
  const url = readAddress(document);
  const files = toPageFiles(document, url);
  const place = await findPlace(
    folder,
    url,
    files.map(({ ending }) => ending),
    owners,
  );
  for (const { ending, text } of files) await writeWhole(folder, place + ending, text);
  const { statusCode: status, title } = document.metadata;
  const [file = place, ...also] = files.map(({ ending }) => place + ending);
  return {
    job,
    url,
    file,
    ...(also.length === 0 ? {} : { also }),
    ...(status === undefined ? {} : { status }),
    ...(typeof title === "string" ? { title } : {}),
  };
}

/** Writes atomically: a file is complete or absent, whenever the process ends. */
async function writeWhole(folder: string, file: string, text: string): Promise<void> {
  const partial = path.join(folder, PARTIAL);
  await writeFile(partial, text);
  await rename(partial, path.join(folder, file));
}

/** Rewrites the missing files of the page in their places; existing ones stay. */
async function restore(folder: string, document: Document, entry: Entry): Promise<void> {
  const place = stripExtension(entry.file);
  await makeFolder(path.dirname(path.join(folder, place)), FOLDER_MODE);
  for (const { ending, text } of toPageFiles(document, entry.url)) {
    const file = place + ending;
    if (!(await exists(path.join(folder, file)))) await writeWhole(folder, file, text);
  }
}

/**
 * Finds a path for this URL alone: the readable one, or with a hash of the URL when it is taken.
 */
async function findPlace(
  folder: string,
  url: string,
  endings: readonly string[],
  owners: Map<string, string>,
): Promise<string> {
  const readable = toPagePath(url);
  const marked = markPagePath(readable, url);
  const owner = owners.get(toPathKey(readable));
  const isFree =
    owner === undefined ? await canReplace(folder, readable, url, endings) : owner === url;
  const place = isFree ? readable : marked;
  owners.set(toPathKey(place), url);
  await makeFolder(path.dirname(path.join(folder, place)), FOLDER_MODE);
  return place;
}

/** The file is absent, or was written for this URL by a run that ended before recording it. */
async function canReplace(
  folder: string,
  place: string,
  url: string,
  endings: readonly string[],
): Promise<boolean> {
  for (const ending of endings) {
    const text = await readFile(path.join(folder, place + ending), "utf8").catch(
      (error: NodeJS.ErrnoException) => {
        if (isAbsence(error)) return undefined;
        throw error;
      },
    );
    if (text !== undefined && !text.slice(0, 10_000).includes(JSON.stringify(url))) return false;
  }
  return true;
}
