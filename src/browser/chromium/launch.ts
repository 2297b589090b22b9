// Starts a Chromium for hostile pages: no way out but the proxy it is told, its output bounded, nothing kept.
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright-core";
import { makeScratchFolder } from "../../store/database/scratch-folders.ts";
import { MESSAGE_LIMITS, type MessageLimits, type Refused } from "./bounded-messages.ts";
import { chromiumArguments } from "./chromium-arguments.ts";
import { provideFonts } from "../fonts/fonts.ts";
import { provideLibraries } from "./libraries.ts";
import { describeExit, spawnChromium, type ChromiumProcess } from "./spawn-chromium.ts";

export type LaunchOptions = {
  readonly executable: string;
  /** Where requests of the browser itself go; pages are given a proxy with their context. Without one they go directly. */
  readonly proxyServer?: string;
  /** "always" refuses to start without Chromium's sandbox; "auto" does without where the system does not allow it. */
  readonly sandbox: "auto" | "always";
  /** For the home folder of the browser and its fonts. */
  readonly folder: string;
  /** More folders with fonts. */
  readonly fontDirs?: readonly string[];
  readonly searchPath: string;
  readonly timeoutMs?: number;
  /** Of what the browser sends; the default carries pictures and texts of the largest pages that are read. */
  readonly messageLimits?: Partial<MessageLimits> | undefined;
  /** Is told of messages that were too long. */
  readonly onRefused?: ((refused: Refused) => void) | undefined;
};

export type LaunchedBrowser = {
  readonly browser: Browser;
  readonly sandboxed: boolean;
  readonly process: ChromiumProcess;
};

/** Somebody ended the browser as it started: that says nothing about the browser. */
export class KilledAtStartError extends Error {}

/** Whoever launches it closes it. Rejects when the browser does not start. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const env = await buildEnvironment(options);
  if (options.sandbox === "always") return await start(options, env, true);
  // Chromium does not run its sandbox as root, and not without user namespaces: trying is the only sure test.
  if (process.getuid?.() === 0) return await start(options, env, false);
  try {
    return await start(options, env, true);
  } catch (error) {
    if (error instanceof KilledAtStartError) throw error;
    return await start(options, env, false);
  }
}

const START_MS = 60_000;

async function start(
  options: LaunchOptions,
  env: Readonly<Record<string, string>>,
  sandboxed: boolean,
): Promise<LaunchedBrowser> {
  // Loaded at the first use: a server that needs no browser does not pay for it.
  const { chromium } = await import("playwright-core");
  const scratch = makeScratchFolder("browser");
  const artifactsDir = path.join(scratch, "artifacts");
  await mkdir(artifactsDir, { mode: 0o700 });
  const chromiumProcess = spawnChromium({
    executable: options.executable,
    args: chromiumArguments({
      profileFolder: path.join(scratch, "profile"),
      sandboxed,
      proxyServer: options.proxyServer,
    }),
    env,
    limits: { ...MESSAGE_LIMITS, ...options.messageLimits },
    onRefused: options.onRefused,
  });
  void chromiumProcess.exited.then(async () => {
    await rm(scratch, { recursive: true, force: true, maxRetries: 5 }).catch(() => undefined);
  });
  try {
    const connecting = chromium.connectOverCDP(chromiumProcess.transport, {
      artifactsDir,
      noDefaults: true,
      timeout: options.timeoutMs ?? START_MS,
    });
    connecting.catch(() => undefined);
    const ended = chromiumProcess.exited.then((exit) => {
      const text = `${describeExit(exit)} as it started. ${chromiumProcess.firstErrors()}`;
      throw exit.signal === "SIGKILL" ? new KilledAtStartError(text) : new Error(text);
    });
    ended.catch(() => undefined);
    return {
      browser: await Promise.race([connecting, ended]),
      sandboxed,
      process: chromiumProcess,
    };
  } catch (error) {
    const exit = chromiumProcess.exit();
    chromiumProcess.kill();
    await chromiumProcess.exited;
    // Playwright may notice the closed pipe first.
    if (exit?.signal === "SIGKILL") throw new KilledAtStartError(describeExit(exit));
    throw error;
  }
}

/** Only what a browser needs: whatever breaks out of a page finds no credentials in its environment. */
async function buildEnvironment(options: LaunchOptions): Promise<Record<string, string>> {
  const { executable, folder } = options;
  const home = path.join(folder, "home");
  await mkdir(home, { recursive: true, mode: 0o700 });
  const libraries = await provideLibraries(executable);
  const fonts = await provideFonts(options);
  return {
    PATH: options.searchPath,
    HOME: home,
    ...(libraries === undefined ? {} : { LD_LIBRARY_PATH: libraries }),
    ...(fonts === undefined ? {} : { FONTCONFIG_FILE: fonts }),
  };
}
