// Data folders with a new database, copied from the one created by test/service-setup.ts.
import { cpSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { inject } from "vitest";

/** Fills a folder with a new database, 50 times faster than creating one. */
export function fillDataFolder(folder: string): void {
  // A thousand small files: a fifth of the CPU of the asynchronous API.
  cpSync(inject("dataTemplate"), folder, { recursive: true });
}

/** Creates a data folder with a new database; the caller removes it. */
export async function createDataFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-contract-"));
  fillDataFolder(folder);
  return folder;
}
