// Temporary folders for media files during transcoding.
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../store/database/data-folder.ts";

/** Far longer than any request lasts, so the process that created the folder was killed. */
const STALE_MS = 6 * 3_600_000;

/**
 * Runs the work with a new folder below `parent`. Also removes folders that killed processes left
 * behind.
 */
export async function withScratchFolder<T>(
  parent: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  await makeFolder(parent);
  await removeStaleFolders(parent);
  const folder = await mkdtemp(join(parent, "media-"));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function removeStaleFolders(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const folder = join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > STALE_MS)
      await rm(folder, { recursive: true, force: true });
  }
}
