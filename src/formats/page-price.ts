// Price of one page in credits, from the prices that its formats declare. Source: wire contract,
// section 20.
import { PRICES } from "../contract/account/prices.ts";
import type { Format } from "../contract/page/formats.ts";
import type { Parser } from "../contract/page/parsers.ts";
import { listDeclared } from "./index.ts";

/** The options that affect the price; validated scrape options fit. */
export type PricedOptions = {
  readonly formats: readonly Format[];
  readonly parsers: readonly Parser[];
  readonly redactPII: false | object;
  readonly zeroDataRetention: boolean;
  readonly lockdown: boolean;
};

/** Outcome of a scrape; `pages` are parsed PDF pages. */
export type PricedOutcome =
  | {
      readonly kind: "delivered";
      readonly proxyUsed: "basic" | "stealth";
      readonly pages?: number | undefined;
    }
  | { readonly kind: "unresolvedName" }
  | { readonly kind: "lockdownMiss" }
  | { readonly kind: "failed" };

function computeFormatsPrice(formats: readonly Format[]): number {
  const rows = new Set(
    listDeclared(formats).map(({ format, declaration }) => declaration.price?.(format)),
  );
  let credits = 0;
  for (const row of rows) if (row !== undefined) credits += PRICES[row];
  return credits;
}

/**
 * Returns the credits of one scraped page, crawl page or batch URL: a whole number, 0 for a
 * failure. A page with an error status counts as delivered. A cache hit costs the normal price.
 */
export function computePrice(options: PricedOptions, outcome: PricedOutcome): number {
  if (outcome.kind === "failed") return 0;
  if (outcome.kind === "unresolvedName") return PRICES.unresolvedName;
  if (outcome.kind === "lockdownMiss") return PRICES.lockdownMiss;
  const parsesPdf = options.parsers.some((parser) => parser.type === "pdf");
  const pages = parsesPdf ? Math.max(1, outcome.pages ?? 1) : 1;
  let credits = PRICES.page * pages + computeFormatsPrice(options.formats);
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
export function computeHighestPrice(
  options: PricedOptions & { readonly proxy: "basic" | "enhanced" | "auto" },
  pages = 1,
): number {
  const proxyUsed = options.proxy === "basic" ? "basic" : "stealth";
  return computePrice(options, { kind: "delivered", proxyUsed, pages });
}
