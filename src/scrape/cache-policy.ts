// Decides which scrapes the cache may answer, which may fill it, and which are equal (wire
// contract, section 4.8). Personal fetches are neither read nor written.
import { hash } from "node:crypto";
import type { Capture } from "../capture.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { Format } from "../contract/page/formats.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { toScrollLimits, type ScrollLimits } from "../contract/page/scroll.ts";
import { listDeclared } from "../formats/index.ts";
import { toCacheUrl } from "../url/cache-url.ts";
import { hasUserinfo } from "../url/userinfo.ts";

export type CachePolicy = {
  /** True if the cache may answer. Only then does metadata carry a cacheState. */
  readonly read: boolean;
  /** True if a fresh capture may be stored. */
  readonly write: boolean;
  /** Answer from the cache only. */
  readonly only: boolean;
  /** All options that change what is fetched. */
  readonly key: CacheKey;
  /** The key hashed by `hashCacheKey`. */
  readonly name: string;
};

export type CacheRules = {
  /** Certificates are always verified, regardless of the options. */
  readonly forceTls: boolean;
  /** Treats differently spelled URLs as different pages, as a crawl may request. */
  readonly exactUrl?: boolean;
  /** The account of the captures; undefined where accounts share them. */
  readonly owner?: string | undefined;
};

export type CacheKey = {
  readonly url: string;
  readonly mobile: boolean;
  readonly blockAds: boolean;
  readonly country: string;
  readonly languages: readonly string[];
  readonly waitFor: number;
  /** The limits of scrolling, if requested. */
  readonly scroll?: ScrollLimits | undefined;
  /** The options of formats that are captured with the page, such as a screenshot, by format. */
  readonly captured: Readonly<Record<string, string>>;
  /** The PDF options, if not the default. */
  readonly pdf: string | undefined;
  /**
   * A capture fetched without verifying certificates never answers a request that verifies them.
   */
  readonly verifiedTls: boolean;
  /**
   * The account that fetched it and is the only one to be answered from it; undefined for shared
   * captures.
   */
  readonly owner?: string | undefined;
};

export function buildCachePolicy(
  options: ScrapeOptions,
  url: URL,
  { forceTls, exactUrl = false, owner }: CacheRules,
): CachePolicy {
  const personal =
    Object.keys(options.headers).length > 0 ||
    options.actions.length > 0 ||
    options.profile !== undefined ||
    hasUserinfo(url);
  const only = options.minAge !== undefined || options.lockdown;
  const key: CacheKey = {
    url: exactUrl ? `exactly ${url.href}` : (toCacheUrl(url) ?? url.href),
    mobile: options.mobile,
    blockAds: options.blockAds,
    country: options.location?.country ?? "us",
    languages: options.location?.languages ?? [],
    waitFor: options.waitFor,
    scroll: toScrollLimits(options.scroll),
    captured: listCapturedKeys(options),
    pdf: buildPdfKey(options),
    verifiedTls: forceTls || !options.skipTlsVerification,
    owner,
  };
  return {
    read: !personal && (only || (options.maxAge > 0 && !wantsFresh(options))),
    write: options.storeInCache && !personal && !options.zeroDataRetention,
    only,
    key,
    name: hashCacheKey(key),
  };
}

function buildPdfKey({ parsers }: ScrapeOptions): string | undefined {
  const pdf = parsers.find((parser) => parser.type === "pdf");
  if (pdf === undefined || (pdf.mode === "auto" && pdf.maxPages === undefined)) return undefined;
  return `${pdf.mode} ${pdf.maxPages ?? ""}`;
}

function listCapturedKeys({ formats }: ScrapeOptions): CacheKey["captured"] {
  return Object.fromEntries(
    listDeclared(formats).flatMap(({ format, declaration: { name, cache } }) =>
      cache?.key === undefined ? [] : [[name, cache.key(format)]],
    ),
  );
}

/**
 * Returns every name a capture is stored under with what is stored: a page with a screenshot also
 * answers requests without one.
 */
export function listCacheEntries(
  { key, name }: Pick<CachePolicy, "key" | "name">,
  capture: Capture,
): [string, Capture][] {
  if (!isWholeFile(capture)) return [];
  const { evidence, ...rest } = capture;
  if (Object.keys(key.captured).length === 0 || evidence?.screenshot === undefined)
    return [[name, capture]];
  const { screenshot: _, ...others } = evidence;
  return [
    [name, capture],
    [hashCacheKey({ ...key, captured: {} }), { ...rest, evidence: others }],
  ];
}

/** False for the bytes of an unparsed PDF and for a PDF that was not read completely in time. */
function isWholeFile({ mimeType, parsed }: Capture): boolean {
  if (parsed === undefined) return mimeType !== "application/pdf";
  return (
    parsed.pages.length >= (parsed.totalPages ?? 0) &&
    parsed.pages.every(({ status }) => status === "ok")
  );
}

/** Minimum remaining lifetime of a cached screenshot's link, milliseconds. */
const MIN_LINK_TTL_MS = 60 * 60 * 1_000;

/**
 * True if the capture has the files that the formats link to, with links that stay valid for a
 * while.
 */
export function hasFreshFiles(
  capture: Capture,
  formats: readonly Format[],
  now = Date.now(),
): boolean {
  const endsAt = capture.fetchedAt + LIMITS.screenshot.urlLifeMs;
  return listDeclared(formats).every(
    ({ declaration: { file } }) =>
      file?.source !== "capture" ||
      (file.read(capture) !== undefined && endsAt - now >= MIN_LINK_TTL_MS),
  );
}

const wantsFresh = (options: ScrapeOptions): boolean =>
  options.proxy === "enhanced" ||
  listDeclared(options.formats).some(
    // A cached capture may lack the values of probes.
    ({ format, declaration }) =>
      declaration.evidence?.(format).probes !== undefined ||
      declaration.cache?.isFresh?.(format) === true,
  ) ||
  options.parsers.some(
    (parser) => parser.type === "pdf" && (parser.maxPages !== undefined || parser.pages),
  );

/**
 * Hashes all parts of the key with SHA-256 (hexadecimal). Must stay stable, so that a cache
 * survives an update.
 */
export function hashCacheKey(key: CacheKey): string {
  const { blockAds, captured, country, languages, mobile, pdf, url, verifiedTls, waitFor } = key;
  const { scroll, owner } = key;
  const parts = {
    blockAds,
    country,
    languages,
    mobile,
    pdf,
    ...captured,
    url,
    verifiedTls,
    waitFor,
    scroll,
    owner,
  };
  return hash("sha256", JSON.stringify(parts));
}
