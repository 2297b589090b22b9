import { QuarryApiError } from "../../../client/errors.ts";
import { QuarryError } from "../../errors.ts";
import { toExitCode, type ExitCode } from "./exit-codes.ts";
import { describeFailure } from "./failure.ts";

export type Failure = {
  /** An API error code, a verdict, or another short name that programs can branch on. */
  readonly code: string;
  readonly message: string;
  readonly exitCode: ExitCode;
  readonly details?: unknown;
};

/**
 * Sets the exit code and reports the failure on standard error: as one line of text, or of JSON
 * with `asJson`.
 */
export function reportFailure(failure: Failure, asJson: boolean): void {
  const { code, message, exitCode, details } = failure;
  process.exitCode = exitCode;
  const body = { success: false, code, error: message, exitCode, details };
  process.stderr.write(asJson ? `${JSON.stringify(body)}\n` : `quarry: ${message}\n`);
}

export function toFailure(error: unknown): Failure {
  const isCoded = error instanceof QuarryError || error instanceof QuarryApiError;
  const message = describeFailure(error).replace(/^error: /, "");
  const exitCode = toExitCode(error);
  if (!isCoded) return { code: exitCode === 2 ? "WRONG_CALL" : "FAILED", message, exitCode };
  return { code: error.code, message, exitCode, details: error.details };
}
