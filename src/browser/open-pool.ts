// The browser pool of a running service: which browser, its folders, and its egress through the
// gate.
import { ConfigError, readCacheFolder, readSearchPath, type Config } from "../config.ts";
import { openDeadEnd, openLane } from "../egress/browser-proxy.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { TargetError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import type { Lazy } from "../runtime/lazy.ts";
import { getBrowserFolder } from "../store/database/data-folder.ts";
import type { Appearance } from "./chromium/chromium-arguments.ts";
import { launchBrowser, type LaunchedBrowser } from "./chromium/launch.ts";
import {
  explainNoBrowser,
  findBrowser,
  type FoundBrowser,
  installBrowser,
  type InstalledBrowser,
} from "./installation/install-browser.ts";
import { createBrowserPool, type BrowserPool } from "./pool.ts";
import { countSlots, computePoolLimits } from "./pool-limits.ts";

type BrowserConfig = Pick<
  Config,
  "browser" | "browserPages" | "browserSandbox" | "dataDir" | "fontDirs"
>;

/** Finds the configured browser without starting it, or returns undefined. Throws ConfigError. */
export const findConfiguredBrowser = (config: BrowserConfig): FoundBrowser | undefined =>
  findBrowser({ setting: config.browser, searchPath: readSearchPath() });

/**
 * Explains why these settings have no browser on this machine, or returns undefined if they have
 * one. Throws ConfigError.
 */
export const explainMissingBrowser = (config: BrowserConfig): string | undefined =>
  findConfiguredBrowser(config) === undefined
    ? explainNoBrowser({ setting: config.browser })
    : undefined;

/**
 * Returns the current browser, or the reason why there is none; the one found at startup may be
 * missing or may have failed to start.
 */
export async function recheckBrowser(
  config: BrowserConfig,
  pool: Lazy<BrowserPool>,
): Promise<{ readonly kind?: FoundBrowser["kind"]; readonly reason?: string }> {
  try {
    const found = findConfiguredBrowser(config);
    if (found === undefined) return { reason: explainNoBrowser({ setting: config.browser }) };
    const failure = pool.started() ? (await pool()).state().failure : undefined;
    return { kind: found.kind, ...(failure === undefined ? {} : { reason: failure }) };
  } catch (error) {
    if (error instanceof ConfigError) return { reason: error.message };
    throw error;
  }
}

/** Concurrent pages: as configured, or what this container can hold. */
export const computeConcurrentPages = ({ browserPages }: Pick<Config, "browserPages">): number =>
  browserPages || countSlots();

/** Creates the pool; the browser starts with the first page. The caller closes the pool. */
export function openBrowserPool(parts: {
  readonly config: BrowserConfig;
  readonly egress: Egress;
  readonly log: Logger;
  readonly metrics: Pick<Metrics, "browserStarts">;
}): BrowserPool {
  const { config, egress, log, metrics } = parts;
  return createBrowserPool({
    launch: async (appearance) => {
      const deadEnd = await openDeadEnd();
      try {
        const launched = await launchConfigured(config, deadEnd.server, log, appearance);
        void launched.process.exited.then(() => deadEnd.close());
        metrics.browserStarts.inc({ outcome: "started" });
        return launched;
      } catch (error) {
        metrics.browserStarts.inc({ outcome: "failed" });
        await deadEnd.close();
        throw error;
      }
    },
    openLane: (options) => openLane(egress, options),
    limits: computePoolLimits(computeConcurrentPages(config)),
    log,
  });
}

/**
 * Launches the configured browser, unpacking the bundled one if needed. The browser's own requests
 * go to `proxyServer`.
 */
export async function launchConfigured(
  config: BrowserConfig,
  proxyServer: string,
  log: Pick<Logger, "info" | "debug">,
  appearance?: Appearance,
): Promise<LaunchedBrowser> {
  return await launchBrowser({
    ...(await installConfigured(config, log)),
    proxyServer,
    appearance,
    sandbox: config.browserSandbox,
    folder: getBrowserFolder(config),
    searchPath: readSearchPath(),
    onRefused: (refused) => log.debug(refused, "browser message exceeded the size limit"),
  });
}

/**
 * Unpacks files in advance that the first page would wait for. Does nothing if there is no browser
 * or everything is unpacked.
 */
export async function prepareBrowser(config: BrowserConfig, log: Logger): Promise<void> {
  if (findConfiguredBrowser(config) === undefined) return;
  try {
    await installConfigured(config, log);
  } catch (error) {
    // The first page tries again and reports the error.
    log.warn({ err: error }, "failed to unpack the browser");
  }
}

/** Unpacking takes seconds, up to half a minute on a busy machine, which is logged. */
async function installConfigured(
  config: BrowserConfig,
  log: Pick<Logger, "info">,
): Promise<InstalledBrowser> {
  const found = findConfiguredBrowser(config);
  if (found === undefined)
    throw new TargetError(
      "SCRAPE_ALL_ENGINES_FAILED",
      `This machine has no Chromium. ${explainNoBrowser({ setting: config.browser })}`,
    );
  let from: number | undefined;
  const installed = await installBrowser(found, {
    folder: getBrowserFolder(config),
    cache: readCacheFolder(),
    fontDirs: config.fontDirs,
    onUnpacking: () => {
      from = performance.now();
      log.info("unpacking the bundled browser (230 MB, once per user)");
    },
  });
  if (from !== undefined)
    log.info({ ms: Math.round(performance.now() - from) }, "bundled browser unpacked");
  return installed;
}
