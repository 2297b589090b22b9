// The Chromium that npm brings: a headless shell for Linux on x64 with the libraries and a font that a bare system lacks.
// Unpacked once into the data folder, never into a folder that others may write to.
import { randomUUID } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress, createBrotliDecompress } from "node:zlib";
import { readTar } from "./tar.ts";

const inflate = promisify(brotliDecompress);

/** Folders beside the executable; libraries.ts and fonts.ts look there. */
export const LIBRARIES = "libraries";
export const FONTS = "fonts";

/**
 * The path of the executable below `folder`, unpacking it at the first call (some seconds); undefined where the package is
 * missing or has nothing for this machine. Several processes may do so at the same time: one of them wins. `onUnpacking` is
 * called when there is something to unpack or to wait for.
 */
export async function unpackBundledBrowser(
  folder: string,
  onUnpacking: () => void = () => undefined,
): Promise<string | undefined> {
  const source = findPackage();
  if (source === undefined) return undefined;
  const target = path.join(folder, `chromium-${await versionOf(source)}`);
  const executable = path.join(target, EXECUTABLE);
  if (existsSync(executable)) return executable;
  onUnpacking();
  const running = unpackings.get(target) ?? unpack(folder, target, source);
  unpackings.set(target, running);
  return await running.finally(() => unpackings.delete(target));
}

const EXECUTABLE = "headless-shell";
/** Of this process, by what they make. */
const unpackings = new Map<string, Promise<string>>();

async function unpack(folder: string, target: string, source: string): Promise<string> {
  const executable = path.join(target, EXECUTABLE);
  await removeLeftovers(folder);
  const growing = `${target}.${process.pid}.${randomUUID()}.unpacking`;
  await mkdir(growing, { recursive: true, mode: 0o700 });
  try {
    await unpackInto(growing, path.join(source, "bin"));
    await rename(growing, target);
  } catch (error) {
    await rm(growing, { recursive: true, force: true });
    // Another process was faster: what it made is whole, for it came there by renaming, too.
    if (!existsSync(executable)) throw error;
  }
  return executable;
}

/** Does npm bring a browser for machines like this one? */
export const isBundledFor = (platform: string, arch: string): boolean =>
  platform === "linux" && arch === "x64";

/** Is there a bundled browser for this machine, unpacked or not? */
export const hasBundledBrowser = (): boolean => findPackage() !== undefined;

function findPackage(): string | undefined {
  if (!isBundledFor(process.platform, process.arch)) return undefined;
  try {
    const main = fileURLToPath(import.meta.resolve("@sparticuz/chromium"));
    const folder = path.dirname(path.dirname(main));
    return existsSync(path.join(folder, "bin", "chromium.br")) ? folder : undefined;
  } catch {
    return undefined;
  }
}

async function versionOf(source: string): Promise<string> {
  const text = await readFile(path.join(source, "package.json"), "utf8");
  return (JSON.parse(text) as { version: string }).version;
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
  // Two hundred megabytes: never all of it in memory.
  await pipeline(
    createReadStream(path.join(archives, "chromium.br")),
    createBrotliDecompress({ chunkSize: 1 << 20 }),
    createWriteStream(path.join(folder, EXECUTABLE), { mode: 0o700 }),
  );
}

/** What processes left that were killed while unpacking. Theirs bear the number of a process that is gone. */
async function removeLeftovers(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const pid = /\.(\d+)\.[0-9a-f-]+\.unpacking$/.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    await rm(path.join(folder, name), { recursive: true, force: true });
  }
}
