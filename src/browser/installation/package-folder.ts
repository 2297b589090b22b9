// Folders of packages that npm installed.
import { readFile } from "node:fs/promises";
import { findPackageJSON } from "node:module";
import path from "node:path";

/** Returns the folder of a package, or undefined if it is not installed. */
export function findPackageFolder(name: string): string | undefined {
  try {
    const manifest = findPackageJSON(name, import.meta.url);
    return manifest === undefined ? undefined : path.dirname(manifest);
  } catch {
    return undefined;
  }
}

/** Reads the version of the package in a folder. */
export async function readPackageVersion(folder: string): Promise<string> {
  const text = await readFile(path.join(folder, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
}
