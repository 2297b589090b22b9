// A browser for tests that need a page and nothing of the pool: the one the project brings, unpacked once.
import path from "node:path";
import type { Browser } from "playwright-core";
import { findBrowser, provideExecutable } from "../../src/browser/chromium/find-browser.ts";
import {
  launchBrowser,
  type LaunchedBrowser,
  type LaunchOptions,
} from "../../src/browser/chromium/launch.ts";

/** Where the bundled browser is unpacked for all tests. */
export const testBrowserFolder = path.resolve(
  import.meta.dirname,
  "../../node_modules/.cache/quarry-browser",
);

/** The executable that tests drive; a system without any browser has the bundled one. */
export async function testBrowserExecutable(): Promise<string> {
  const found = findBrowser({ setting: undefined, searchPath: "" });
  if (found === undefined) throw new Error("There is no browser for the tests.");
  return await provideExecutable(found, { folder: testBrowserFolder, cache: undefined });
}

/** Reaches loopback without a proxy. The caller closes it. */
export async function launchTestBrowser(): Promise<Browser> {
  return (await launch({})).browser;
}

/** Reaches nothing but what the proxy of a context lets through. The caller closes it. */
export async function launchTestBrowserThrough(options: Extra = {}): Promise<LaunchedBrowser> {
  return await launch({ ...options, proxyServer: "http://127.0.0.1:9" });
}

type Extra = Partial<Pick<LaunchOptions, "messageLimits" | "onRefused" | "executable">>;

async function launch(
  options: Extra & { readonly proxyServer?: string },
): Promise<LaunchedBrowser> {
  return await launchBrowser({
    executable: await testBrowserExecutable(),
    ...options,
    sandbox: "auto",
    folder: testBrowserFolder,
    searchPath: "/usr/bin:/bin",
  });
}
