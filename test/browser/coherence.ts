// Our own checks of a page's appearance: signals that contradict each other or show automation.
import type { DetectorReport } from "./detectors.ts";

/** Order in which Chromium sends the headers of a navigation over HTTP/1.1; some may be missing. */
const HEADER_ORDER = [
  "host",
  "connection",
  "sec-ch-ua",
  "sec-ch-ua-mobile",
  "sec-ch-ua-platform",
  "upgrade-insecure-requests",
  "user-agent",
  "accept",
  "sec-fetch-site",
  "sec-fetch-mode",
  "sec-fetch-user",
  "sec-fetch-dest",
  "accept-encoding",
  "accept-language",
];

const sameList = (one: readonly string[], other: readonly string[]): boolean =>
  one.join("|") === other.join("|");

function isInOrder(names: readonly string[]): boolean {
  const places = names.map((name) => HEADER_ORDER.indexOf(name));
  return places.every((place, at) => place >= 0 && place > (places[at - 1] ?? -1));
}

/** Minutes that the zone is behind UTC now. */
function computeOffset(timeZone: string): number {
  const now = new Date();
  const inZone = new Date(now.toLocaleString("en-US", { timeZone }));
  const inUtc = new Date(now.toLocaleString("en-US", { timeZone: "UTC" }));
  return Math.round((inUtc.getTime() - inZone.getTime()) / 60_000);
}

function isZoneOfLocale(timeZone: string, locale: string): boolean {
  const { region } = new Intl.Locale(locale).maximize();
  const zones: Intl.Locale & { getTimeZones?(): string[] | undefined } = new Intl.Locale(
    `und-${region ?? "US"}`,
  );
  return zones.getTimeZones?.()?.includes(timeZone) === true;
}

/** Each language but the first has a weight, down to 0.1 (as Chromium's network stack writes it). */
const formatLanguages = (languages: readonly string[]): string =>
  languages.map((tag, at) => (at === 0 ? tag : `${tag};q=${Math.max(1, 10 - at) / 10}`)).join(",");

type Place = { readonly locale: string; readonly timeZone: string };

const isSamePlace = (one: Place, other: Place): boolean =>
  one.locale === other.locale && one.timeZone === other.timeZone;

const CHECKS: Readonly<Record<string, (report: DetectorReport) => boolean>> = {
  "order of headers": ({ headerOrder }) => isInOrder(headerOrder),
  "no Headless or other product in the user agent": ({ signals }) =>
    /^Mozilla\/5\.0 \([^)]+\) AppleWebKit\/537\.36 \(KHTML, like Gecko\) Chrome\/\d+\.0\.0\.0 (?:Mobile )?Safari\/537\.36$/.test(
      signals.userAgent,
    ),
  "client hints and user agent": ({ headers, signals }) => {
    const [, main = "?"] = /Chrome\/(\d+)/.exec(signals.userAgent) ?? [];
    const isMobile = /Mobile/.test(signals.userAgent);
    const system = /Android/.test(signals.userAgent) ? "Android" : "Linux";
    return (
      headers["sec-ch-ua"]?.includes(`"Chromium";v="${main}"`) === true &&
      headers["sec-ch-ua-mobile"] === (isMobile ? "?1" : "?0") &&
      headers["sec-ch-ua-platform"] === `"${system}"` &&
      headers["user-agent"] === signals.userAgent
    );
  },
  "client hints in scripts and headers": ({ headers, signals }) =>
    headers["sec-ch-ua-platform"] === `"${signals.hintPlatform}"` &&
    headers["sec-ch-ua-mobile"] === (signals.hintMobile === true ? "?1" : "?0") &&
    signals.brands.every((brand) =>
      headers["sec-ch-ua"]?.includes(`"${brand.replace(/ (\d+)$/, '";v="$1')}"`),
    ),
  "languages in scripts and headers": ({ headers, signals }) =>
    sameList(
      (headers["accept-language"] ?? "").split(",").map((part) => part.split(";")[0] ?? ""),
      signals.languages,
    ) && signals.locale === signals.languages[0],
  "weights of languages": ({ headers, signals }) =>
    headers["accept-language"] === formatLanguages(signals.languages),
  "time zone and language": ({ signals }) => isZoneOfLocale(signals.timeZone, signals.locale),
  "time zone and clock": ({ signals }) => signals.zoneOffset === computeOffset(signals.timeZone),
  "no WebDriver": ({ signals }) => signals.webdriver === false,
  "no names of automation": ({ signals }) => signals.traces.length === 0,
  "no reader of logged values (DevTools)": ({ signals }) => signals.loggedReads === 0,
  "no software renderer": ({ signals }) => !/swiftshader|llvmpipe/i.test(signals.webgl.join(" ")),
  "window inside of the screen": ({ signals: { inner, outer, screen } }) =>
    outer[0] >= inner[0] && outer[1] >= inner[1] && screen[0] >= outer[0] && screen[1] >= outer[1],
  "window with a frame, or a touch screen": ({ signals: { inner, outer, touchPoints } }) =>
    outer[1] > inner[1] || touchPoints > 0,
  "PDF viewer and chrome object": ({ signals }) =>
    signals.chrome === "object" &&
    signals.plugins.length === 5 &&
    signals.pluginFaults.length === 0,
  "notification permission": ({ signals }) =>
    signals.notification === "denied" ? signals.notificationQuery === "denied" : true,
  "user agent of workers": ({ signals, workerHeaders }) =>
    signals.worker.userAgent === signals.userAgent &&
    workerHeaders["user-agent"] === signals.userAgent,
  "client hints of workers": ({ signals }) =>
    sameList(signals.worker.brands, signals.brands) &&
    sameList(signals.worker.fullBrands, signals.fullBrands),
  "languages of workers": ({ signals, headers, workerHeaders }) =>
    sameList(signals.worker.languages, signals.languages) &&
    headers["accept-language"] === workerHeaders["accept-language"],
  "locale and time zone of workers": ({ signals }) => isSamePlace(signals.worker, signals),
  "WebGL of workers": ({ signals }) => sameList(signals.worker.webgl, signals.webgl),
  "user agent and languages of frames": ({ signals, headers }) =>
    signals.frame.userAgent === signals.userAgent &&
    sameList(signals.frame.languages, signals.languages) &&
    signals.frame.languageHeader === headers["accept-language"],
  "locale and time zone of frames": ({ signals }) => isSamePlace(signals.frame, signals),
};

/** Names of the checks that fail. */
export const listIncoherent = (report: DetectorReport): string[] =>
  Object.entries(CHECKS).flatMap(([name, holds]) => (holds(report) ? [] : [name]));
