// Media files made from a tone by the ffmpeg of the test dependencies.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import installed from "@ffmpeg-installer/ffmpeg";
import { toneWav } from "./media.ts";

/** The ffmpeg of the tests. */
export const FFMPEG: string = installed.path;

/**
 * Returns what ffmpeg makes of a tone with these arguments, by file name. The last argument names
 * the output.
 */
export const makeMedia = (
  seconds: number,
  ...args: readonly string[]
): Promise<Record<string, Buffer>> =>
  runFfmpeg({ "tone.wav": toneWav(seconds) }, "-i", "tone.wav", ...args);

/** Converts a picture to another format by file extension. */
export async function convertPicture(png: Buffer, name: string): Promise<Buffer> {
  const made = await runFfmpeg({ "picture.png": png }, "-i", "picture.png", name);
  return made[name] ?? Buffer.alloc(0);
}

async function runFfmpeg(
  inputs: Readonly<Record<string, Buffer>>,
  ...args: readonly string[]
): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-media-"));
  try {
    for (const [name, bytes] of Object.entries(inputs))
      await writeFile(path.join(folder, name), bytes);
    const quiet = ["-nostdin", "-hide_banner", "-loglevel", "error"];
    await promisify(execFile)(FFMPEG, [...quiet, ...args], { cwd: folder });
    const names = (await readdir(folder)).filter((name) => inputs[name] === undefined);
    return Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
