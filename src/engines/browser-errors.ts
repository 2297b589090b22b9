// The one place that inspects errors of Playwright and Chromium.
import { UnreachedSignal } from "../browser/page/main-document.ts";
import type { Lane } from "../egress/browser-proxy.ts";
import type { Deadline } from "../deadline.ts";
import { LimitError, QuarryError, RequestError, TargetError } from "../errors.ts";
import { translateError } from "./http-errors.ts";

/** Translates a failed visit to `url` for the caller; our own errors pass unchanged. */
export function translateBrowserError(
  cause: unknown,
  where: {
    readonly url: URL;
    readonly lane: Pick<Lane, "failure" | "overflowed"> | undefined;
    readonly deadline: Deadline;
  },
): QuarryError {
  const { url, lane, deadline } = where;
  if (cause instanceof QuarryError) return cause;
  if (lane?.overflowed() === true)
    return new TargetError(
      "SCRAPE_RESPONSE_TOO_LARGE",
      `${url.host} and the hosts of its page exceeded the size limit of a page.`,
      { cause },
    );
  if (deadline.signal.aborted) {
    if (deadline.getTimeLeftMs() === 0) return deadline.createExpiry();
    return new LimitError("SCRAPE_JOB_CANCELLED", "The request was cancelled.", { cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = /\bnet::(ERR_[A-Z0-9_]+)/.exec(message)?.[1] ?? "";
  const at = (cause instanceof UnreachedSignal ? URL.parse(cause.url) : null) ?? url;
  // The proxy can only report a failed connection to the browser; the lane knows why.
  const failure = lane?.failure(at);
  if (failure !== undefined)
    return addRedirect(
      translateError(failure, { host: at.host, maxBytes: Infinity, deadline }),
      url,
      at,
    );
  if (code === "ERR_TOO_MANY_REDIRECTS")
    return new TargetError(
      "SCRAPE_TOO_MANY_REDIRECTS",
      `${url.host} redirects too many times in a row.`,
      { cause },
    );
  if (/^ERR_(?:CERT|SSL|BAD_SSL|TLS)/.test(code))
    return new TargetError(
      "SCRAPE_SSL_ERROR",
      `The TLS certificate of ${at.host} is not valid (${code}). Set skipTlsVerification to fetch the page anyway.`,
      { cause },
    );
  if (code === "ERR_UNSAFE_REDIRECT" || code === "ERR_UNKNOWN_URL_SCHEME")
    return new TargetError(
      "SCRAPE_SITE_ERROR",
      `${url.host} redirects to an address that is not http or https; only those are fetched.`,
      { cause },
    );
  const what =
    REASONS[code] ?? (code === "" ? "could not be shown" : `could not be reached (${code})`);
  return new TargetError("SCRAPE_SITE_ERROR", `${at.host} ${what}.`, { cause });
}

/** Reports that the refused address came from a redirect, not from the caller. */
function addRedirect(error: QuarryError, from: URL, to: URL): QuarryError {
  if (error.code !== "UNSUPPORTED_SITE" || from.host === to.host) return error;
  const text = `${from.host} redirects to an address that is refused. ${error.message}`;
  return new RequestError("UNSUPPORTED_SITE", text, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  ERR_EMPTY_RESPONSE: "closed the connection without an answer",
  ERR_CONNECTION_CLOSED: "closed the connection without an answer",
  ERR_CONNECTION_RESET: "closed the connection without an answer",
  ERR_INVALID_RESPONSE: "sent an answer that is not valid HTTP",
  ERR_INVALID_HTTP_RESPONSE: "sent an answer that is not valid HTTP",
  ERR_CONTENT_DECODING_FAILED: "sent a compressed answer that cannot be read",
  ERR_RESPONSE_HEADERS_TOO_BIG: "sent more headers than are read",
};
