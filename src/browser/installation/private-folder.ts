// Chooses where to unpack the bundled browser: once per user in the cache folder, or in the data
// folder if the cache folder is unusable or writable by others. Anyone who can write there can run
// code as this user.
import { lstatSync, mkdirSync, realpathSync } from "node:fs";
import path from "node:path";

const GROUP_AND_OTHERS = 0o077;
const WRITE_OF_GROUP_OR_OTHERS = 0o022;
const STICKY = 0o1000;

/**
 * Returns a folder below `cache` that only this user can write to, created if missing, or undefined
 * if impossible.
 */
export function openPrivateFolder(cache: string): string | undefined {
  try {
    mkdirSync(cache, { recursive: true, mode: 0o700 });
    const folder = path.join(realpathSync(cache), "quarry");
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return isPrivate(folder) && isOutOfReach(path.dirname(folder)) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** True if only we own it and it is not a link. */
function isPrivate(folder: string): boolean {
  const found = lstatSync(folder);
  if (!found.isDirectory()) return false;
  // Windows protects user folders by access lists, which Node does not expose.
  if (process.getuid === undefined) return true;
  return found.uid === process.getuid() && (found.mode & GROUP_AND_OTHERS) === 0;
}

/** True if only this user and root can replace this folder or a parent. */
function isOutOfReach(folder: string): boolean {
  if (process.getuid === undefined) return true;
  const { uid, mode } = lstatSync(folder);
  const isTrusted = uid === 0 || uid === process.getuid();
  const isOpen = (mode & WRITE_OF_GROUP_OR_OTHERS) !== 0 && (mode & STICKY) === 0;
  if (!isTrusted || isOpen) return false;
  const above = path.dirname(folder);
  return above === folder || isOutOfReach(above);
}
