// The entry of this room: chooses the Chromium for pages, and unpacks what npm brings for it, which
// is a browser, shared libraries and fonts. A headless shell is preferred, because a full Chromium
// takes two to five times the CPU time and twice the memory for the same content.
import { accessSync, constants, existsSync } from "node:fs";
import path from "node:path";
import { ConfigError } from "../../config.ts";
import {
  hasBundledBrowser,
  isBundledFor,
  unpackBundledBrowser,
  type UnpackPlaces,
} from "./bundled-browser.ts";
import { provideFonts } from "./fonts.ts";
import { provideLibraries } from "./libraries.ts";

export type FoundBrowser = {
  readonly kind: "setting" | "headless-shell" | "bundled" | "full";
  /** Undefined while the bundled browser is not unpacked. */
  readonly executable: string | undefined;
};

export type BrowserPlaces = {
  /** QUARRY_BROWSER: a path, or "none". */
  readonly setting: string | undefined;
  /** PATH of this process. */
  readonly searchPath: string;
};

const HEADLESS_SHELLS = ["chromium-headless-shell", "chrome-headless-shell", "headless_shell"];
const FULL_BROWSERS = [
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "microsoft-edge",
];
const FULL_PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  String.raw`C:\Program Files\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Google\Chrome\Application\chrome.exe`,
  String.raw`C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`,
];

/**
 * Finds a browser without starting or unpacking anything, or returns undefined. Throws ConfigError
 * if the setting names something that cannot be executed.
 */
export function findBrowser(places: BrowserPlaces): FoundBrowser | undefined {
  const { setting } = places;
  if (setting === "none") return undefined;
  if (setting !== undefined) {
    if (!isRunnable(setting))
      throw new ConfigError(`QUARRY_BROWSER: ${setting} is not a program that can be run.`);
    return { kind: "setting", executable: path.resolve(setting) };
  }
  const shell = findOnPath(HEADLESS_SHELLS, places.searchPath);
  if (shell !== undefined) return { kind: "headless-shell", executable: shell };
  if (hasBundledBrowser()) return { kind: "bundled", executable: undefined };
  const full =
    findOnPath(FULL_BROWSERS, places.searchPath) ?? FULL_PLACES.find((file) => existsSync(file));
  return full === undefined ? undefined : { kind: "full", executable: full };
}

/** Explains why findBrowser found none and what to do about it. */
export function explainNoBrowser(
  { setting }: Pick<BrowserPlaces, "setting">,
  { platform, arch }: Pick<NodeJS.Process, "platform" | "arch"> = process,
): string {
  if (setting === "none") return "QUARRY_BROWSER is none.";
  const advice =
    "Install chromium-headless-shell (Debian, Ubuntu) or Chromium, or name one in QUARRY_BROWSER.";
  return isBundledFor(platform, arch)
    ? `No Chromium is on the PATH, and the one that npm install brings is missing (@sparticuz/chromium): run npm install again, without --omit=optional. Or: ${advice}`
    : `npm install brings a Chromium for Linux on x64 only; this is ${platform} on ${arch}, and none is on the PATH. ${advice}`;
}

export type InstallOptions = UnpackPlaces & {
  /** Additional font folders (QUARRY_FONT_DIRS). */
  readonly fontDirs?: readonly string[];
  /** Called before the bundled browser is unpacked, which takes seconds. */
  readonly onUnpacking?: () => void;
};

/** A browser that can be started, and the variables that it needs for that. */
export type InstalledBrowser = {
  readonly executable: string;
  /** Paths of the libraries and fonts that the system lacks. */
  readonly environment: Readonly<Record<string, string>>;
};

/** Unpacks what is missing of the bundled browser, the libraries and the fonts. */
export async function installBrowser(
  found: FoundBrowser,
  options: InstallOptions,
): Promise<InstalledBrowser> {
  const executable = found.executable ?? (await unpackBundledBrowser(options, options.onUnpacking));
  if (executable === undefined)
    throw new Error("The bundled browser is missing; run npm install again.");
  const libraries = await provideLibraries(executable);
  const fonts = await provideFonts({ ...options, executable });
  return {
    executable,
    environment: {
      ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
      ...(fonts === undefined ? {} : { FONTCONFIG_FILE: fonts }),
    },
  };
}

function findOnPath(names: readonly string[], searchPath: string): string | undefined {
  for (const name of names)
    for (const folder of searchPath.split(path.delimiter)) {
      if (!path.isAbsolute(folder)) continue;
      const file = path.join(folder, process.platform === "win32" ? `${name}.exe` : name);
      if (isRunnable(file)) return file;
    }
  return undefined;
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
