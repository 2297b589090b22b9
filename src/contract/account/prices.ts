// What a call costs in credits. Source: wire contract, section 20.
import { findFormat, type Format } from "../page/formats.ts";
import type { Parser } from "../page/parsers.ts";

/** Credits on top of the base price unless the name says otherwise. */
export const PRICES = {
  page: 1,
  json: 4,
  deterministicJson: 9,
  question: 4,
  highlights: 4,
  audio: 4,
  video: 4,
  redaction: 4,
  stealth: 4,
  zeroDataRetention: 1,
  lockdownHit: 4,
  unresolvedName: 1,
  lockdownMiss: 1,
  map: 1,
  searchPerTenResults: 2,
  codeMinute: 2,
  promptMinute: 7,
} as const;

/** The options that affect the price; validated scrape options fit. */
export type PricedOptions = {
  readonly formats: readonly Format[];
  readonly parsers: readonly Parser[];
  readonly redactPII: false | object;
  readonly zeroDataRetention: boolean;
  readonly lockdown: boolean;
};

/** How the scrape ended; `pages` are parsed PDF pages. */
export type PricedOutcome =
  | {
      readonly kind: "delivered";
      readonly proxyUsed: "basic" | "stealth";
      readonly pages?: number | undefined;
    }
  | { readonly kind: "unresolvedName" }
  | { readonly kind: "lockdownMiss" }
  | { readonly kind: "failed" };

function priceFormats(formats: readonly Format[]): number {
  const tracking = findFormat(formats, "changeTracking");
  const asksJson = findFormat(formats, "json") !== undefined;
  const comparesJson = tracking?.modes.includes("json") ?? false;
  const asksQuestion =
    findFormat(formats, "question") !== undefined || findFormat(formats, "query") !== undefined;
  let credits = 0;
  if (asksJson || comparesJson) credits += PRICES.json;
  if (findFormat(formats, "deterministicJson") !== undefined) credits += PRICES.deterministicJson;
  if (asksQuestion) credits += PRICES.question;
  for (const type of ["highlights", "audio", "video"] as const)
    if (findFormat(formats, type) !== undefined) credits += PRICES[type];
  return credits;
}

/**
 * Returns the credits of one scraped page, crawl page or batch URL: a whole number, 0 for a
 * failure. A page with an error status counts as delivered. A cache hit costs the normal price.
 */
export function priceOf(options: PricedOptions, outcome: PricedOutcome): number {
  if (outcome.kind === "failed") return 0;
  if (outcome.kind === "unresolvedName") return PRICES.unresolvedName;
  if (outcome.kind === "lockdownMiss") return PRICES.lockdownMiss;
  const parsesPdf = options.parsers.some((parser) => parser.type === "pdf");
  const pages = parsesPdf ? Math.max(1, outcome.pages ?? 1) : 1;
  let credits = PRICES.page * pages + priceFormats(options.formats);
  if (options.redactPII !== false) credits += PRICES.redaction * pages;
  if (outcome.proxyUsed === "stealth") credits += PRICES.stealth;
  if (options.zeroDataRetention) credits += PRICES.zeroDataRetention;
  if (options.lockdown) credits += PRICES.lockdownHit;
  return credits;
}

/**
 * Returns the maximum price of one page before its outcome is known, for holds. PDF pages beyond
 * `pages` are not included.
 */
export function highestPriceOf(
  options: PricedOptions & { readonly proxy: "basic" | "enhanced" | "auto" },
  pages = 1,
): number {
  const proxyUsed = options.proxy === "basic" ? "basic" : "stealth";
  return priceOf(options, { kind: "delivered", proxyUsed, pages });
}

/** Returns the credits of a search by number of results, without scraping them. */
export const priceOfSearch = (results: number): number =>
  Math.ceil(results / 10) * PRICES.searchPerTenResults;

/** Returns the credits of browser time: each started minute, at least one. */
export function priceOfBrowserTime(durationMs: number, usedPrompt: boolean): number {
  const minutes = Math.max(1, Math.ceil(durationMs / 60_000));
  return minutes * (usedPrompt ? PRICES.promptMinute : PRICES.codeMinute);
}

/** Returns the credits charged for an agent run: none if it failed or hit its limit. */
export const chargeOfRun = (run: {
  readonly outcome: string | null;
  readonly creditsUsed: number;
}): number =>
  run.outcome === "credit_limit_reached" || run.outcome === "failed" ? 0 : run.creditsUsed;
