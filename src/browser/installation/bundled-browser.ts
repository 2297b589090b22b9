// The Chromium from npm: a headless shell for Linux on x64 with the libraries and a font that a
// bare system lacks. Unpacked once, never into a folder that others can write to.
import { randomUUID } from "node:crypto";
import { accessSync, constants, createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { brotliDecompress, createBrotliDecompress } from "node:zlib";
import { isProcessRunning, readProcessStart } from "../../store/database/scratch-folders.ts";
import { readTar } from "./tar.ts";
import { findPackageFolder, readPackageVersion } from "./package-folder.ts";
import { openPrivateFolder } from "./private-folder.ts";

const inflate = promisify(brotliDecompress);

/** Folders beside the executable, used by libraries.ts and fonts.ts. */
export const LIBRARIES = "libraries";
export const FONTS = "fonts";

/** Candidate folders for unpacking. */
export type UnpackPlaces = {
  /**
   * Data folder of this server. Used if the browser is already unpacked there, or if the cache
   * folder is unusable.
   */
  readonly folder: string;
  /** The user's cache folder, shared by all servers. */
  readonly cache: string | undefined;
};

/**
 * Returns the path of the executable and unpacks it on the first call (some seconds). Returns
 * undefined if the package is missing or does not support this machine. Of several processes one
 * unpacks and the others wait. `onUnpacking` is called before unpacking or waiting.
 */
export async function unpackBundledBrowser(
  { folder, cache }: UnpackPlaces,
  onUnpacking: () => void = () => undefined,
): Promise<string | undefined> {
  const source = findPackage();
  if (source === undefined) return undefined;
  const name = `chromium-${await readPackageVersion(source)}`;
  const own = path.join(folder, name);
  const shared = cache === undefined ? undefined : openPrivateFolder(cache);
  if (shared !== undefined && !existsSync(path.join(own, EXECUTABLE))) {
    try {
      const executable = await provideIn(path.join(shared, name), source, onUnpacking);
      // Fails on file systems mounted noexec.
      accessSync(executable, constants.X_OK);
      return executable;
    } catch {
      // The folder may be full; the data folder may have space.
    }
  }
  return await provideIn(own, source, onUnpacking);
}

async function provideIn(target: string, source: string, onUnpacking: () => void): Promise<string> {
  const executable = path.join(target, EXECUTABLE);
  if (existsSync(executable)) return executable;
  const running = pendingUnpacks.get(target);
  if (running !== undefined) return await running;
  onUnpacking();
  const unpacking = unpackLocked(target, source).finally(() => pendingUnpacks.delete(target));
  pendingUnpacks.set(target, unpacking);
  return await unpacking;
}

const EXECUTABLE = "headless-shell";
/** Unpackings of this process, by target. */
const pendingUnpacks = new Map<string, Promise<string>>();

/** The lock of a process that was killed while unpacking expires after this time. */
const MAX_UNPACKING_MS = 10 * 60_000;
const LOCK_POLL_MS = 200;

async function unpackLocked(target: string, source: string): Promise<string> {
  const executable = path.join(target, EXECUTABLE);
  const lock = `${target}.lock`;
  await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
  while (!(await takeLock(lock))) {
    await wait(LOCK_POLL_MS);
    if (existsSync(executable)) return executable;
  }
  try {
    return existsSync(executable) ? executable : await unpack(target, source);
  } finally {
    await rm(lock, { force: true });
  }
}

/**
 * The lock only saves work: if two processes hold it, both unpack, and the second one uses the
 * result of the first.
 */
async function takeLock(lock: string): Promise<boolean> {
  const owner = `${process.pid} ${readProcessStart(process.pid)}`;
  try {
    await writeFile(lock, owner, { flag: "wx", mode: 0o600 });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
  const [pid = "", startedAt = ""] = (await readFile(lock, "utf8").catch(() => "")).split(" ");
  const isHeld = startedAt === "" || isProcessRunning(Number(pid), startedAt);
  if (!isHeld || (await measureAge(lock)) > MAX_UNPACKING_MS) await rm(lock, { force: true });
  return false;
}

async function measureAge(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  return found === undefined ? 0 : Date.now() - found.mtimeMs;
}

async function unpack(target: string, source: string): Promise<string> {
  const executable = path.join(target, EXECUTABLE);
  await removeLeftovers(path.dirname(target));
  const growing = `${target}.${process.pid}.${randomUUID()}.unpacking`;
  await mkdir(growing, { recursive: true, mode: 0o700 });
  try {
    await unpackInto(growing, path.join(source, "bin"));
    await rename(growing, target);
  } catch (error) {
    await rm(growing, { recursive: true, force: true });
    // Another process was faster. Its result is complete, because it was renamed into place.
    if (!existsSync(executable)) throw error;
  }
  return executable;
}

/** True if npm provides a browser for such machines. */
export const isBundledFor = (platform: string, arch: string): boolean =>
  platform === "linux" && arch === "x64";

/** True if there is a bundled browser for this machine, unpacked or not. */
export const hasBundledBrowser = (): boolean => findPackage() !== undefined;

function findPackage(): string | undefined {
  if (!isBundledFor(process.platform, process.arch)) return undefined;
  const folder = findPackageFolder("@sparticuz/chromium");
  return folder !== undefined && existsSync(path.join(folder, "bin", "chromium.br"))
    ? folder
    : undefined;
}

async function unpackInto(folder: string, archives: string): Promise<void> {
  const open = async (name: string): Promise<Buffer> =>
    await inflate(await readFile(path.join(archives, name)));
  const place = async (below: string, name: string): Promise<void> => {
    for (const file of readTar(await open(name))) {
      const target = path.join(folder, below, file.name);
      await mkdir(path.dirname(target), { recursive: true, mode: 0o700 });
      await writeFile(target, file.bytes, { mode: 0o700 });
    }
  };
  await place("", "swiftshader.tar.br");
  await place(LIBRARIES, "al2023.tar.br");
  await place(FONTS, "fonts.tar.br");
  // Streamed, because two hundred megabytes must not be in memory at once.
  await pipeline(
    createReadStream(path.join(archives, "chromium.br")),
    createBrotliDecompress({ chunkSize: 1 << 20 }),
    createWriteStream(path.join(folder, EXECUTABLE), { mode: 0o700 }),
  );
}

/**
 * Removes leftovers of processes that were killed while unpacking. Processes of another container
 * are not visible here, so only old leftovers are removed.
 */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = /\.(\d+)\.[0-9a-f-]+\.unpacking$/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    const left = path.join(folder, name);
    if ((await measureAge(left)) > MAX_UNPACKING_MS)
      await rm(left, { recursive: true, force: true });
  }
}
