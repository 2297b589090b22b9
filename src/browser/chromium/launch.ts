// Starts a Chromium for hostile pages: no network except the given proxy, bounded output, nothing
// stored.
import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright-core";
import { makeScratchFolder } from "../../store/database/scratch-folders.ts";
import { MESSAGE_LIMITS, type MessageLimits, type RefusedMessage } from "./bounded-messages.ts";
import { buildChromiumArguments, type Appearance } from "./chromium-arguments.ts";
import type { InstalledBrowser } from "../installation/install-browser.ts";
import { describeExit, spawnChromium, type ChromiumProcess } from "./spawn-chromium.ts";

export type LaunchOptions = InstalledBrowser & {
  /**
   * Proxy for the browser's own requests; pages get theirs with their context. Without one they
   * connect directly.
   */
  readonly proxyServer?: string;
  /**
   * "always" refuses to start without Chromium's sandbox; "auto" runs without it where the system
   * does not allow it.
   */
  readonly sandbox: "auto" | "always";
  /** Folder of the browser's home. */
  readonly folder: string;
  readonly searchPath: string;
  readonly timeoutMs?: number;
  /** Undefined for ordinary pages. */
  readonly appearance?: Appearance | undefined;
  /**
   * Limits of the browser's messages. The defaults allow screenshots and texts of the largest
   * supported pages.
   */
  readonly messageLimits?: Partial<MessageLimits> | undefined;
  /** Called for messages that were too long. */
  readonly onRefused?: ((refused: RefusedMessage) => void) | undefined;
};

export type LaunchedBrowser = {
  readonly browser: Browser;
  readonly sandboxed: boolean;
  readonly process: ChromiumProcess;
};

/** The browser was killed from outside during its start, which is not a browser failure. */
export class KilledAtStartError extends Error {}

/** The caller closes the browser. Rejects if it does not start. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  const env = await buildEnvironment(options);
  if (options.sandbox === "always") return await start(options, env, true);
  // Chromium's sandbox does not run as root or without user namespaces. Trying is the only reliable
  // test.
  if (process.getuid?.() === 0) return await start(options, env, false);
  try {
    return await start(options, env, true);
  } catch (error) {
    if (error instanceof KilledAtStartError) throw error;
    return await start(options, env, false);
  }
}

const START_TIMEOUT_MS = 60_000;

async function start(
  options: LaunchOptions,
  env: Readonly<Record<string, string>>,
  sandboxed: boolean,
): Promise<LaunchedBrowser> {
  // Imported lazily, so that a server without browser use does not pay for it.
  const { chromium } = await import("playwright-core");
  const scratch = makeScratchFolder("browser");
  const artifactsDir = path.join(scratch, "artifacts");
  await mkdir(artifactsDir, { mode: 0o700 });
  const chromiumProcess = spawnChromium({
    executable: options.executable,
    args: buildChromiumArguments({
      profileFolder: path.join(scratch, "profile"),
      sandboxed,
      proxyServer: options.proxyServer,
      appearance: options.appearance,
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
      timeout: options.timeoutMs ?? START_TIMEOUT_MS,
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

/** Returns only the variables a browser needs, so that a sandbox escape finds no credentials. */
async function buildEnvironment(options: LaunchOptions): Promise<Record<string, string>> {
  const home = path.join(options.folder, "home");
  await mkdir(home, { recursive: true, mode: 0o700 });
  return { PATH: options.searchPath, HOME: home, ...options.environment };
}
