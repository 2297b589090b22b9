// Emulated device and location of a page.
import type { BrowserContextOptions } from "playwright-core";

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

/** Time zone by country. Countries with several zones get the most populous one. */
const ZONES: Readonly<Record<string, string>> = {
  ar: "America/Argentina/Buenos_Aires",
  au: "Australia/Sydney",
  br: "America/Sao_Paulo",
  ca: "America/Toronto",
  cd: "Africa/Kinshasa",
  cl: "America/Santiago",
  cn: "Asia/Shanghai",
  cy: "Asia/Nicosia",
  de: "Europe/Berlin",
  ec: "America/Guayaquil",
  es: "Europe/Madrid",
  gb: "Europe/London",
  id: "Asia/Jakarta",
  ki: "Pacific/Tarawa",
  kz: "Asia/Almaty",
  mn: "Asia/Ulaanbaatar",
  mx: "America/Mexico_City",
  my: "Asia/Kuala_Lumpur",
  nz: "Pacific/Auckland",
  pf: "Pacific/Tahiti",
  pg: "Pacific/Port_Moresby",
  ps: "Asia/Gaza",
  pt: "Europe/Lisbon",
  ru: "Europe/Moscow",
  ua: "Europe/Kiev",
  us: "America/New_York",
  uz: "Asia/Tashkent",
};

/** Returns Playwright's context options; `version` is the browser's. */
export function buildContextOptions(emulation: Emulation, version: string): BrowserContextOptions {
  const { mobile, viewport, skipTlsVerification, languages } = emulation;
  const place = choosePlace(emulation.country);
  const locale = languages[0] ?? place?.locale ?? "en-US";
  return {
    ...(mobile ? MOBILE : { viewport: DESKTOP_VIEWPORT }),
    ...(viewport === undefined ? {} : { viewport }),
    ...(emulation.enhanced === true && !mobile ? { screen: chooseScreen(viewport) } : {}),
    userAgent: emulation.userAgent ?? buildUserAgent(version, mobile, emulation.agent),
    locale: isLocale(locale) ? locale : "en-US",
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

/**
 * Returns a consistent browser identity: user agent, languages and client hints (User-Agent Client
 * Hints, section 3), which would otherwise reveal a headless browser. In the form of the DevTools
 * protocol.
 */
export function buildClientHints(
  { mobile, languages }: Pick<Emulation, "mobile" | "languages">,
  options: Pick<BrowserContextOptions, "userAgent" | "locale">,
  version: string,
) {
  const [main = "0"] = version.split(".");
  const listBrands = (chromium: string, other: string) => [
    { brand: "Chromium", version: chromium },
    { brand: "Not_A Brand", version: other },
  ];
  return {
    userAgent: options.userAgent ?? "",
    acceptLanguage: withLanguages(
      languages.length > 0 ? languages : [options.locale ?? "en-US"],
    ).join(","),
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
 * Returns the usual language and time zone of a country, or undefined for other codes ("us-generic"
 * is the United States).
 */
export function choosePlace(
  country: string | undefined,
): { readonly locale: string; readonly timeZone: string } | undefined {
  const code = country?.toLowerCase().replace(/^us-.*/, "us");
  if (code === undefined || !/^[a-z]{2}$/.test(code)) return undefined;
  const region = code.toUpperCase();
  const { language } = new Intl.Locale(`und-${region}`).maximize();
  const timeZone = ZONES[code] ?? listZones(region)[0];
  if (timeZone === undefined) return undefined;
  return { locale: `${language === "und" ? "en" : language}-${region}`, timeZone };
}

/** ECMA-402 Intl Locale Info, which TypeScript's types lack. */
function listZones(region: string): readonly string[] {
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(
    `und-${region}`,
  );
  return locale.getTimeZones?.() ?? [];
}

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
