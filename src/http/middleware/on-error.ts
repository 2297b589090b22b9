// Converts every error into the contract's error body and keeps internal details in the process.
import type { FastifyError, FastifyReply, FastifyRequest } from "fastify";
import { ERROR_CODES, type ErrorCode } from "../../contract/request/error-codes.ts";
import { InternalError, LimitError, QuarryError, RequestError } from "../../errors.ts";

export type ErrorBody = {
  success: false;
  error: string;
  code?: ErrorCode;
  details?: unknown;
  /** Requested by a header, like the explanation of a success. */
  explanation?: unknown;
  agent_hints?: readonly string[];
};

/**
 * Codes that exist only in our table; on the wire such errors have only text and status (wire
 * contract, errors).
 */
const SILENT_CODES: ReadonlySet<ErrorCode> = new Set(["UNAUTHORIZED"]);

export function onError(
  error: FastifyError | Error,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  const { status, body, retryAfter } = answerError(error, request);
  if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
  reply.status(status).send(body);
}

export type ErrorAnswer = {
  readonly status: number;
  readonly body: ErrorBody;
  /** Seconds. */
  readonly retryAfter?: number;
};

/** Returns the caller's part of an error; the log gets the rest. */
export function answerError(error: FastifyError | Error, request: FastifyRequest): ErrorAnswer {
  const known = toQuarryError(error);
  const { status } = ERROR_CODES[known.code];
  if (known instanceof InternalError) {
    request.log.error({ err: known, cause: known.cause }, "request failed");
    const message = `An unexpected error occurred. Find it in the log by request id ${request.id}.`;
    return { status, body: buildErrorBody({ code: "UNKNOWN_ERROR", message }) };
  }
  if (known.code === "UNAVAILABLE" && known.cause !== undefined)
    request.log.warn({ err: known }, "request refused");
  else request.log.info({ code: known.code, error: known.message }, "request refused");
  const afterMs = known instanceof LimitError ? known.retryAfterMs : undefined;
  const wait = afterMs === undefined ? {} : { retryAfter: Math.max(1, Math.ceil(afterMs / 1000)) };
  return { status, body: withHints(buildErrorBody(known), request), ...wait };
}

/**
 * MCP servers request `agent_hints` with a header and show them to their model, when they hide
 * `error` and `details`: which field is wrong, so that the model can fix its call.
 */
function withHints(body: ErrorBody, { headers }: FastifyRequest): ErrorBody {
  if (headers["x-firecrawl-agent-hints"] !== "true") return body;
  const details = Array.isArray(body.details) ? (body.details as { message?: unknown }[]) : [];
  const messages = details.flatMap(({ message }) => (typeof message === "string" ? [message] : []));
  return { ...body, agent_hints: messages.length === 0 ? [body.error] : messages };
}

/** Handles failures before routing, such as an undecodable URL: no hook has run. */
export function onFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header("x-request-id", request.id);
  onError(error, request, reply);
}

export function buildErrorBody(error: {
  code: ErrorCode;
  message: string;
  details?: unknown;
  explanation?: unknown;
}): ErrorBody {
  const body: ErrorBody = { success: false, error: error.message };
  if (!SILENT_CODES.has(error.code)) body.code = error.code;
  if (error.details !== undefined) body.details = error.details;
  if (error.explanation !== undefined) body.explanation = error.explanation;
  return body;
}

function toQuarryError(error: FastifyError | Error): QuarryError {
  if (error instanceof QuarryError) return error;
  const code = "code" in error ? error.code : undefined;
  if (code === "FST_ERR_CTP_BODY_TOO_LARGE") {
    return new RequestError(
      "PAYLOAD_TOO_LARGE",
      "The request body is larger than 10 MB, the limit of this endpoint.",
    );
  }
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") {
    return new RequestError(
      "UNSUPPORTED_MEDIA_TYPE",
      "The request body must be JSON: send Content-Type: application/json.",
    );
  }
  if (code === "FST_ERR_CTP_INVALID_CONTENT_LENGTH") {
    return new RequestError(
      "BAD_REQUEST",
      "The request body does not have the length its Content-Length header says.",
    );
  }
  const status = "statusCode" in error ? error.statusCode : undefined;
  if (status !== undefined && status >= 400 && status < 500)
    return new RequestError(CODE_BY_STATUS[status] ?? "BAD_REQUEST", describeRequestError(error), {
      cause: error,
    });
  return new InternalError(error.message, { cause: error });
}

/** Codes for the framework's own errors by status; others are bad requests. */
const CODE_BY_STATUS: Readonly<Record<number, ErrorCode>> = {
  403: "FORBIDDEN",
  404: "NOT_FOUND",
  413: "PAYLOAD_TOO_LARGE",
  415: "UNSUPPORTED_MEDIA_TYPE",
};

function describeRequestError(error: FastifyError | Error): string {
  const code = "code" in error ? error.code : undefined;
  if (code === "FST_ERR_BAD_URL") return "The URL of the request cannot be decoded.";
  if (code === "FST_ERR_MAX_PARAM_LENGTH")
    return "A path segment is longer than any id of this server.";
  return `The request cannot be served: ${error.message}`;
}
