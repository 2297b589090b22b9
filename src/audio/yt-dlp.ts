// Runs the operator's yt-dlp for pages of supported sites. It connects through the egress gate, in
// its own folder.
import { spawn } from "node:child_process";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { readSearchPath } from "../config.ts";
import type { Deadline } from "../deadline.ts";
import { openLane } from "../egress/browser-proxy.ts";
import type { Egress } from "../egress/dispatchers.ts";
import type { UpstreamProxy } from "../egress/upstream-proxy.ts";
import { withScratchFolder } from "./scratch-folder.ts";

export type YtDlp = {
  /**
   * Returns the media file of a page, or undefined if the site is unknown. Throws SCRAPE_TIMEOUT at
   * the deadline.
   */
  fetch(
    url: string,
    proxy: UpstreamProxy | undefined,
    deadline: Deadline,
  ): Promise<Uint8Array | undefined>;
};

export type YtDlpOptions = {
  readonly path: string;
  readonly egress: Pick<Egress, "route" | "connect" | "own">;
  /** Folder for temporary files. */
  readonly folder: string;
  readonly maxBytes: number;
};

/** Only formats that it downloads itself over HTTP. */
const FORMAT = ["bestaudio", "best"]
  .flatMap((kind) => ["^=http", "^=m3u8"].map((protocol) => `${kind}[protocol${protocol}]`))
  .join("/");
/** Additional traffic for pages, manifests and players besides the media file. */
const TRAFFIC_FACTOR = 4;

export function createYtDlp(options: YtDlpOptions): YtDlp {
  return {
    fetch: async (url, proxy, deadline) =>
      await withScratchFolder(options.folder, async (place) => {
        const { egress, maxBytes } = options;
        await using lane = await openLane(egress, { proxy, maxBytes: maxBytes * TRAFFIC_FACTOR });
        const words = buildArguments(url, { place, maxBytes, proxy: lane.server });
        await run(options, words, { place, proxy: lane.server, deadline });
        return await readSound(place, maxBytes);
      }),
  };
}

async function run(
  { path }: YtDlpOptions,
  words: readonly string[],
  { place, proxy, deadline }: { place: string; proxy: string; deadline: Deadline },
): Promise<void> {
  const child = spawn(path, words, {
    cwd: place,
    env: { PATH: readSearchPath(), HOME: place, ...buildProxyVariables(proxy) },
    stdio: "ignore",
    // A separate process group, so that its child processes end with it.
    detached: process.platform !== "win32",
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  child.once("close", () => resolve());
  child.once("error", () => resolve());
  try {
    await deadline.race(promise);
  } finally {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      endGroup(child.pid);
  }
}

/** Its child processes (curl, a script runtime) get the proxy from these variables. */
const buildProxyVariables = (proxy: string): Record<string, string> =>
  Object.fromEntries(
    ["http_proxy", "https_proxy", "ftp_proxy", "all_proxy"].flatMap((name) => [
      [name, proxy],
      [name.toUpperCase(), proxy],
    ]),
  );

function buildArguments(
  url: string,
  { place, maxBytes, proxy }: { place: string; maxBytes: number; proxy: string },
): string[] {
  const alone = ["--ignore-config", "--no-cache-dir", "--no-playlist", "--no-progress", "--quiet"];
  // Excludes the generic extractor, which would fetch the page again for media that is found
  // without it.
  const known = ["--ies", "all,-generic"];
  const what = ["--format", FORMAT, "--max-filesize", String(maxBytes), "--no-mtime"];
  // Its native downloader respects the proxy; others (rtmpdump, mpv, ffmpeg for streams) may not.
  const itself = [
    "--downloader",
    "native",
    "--ffmpeg-location",
    join(place, "none"),
    "--fixup",
    "never",
  ];
  const where = ["--paths", place, "--output", "sound.%(ext)s"];
  return [...alone, ...known, ...what, ...itself, ...where, "--proxy", proxy, "--", url];
}

async function readSound(place: string, maxBytes: number): Promise<Uint8Array | undefined> {
  const names = (await readdir(place)).filter((name) => /^sound\.\w+$/.test(name));
  for (const name of names) {
    const { size } = await stat(join(place, name));
    if (size > 0 && size <= maxBytes && !name.endsWith(".part"))
      return await readFile(join(place, name));
  }
  return undefined;
}

function endGroup(pid: number): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, "SIGKILL");
  } catch {
    // The process has already ended.
  }
}
