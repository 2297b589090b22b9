import { describe, expect, it } from "vitest";
import { QuarryApiError } from "../../client/errors.ts";
import { RequestError } from "../errors.ts";
import { describeFailure, fitAnswer, fitText } from "./answer.ts";

const toApiError = (code: string, message: string): QuarryApiError =>
  Object.assign(Object.create(QuarryApiError.prototype) as QuarryApiError, { code, message });

describe("describeFailure", () => {
  it.each([
    ["NOT_FOUND", "Monitor not found", "NOT_FOUND: Monitor not found. Handles and ids expire;"],
    ["NOT_FOUND", "Job not found.", "NOT_FOUND: Job not found. Handles and ids expire;"],
    ["RATE_LIMITED", "Too many requests!", "RATE_LIMITED: Too many requests! Wait a moment"],
    ["CONFLICT", "A check is running", "CONFLICT: A check is running. Read its state first"],
    ["SCRAPE_TIMEOUT", "x".repeat(700), `SCRAPE_TIMEOUT: ${"x".repeat(600)}… Try again`],
  ])("describeFailure ends the message of %s before the advice: %j", (code, message, start) => {
    expect(describeFailure(toApiError(code, message)).text.slice(0, start.length)).toBe(start);
  });

  it("describeFailure adds nothing to an error of a tool, which says what to do", () => {
    const error = new RequestError("NOT_FOUND", "The page has no section.");
    expect(describeFailure(error).text).toBe("NOT_FOUND: The page has no section.");
  });
});

describe("an answer that does not fit", () => {
  const long = "words ".repeat(500);

  it("fitAnswer suggests a larger maxTokens, which a tool takes", () => {
    const { content } = fitAnswer(20, () => ({ text: long, data: {} }));
    expect(JSON.stringify(content)).toContain("larger maxTokens");
  });

  it("fitText suggests no maxTokens, which a resource does not take", () => {
    const read = (): string => fitText(20, () => long);
    expect(read).toThrow(/^The text does not fit into 20 tokens\. .*quarry:\/\/capture\//);
    expect(read).not.toThrow(/maxTokens/);
  });
});
