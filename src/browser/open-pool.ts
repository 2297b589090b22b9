// The pool of a running service: which browser, where it lives, and its way out through the gate.
import { ConfigError, readCacheFolder, readSearchPath, type Config } from "../config.ts";
import { openDeadEnd, openLane } from "../egress/browser-proxy.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { TargetError } from "../errors.ts";
import type { Logger } from "../log.ts";
import type { Lazy } from "../runtime/lazy.ts";
import { browserFolder } from "../store/database/data-folder.ts";
import {
  findBrowser,
  provideExecutable,
  whyNoBrowser,
  type FoundBrowser,
} from "./chromium/find-browser.ts";
import { provideFonts } from "./fonts/fonts.ts";
import { launchBrowser, type LaunchedBrowser } from "./chromium/launch.ts";
import { createBrowserPool, type BrowserPool } from "./pool.ts";
import { countSlots, limitsOfPool } from "./pool-limits.ts";

type BrowserConfig = Pick<
  Config,
  "browser" | "browserPages" | "browserSandbox" | "dataDir" | "fontDirs"
>;

/** The browser of these settings, without starting it; undefined when there is none. Throws ConfigError. */
export const lookForBrowser = (config: BrowserConfig): FoundBrowser | undefined =>
  findBrowser({ setting: config.browser, searchPath: readSearchPath() });

/** Why these settings have no browser on this machine; undefined when they have one. Throws ConfigError. */
export const whyWithoutBrowser = (config: BrowserConfig): string | undefined =>
  lookForBrowser(config) === undefined ? whyNoBrowser({ setting: config.browser }) : undefined;

/** Which browser there is now, or why there is none: that of the start may be gone, or not have started in the pool. */
export async function lookAgain(
  config: BrowserConfig,
  pool: Lazy<BrowserPool>,
): Promise<{ readonly kind?: FoundBrowser["kind"]; readonly reason?: string }> {
  try {
    const found = lookForBrowser(config);
    if (found === undefined) return { reason: whyNoBrowser({ setting: config.browser }) };
    const failure = pool.started() ? (await pool()).state().failure : undefined;
    return { kind: found.kind, ...(failure === undefined ? {} : { reason: failure }) };
  } catch (error) {
    if (error instanceof ConfigError) return { reason: error.message };
    throw error;
  }
}

/** Pages at once: as configured, or what this container carries. */
export const pagesAtOnce = ({ browserPages }: Pick<Config, "browserPages">): number =>
  browserPages || countSlots();

/** Starts nothing yet: the browser is started with the first page. Whoever opens the pool closes it. */
export function openBrowserPool(parts: {
  readonly config: BrowserConfig;
  readonly egress: Egress;
  readonly log: Logger;
}): BrowserPool {
  const { config, egress, log } = parts;
  return createBrowserPool({
    launch: async () => {
      const deadEnd = await openDeadEnd();
      try {
        const launched = await launchConfigured(config, deadEnd.server, log);
        void launched.process.exited.then(() => deadEnd.close());
        return launched;
      } catch (error) {
        await deadEnd.close();
        throw error;
      }
    },
    openLane: (options) => openLane(egress, options),
    limits: limitsOfPool(pagesAtOnce(config)),
    log,
  });
}

/** Unpacks the bundled browser where that is the one. What the browser asks for by itself goes to `proxyServer`. */
export async function launchConfigured(
  config: BrowserConfig,
  proxyServer: string,
  log: Pick<Logger, "info" | "debug">,
): Promise<LaunchedBrowser> {
  return await launchBrowser({
    executable: await provide(config, log),
    proxyServer,
    sandbox: config.browserSandbox,
    folder: browserFolder(config),
    fontDirs: config.fontDirs,
    searchPath: readSearchPath(),
    onRefused: (refused) => log.debug(refused, "a message of the browser was too long"),
  });
}

/** Unpacks ahead of the first page what it would have to wait for. Does nothing where there is no browser, or all is there. */
export async function prepareBrowser(config: BrowserConfig, log: Logger): Promise<void> {
  if (lookForBrowser(config) === undefined) return;
  try {
    const executable = await provide(config, log);
    await provideFonts({
      executable,
      folder: browserFolder(config),
      fontDirs: config.fontDirs,
    });
  } catch (error) {
    // The first page tries again, and tells.
    log.warn({ err: error }, "the browser could not be prepared");
  }
}

/** The executable; unpacking it takes seconds, on a busy machine half a minute, which the log says. */
async function provide(config: BrowserConfig, log: Pick<Logger, "info">): Promise<string> {
  const found = lookForBrowser(config);
  if (found === undefined)
    throw new TargetError(
      "SCRAPE_ALL_ENGINES_FAILED",
      `This machine has no Chromium. ${whyNoBrowser({ setting: config.browser })}`,
    );
  let from: number | undefined;
  const places = { folder: browserFolder(config), cache: readCacheFolder() };
  const executable = await provideExecutable(found, places, () => {
    from = performance.now();
    log.info("unpacking the bundled browser, once for this user of the machine (230 MB)");
  });
  if (from !== undefined)
    log.info({ ms: Math.round(performance.now() - from) }, "the bundled browser is unpacked");
  return executable;
}
