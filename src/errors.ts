// One base class and four subclasses. The code says what happened (contract/error-codes.ts); the
// class says how to react.
import { ERROR_CODES, type ErrorCode } from "./contract/request/error-codes.ts";

export type ErrorDetail = unknown;

type ErrorExtras = { cause?: unknown; details?: ErrorDetail };

/** The serialized form of an error for queues and the wire. */
export type ErrorRecord = { code: ErrorCode; message: string; details?: ErrorDetail };

export class QuarryError extends Error {
  readonly code: ErrorCode;
  readonly details: ErrorDetail;
  /** Explanation of the failure, if the caller requested one. */
  readonly explanation?: unknown;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    super(message, extras.cause === undefined ? undefined : { cause: extras.cause });
    this.name = new.target.name;
    this.code = code;
    this.details = extras.details;
  }

  /** HTTP status from the code table. */
  get status(): number {
    return ERROR_CODES[this.code].status;
  }

  /** Returns a copy with an explanation, because other callers may share the error. */
  withExplanation(explanation: unknown): this {
    const properties = {
      ...Object.getOwnPropertyDescriptors(this),
      explanation: { value: explanation },
    };
    return Object.create(Object.getPrototypeOf(this) as object, properties) as this;
  }

  /** Returns a copy with more details. */
  withDetails(more: Readonly<Record<string, unknown>>): this {
    const known = typeof this.details === "object" ? this.details : undefined;
    const properties = {
      ...Object.getOwnPropertyDescriptors(this),
      details: { value: { ...known, ...more }, enumerable: true },
    };
    return Object.create(Object.getPrototypeOf(this) as object, properties) as this;
  }

  toRecord(): ErrorRecord {
    return this.details === undefined
      ? { code: this.code, message: this.message }
      : { code: this.code, message: this.message, details: this.details };
  }
}

/** The caller must change something: a 4xx, never retried. */
export class RequestError extends QuarryError {}

/**
 * The site failed (DNS, TLS, broken response, too large): try the next engine or attempt, then
 * report it.
 */
export class TargetError extends QuarryError {
  /** A retry would fail the same way, so jobs make none. */
  readonly isFinal: boolean;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras & { isFinal?: boolean } = {}) {
    super(code, message, extras);
    this.isFinal = extras.isFinal ?? false;
  }
}

/** A budget ran out: time, credits, rate, concurrency. Stop, and say when to retry. */
export class LimitError extends QuarryError {
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extras: ErrorExtras & { retryAfterMs?: number } = {},
  ) {
    super(code, message, extras);
    this.retryAfterMs = extras.retryAfterMs;
  }
}

/**
 * The service's own storage cannot be reached or written. Jobs wait for it, because no page is at
 * fault.
 */
export class StorageError extends LimitError {
  readonly storage: "database" | "blob store";

  constructor(storage: "database" | "blob store", message: string, extras: ErrorExtras = {}) {
    super("UNAVAILABLE", message, { ...extras, retryAfterMs: 1_000 });
    this.storage = storage;
  }
}

/** Our fault: a 500 without details; logged with stack and request id. */
export class InternalError extends QuarryError {
  constructor(message: string, extras: ErrorExtras = {}) {
    super("UNKNOWN_ERROR", message, extras);
  }
}
