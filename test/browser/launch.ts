// A browser for tests that need a page without the pool: the bundled one, unpacked once.
import path from "node:path";
import type { Browser } from "playwright-core";
import {
  launchBrowser,
  type LaunchedBrowser,
  type LaunchOptions,
} from "../../src/browser/chromium/launch.ts";
import {
  findBrowser,
  installBrowser,
  type InstalledBrowser,
} from "../../src/browser/installation/install-browser.ts";

/** Folder of the bundled browser, shared by all tests. */
export const testBrowserFolder = path.resolve(
  import.meta.dirname,
  "../../node_modules/.cache/quarry-browser",
);

async function installTestBrowser(): Promise<InstalledBrowser> {
  const found = findBrowser({ setting: undefined, searchPath: "" });
  if (found === undefined) throw new Error("There is no browser for the tests.");
  return await installBrowser(found, { folder: testBrowserFolder, cache: undefined });
}

/** Returns the executable for tests: the bundled browser on a system without one. */
export const testBrowserExecutable = async (): Promise<string> =>
  (await installTestBrowser()).executable;

/** Reaches loopback without a proxy. The caller closes it. */
export async function launchTestBrowser(): Promise<Browser> {
  return (await launch({})).browser;
}

/** Reaches only what the proxy of its context allows. The caller closes it. */
export async function launchTestBrowserThrough(options: Extra = {}): Promise<LaunchedBrowser> {
  return await launch({ ...options, proxyServer: "http://127.0.0.1:9" });
}

type Extra = Partial<
  Pick<LaunchOptions, "messageLimits" | "onRefused" | "executable" | "appearance">
>;

async function launch(
  options: Extra & { readonly proxyServer?: string },
): Promise<LaunchedBrowser> {
  return await launchBrowser({
    ...(await installTestBrowser()),
    ...options,
    sandbox: "auto",
    folder: testBrowserFolder,
    searchPath: "/usr/bin:/bin",
  });
}
