// Transcodes media files to MP3 with the machine's ffmpeg, in a bounded process that reads one
// local file and opens nothing else.
import { spawn } from "node:child_process";
import { access, constants, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { delimiter, join } from "node:path";
import { readSearchPath } from "../config.ts";
import type { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import { detectContainer } from "./container.ts";
import { withScratchFolder } from "./scratch-folder.ts";
import { Semaphore } from "../semaphore.ts";

export type Transcoder = {
  /** True if ffmpeg is available. */
  available(): Promise<boolean>;
  /**
   * Returns the soundtrack as MP3. Throws SCRAPE_AUDIO_UNSUPPORTED_URL for a file that is not
   * media, has no sound, cannot be decoded or becomes too large, and if there is no ffmpeg;
   * SCRAPE_TIMEOUT at the deadline.
   */
  toMp3(bytes: Uint8Array, deadline: Deadline): Promise<Uint8Array>;
};

export type TranscoderOptions = {
  /** Path of ffmpeg, "off", or undefined to search for one. */
  readonly ffmpeg: string | undefined;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly maxBytes: number;
  /** Maximum concurrent files. */
  readonly atOnce: number;
};

/** Address space limit of the process. ffmpeg itself maps some hundred megabytes of libraries. */
const MAX_MEMORY_KIB = 3 * 1024 * 1024;
const CPU_SECONDS = 600;
const MAX_ERROR_CHARACTERS = 2_000;

/** Creates a transcoder. Nothing starts before the first file. */
export function createTranscoder(options: TranscoderOptions): Transcoder {
  let found: Promise<string | undefined> | undefined;
  const locateFfmpeg = (): Promise<string | undefined> => (found ??= findFfmpeg(options.ffmpeg));
  const semaphore = new Semaphore(options.atOnce);
  return {
    available: async () => (await locateFfmpeg()) !== undefined,
    async toMp3(bytes, deadline) {
      const container = detectContainer(bytes);
      if (container === undefined)
        throw createUnsupportedError("its audio source is not a known media file");
      const path = await locateFfmpeg();
      if (path === undefined)
        throw createUnsupportedError(
          `its audio is ${container}, and converting it to MP3 needs ffmpeg. ${explainMissingFfmpeg(options.ffmpeg)}`,
        );
      const transcode = async (folder: string): Promise<Uint8Array> => {
        const input = join(folder, "input");
        await writeFile(input, bytes);
        return await run(path, { container, input, maxBytes: options.maxBytes }, deadline);
      };
      return await semaphore.run(() => withScratchFolder(options.folder, transcode), deadline);
    },
  };
}

type Job = { readonly container: string; readonly input: string; readonly maxBytes: number };

async function run(ffmpeg: string, job: Job, deadline: Deadline): Promise<Uint8Array> {
  deadline.check();
  const child = spawn(...withShellLimits(ffmpeg, buildArguments(job)), {
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
  });
  const chunks: Buffer[] = [];
  let size = 0;
  let said = "";
  let isTooLarge = false;
  child.stdout.on("data", (chunk: Buffer) => {
    size += chunk.length;
    chunks.push(chunk);
    if (size > job.maxBytes) {
      isTooLarge = true;
      child.kill("SIGKILL");
    }
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (said.length < MAX_ERROR_CHARACTERS) said += chunk.toString("utf8");
  });
  const { promise, resolve } = Promise.withResolvers<number | null>();
  child.once("close", (code) => resolve(code));
  child.once("error", () => resolve(null));
  try {
    const code = await deadline.race(promise);
    if (isTooLarge)
      throw createUnsupportedError(`its audio exceeds the limit of ${job.maxBytes} bytes as MP3`);
    if (code !== 0 || size === 0) throw createUnsupportedError(explain(said));
    return Buffer.concat(chunks);
  } finally {
    if (child.exitCode === null) child.kill("SIGKILL");
  }
}

function explain(said: string): string {
  if (/does not contain any stream|matches no streams|Stream map/i.test(said))
    return "its media has no audio track";
  const last = said.trim().split("\n").at(-1) ?? "";
  return `its audio cannot be decoded${last === "" ? "" : ` (${last.replaceAll(/\/\S*\//g, "").slice(0, 200)})`}`;
}

/** Restricts ffmpeg to one known format, local files, and the first audio track. */
const buildArguments = ({ container, input }: Job): string[] => {
  const quietly = ["-nostdin", "-hide_banner", "-loglevel", "error", "-threads", "1"];
  const from = ["-protocol_whitelist", "file", "-f", container, "-i", input];
  const sound = ["-map", "0:a:0", "-vn", "-sn", "-dn", "-ac", "2"];
  return [...quietly, ...from, ...sound, "-codec:a", "libmp3lame", "-q:a", "4", "-f", "mp3", "-"];
};

/** Uses shell limits if there is a shell; otherwise only time and output are bounded. */
function withShellLimits(program: string, args: readonly string[]): [string, string[]] {
  if (process.platform === "win32") return [program, [...args]];
  const limits = `ulimit -v ${MAX_MEMORY_KIB}; ulimit -t ${CPU_SECONDS}; ulimit -c 0; exec "$0" "$@"`;
  return ["/bin/sh", ["-c", limits, program, ...args]];
}

/** Why there is no ffmpeg, and what to do. */
export function explainMissingFfmpeg(named: string | undefined): string {
  if (named === "off") return "It is turned off by QUARRY_FFMPEG=off";
  if (named !== undefined)
    return `QUARRY_FFMPEG names "${named}", which is not a program that this server may run`;
  return "None was found: install ffmpeg on the server, or the npm package @ffmpeg-installer/ffmpeg beside Quarry, or name one in QUARRY_FFMPEG";
}

/** Returns the configured path, else an ffmpeg on PATH, else that of an optional package. */
export async function findFfmpeg(named: string | undefined): Promise<string | undefined> {
  if (named === "off") return undefined;
  if (named !== undefined) return (await isProgram(named)) ? named : undefined;
  const name = process.platform === "win32" ? "ffmpeg.exe" : "ffmpeg";
  for (const folder of readSearchPath().split(delimiter))
    if (folder !== "" && (await isProgram(join(folder, name)))) return join(folder, name);
  const packaged = `@ffmpeg-installer/${process.platform}-${process.arch}/package.json`;
  try {
    const require = createRequire(import.meta.url);
    const path = join(resolveNested(require, "@ffmpeg-installer/ffmpeg", packaged), "..", name);
    return (await isProgram(path)) ? path : undefined;
  } catch {
    return undefined; // not installed
  }
}

/** A package installed globally has its dependencies in its own folder. */
function resolveNested(require: NodeJS.Require, owner: string, name: string): string {
  try {
    return require.resolve(name);
  } catch {
    return createRequire(require.resolve(`${owner}/package.json`)).resolve(name);
  }
}

const isProgram = async (path: string): Promise<boolean> =>
  await access(path, constants.X_OK).then(
    () => true,
    () => false,
  );

export const createUnsupportedError = (why: string): TargetError =>
  new TargetError("SCRAPE_AUDIO_UNSUPPORTED_URL", `No audio is available for this URL: ${why}.`);
