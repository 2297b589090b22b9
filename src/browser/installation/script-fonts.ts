// Fonts from npm for scripts that the system cannot draw. They are compressed for the web and
// unpacked once into the data folder, script by script, only if the system has none.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { findCovered } from "./font-coverage.ts";
import { findPackageFolder, readPackageVersion } from "./package-folder.ts";
import type { FontFile } from "./unpack-fonts.ts";

type ScriptFont = {
  readonly name: string;
  /** The package and the files needed from it. Latin, Greek and Cyrillic are covered already. */
  readonly source: string;
  readonly files: RegExp;
  /** The script is missing if the system lacks one of these characters. */
  readonly probes: readonly number[];
};

const VARIABLE =
  /^(?!.*-(?:latin|latin-ext|cyrillic|cyrillic-ext|greek|greek-ext|vietnamese)-wght).*-wght-normal\.woff2$/;
const defineNoto = (name: string, subset: string, ...probes: number[]): ScriptFont => ({
  name,
  source: `@fontsource-variable/noto-sans-${subset}`,
  files: VARIABLE,
  probes,
});

const SCRIPT_FONTS: readonly ScriptFont[] = [
  {
    name: "chinese",
    source: "@librescore/fonts",
    // Also covers kana, and Japanese and traditional characters in their simplified forms where
    // these differ. One file instead of the hundred slices for the web, because each font costs
    // time per page and a hundred double the cost of a page.
    files: /CN\.min\.woff2$/,
    probes: [0x4e_2d, 0x9f_a0, 0x30_42],
  },
  {
    name: "korean",
    source: "@librescore/fonts",
    files: /KR\.min\.woff2$/,
    probes: [0xac_00, 0xd7_a3],
  },
  defineNoto("arabic", "arabic", 0x06_27, 0x06_af),
  defineNoto("devanagari", "devanagari", 0x09_15),
  defineNoto("bengali", "bengali", 0x09_95),
  defineNoto("thai", "thai", 0x0e_01),
  {
    name: "emoji",
    source: "twemoji-colr-font",
    files: /^twemoji\.woff2$/,
    // An avocado, because text fonts contain faces and hearts in one color.
    probes: [0x1_f9_51],
  },
  {
    name: "monospace",
    source: "@fontsource/dejavu-mono",
    files: /-(?:400|700)-normal\.woff2$/,
    // A system without letters has no monospace font.
    probes: [0x41],
  },
];

/**
 * Returns folders below `folder` with fonts for what the fonts in `systemFolders` lack. Unavailable
 * fonts are skipped.
 */
export async function provideScriptFonts(
  folder: string,
  systemFolders: readonly string[],
): Promise<readonly string[]> {
  const probes = SCRIPT_FONTS.flatMap((font) => font.probes);
  const covered = await findCovered(systemFolders, probes);
  const provided: string[] = [];
  await using unpacker = new Unpacker();
  for (const font of SCRIPT_FONTS) {
    if (font.probes.every((character) => covered.has(character))) continue;
    const found = await unpackFont(font, folder, unpacker).catch(() => undefined);
    if (found !== undefined) provided.push(found);
  }
  return provided;
}

/** A thread that unpacks fonts, started with the first font. One call at a time. */
class Unpacker implements AsyncDisposable {
  #thread: Worker | undefined;

  async unpack(files: readonly FontFile[]): Promise<void> {
    this.#thread ??= new Worker(new URL("./unpack-fonts.ts", import.meta.url));
    const answered = once(this.#thread, "message");
    this.#thread.postMessage(files);
    const [failure] = (await answered) as [string];
    if (failure !== "") throw new Error(failure);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#thread?.terminate();
  }
}

/** Undefined if its package is not installed. */
async function unpackFont(
  font: ScriptFont,
  folder: string,
  unpacker: Unpacker,
): Promise<string | undefined> {
  const source = findPackageFolder(font.source);
  if (source === undefined) return undefined;
  const target = path.join(folder, `${font.name}-${await readPackageVersion(source)}`);
  if (existsSync(target)) return target;
  const growing = `${target}.${process.pid}.${randomUUID()}.unpacking`;
  await mkdir(growing, { recursive: true, mode: 0o700 });
  try {
    await unpacker.unpack(await listFiles(source, font.files, growing));
    await rename(growing, target);
  } catch (error) {
    await rm(growing, { recursive: true, force: true });
    if (!existsSync(target)) throw error;
  }
  return target;
}

async function listFiles(source: string, files: RegExp, target: string): Promise<FontFile[]> {
  const below = existsSync(path.join(source, "files")) ? path.join(source, "files") : source;
  return (await readdir(below))
    .filter((name) => files.test(name))
    .map((name) => ({
      from: path.join(below, name),
      to: path.join(target, name.replace(/\.woff2$/, ".ttf")),
    }));
}
