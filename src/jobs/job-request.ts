// The request that started a job, for its account: without secrets, which are named.
import type { Webhook } from "../contract/jobs/webhook.ts";
import { toScrapeOptions, type PageOptions } from "../contract/page/scrape.ts";
import { RequestError } from "../errors.ts";
import type { JobRecord } from "../store/jobs/job-record.ts";
import { removeLogin } from "../url/userinfo.ts";
import { omitActionSecrets } from "./omit-action-secrets.ts";

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
  /** URLs as the caller wrote them. */
  readonly urls?: readonly string[] | undefined;
  /** The field whose logins have been removed before. */
  readonly loginField?: "url" | "urls" | undefined;
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
  const { fields, scrapeOptions, webhook, loginField } = parts;
  const given = parts.urls && omitLogins(parts.urls);
  const { headerNames = [], isTop = false } = scrapeOptions ?? {};
  const page = scrapeOptions && omitActionSecrets(omitDerived(scrapeOptions.values, headerNames));
  const prefix = isTop ? "" : "scrapeOptions.";
  const receiver = omitWebhookSecrets(webhook);
  return {
    request: {
      ...(given && { urls: given.urls }),
      ...fields,
      ...(page && (isTop ? page.options : { scrapeOptions: page.options })),
      ...receiver.request,
    },
    omitted: [
      ...(loginField === undefined ? [] : [`${loginField}.login`]),
      ...(given?.omitted ?? []),
      ...headerNames.map((name) => `${prefix}headers.${name}`),
      ...(page?.omitted ?? []).map((path) => `${prefix}${path}`),
      ...receiver.omitted,
    ],
  };
}

/** Leaves out headers, and options that follow from the others and would follow from them again. */
function omitDerived(
  values: NonNullable<RequestParts["scrapeOptions"]>["values"],
  headerNames: readonly string[],
): Partial<typeof values> {
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

/** Leaves out user names and passwords, and URLs that cannot be read. */
function omitLogins(written: readonly string[]): {
  readonly urls: readonly string[];
  readonly omitted: readonly string[];
} {
  const urls: string[] = [];
  const invalid: string[] = [];
  let hasLogins = false;
  for (const [at, one] of written.entries()) {
    const url = removeLogin(one);
    if (url === undefined) invalid.push(`urls.${at}`);
    else urls.push(url);
    hasLogins ||= url !== undefined && url !== one;
  }
  return { urls, omitted: [...(hasLogins ? ["urls.login"] : []), ...invalid] };
}

/**
 * Returns the events only: the path or query of the URL is often the key of the receiver, and
 * metadata may hold anything.
 */
function omitWebhookSecrets(webhook: Webhook | null): JobRequest {
  if (webhook === null || webhook.isDefault === true) return { request: {}, omitted: [] };
  const { headers, metadata, events, secret, sealedSecret, isDefault } = webhook;
  const names = [
    "webhook.url",
    ...Object.keys(headers).map((name) => `webhook.headers.${name}`),
    ...Object.keys(metadata).map((name) => `webhook.metadata.${name}`),
    ...((secret ?? sealedSecret) === undefined ? [] : ["webhook.secret"]),
  ];
  // Jobs of earlier versions do not tell the deployment's webhook from a plain one of the caller.
  const isUnknown = isDefault === undefined && names.length === 1;
  return { request: isUnknown ? {} : { webhook: { events } }, omitted: names };
}
