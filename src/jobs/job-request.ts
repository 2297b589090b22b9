// The request that started a job, for its account: without secrets, which are named.
import type { Webhook } from "../contract/jobs/webhook.ts";
import { toScrapeOptions, type PageOptions } from "../contract/page/scrape.ts";
import { RequestError } from "../errors.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { hasUserinfo, removeUserinfoFromText } from "../url/userinfo.ts";

export type JobRequest = {
  readonly request: Readonly<Record<string, unknown>>;
  /** Paths of the secrets that are left out. */
  readonly omitted: readonly string[];
};

export type RequestParts = {
  /** Fields of the body, except those of the other parts. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Options of the pages. */
  readonly scrapeOptions?: {
    readonly values: Omit<PageOptions, "headers"> & Partial<Pick<PageOptions, "headers">>;
    readonly headerNames: readonly string[];
    /** True where they are fields of the body itself. */
    readonly isTop: boolean;
  };
  readonly urls?: readonly string[] | undefined;
  /** Set for URLs whose logins have been removed before. */
  readonly hasLogins?: boolean | undefined;
  readonly webhook: Webhook | null;
};

/** Throws NOT_FOUND for a job with zero data retention. */
export function assertRequestKept({ zeroDataRetention }: JobRecord): void {
  if (!zeroDataRetention) return;
  throw new RequestError(
    "NOT_FOUND",
    "The request of a job with zero data retention is not returned.",
  );
}

export function buildJobRequest(parts: RequestParts): JobRequest {
  const { fields, scrapeOptions, webhook, hasLogins = false } = parts;
  const urls = parts.urls?.map(removeLogin);
  const isCut = urls?.some((url, index) => url !== parts.urls?.[index]) ?? false;
  const { headerNames = [], isTop = false } = scrapeOptions ?? {};
  const shown = scrapeOptions && omitDerived(scrapeOptions.values, headerNames);
  const headersPath = isTop ? "headers" : "scrapeOptions.headers";
  const receiver = webhook === null || webhook.isDefault === true ? undefined : hide(webhook);
  return {
    request: {
      ...(urls && { urls }),
      ...fields,
      ...(shown && (isTop ? shown : { scrapeOptions: shown })),
      ...(receiver && { webhook: receiver.request }),
    },
    omitted: [
      ...(hasLogins || isCut ? ["urls.login"] : []),
      ...headerNames.map((name) => `${headersPath}.${name}`),
      ...(receiver?.omitted ?? []),
    ],
  };
}

/** Leaves out headers, and options that follow from the others and would follow from them again. */
function omitDerived(
  values: NonNullable<RequestParts["scrapeOptions"]>["values"],
  headerNames: readonly string[],
): Readonly<Record<string, unknown>> {
  const { headers: _, ...page } = values;
  const derived: Readonly<Record<string, unknown>> = toScrapeOptions({
    ...page,
    headers: Object.fromEntries(headerNames.map((name) => [name, ""])),
    timeout: undefined,
    skipTlsVerification: undefined,
    storeInCache: true,
  });
  return Object.fromEntries(
    Object.entries(page).filter(([name, value]) => !DERIVED.has(name) || value !== derived[name]),
  );
}

const DERIVED: ReadonlySet<string> = new Set(["timeout", "skipTlsVerification", "storeInCache"]);

/** Returns the URL as written, without user name and password; invalid ones unchanged. */
function removeLogin(written: string): string {
  const url = URL.parse(written);
  return url === null ? written : removeUserinfoFromText(written, url);
}

/** A query often holds the key of the receiver. */
function hasSecret(text: string): boolean {
  const url = URL.parse(text.trim());
  return url === null || hasUserinfo(url) || url.search !== "";
}

function hide({ url, headers, metadata, events, secret, sealedSecret }: Webhook): JobRequest {
  const hidesUrl = hasSecret(url);
  return {
    request: { ...(!hidesUrl && { url }), metadata, events },
    omitted: [
      ...(hidesUrl ? ["webhook.url"] : []),
      ...Object.keys(headers).map((name) => `webhook.headers.${name}`),
      ...((secret ?? sealedSecret) === undefined ? [] : ["webhook.secret"]),
    ],
  };
}
