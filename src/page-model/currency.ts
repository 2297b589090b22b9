// Currencies by the signs of prices. A sign that several countries use has a currency only where
// the page states it.

/** ISO 4217 codes of a sign; the first is not preferred. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: "USD CAD AUD NZD HKD SGD MXN CLP COP ARS TWD BBD JMD TTD FJD UYU NAD".split(" "),
  "¥": ["JPY", "CNY"],
  "￥": ["JPY", "CNY"],
  kr: ["SEK", "NOK", "DKK", "ISK"],
  Rs: ["INR", "PKR", "LKR", "NPR", "MUR"],
  lei: ["RON", "MDL"],
  US$: ["USD"],
  A$: ["AUD"],
  AU$: ["AUD"],
  C$: ["CAD"],
  CA$: ["CAD"],
  NZ$: ["NZD"],
  HK$: ["HKD"],
  S$: ["SGD"],
  R$: ["BRL"],
  "€": ["EUR"],
  "£": ["GBP"],
  円: ["JPY"],
  元: ["CNY", "TWD"],
  RMB: ["CNY"],
  "₹": ["INR"],
  "₽": ["RUB"],
  руб: ["RUB"],
  "₩": ["KRW"],
  원: ["KRW"],
  "₪": ["ILS"],
  "₺": ["TRY"],
  TL: ["TRY"],
  "₴": ["UAH"],
  грн: ["UAH"],
  "฿": ["THB"],
  "₫": ["VND"],
  đ: ["VND"],
  zł: ["PLN"],
  Kč: ["CZK"],
  Ft: ["HUF"],
  "د.إ": ["AED"],
  "ر.س": ["SAR"],
  "Fr.": ["CHF"],
  SFr: ["CHF"],
  лв: ["BGN"],
  "б.р": ["BYN"],
  "₱": ["PHP"],
  "₦": ["NGN"],
  "₸": ["KZT"],
  "₼": ["AZN"],
  Rp: ["IDR"],
  KSh: ["KES"],
};

const SIGN_CODES: readonly string[] = [...new Set(Object.values(SIGNS).flat())];

/** Codes that are recognized in the text of a page. */
export const CURRENCY_CODES: readonly string[] = [
  ...new Set([...SIGN_CODES, "CHF", "ZAR", "PHP", "IDR", "MYR", "EGP", "BGN"]),
];

/** True for a known sign or code of a currency alone: "US$", "kr", "CHF". */
export const isCurrencyMark = (text: string): boolean =>
  Object.hasOwn(SIGNS, text) || CURRENCY_CODES.includes(text);

/** Evidence for the currency of a page's prices. */
export type CurrencyEvidence = {
  /** Codes in machine-readable data. */
  readonly declared: ReadonlySet<string>;
  /** Codes and unambiguous signs in the text. */
  readonly written: ReadonlySet<string>;
  /** Language tags, such as `en-CA`. */
  readonly languages: readonly string[];
};

/** Currencies of countries that share their sign with others. */
const CURRENCY_BY_REGION: Readonly<Record<string, string>> = {
  US: "USD",
  PR: "USD",
  EC: "USD",
  CA: "CAD",
  AU: "AUD",
  NZ: "NZD",
  HK: "HKD",
  SG: "SGD",
  MX: "MXN",
  CL: "CLP",
  CO: "COP",
  AR: "ARS",
  TW: "TWD",
  BB: "BBD",
  JM: "JMD",
  TT: "TTD",
  FJ: "FJD",
  UY: "UYU",
  NA: "NAD",
  JP: "JPY",
  CN: "CNY",
  SE: "SEK",
  NO: "NOK",
  DK: "DKK",
  IS: "ISK",
  IN: "INR",
  PK: "PKR",
  LK: "LKR",
  NP: "NPR",
  MU: "MUR",
  RO: "RON",
  MD: "MDL",
};
/** Languages of one country, for a tag without a region. */
const CURRENCY_BY_LANGUAGE: Readonly<Record<string, string>> = {
  ja: "JPY",
  sv: "SEK",
  nb: "NOK",
  nn: "NOK",
  no: "NOK",
  da: "DKK",
  is: "ISK",
  ro: "RON",
  ne: "NPR",
  si: "LKR",
};

/**
 * Resolves the ISO 4217 code of a sign or code on a page; undefined if it is ambiguous.
 * Machine-readable data takes precedence over the text, and the text over the page's language tag.
 */
export function resolveCurrency(mark: string, evidence?: CurrencyEvidence): string | undefined {
  const plain = mark.replaceAll(/\s/g, "").replace(/\.$/, "");
  const meanings = SIGNS[mark] ?? SIGNS[plain];
  if (meanings === undefined) return /^[A-Z]{3}$/.test(plain) ? plain : undefined;
  if (meanings.length === 1 || evidence === undefined)
    return meanings.length === 1 ? meanings[0] : undefined;
  for (const codes of [evidence.declared, evidence.written]) {
    const fitting = meanings.filter((code) => codes.has(code));
    if (fitting.length === 1) return fitting[0];
    // The page states several currencies, or only others: the sign is ambiguous.
    if (fitting.length > 1 || codes.size > 0) return undefined;
  }
  const regional = new Set(
    evidence.languages.map(findLanguageCurrency).filter((code) => code !== undefined),
  );
  const [code] = regional;
  return regional.size === 1 && code !== undefined && meanings.includes(code) ? code : undefined;
}

/** True if the sign in a written price may be that of a currency: "$24.00" is no price in euros. */
export function mayBeCurrency(price: string, code: string): boolean {
  const [sign] = Object.keys(SIGNS)
    .filter((each) => price.includes(each))
    .toSorted((one, other) => other.length - one.length);
  return sign === undefined || SIGNS[sign]?.includes(code) === true;
}

function findLanguageCurrency(tag: string): string | undefined {
  const [language = "", ...parts] = tag.split(/[-_]/);
  const region = parts.find((part) => /^[A-Za-z]{2}$/.test(part));
  return region === undefined
    ? CURRENCY_BY_LANGUAGE[language.toLowerCase()]
    : CURRENCY_BY_REGION[region.toUpperCase()];
}
