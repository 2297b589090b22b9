import { chmod, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../../config.ts";
import { runInDataFolder, makeFolder } from "./data-folder.ts";

/**
 * `${dataDir}/key`: the key created at the first start, for the command line on the same machine.
 */
export function getKeyFilePath(config: Pick<Config, "dataDir">): string {
  return path.resolve(config.dataDir, "key");
}

/** Writes the key readable only for this user (mode 0600). */
export async function saveKeyFile(config: Pick<Config, "dataDir">, key: string): Promise<void> {
  const file = getKeyFilePath(config);
  const partial = `${file}.partial`;
  await runInDataFolder(config, async () => {
    try {
      await makeFolder(path.dirname(file));
      await writeFile(partial, `${key}\n`, { mode: 0o600 });
      await chmod(partial, 0o600);
      await rename(partial, file);
    } catch (error) {
      await rm(partial, { force: true }).catch(() => undefined);
      throw error;
    }
  });
}

/** Returns the key in the file; undefined when there is none that this user may read. */
export async function loadKeyFile(config: Pick<Config, "dataDir">): Promise<string | undefined> {
  try {
    const text = (await readFile(getKeyFilePath(config), "utf8")).trim();
    return text === "" ? undefined : text;
  } catch {
    return undefined;
  }
}
