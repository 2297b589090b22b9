// Which scrapes may be answered from the cache, which may fill it, and what makes two of them the same
// (wire contract, section 4.8). Personalised fetches are neither read nor written.
import { hash } from "node:crypto";
import type { Capture } from "../capture.ts";
import { LIMITS } from "../contract/request/limits.ts";
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { findFormat } from "../contract/page/formats.ts";
import { toCacheUrl } from "../url/normalise.ts";
import { hasUserinfo } from "../url/userinfo.ts";

export type CachePolicy = {
  /** May the cache answer? Only then does metadata carry a cacheState. */
  readonly read: boolean;
  /** May a fresh capture be kept? */
  readonly write: boolean;
  /** Answer from the cache or not at all. */
  readonly only: boolean;
  /** Everything that changes what is fetched. */
  readonly key: CacheKey;
  /** The key as `hashCacheKey` makes it. */
  readonly name: string;
};

export type CacheRules = {
  /** Certificates are checked, whatever the options say. */
  readonly forceTls: boolean;
  /** URLs that differ in spelling are different pages, as a crawl may ask: none answers for another. */
  readonly exactUrl?: boolean;
  /** Whose captures these are; missing where accounts share them. */
  readonly owner?: string | undefined;
};

export type CacheKey = {
  readonly url: string;
  readonly mobile: boolean;
  readonly blockAds: boolean;
  readonly country: string;
  readonly languages: readonly string[];
  readonly waitFor: number;
  /** What the screenshot shows and how; undefined where none is asked for. */
  readonly screenshot: string | undefined;
  /** How PDFs are read where that is not the usual way. */
  readonly pdf: string | undefined;
  /** A capture fetched without checking certificates never answers a request that asks for the check. */
  readonly verifiedTls: boolean;
  /** The account that fetched it and alone is answered from it; undefined for what accounts share. */
  readonly owner?: string | undefined;
};

export function cachePolicy(
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
    screenshot: screenshotKey(options),
    pdf: pdfKey(options),
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

function pdfKey({ parsers }: ScrapeOptions): string | undefined {
  const pdf = parsers.find((parser) => parser.type === "pdf");
  if (pdf === undefined || (pdf.mode === "auto" && pdf.maxPages === undefined)) return undefined;
  return `${pdf.mode} ${pdf.maxPages ?? ""}`;
}

function screenshotKey({ formats }: ScrapeOptions): string | undefined {
  const screenshot = findFormat(formats, "screenshot");
  if (screenshot === undefined) return undefined;
  const { fullPage, quality, viewport } = screenshot;
  return `${fullPage ? "page" : "window"} ${quality ?? "png"} ${viewport?.width ?? ""}x${viewport?.height ?? ""}`;
}

/**
 * Every name a capture is kept under, each with what is kept of it: a page with a screenshot answers requests that want none, too.
 */
export function cacheEntries(
  { key, name }: Pick<CachePolicy, "key" | "name">,
  capture: Capture,
): [string, Capture][] {
  if (!isWholeFile(capture)) return [];
  const { evidence, ...rest } = capture;
  if (key.screenshot === undefined || evidence?.screenshot === undefined) return [[name, capture]];
  const { screenshot: _, ...others } = evidence;
  return [
    [name, capture],
    [hashCacheKey({ ...key, screenshot: undefined }), { ...rest, evidence: others }],
  ];
}

/** Neither the bytes of a PDF that was not parsed nor what was read of one in too little time answers others. */
function isWholeFile({ mimeType, parsed }: Capture): boolean {
  if (parsed === undefined) return mimeType !== "application/pdf";
  return (
    parsed.pages.length >= (parsed.totalPages ?? 0) &&
    parsed.pages.every(({ status }) => status === "ok")
  );
}

/** Milliseconds of life that the link to a cached screenshot must have left. */
const MIN_LINK_LIFE_MS = 60 * 60 * 1_000;

/** Does the capture have the screenshot that was asked for, with a link that lives a while? */
export function answersScreenshot(capture: Capture, key: CacheKey, now = Date.now()): boolean {
  if (key.screenshot === undefined) return true;
  const endsAt = capture.fetchedAt + LIMITS.screenshot.urlLifeMs;
  return capture.evidence?.screenshot !== undefined && endsAt - now >= MIN_LINK_LIFE_MS;
}

function wantsFresh(options: ScrapeOptions): boolean {
  if (options.proxy === "enhanced") return true;
  const screenshot = findFormat(options.formats, "screenshot");
  if (screenshot?.viewport !== undefined || screenshot?.quality !== undefined) return true;
  return (
    findFormat(options.formats, "changeTracking") !== undefined ||
    findFormat(options.formats, "branding") !== undefined ||
    options.parsers.some(
      (parser) => parser.type === "pdf" && (parser.maxPages !== undefined || parser.pages),
    )
  );
}

/** The key as one short text: SHA-256, hexadecimal, over all its parts. What is in a cache is found by it after an update, too. */
export function hashCacheKey(key: CacheKey): string {
  const { blockAds, country, languages, mobile, pdf, screenshot, url, verifiedTls, waitFor } = key;
  const { owner } = key;
  const parts = {
    blockAds,
    country,
    languages,
    mobile,
    pdf,
    screenshot,
    url,
    verifiedTls,
    waitFor,
    owner,
  };
  return hash("sha256", JSON.stringify(parts));
}
