// The exit codes of all commands: one table for the code, `quarry help exit-codes` and
// docs/command-line.md.
import { CommanderError } from "commander";
import { QuarryApiError } from "../../../client/errors.ts";
import { ERROR_CODES } from "../../contract/request/error-codes.ts";
import { ConfigError } from "../../config.ts";
import { QuarryError } from "../../errors.ts";

export const EXIT = {
  content: 0,
  failed: 1,
  wrongCall: 2,
  target: 3,
  limit: 4,
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Meaning of each code, for the help text. */
export const EXIT_CODE_MEANINGS: readonly (readonly [code: ExitCode, meaning: string])[] = [
  [EXIT.content, "success: content was returned, or the command completed"],
  [EXIT.failed, "any other failure, such as a server that does not answer"],
  [EXIT.wrongCall, "wrong call: an option, a setting, a key, an id or a file is not valid"],
  [
    EXIT.target,
    "the target failed, is blocked or may not be reached, or it has none of the requested data",
  ],
  [EXIT.limit, "a limit was reached: credits, rate, time or concurrency"],
  [EXIT.interrupted, "interrupted by Ctrl-C; a job may continue on the server"],
];

export const describeExitCodes = (): string =>
  EXIT_CODE_MEANINGS.map(([code, meaning]) => `  ${String(code).padEnd(5)}${meaning}`).join("\n");

/** Codes whose HTTP status or name would suggest another exit code. */
const BY_CODE: ReadonlyMap<string, ExitCode> = new Map<string, ExitCode>([
  ["UNSUPPORTED_SITE", EXIT.target],
  ["SCRAPE_NO_CACHED_DATA", EXIT.target],
  ["SCRAPE_LOCKDOWN_CACHE_MISS", EXIT.target],
  ["SCRAPE_MEDIA_ACCESS_DENIED", EXIT.target],
  ["SCRAPE_PROMPT_INJECTION_DETECTED", EXIT.target],
  ["SCRAPE_PDF_OCR_REQUIRED", EXIT.target],
  ["SCRAPE_UNSUPPORTED_FILE_ERROR", EXIT.target],
  ["MAP_FAILED", EXIT.target],
  ["AGENT_INCOMPLETE", EXIT.target],
  ["SCRAPE_JOB_CANCELLED", EXIT.failed],
  ["CLIENT_TIMEOUT", EXIT.limit],
  ["MODEL_BUSY", EXIT.limit],
  ["SCRAPE_PDF_INSUFFICIENT_TIME_ERROR", EXIT.limit],
]);

const LIMIT_STATUSES: ReadonlySet<number> = new Set([402, 408, 429]);

function findExitCode(code: string, status: number | undefined): ExitCode {
  const named = BY_CODE.get(code);
  if (named !== undefined) return named;
  if (status !== undefined && LIMIT_STATUSES.has(status)) return EXIT.limit;
  if (status !== undefined && status >= 400 && status < 500) return EXIT.wrongCall;
  return code.startsWith("SCRAPE_") ? EXIT.target : EXIT.failed;
}

/** Returns the exit code for an error code alone, such as that of a failed job. */
export function getExitCode(code: string | undefined): ExitCode {
  if (code === undefined) return EXIT.failed;
  const status = Object.hasOwn(ERROR_CODES, code)
    ? ERROR_CODES[code as keyof typeof ERROR_CODES].status
    : undefined;
  return findExitCode(code, status);
}

/** Returns the exit code for a thrown error. */
export function toExitCode(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.content : EXIT.wrongCall;
  if (error instanceof ConfigError) return EXIT.wrongCall;
  if (error instanceof QuarryError || error instanceof QuarryApiError)
    return findExitCode(error.code, error.status);
  return EXIT.failed;
}
