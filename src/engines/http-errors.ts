// The one place that inspects errors of undici, Node and OpenSSL.
import type { Deadline } from "../deadline.ts";
import { InternalError, LimitError, QuarryError, TargetError } from "../errors.ts";
import { TooLargeSignal } from "./http-body.ts";
import { UndecodableSignal } from "./http-decode.ts";
import { hasStartedResponse } from "./http-exchange.ts";

/** Translates a failed exchange with `host` for the caller; our own errors pass unchanged. */
export function translateError(
  cause: unknown,
  where: { host: string; maxBytes: number; deadline: Deadline },
): QuarryError {
  if (cause instanceof QuarryError) return cause;
  const { host, maxBytes, deadline } = where;
  if (cause instanceof TooLargeSignal) {
    const text = `The answer of ${host} is larger than the limit of ${maxBytes} bytes after decoding.`;
    return new TargetError("SCRAPE_RESPONSE_TOO_LARGE", text, { cause });
  }
  if (cause instanceof UndecodableSignal)
    return createSiteError(`${host} sent a compressed answer that cannot be read.`, cause);
  if (deadline.signal.aborted) {
    if (deadline.getTimeLeftMs() === 0) return deadline.createExpiry();
    return new LimitError("SCRAPE_JOB_CANCELLED", "The request was cancelled.", { cause });
  }
  if (!(cause instanceof Error)) return new InternalError("An exchange failed.", { cause });
  const code = readErrorCode(cause);
  const tls = describeTlsError(code);
  if (tls !== undefined) {
    const text = `The TLS certificate of ${host} is not valid: ${tls}. Set skipTlsVerification to fetch the page anyway.`;
    return new TargetError("SCRAPE_SSL_ERROR", text, { cause });
  }
  if (/^ERR_(?:SSL|TLS)_|^EPROTO$/.test(code)) {
    const text = `${host} does not speak TLS that this server understands (${code}).`;
    return new TargetError("SCRAPE_SSL_ERROR", text, { cause });
  }
  const why = REASONS[code];
  if (why !== undefined) return createSiteError(`${host} ${why}.`, cause);
  if (code.startsWith("HPE_") || code.startsWith("ERR_HTTP2_"))
    return createSiteError(`${host} sent an answer that is not valid HTTP (${code}).`, cause);
  // Some errors of undici's parser have no code.
  if (cause.name === "HTTPParserError")
    return createSiteError(`${host} sent an answer that is not valid HTTP.`, cause);
  return createSiteError(`${host} could not be reached${code === "" ? "" : ` (${code})`}.`, cause);
}

/**
 * True if the same request may be sent again: only when nothing was answered, for example on a dead
 * keep-alive connection.
 */
export function findRetryMode(error: unknown): "same" | "http1" | undefined {
  if (!(error instanceof Error) || error instanceof QuarryError || hasStartedResponse(error))
    return undefined;
  const code = readErrorCode(error);
  if (code.startsWith("ERR_HTTP2_")) return "http1";
  return ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE", "UND_ERR_INFO"].includes(code)
    ? "same"
    : undefined;
}

const createSiteError = (text: string, cause: unknown): TargetError =>
  new TargetError("SCRAPE_SITE_ERROR", text, { cause });

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: "refused the connection",
  ECONNRESET: "closed the connection without an answer",
  EPIPE: "closed the connection without an answer",
  UND_ERR_SOCKET: "closed the connection without an answer",
  ETIMEDOUT: "did not accept a connection in time",
  UND_ERR_CONNECT_TIMEOUT: "did not accept a connection in time",
  EHOSTUNREACH: "cannot be reached from here: there is no route to it",
  ENETUNREACH: "cannot be reached from here: there is no route to it",
  EADDRNOTAVAIL: "cannot be reached from here: there is no route to it",
  UND_ERR_HEADERS_OVERFLOW: "sent more headers than are read",
  HPE_HEADER_OVERFLOW: "sent more headers than are read",
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: "sent an answer of another length than it announced",
  // undici asserts that a status is valid.
  ERR_ASSERTION: "sent an answer that is not valid HTTP",
};

/** The code of an error, of the first of several connection attempts, or of its cause. */
function readErrorCode(error: Error): string {
  if ("code" in error && typeof error.code === "string") return error.code;
  if (error instanceof AggregateError && error.errors[0] instanceof Error)
    return readErrorCode(error.errors[0]);
  return error.cause instanceof Error ? readErrorCode(error.cause) : "";
}

const TLS_REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "it has expired",
  CERT_NOT_YET_VALID: "it is not valid yet",
  DEPTH_ZERO_SELF_SIGNED_CERT: "it is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its chain ends in a self-signed certificate",
  UNABLE_TO_GET_ISSUER_CERT: "its issuer is not known",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its issuer is not known",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its chain is incomplete or its issuer is not known",
  ERR_TLS_CERT_ALTNAME_INVALID: "it is for another host name",
  CERT_REVOKED: "it was revoked",
  CERT_UNTRUSTED: "it is not trusted",
  CERT_REJECTED: "it was rejected",
  CERT_SIGNATURE_FAILURE: "its signature is wrong",
  CERT_CHAIN_TOO_LONG: "its chain is too long",
  INVALID_CA: "its issuer may not issue certificates",
  INVALID_PURPOSE: "it is not meant for web servers",
  HOSTNAME_MISMATCH: "it is for another host name",
};

/** Explains why a certificate is not valid; undefined when the code is about something else. */
export function describeTlsError(code: string): string | undefined {
  return TLS_REASONS[code];
}
