// The one place that looks inside the errors of Playwright and Chromium.
import { UnreachedSignal } from "../browser/page/main-document.ts";
import type { Lane } from "../egress/browser-proxy.ts";
import type { Deadline } from "../deadline.ts";
import { LimitError, QuarryError, RequestError, TargetError } from "../errors.ts";
import { translateError } from "./http-errors.ts";

/** Says what a failed visit to `url` means for the caller; our own errors pass unchanged. */
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
      `${url.host} and the hosts of its page sent more than a page may bring.`,
      { cause },
    );
  if (deadline.signal.aborted) {
    if (deadline.timeLeftMs() === 0) return deadline.expiry();
    return new LimitError("SCRAPE_JOB_CANCELLED", "The request was cancelled.", { cause });
  }
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = /\bnet::(ERR_[A-Z0-9_]+)/.exec(message)?.[1] ?? "";
  const at = (cause instanceof UnreachedSignal ? URL.parse(cause.url) : null) ?? url;
  // A proxy can only tell the browser that there is no connection; the lane knows why.
  const failure = lane?.failure(at);
  if (failure !== undefined)
    return afterRedirect(
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
      `The TLS certificate of ${at.host} is not valid (${code}). Set skipTlsVerification to fetch the page all the same.`,
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

/** Tells that a refused address was not the caller's but where the site sent us. */
function afterRedirect(error: QuarryError, from: URL, to: URL): QuarryError {
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
