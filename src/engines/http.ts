// The plain HTTP engine: follows one URL to its page within the egress policy and returns the
// capture.
import type { Capture, ResponseHeader } from "../capture.ts";
import type { Config } from "../config.ts";
import type { Deadline } from "../deadline.ts";
import type { Egress, RouteOptions } from "../egress/dispatchers.ts";
import type { UpstreamProxy } from "../egress/upstream-proxy.ts";
import { QuarryError, RequestError, TargetError } from "../errors.ts";
import type { Logger } from "../logger.ts";
import type { Metrics } from "../metrics.ts";
import { classifyRedirect, resolveLocation } from "../url/redirect.ts";
import { buildBasicAuthorization, stripUserinfo } from "../url/userinfo.ts";
import type { Engine, Outcome } from "./engine.ts";
import { CookieJar } from "./http-cookies.ts";
import { findRetryMode, describeTlsError, translateError } from "./http-errors.ts";
import { sendRequest, readHeader, type Answer } from "./http-exchange.ts";
import {
  checkHeaders,
  buildDefaultHeaders,
  filterHeadersForRedirect,
  type Headers,
} from "./http-headers.ts";
import { decideMime, readMimeEssence, warnFalsePdf } from "./http-mime.ts";
import { findMetaRefreshTarget, parseRefreshTarget } from "./http-refresh.ts";
import { exportTarget, findViewerTarget } from "./http-viewer.ts";

export type HttpFetch = {
  /** http or https; a user name and password become Basic authorization on the first origin. */
  readonly url: string;
  /** The caller's headers; they override ours. */
  readonly headers?: Headers;
  /** Language tags in order of preference, for Accept-Language. */
  readonly languages?: readonly string[];
  readonly skipTlsVerification: boolean;
  /** From `egress.selectProxy`; undefined connects directly. */
  readonly proxy?: UpstreamProxy | undefined;
  /** Reported in the capture. */
  readonly proxyUsed?: Capture["proxyUsed"];
  /** Maximum bytes after decoding; default: the configured limit. */
  readonly maxBytes?: number;
  /** Stops after this many bytes of the body; a compressed body is read fully or fails. */
  readonly firstBytes?: number | undefined;
  readonly maxRedirects?: number;
  readonly mayRedirect?: MayRedirect | undefined;
  /**
   * An earlier capture of this URL: the server is asked whether it is still valid (RFC 9110 section
   * 13). If so, its content is returned as fetched now.
   */
  readonly known?: Capture | undefined;
};

/** Called with the target before each redirect; false ends the fetch with UNSUPPORTED_SITE. */
export type MayRedirect = (target: URL) => Promise<boolean>;

export type HttpEngineParts = {
  readonly egress: Egress;
  readonly config: Pick<
    Config,
    "userAgent" | "maxBodyBytes" | "maxRedirects" | "forceTlsVerification"
  >;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
};

/** The state of one fetch over its redirects. */
type Trip = {
  readonly request: HttpFetch;
  readonly deadline: Deadline;
  readonly routing: RouteOptions;
  readonly maxBytes: number;
  readonly maxRedirects: number;
  readonly jar: CookieJar;
  readonly seen: Set<string>;
  readonly redirects: string[];
  readonly warnings: string[];
  headers: Headers;
  url: URL;
};

