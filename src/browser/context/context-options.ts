// Emulated device and location of a page.
import type { BrowserContextOptions } from "playwright-core";
import type { Appearance } from "../chromium/chromium-arguments.ts";
import { choosePlace } from "./place.ts";

export type Emulation = {
  readonly mobile: boolean;
  /** Lower-case country code; undefined keeps the default language and time zone. */
  readonly country: string | undefined;
  /** Language tags in order of preference. */
  readonly languages: readonly string[];
  readonly skipTlsVerification: boolean;
  /** Set by the caller; overrides the one derived from `agent`. */
  readonly userAgent: string | undefined;
  /** Our identity, appended to the browser's user agent; omitted if undefined. */
  readonly agent: string | undefined;
  /** Imitates a browser with a window, for sites that reject automation. */
  readonly enhanced?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
};

export const DESKTOP_VIEWPORT = { width: 1_280, height: 800 };
/** The screen is larger than the window. */
const DESKTOP_SCREEN = { width: 1_920, height: 1_080 };
const MOBILE = {
  viewport: { width: 412, height: 915 },
  deviceScaleFactor: 2.625,
  isMobile: true,
  hasTouch: true,
};

/** Returns Playwright's context options; `version` is the browser's. */
export function buildContextOptions(emulation: Emulation, version: string): BrowserContextOptions {
  const { mobile, viewport, skipTlsVerification } = emulation;
  const place = choosePlace(emulation.country);
  return {
    ...(mobile ? MOBILE : { viewport: DESKTOP_VIEWPORT }),
    ...(viewport === undefined ? {} : { viewport }),
    ...(emulation.enhanced === true && !mobile ? { screen: chooseScreen(viewport) } : {}),
    // With these Playwright would override headers and client hints of an enhanced page.
    ...(emulation.enhanced === true
      ? {}
      : { userAgent: chooseUserAgent(emulation, version), locale: chooseLocale(emulation) }),
    ...(place === undefined ? {} : { timezoneId: place.timeZone }),
    ignoreHTTPSErrors: skipTlsVerification,
    serviceWorkers: "block",
    acceptDownloads: false,
    permissions: [],
  };
}

const chooseScreen = ({ width, height } = DESKTOP_VIEWPORT) => ({
  width: Math.max(width, DESKTOP_SCREEN.width),
  height: Math.max(height + 240, DESKTOP_SCREEN.height),
});

const chooseUserAgent = ({ userAgent, mobile, agent }: Emulation, version: string): string =>
  userAgent ?? buildUserAgent(version, mobile, agent);

export function chooseLocale({ languages, country }: Emulation): string {
  const locale = languages[0] ?? choosePlace(country)?.locale ?? "en-US";
  return isLocale(locale) ? locale : "en-US";
}

/**
 * Returns the process-wide part of an enhanced page's appearance, or undefined for other pages. Only
 * a single language is free of weights in the header, which the argument of Chromium lacks.
 */
export function findAppearance(emulation: Emulation): Appearance | undefined {
  if (emulation.enhanced !== true) return undefined;
  const languages = emulation.languages.filter(isLocale);
  return { languages: (languages.length > 0 ? languages : [chooseLocale(emulation)]).join(",") };
}

/**
 * Returns a consistent browser identity: user agent, languages and client hints (User-Agent Client
 * Hints, section 3), which would otherwise reveal a headless browser. In the form of the DevTools
 * protocol.
 */
export function buildClientHints(emulation: Emulation, version: string) {
  const { mobile, languages } = emulation;
  const [main = "0"] = version.split(".");
  const listBrands = (chromium: string, other: string) => [
    { brand: "Chromium", version: chromium },
    { brand: "Not_A Brand", version: other },
  ];
  return {
    userAgent: chooseUserAgent(emulation, version),
    // An enhanced page has the languages of its browser.
    ...(emulation.enhanced === true
      ? {}
      : {
          acceptLanguage: withLanguages(
            languages.length > 0 ? languages : [chooseLocale(emulation)],
          ).join(","),
        }),
    userAgentMetadata: {
      brands: listBrands(main, "8"),
      fullVersionList: listBrands(version, "8.0.0.0"),
      platform: mobile ? "Android" : "Linux",
      platformVersion: mobile ? "10.0.0" : "",
      architecture: mobile ? "" : "x86",
      bitness: mobile ? "" : "64",
      model: mobile ? "K" : "",
      mobile,
    },
  };
}

/**
 * Expands "de-AT", "en" to "de-AT", "de", "en", because readers of a regional language also read
 * the base language.
 */
const withLanguages = (languages: readonly string[]): string[] => [
  ...new Set(languages.flatMap((tag) => [tag, tag.split("-")[0] ?? tag])),
];

/**
 * Chromium's own user agent for the device (with its major version only), followed by our identity.
 */
function buildUserAgent(version: string, mobile: boolean, agent: string | undefined): string {
  const [main = "0"] = version.split(".");
  const system = mobile ? "Linux; Android 10; K" : "X11; Linux x86_64";
  const own = `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${main}.0.0.0 ${mobile ? "Mobile " : ""}Safari/537.36`;
  return agent === undefined ? own : `${own} ${agent}`;
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length > 0;
  } catch {
    return false;
  }
}
