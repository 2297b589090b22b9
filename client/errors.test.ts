import { describe, expect, it } from "vitest";
import { ERROR_CODES, type ErrorCode } from "../src/contract/request/error-codes.ts";
import {
  BadRequestError,
  ConflictError,
  ConnectionError,
  ForbiddenError,
  NotFoundError,
  NotImplementedError,
  PaymentRequiredError,
  QuarryApiError,
  RateLimitError,
  reviveError,
  ServerError,
  TimeoutError,
  UnauthorizedError,
} from "./errors.ts";

describe("reviveError", () => {
  it("reviveError maps every code of the table to its class and retryable flag", () => {
    const classes: Record<number, typeof QuarryApiError> = {
      200: QuarryApiError,
      400: BadRequestError,
      401: UnauthorizedError,
      402: PaymentRequiredError,
      403: ForbiddenError,
      404: NotFoundError,
      405: BadRequestError,
      408: TimeoutError,
      409: ConflictError,
      410: NotFoundError,
      413: BadRequestError,
      415: BadRequestError,
      422: BadRequestError,
      429: RateLimitError,
      500: ServerError,
      501: NotImplementedError,
      502: ServerError,
      503: ServerError,
    };
    for (const code of Object.keys(ERROR_CODES) as ErrorCode[]) {
      const row = ERROR_CODES[code];
      const error = reviveError(row.status, { success: false, error: "text", code });
      expect(error.constructor, code).toBe(classes[row.status]);
      expect(error).toMatchObject({ code, status: row.status, retryable: row.retryable });
    }
  });

  it("reviveError keeps text, details, request id and wait", () => {
    const error = reviveError(
      429,
      { success: false, error: "Slow down.", code: "RATE_LIMITED", details: { used: 11 } },
      { requestId: "r-1", retryAfterMs: 7_000 },
    );
    expect(error).toBeInstanceOf(RateLimitError);
    expect(error).toMatchObject({
      name: "RateLimitError",
      message: "Slow down.",
      details: { used: 11 },
      requestId: "r-1",
      retryAfterMs: 7_000,
    });
  });

  it("reviveError reads message where error is missing, and falls back to the table", () => {
    expect(reviveError(404, { message: "Job not found" }).message).toBe("Job not found");
    expect(reviveError(401, {}).message).toBe(ERROR_CODES.UNAUTHORIZED.meaning);
    expect(reviveError(418, "teapot").message).toBe("The server answered with HTTP status 418.");
  });

  it("reviveError derives the code from the status when the answer has none", () => {
    expect(reviveError(402, { error: "x" }).code).toBe("INSUFFICIENT_CREDITS");
    expect(reviveError(502, "<html>").code).toBe("HTTP_502");
    expect(reviveError(400, { error: "x", code: 7 }).code).toBe("BAD_REQUEST");
  });

  it("reviveError does not take a property of Object for a code", () => {
    expect(reviveError(500, { error: "x", code: "toString" })).toMatchObject({
      code: "toString",
      retryable: true,
    });
  });

  it("reviveError keeps an unknown code and classifies it by status", () => {
    expect(reviveError(500, { code: "NEWER" })).toMatchObject({ code: "NEWER", retryable: true });
    expect(reviveError(400, { code: "NEWER" })).toMatchObject({ code: "NEWER", retryable: false });
    expect(new ConnectionError("CONNECTION_FAILED", "x").retryable).toBe(true);
  });
});