/** Creates the engine. Connections belong to the egress, which also closes them. */
export function createHttpEngine(parts: HttpEngineParts): Engine<HttpFetch> {
  const { egress, config, log, metrics, now = Date.now } = parts;

  const fetch = async (request: HttpFetch, deadline: Deadline): Promise<Outcome> => {
    try {
      const trip = startTrip(request, deadline, config);
      const answer = await follow(trip);
      const { known } = request;
      const isUnchanged =
        known !== undefined && answer.statusCode === 304 && trip.redirects.length === 0;
      const capture = isUnchanged
        ? { ...known, requestedUrl: request.url, fetchedAt: now() }
        : await toCapture(trip, answer);
      metrics.fetchedBytes.inc(capture.body.length);
      return { kind: "captured", capture };
    } catch (error) {
      if (!(error instanceof QuarryError)) throw error;
      log.debug({ code: error.code, reason: error.message }, "fetch failed");
      return { kind: "failed", error };
    }
  };

  /** Follows redirects until there is a final answer. */
  const follow = async (trip: Trip): Promise<Answer> => {
    const exported = exportTarget(trip.url);
    if (exported !== undefined) {
      enterRedirect(trip, exported);
      await assertRedirectAllowed(trip);
    }
    for (;;) {
      const answer = await visit(trip);
      const target = resolveRedirect(answer, trip);
      if (target === undefined) return answer;
      enterRedirect(trip, target);
      await assertRedirectAllowed(trip);
    }
  };

  const visit = async (trip: Trip): Promise<Answer> => {
    const cookie = trip.jar.buildHeader(trip.url, trip.headers["cookie"]);
    assertNoRedirectLoop(trip, cookie);
    const headers = cookie === undefined ? trip.headers : { ...trip.headers, cookie };
    try {
      const answer = await send(trip, headers);
      for (const [name, value] of answer.headers)
        if (name === "set-cookie") trip.jar.store(trip.url, value, now());
      return answer;
    } catch (cause) {
      const where = { host: trip.url.host, maxBytes: trip.maxBytes, deadline: trip.deadline };
      throw addRedirect(translateError(cause, where), trip);
    }
  };

  /** Retries once on a dead keep-alive connection, or without HTTP/2 when that failed. */
  const send = async (trip: Trip, headers: Headers): Promise<Answer> => {
    trip.deadline.check();
    const found = egress.route(trip.url, trip.routing);
    const route = found instanceof Promise ? await trip.deadline.race(found) : found;
    const { maxBytes, deadline } = trip;
    const { firstBytes } = trip.request;
    const skipBody = (status: number, list: readonly ResponseHeader[]): boolean =>
      isRedirectStatus(status) && hasTarget(readHeader(list, "location"), trip.url);
    const options = { route, headers, maxBytes, firstBytes, deadline, skipBody };
    try {
      return refuseProxyLogin(await sendRequest({ ...options, allowH2: true }), trip);
    } catch (error) {
      const again = findRetryMode(error);
      if (again === undefined || deadline.signal.aborted) throw error;
      try {
        return refuseProxyLogin(await sendRequest({ ...options, allowH2: again === "same" }), trip);
      } catch (second) {
        throw again === "same" ? second : error; // the HTTP/1.1 attempt was a guess; the first error says more
      }
    }
  };

  const toCapture = async (trip: Trip, answer: Answer): Promise<Capture> => {
    const { request, url } = trip;
    const fault = egress.getTlsFault(url, trip.routing);
    if (fault !== undefined) {
      const reason = describeTlsError(fault) ?? fault;
      trip.warnings.push(
        `The site's TLS certificate is not valid (${reason}); it was not verified.`,
      );
    }
    const contentType = readHeader(answer.headers, "content-type");
    const nosniff =
      readHeader(answer.headers, "x-content-type-options").toLowerCase() === "nosniff";
    const mimeType = await decideMime(contentType, answer.body, { nosniff });
    const name = url.origin + url.pathname;
    const falsePdf =
      answer.statusCode < 400 ? warnFalsePdf({ name, contentType, mimeType }) : undefined;
    return {
      engine: "http",
      requestedUrl: request.url,
      finalUrl: url.href,
      redirects: trip.redirects,
      statusCode: answer.statusCode,
      headers: answer.headers,
      contentType,
      mimeType,
      body: answer.body,
      charset: undefined,
      fetchedAt: now(),
      proxyUsed: request.proxyUsed ?? "basic",
      warnings: [
        ...trip.warnings,
        ...answer.warnings,
        ...(falsePdf === undefined ? [] : [falsePdf]),
      ],
    };
  };

  return { name: "http", fetch };
}

function startTrip(
  request: HttpFetch,
  deadline: Deadline,
  config: HttpEngineParts["config"],
): Trip {
  const given = URL.parse(request.url);
  if (given === null || !isWebUrl(given))
    throw new RequestError("BAD_REQUEST", "The URL is not an http or https URL.");
  const { headers, warnings } = checkHeaders(request.headers ?? {});
  const authorization = buildBasicAuthorization(given);
  const url = stripUserinfo(given);
  return {
    request,
    deadline,
    routing: {
      verifyTls: config.forceTlsVerification || !request.skipTlsVerification,
      proxy: request.proxy,
    },
    maxBytes: request.maxBytes ?? config.maxBodyBytes,
    maxRedirects: request.maxRedirects ?? config.maxRedirects,
    jar: new CookieJar(),
    seen: new Set(),
    redirects: [],
    warnings,
    headers: {
      ...buildDefaultHeaders(config.userAgent, request.languages ?? []),
      ...(authorization === undefined ? {} : { authorization }),
      ...buildValidators(request.known, url),
      ...headers,
    },
    url,
  };
}

