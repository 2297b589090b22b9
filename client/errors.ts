// Errors of a call. The class says how to react; `code` says what happened
// (src/contract/request/error-codes.ts). An abort by the caller's signal throws the signal's
// reason.
import {
  ERROR_CODES,
  type ErrorCode,
  type ErrorCodeRow,
} from "../src/contract/request/error-codes.ts";

/** Codes that no server sends: the call ended before a readable answer. */
export type ClientErrorCode = "CLIENT_TIMEOUT" | "CONNECTION_FAILED" | "INVALID_RESPONSE";

/** A server may be newer than this client, so other texts are valid too. */
export type ApiErrorCode = ErrorCode | ClientErrorCode | (string & {});

export type ApiErrorExtras = {
  readonly status?: number | undefined;
  readonly details?: unknown;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
};

/**
 * Base of all errors of a call. Thrown directly when the HTTP status has no class, as for an
 * unresolvable host (200).
 */
export class QuarryApiError extends Error {
  readonly code: ApiErrorCode;
  /** HTTP status; undefined without an answer. */
  readonly status: number | undefined;
  /** The server's details, such as the list of issues of a 400. */
  readonly details: unknown;
  /** Finds the request in the server's log. */
  readonly requestId: string | undefined;
  /** Wait before a retry that the server asks for, milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ApiErrorCode, message: string, extras: ApiErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = new.target.name;
    this.code = code;
    this.status = extras.status;
    this.details = extras.details;
    this.requestId = extras.requestId;
    this.retryAfterMs = extras.retryAfterMs;
  }

  /**
   * True if the same request may succeed later: from the code table, or for an unknown code from
   * its status.
   */
  get retryable(): boolean {
    const row = findRow(this.code);
    if (row) return row.retryable;
    if (this.code === "INVALID_RESPONSE") return false;
    return this.status === undefined || this.status === 429 || this.status >= 500;
  }
}

/** 400, 413, 415, 422 and every other 4xx without a class: the request must be changed. */
export class BadRequestError extends QuarryApiError {}
/** 401: the key is missing, unknown, expired or revoked. */
export class UnauthorizedError extends QuarryApiError {}
/** 402: the key's budget does not cover the call. */
export class PaymentRequiredError extends QuarryApiError {}
/** 403: the address or the resource is forbidden. */
export class ForbiddenError extends QuarryApiError {}
/** 404 and 410: no such resource, no cached copy, or it has expired. */
export class NotFoundError extends QuarryApiError {}
/** 408 from the server, or `CLIENT_TIMEOUT` when the client stopped waiting. */
export class TimeoutError extends QuarryApiError {}
/** 409: the request conflicts with an earlier one. */
export class ConflictError extends QuarryApiError {}
/** 429: too many requests; `retryAfterMs` says when to retry. */
export class RateLimitError extends QuarryApiError {}
/** 5xx except 501: the site or the service failed; the code says which. */
export class ServerError extends QuarryApiError {}
/** 501: this server lacks the capability; `capabilities()` says why. */
export class NotImplementedError extends QuarryApiError {}
/** No answer: refused, dropped, or not HTTP. `cause` is the error of `fetch`. */
export class ConnectionError extends QuarryApiError {}

type ErrorClass = new (
  code: ApiErrorCode,
  message: string,
  extras?: ApiErrorExtras,
) => QuarryApiError;

const CLASS_BY_STATUS: ReadonlyMap<number, ErrorClass> = new Map<number, ErrorClass>([
  [401, UnauthorizedError],
  [402, PaymentRequiredError],
  [403, ForbiddenError],
  [404, NotFoundError],
  [408, TimeoutError],
  [409, ConflictError],
  [410, NotFoundError],
  [429, RateLimitError],
  [501, NotImplementedError],
]);

/** Codes for answers without one (wire contract §1.5: many have only a text). */
const CODE_BY_STATUS: ReadonlyMap<number, ErrorCode> = new Map<number, ErrorCode>([
  [400, "BAD_REQUEST"],
  [401, "UNAUTHORIZED"],
  [402, "INSUFFICIENT_CREDITS"],
  [403, "FORBIDDEN"],
  [404, "NOT_FOUND"],
  [405, "METHOD_NOT_ALLOWED"],
  [409, "CONFLICT"],
  [410, "GONE"],
  [413, "PAYLOAD_TOO_LARGE"],
  [415, "UNSUPPORTED_MEDIA_TYPE"],
  [429, "RATE_LIMITED"],
  [500, "UNKNOWN_ERROR"],
  [501, "NOT_IMPLEMENTED"],
  [503, "UNAVAILABLE"],
]);

function findRow(code: string): ErrorCodeRow | undefined {
  return Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as ErrorCode] : undefined;
}

function selectClass(status: number): ErrorClass {
  const named = CLASS_BY_STATUS.get(status);
  if (named) return named;
  if (status >= 500) return ServerError;
  return status >= 400 ? BadRequestError : QuarryApiError;
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

/**
 * Builds the error of an answer: `body` is the decoded JSON, or anything else. The text is the
 * body's `error`, then `message`, then the code's sentence in the table (wire contract §1.5).
 */
export function reviveError(
  status: number,
  body: unknown,
  extras: Pick<ApiErrorExtras, "requestId" | "retryAfterMs"> = {},
): QuarryApiError {
  const fields = typeof body === "object" && body !== null ? (body as Record<string, unknown>) : {};
  const code = readText(fields["code"]) ?? CODE_BY_STATUS.get(status) ?? `HTTP_${status}`;
  const message =
    readText(fields["error"]) ??
    readText(fields["message"]) ??
    findRow(code)?.meaning ??
    `The server answered with HTTP status ${status}.`;
  return new (selectClass(status))(code, message, {
    ...extras,
    status,
    details: fields["details"],
  });
}
