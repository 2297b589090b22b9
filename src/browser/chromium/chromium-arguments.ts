// The command line of Chromium: driven through a pipe, quiet, without a way out but the proxy, and nothing kept.

/** What Playwright gives a Chromium that it drives, as far as it matters to a headless one. */
const DRIVEN = [
  "--disable-field-trial-config",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-back-forward-cache",
  "--disable-breakpad",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--no-default-browser-check",
  "--disable-default-apps",
  "--disable-extensions",
  "--enable-features=CDPScreenshotNewSurface,SkipListAccountsWithoutGaiaCookies",
  "--allow-pre-commit-input",
  "--disable-hang-monitor",
  "--disable-ipc-flooding-protection",
  "--disable-popup-blocking",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--force-color-profile=srgb",
  "--metrics-recording-only",
  "--no-first-run",
  "--password-store=basic",
  "--use-mock-keychain",
  "--no-service-autorun",
  "--disable-search-engine-choice-screen",
  "--unsafely-disable-devtools-self-xss-warnings",
  "--enable-unsafe-swiftshader",
  "--edge-skip-compat-layer-relaunch",
  "--disable-stack-profiler",
  "--disable-infobars",
  "--disable-updater-scheduler",
  "--disable-edgeupdater",
  "--do-not-de-elevate",
  "--headless",
  "--hide-scrollbars",
  "--mute-audio",
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4",
  "--remote-debugging-pipe",
  "--no-startup-window",
];

/**
 * Ours. No `--single-process`: it dies with the first context that is closed. WebRTC may not send past the proxy, and QUIC
 * would be UDP, which no proxy sees.
 */
const OURS = [
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
  "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,WebTransport,DirectSockets,Prerender2,SpeculationRulesPrefetchProxy,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider,AutofillServerCommunication",
  // Errors only: at the default level Chromium writes all that pages log to its error output.
  "--log-level=2",
];

export function chromiumArguments(options: {
  readonly profileFolder: string;
  readonly sandboxed: boolean;
  readonly proxyServer: string | undefined;
}): string[] {
  const { profileFolder, sandboxed, proxyServer } = options;
  return [
    ...DRIVEN,
    ...OURS,
    ...(sandboxed ? [] : ["--no-sandbox"]),
    // Loopback goes through the proxy, too.
    ...(proxyServer === undefined
      ? []
      : [`--proxy-server=${proxyServer}`, "--proxy-bypass-list=<-loopback>"]),
    `--user-data-dir=${profileFolder}`,
  ];
}
