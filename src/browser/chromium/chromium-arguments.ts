// Command line of Chromium: driven through a pipe, quiet, no network except the proxy, nothing
// stored.

/** The relevant arguments that Playwright gives to a headless Chromium. */
const PLAYWRIGHT_ARGUMENTS = [
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
 * Our own arguments. `--single-process` is missing because it crashes when the first context
 * closes. WebRTC must not bypass the proxy, and QUIC is UDP, which the proxy does not carry.
 */
const OWN_ARGUMENTS = [
  "--disable-gpu",
  "--disable-quic",
  "--disable-dev-shm-usage",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  // Hides automation from the page; the user agent identifies us.
  "--disable-blink-features=AutomationControlled",
  "--disable-domain-reliability",
  "--disable-sync",
  "--dns-prefetch-disable",
  "--no-pings",
  "--disable-print-preview",
  "--disable-speech-api",
  "--disk-cache-size=67108864",
  // RenderDocument gives each document of a site a new frame with its own compositor, which costs a
  // sixth of a page. Without it only the document is new.
  "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,WebTransport,DirectSockets,Prerender2,SpeculationRulesPrefetchProxy,InterestFeedContentSuggestions,MediaRouter,OptimizationHints,Translate,DialMediaRouteProvider,AutofillServerCommunication,RenderDocument",
  // Errors only, because by default Chromium writes all console output of pages to stderr.
  "--log-level=2",
];

/** How an enhanced page looks, as far as the whole browser process shows it. */
export type Appearance = {
  /** Language tags in order of preference, separated by commas. */
  readonly languages: string;
};

/**
 * The languages as an argument reach frames and workers and stand last among the headers, as in a
 * browser with a window. Without a graphics card that one has no WebGL either, instead of a
 * software renderer.
 */
const listAppearance = ({ languages }: Appearance): string[] => [
  `--accept-lang=${languages}`,
  "--disable-software-rasterizer",
];

export function buildChromiumArguments(options: {
  readonly profileFolder: string;
  readonly sandboxed: boolean;
  readonly proxyServer: string | undefined;
  readonly appearance?: Appearance | undefined;
}): string[] {
  const { profileFolder, sandboxed, proxyServer, appearance } = options;
  return [
    ...PLAYWRIGHT_ARGUMENTS,
    ...OWN_ARGUMENTS,
    ...(appearance === undefined ? ["--enable-unsafe-swiftshader"] : listAppearance(appearance)),
    ...(sandboxed ? [] : ["--no-sandbox"]),
    // Loopback also goes through the proxy.
    ...(proxyServer === undefined
      ? []
      : [`--proxy-server=${proxyServer}`, "--proxy-bypass-list=<-loopback>"]),
    `--user-data-dir=${profileFolder}`,
  ];
}
