// The usual language and time zone of a country, which pages in the browser see.
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
