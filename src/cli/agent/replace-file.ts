// Replaces a file of the user in one step and keeps its links and its mode.
import { randomUUID } from "node:crypto";
import {
  chmod,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import path from "node:path";
import { RequestError } from "../../errors.ts";

/** The file may hold a key. */
const MODE_OF_NEW_FILE = 0o600;
/** Links that are followed, as Linux does. */
const MAX_LINKS = 40;

const getCode = (error: unknown): string | undefined => (error as NodeJS.ErrnoException).code;

/** Throws BAD_REQUEST for links in a loop or too many links. */
export async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    if (getCode(error) === "ENOENT") return undefined;
    throw getCode(error) === "ELOOP" ? createLinksError(file, error) : error;
  }
}

const createLinksError = (file: string, cause?: unknown): RequestError =>
  new RequestError(
    "BAD_REQUEST",
    `${file} has too many symbolic links, or they form a loop. Remove the link and run the command again.`,
    { cause },
  );

/** Follows links, also to a file that does not exist yet. */
async function resolveLinks(file: string): Promise<string> {
  let at = file;
  for (let links = 0; links < MAX_LINKS; links++) {
    try {
      return await realpath(at);
    } catch (error) {
      if (getCode(error) === "ELOOP") throw createLinksError(file, error);
      if (getCode(error) !== "ENOENT") throw error;
    }
    const target = await readlink(at).catch(() => undefined);
    if (target === undefined) return at;
    at = path.resolve(await realpath(path.dirname(at)), target);
  }
  throw createLinksError(file);
}

/** Permission bits of a file that exists. */
export const readMode = async (file: string): Promise<number | undefined> =>
  await stat(file).then(
    (found) => found.mode & 0o777,
    () => undefined,
  );

/**
 * Atomic: programs that read meanwhile see either version. Links stay, and so does the mode of an
 * existing file; a new one is readable by its owner only. Nothing else is left when it fails.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const target = await resolveLinks(file);
  const mode = (await readMode(target)) ?? MODE_OF_NEW_FILE;
  await mkdir(path.dirname(target), { recursive: true });
  const temporary = `${target}.${randomUUID()}.tmp`;
  try {
    await writeFile(temporary, text, { mode: MODE_OF_NEW_FILE, flag: "wx" });
    await chmod(temporary, mode);
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
