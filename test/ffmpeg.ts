// Media files made of a tone by the ffmpeg that npm brings for the tests.
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import installed from "@ffmpeg-installer/ffmpeg";
import { toneWav } from "./media.ts";

/** The ffmpeg of the tests. */
export const FFMPEG: string = installed.path;

/** What ffmpeg makes of a tone with these arguments, by file name. The last argument names the output. */
export async function makeMedia(
  seconds: number,
  ...args: readonly string[]
): Promise<Record<string, Buffer>> {
  const folder = await mkdtemp(path.join(os.tmpdir(), "quarry-media-"));
  try {
    await writeFile(path.join(folder, "tone.wav"), toneWav(seconds));
    const quiet = ["-nostdin", "-hide_banner", "-loglevel", "error"];
    await promisify(execFile)(FFMPEG, [...quiet, "-i", "tone.wav", ...args], { cwd: folder });
    const names = (await readdir(folder)).filter((name) => name !== "tone.wav");
    return Object.fromEntries(
      await Promise.all(
        names.map(async (name) => [name, await readFile(path.join(folder, name))] as const),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