/** Nothing for a capture of another address, or without a validator of its server. */
function buildValidators(known: Capture | undefined, url: URL): Headers {
  if (known === undefined || known.redirects.length > 0 || known.finalUrl !== url.href) return {};
  const etag = readHeader(known.headers, "etag");
  const modified = readHeader(known.headers, "last-modified");
  return {
    ...(etag !== "" && { "if-none-match": etag }),
    ...(modified !== "" && { "if-modified-since": modified }),
  };
}

/** They are of the first address only. */
function omitValidators(headers: Headers): Headers {
  const { "if-none-match": _etag, "if-modified-since": _modified, ...rest } = headers;
  return rest;
}

const isWebUrl = (url: URL): boolean => url.protocol === "http:" || url.protocol === "https:";

const isRedirectStatus = (status: number): boolean =>
  status === 301 || status === 302 || status === 303 || status === 307 || status === 308;

const hasTarget = (location: string, from: URL): boolean =>
  location !== "" && URL.canParse(location, from.href);

function resolveRedirect(answer: Answer, trip: Trip): URL | undefined {
  if (isRedirectStatus(answer.statusCode)) {
    const location = readHeader(answer.headers, "location");
    if (location === "") return undefined;
    const target = resolveLocation(location, trip.url);
    if (target === undefined)
      trip.warnings.push("The site redirects to something that is not a URL.");
    return target;
  }
  const byHeader = parseRefreshTarget(readHeader(answer.headers, "refresh"), trip.url);
  if (byHeader !== undefined) return byHeader;
  if (answer.statusCode >= 400 || answer.body.length === 0) return undefined;
  if (!/^$|html/.test(readMimeEssence(readHeader(answer.headers, "content-type"))))
    return undefined;
  return findMetaRefreshTarget(answer.body, trip.url) ?? findViewerTarget(answer.body, trip.url);
}

/**
 * Moves on to the next URL: checks scheme and number of redirects, and drops what may not be
 * forwarded.
 */
function enterRedirect(trip: Trip, target: URL): void {
  const from = trip.url.host;
  if (!isWebUrl(target))
    throw new RequestError(
      "UNSUPPORTED_SITE",
      `${from} redirects to ${/^(?:[aeio]|ftp)/.test(target.protocol) ? "an" : "a"} ${target.protocol} address; only http and https are fetched.`,
    );
  if (trip.redirects.length >= trip.maxRedirects)
    throw new TargetError(
      "SCRAPE_TOO_MANY_REDIRECTS",
      `${from} redirects more than ${trip.maxRedirects} times in a row.`,
    );
  trip.redirects.push(trip.url.href);
  const headers = filterHeadersForRedirect(trip.headers, classifyRedirect(trip.url, target));
  trip.headers = trip.request.known === undefined ? headers : omitValidators(headers);
  trip.url = stripUserinfo(target);
}

async function assertRedirectAllowed({ request, deadline, redirects, url }: Trip): Promise<void> {
  if (request.mayRedirect === undefined) return;
  if (await deadline.race(request.mayRedirect(url))) return;
  const from = URL.parse(redirects.at(-1) ?? "")?.host ?? "";
  throw new RequestError(
    "UNSUPPORTED_SITE",
    `${from} redirects to ${url.href}, which was not followed.`,
  );
}

/**
 * The same URL with the same cookies would answer the same: a loop. A redirect that sets a cookie
 * and returns is not.
 */
function assertNoRedirectLoop(trip: Trip, cookie: string | undefined): void {
  const state = `${trip.url.href}\n${cookie ?? ""}`;
  if (trip.seen.has(state))
    throw new TargetError(
      "SCRAPE_TOO_MANY_REDIRECTS",
      `${trip.url.host} redirects in a loop: the same URL was reached again after ${trip.redirects.length} ${trip.redirects.length === 1 ? "redirect" : "redirects"}.`,
    );
  trip.seen.add(state);
}

/** Reports that the refused address came from a redirect, not from the caller. */
function addRedirect(error: QuarryError, trip: Trip): QuarryError {
  const last = trip.redirects.at(-1);
  if (last === undefined || error.code !== "UNSUPPORTED_SITE") return error;
  const text = `${new URL(last).host} redirects to an address that is refused. ${error.message}`;
  return new RequestError("UNSUPPORTED_SITE", text, { cause: error });
}

function refuseProxyLogin(answer: Answer, { routing }: Trip): Answer {
  if (answer.statusCode !== 407 || routing.proxy === undefined) return answer;
  throw new TargetError(
    "SCRAPE_PROXY_SELECTION_ERROR",
    `The upstream proxy ${routing.proxy.label} failed: it requires a login (407).`,
  );
}
