// Starts a Chromium with arguments of our own: hostile pages, no way out but the proxy it is told, nothing kept.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright-core";
import { provideFonts } from "./fonts.ts";
import { provideLibraries } from "./libraries.ts";

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
};

export type LaunchedBrowser = { readonly browser: Browser; readonly sandboxed: boolean };

/**
 * Beside Playwright's own list (no first run, no background work, no component updates). No `--single-process`: it dies with
 * the first context that is closed. WebRTC may not send past the proxy, and QUIC would be UDP, which no proxy sees.
 */
const ARGUMENTS = [
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  // A page need not be told that it is driven; who asks is in the user agent.
  "--disable-blink-features=AutomationControlled",
  "--disable-domain-reliability",
  "--disable-sync",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-print-preview",
  "--disable-speech-api",
  "--disk-cache-size=67108864",
  "--disable-features=WebTransport,DirectSockets,Prerender2,SpeculationRulesPrefetchProxy,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider,AutofillServerCommunication",
];

/** Whoever launches it closes it. Rejects when the browser does not start. */
export async function launchBrowser(options: LaunchOptions): Promise<LaunchedBrowser> {
  // Loaded at the first use: a server that needs no browser does not pay for it.
  const { chromium } = await import("playwright-core");
  const env = await buildEnvironment(options);
  const launch = async (sandboxed: boolean): Promise<LaunchedBrowser> => ({
    sandboxed,
    browser: await chromium.launch({
      executablePath: options.executable,
      headless: true,
      chromiumSandbox: sandboxed,
      args: ARGUMENTS,
      env,
      ...(options.proxyServer === undefined ? {} : { proxy: { server: options.proxyServer } }),
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
      timeout: options.timeoutMs ?? 60_000,
    }),
  });
  if (options.sandbox === "always") return await launch(true);
  // Chromium does not run its sandbox as root, and not without user namespaces: trying is the only sure test.
  if (process.getuid?.() === 0) return await launch(false);
  try {
    return await launch(true);
  } catch {
    return await launch(false);
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
