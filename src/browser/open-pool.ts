// The pool of a running service: which browser, where it lives, and its way out through the gate.
import { readSearchPath, type Config } from "../config.ts";
import { openDeadEnd, openLane } from "../egress/browser-proxy.ts";
import type { Egress } from "../egress/dispatchers.ts";
import { TargetError } from "../errors.ts";
import type { Logger } from "../log.ts";
import { browserFolder } from "../store/data-folder.ts";
import { findBrowser, provideExecutable, type FoundBrowser } from "./find-browser.ts";
import { launchBrowser, type LaunchedBrowser } from "./launch.ts";
import { createBrowserPool, type BrowserPool } from "./pool.ts";
import { countSlots, POOL_LIMITS } from "./pool-limits.ts";

type BrowserConfig = Pick<Config, "browser" | "browserSandbox" | "dataDir">;

/** The browser of these settings, without starting it; undefined when there is none. Throws ConfigError. */
export const lookForBrowser = (config: BrowserConfig): FoundBrowser | undefined =>
  findBrowser({ setting: config.browser, searchPath: readSearchPath() });

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
        const launched = await launchConfigured(config, deadEnd.server);
        launched.browser.once("disconnected", () => void deadEnd.close());
        return launched;
      } catch (error) {
        await deadEnd.close();
        throw error;
      }
    },
    openLane: (options) => openLane(egress, options),
    limits: POOL_LIMITS,
    log,
  });
}

/** Unpacks the bundled browser where that is the one. What the browser asks for by itself goes to `proxyServer`. */
export async function launchConfigured(
  config: BrowserConfig,
  proxyServer: string,
): Promise<LaunchedBrowser> {
  const found = lookForBrowser(config);
  if (found === undefined)
    throw new TargetError("SCRAPE_ALL_ENGINES_FAILED", "This machine has no Chromium.");
  const folder = browserFolder(config);
  return await launchBrowser({
    executable: await provideExecutable(found, folder),
    proxyServer,
    sandbox: config.browserSandbox,
    folder,
    searchPath: readSearchPath(),
  });
}
