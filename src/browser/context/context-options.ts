// What a page is told about the device and the place it runs on.
import type { BrowserContextOptions } from "playwright-core";

export type Emulation = {
  readonly mobile: boolean;
  /** Lower-case country code; undefined leaves language and time zone as they are. */
  readonly country: string | undefined;
  /** Language tags in order of preference. */
  readonly languages: readonly string[];
  readonly skipTlsVerification: boolean;
  /** The caller's own; it wins over what `agent` makes. */
  readonly userAgent: string | undefined;
  /** Who we are, at the end of the browser's own user agent; undefined says nothing. */
  readonly agent: string | undefined;
  /** As a browser with a window, for sites that turn away whatever looks driven. */
  readonly enhanced?: boolean;
  readonly viewport?: { readonly width: number; readonly height: number } | undefined;
};

export const DESKTOP_VIEWPORT = { width: 1_280, height: 800 };
/** Beside the window there is more of the screen. */
const DESKTOP_SCREEN = { width: 1_920, height: 1_080 };
const MOBILE = {
  viewport: { width: 412, height: 915 },
  deviceScaleFactor: 2.625,
  isMobile: true,
  hasTouch: true,
};

/** Of countries with several time zones, the one where most people live; the others have but one. */
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

/** Playwright's options for a context; `version` is the browser's. */
export function contextOptions(emulation: Emulation, version: string): BrowserContextOptions {
  const { mobile, viewport, skipTlsVerification, languages } = emulation;
  const place = placeOf(emulation.country);
  const locale = languages[0] ?? place?.locale ?? "en-US";
  return {
    ...(mobile ? MOBILE : { viewport: DESKTOP_VIEWPORT }),
    ...(viewport === undefined ? {} : { viewport }),
    ...(emulation.enhanced === true && !mobile ? { screen: screenFor(viewport) } : {}),
    userAgent: emulation.userAgent ?? userAgentOf(version, mobile, emulation.agent),
    locale: isLocale(locale) ? locale : "en-US",
    ...(place === undefined ? {} : { timezoneId: place.timeZone }),
    ignoreHTTPSErrors: skipTlsVerification,
    serviceWorkers: "block",
    acceptDownloads: false,
    permissions: [],
  };
}

const screenFor = ({ width, height } = DESKTOP_VIEWPORT) => ({
  width: Math.max(width, DESKTOP_SCREEN.width),
  height: Math.max(height + 240, DESKTOP_SCREEN.height),
});

/**
 * All that a browser says of itself, so that its parts agree: user agent, languages, and the client hints (User-Agent Client
 * Hints, section 3), which would name a headless browser beside a user agent that does not. In the form of the DevTools protocol.
 */
export function identityOf(
  { mobile, languages }: Pick<Emulation, "mobile" | "languages">,
  options: Pick<BrowserContextOptions, "userAgent" | "locale">,
  version: string,
) {
  const [main = "0"] = version.split(".");
  const brandsOf = (chromium: string, other: string) => [
    { brand: "Chromium", version: chromium },
    { brand: "Not_A Brand", version: other },
  ];
  return {
    userAgent: options.userAgent ?? "",
    acceptLanguage: withLanguages(
      languages.length > 0 ? languages : [options.locale ?? "en-US"],
    ).join(","),
    userAgentMetadata: {
      brands: brandsOf(main, "8"),
      fullVersionList: brandsOf(version, "8.0.0.0"),
      platform: mobile ? "Android" : "Linux",
      platformVersion: mobile ? "10.0.0" : "",
      architecture: mobile ? "" : "x86",
      bitness: mobile ? "" : "64",
      model: mobile ? "K" : "",
      mobile,
    },
  };
}

/** "de-AT", "en" -> "de-AT", "de", "en": who reads a region's language reads the language. */
const withLanguages = (languages: readonly string[]): string[] => [
  ...new Set(languages.flatMap((tag) => [tag, tag.split("-")[0] ?? tag])),
];

/** The usual language and the time zone of a country; undefined for what is none ("us-generic" is the United States). */
export function placeOf(
  country: string | undefined,
): { readonly locale: string; readonly timeZone: string } | undefined {
  const code = country?.toLowerCase().replace(/^us-.*/, "us");
  if (code === undefined || !/^[a-z]{2}$/.test(code)) return undefined;
  const region = code.toUpperCase();
  const { language } = new Intl.Locale(`und-${region}`).maximize();
  const timeZone = ZONES[code] ?? zonesOf(region)[0];
  if (timeZone === undefined) return undefined;
  return { locale: `${language === "und" ? "en" : language}-${region}`, timeZone };
}

/** ECMA-402's Intl Locale Info, which the compiler does not know yet. */
function zonesOf(region: string): readonly string[] {
  const locale: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(
    `und-${region}`,
  );
  return locale.getTimeZones?.() ?? [];
}

/** Chromium's own user agent of the device (it gives away no more than its main version), then who we are. */
function userAgentOf(version: string, mobile: boolean, agent: string | undefined): string {
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
