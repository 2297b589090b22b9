// Answers of tools: text for people and models, and the same as data, both within the token budget.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { QuarryApiError } from "../../client/errors.ts";
import { QuarryError, RequestError } from "../errors.ts";
import { countTokens } from "../ranking/model-tokens.ts";

export const BUDGET = { default: 8_000, max: 20_000, min: 500 } as const;

export type Content = {
  readonly text: string;
  readonly data: Record<string, unknown>;
};

/** The first text budget is below the total, because names, numbers and quotes need room. */
const FIRST_BUDGET_SHARE = 0.85;
const MAX_ATTEMPTS = 8;

/**
 * Calls `write` with a token budget for its text, and with less while its serialized result exceeds
 * `budget`. Returns undefined if none fits.
 */
function fitResult<Result>(
  budget: number,
  write: (textTokens: number) => Result,
  countResult: (result: Result) => number,
): Result | undefined {
  let room = Math.floor(budget * FIRST_BUDGET_SHARE) - 100;
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const result = write(Math.max(50, room));
    const size = countResult(result);
    if (size <= budget) return result;
    room = Math.floor(room * Math.min(0.8, (budget / size) * 0.9));
  }
  return undefined;
}

const countSerialized = (value: unknown): number => countTokens(JSON.stringify(value));

const ANSWER_ADVICE = "Ask for a part of it, such as one section, or give a larger maxTokens.";
/** Resources take no maxTokens. */
const TEXT_ADVICE = "Read one section of it: quarry://capture/ID#SECTION.";

/** Builds an answer that fits into the budget, else a failure that says so. */
export function fitAnswer(budget: number, write: (textTokens: number) => Content): CallToolResult {
  // A client shows its model one of them.
  const fitting = fitResult(budget, write, ({ text, data }) =>
    Math.max(countSerialized(data), countSerialized(text)),
  );
  if (fitting === undefined)
    return buildFailure(`The answer does not fit into ${budget} tokens. ${ANSWER_ADVICE}`);
  return {
    content: [{ type: "text", text: fitting.text }],
    structuredContent: fitting.data,
  };
}

/** Builds a text that fits into the budget. Throws BAD_REQUEST if none does. */
export function fitText(budget: number, write: (textTokens: number) => string): string {
  const fitting = fitResult(budget, write, countSerialized);
  if (fitting === undefined)
    throw new RequestError(
      "BAD_REQUEST",
      `The text does not fit into ${budget} tokens. ${TEXT_ADVICE}`,
    );
  return fitting;
}

export const buildFailure = (text: string): CallToolResult => ({
  isError: true,
  content: [{ type: "text", text }],
});

const MAX_ERROR = 600;

/**
 * Returns the model's message about an error, with a suggestion. Never contains page text. Rethrows
 * foreign errors.
 */
export function describeFailure(error: unknown): { readonly code: string; readonly text: string } {
  if (!(error instanceof QuarryApiError) && !(error instanceof QuarryError)) throw error;
  const { code } = error;
  // Errors of the tools themselves say what to do.
  const next = error instanceof QuarryApiError ? findAdvice(code) : undefined;
  const { message } = error;
  const shown = message.length > MAX_ERROR ? `${message.slice(0, MAX_ERROR)}…` : message;
  return { code, text: `${code}: ${next === undefined ? shown : `${endSentence(shown)} ${next}`}` };
}

const endSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

export const toFailure = (error: unknown): CallToolResult =>
  buildFailure(describeFailure(error).text);

const ADVICE: Readonly<Record<string, string>> = {
  SCRAPE_TIMEOUT: "Try again with a longer timeout, or another page.",
  SCRAPE_DNS_RESOLUTION_ERROR: "Check the host name; search finds pages by words.",
  NOT_FOUND: "Handles and ids expire; read the URL again or list the ids.",
  UNAUTHORIZED: "The key of this server's configuration is wrong or missing.",
  INSUFFICIENT_CREDITS: "The credits of this key are used up.",
  RATE_LIMITED: "Wait a moment, then try again.",
  CONCURRENCY_LIMITED: "Wait until other requests have ended, then try again.",
  CONFLICT: "Read its state first; try again when it allows this.",
  GONE: "It has ended: open or start a new one.",
  SEARCH_FAILED: "Try again later; read and map work without a search engine.",
  UNKNOWN_ERROR: "Try again once, then tell the user.",
};

const findAdvice = (code: string): string | undefined =>
  ADVICE[code] ?? (code.startsWith("SCRAPE_") ? "Try again later, or another page." : undefined);
