import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { ConnectionError, reviveError } from "../../../client/errors.ts";
import { ConfigError } from "../../config.ts";
import { ERROR_CODES, type ErrorCode } from "../../contract/request/error-codes.ts";
import { RequestError } from "../../errors.ts";
import { describeExitCodes, EXIT, getExitCode, toExitCode } from "./exit-codes.ts";

const exitOf = (code: string): number =>
  toExitCode(reviveError(ERROR_CODES[code as ErrorCode].status, { code, error: "no" }));

describe("toExitCode", () => {
  it("returns 2 for every error that another call can fix", () => {
    for (const code of ["BAD_REQUEST", "UNAUTHORIZED", "NOT_FOUND", "UNSUPPORTED_FILE_TYPE"])
      expect(exitOf(code), code).toBe(2);
    expect(toExitCode(new RequestError("BAD_REQUEST", "no"))).toBe(2);
    expect(toExitCode(new ConfigError("no"))).toBe(2);
    expect(toExitCode(new CommanderError(1, "commander.unknownOption", "no"))).toBe(2);
  });

  it("returns 3 when the site failed, is blocked or may not be reached", () => {
    for (const code of [
      "SCRAPE_DNS_RESOLUTION_ERROR",
      "SCRAPE_SSL_ERROR",
      "SCRAPE_SITE_ERROR",
      "SCRAPE_FAILED_BLOCKED",
      "SCRAPE_ALL_ENGINES_FAILED",
      "SCRAPE_RESPONSE_TOO_LARGE",
      "SCRAPE_NO_CACHED_DATA",
      "UNSUPPORTED_SITE",
      "MAP_FAILED",
    ])
      expect(exitOf(code), code).toBe(3);
  });

  it("returns 4 for exhausted limits: credits, rate, concurrency and time", () => {
    for (const code of [
      "INSUFFICIENT_CREDITS",
      "RATE_LIMITED",
      "CONCURRENCY_LIMITED",
      "SCRAPE_TIMEOUT",
      "MAP_TIMEOUT",
      "CONCURRENCY_QUEUE_TIMEOUT",
    ])
      expect(exitOf(code), code).toBe(4);
  });

  it("returns 1 for a server that fails or does not answer, and 0 for help and version", () => {
    expect(exitOf("UNKNOWN_ERROR")).toBe(1);
    expect(exitOf("NOT_IMPLEMENTED")).toBe(1);
    expect(toExitCode(new ConnectionError("CONNECTION_FAILED", "no answer"))).toBe(1);
    expect(toExitCode(new Error("anything"))).toBe(1);
    expect(toExitCode(new CommanderError(0, "commander.helpDisplayed", ""))).toBe(0);
  });

  it("maps the code of a failed job to the same exit code as a thrown error", () => {
    for (const code of ["SCRAPE_TIMEOUT", "INSUFFICIENT_CREDITS", "MODEL_BUSY"])
      expect(getExitCode(code), code).toBe(4);
    for (const code of ["SCRAPE_DNS_RESOLUTION_ERROR", "AGENT_INCOMPLETE"])
      expect(getExitCode(code), code).toBe(3);
    expect(getExitCode("UNKNOWN_ERROR")).toBe(1);
    expect(getExitCode("toString")).toBe(1);
    expect(getExitCode(undefined)).toBe(1);
  });

  it("describes every exit code that commands use", () => {
    for (const code of Object.values(EXIT))
      expect(describeExitCodes()).toMatch(new RegExp(`^ {2}${code} +\\S`, "m"));
  });
});
