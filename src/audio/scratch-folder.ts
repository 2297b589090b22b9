// Folders that media files lie in while their sound is read.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../store/database/data-folder.ts";

/** Far longer than any request lasts: the process that made it was killed. */
const LEFT_BEHIND_MS = 6 * 3_600_000;

/** A new folder below `parent` for the time of the work. What killed processes left there goes with the next one. */
export async function withScratchFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await makeFolder(parent);
  await removeLeftBehind(parent);
  const folder = await mkdtemp(join(parent, "media-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeLeftBehind(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > LEFT_BEHIND_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
