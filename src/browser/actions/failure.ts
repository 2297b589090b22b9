// Builds the error of a failed step. It names index, type, selector and reason for the author of
// the step.
import { stripVTControlCharacters } from "node:util";
import type { CapturedActions } from "../../capture.ts";
import type { Action } from "../../contract/page/actions.ts";
import type { Deadline } from "../../deadline.ts";
import { LimitError, QuarryError, RequestError } from "../../errors.ts";

/**
 * Reason of a failed step; thrown by steps and converted to the contract's error by
 * `createActionError`.
 */
export class StepFault extends Error {
  override name = "StepFault";
}

const DEFAULT_REASON = "it did not finish in time";
const MAX_SHOWN_CHARACTERS = 300;

/** Returns "Action 2 (click "#next")", counted from 0 as in the request. */
export function describeStep(index: number, action: Action): string {
  const selector = "selector" in action ? action.selector : undefined;
  return `Action ${index} (${action.type}${selector === undefined ? "" : ` ${JSON.stringify(shorten(selector))}`})`;
}

type FailedStep = {
  readonly index: number;
  readonly action: Action;
  readonly error: unknown;
  readonly before: PartialResults;
};

/**
 * Results of the steps before the failed one. Their screenshots and PDFs are dropped, because
 * nothing is delivered.
 */
export type PartialResults = {
  /** URL of the page. */
  readonly url: string;
  readonly scrapes: readonly { readonly url: string }[];
  /** Included only if all of them together are short. */
  readonly javascriptReturns: CapturedActions["javascriptReturns"];
};

const MAX_CHARACTERS = 100_000;

export function describePartialResults(url: string, results: CapturedActions): PartialResults {
  let room = MAX_CHARACTERS;
  const javascriptReturns = results.javascriptReturns.filter((value) => {
    const { length } = JSON.stringify(value);
    if (length > room) return false;
    room -= length;
    return true;
  });
  const scrapes = results.scrapes.map((scrape) => ({ url: scrape.url }));
  return { url, scrapes, javascriptReturns };
}

/** A step's timer may fire this much before that of the request, although both end together. */
const TIMER_MS = 5;

/**
 * Converts a step's error to SCRAPE_ACTION_ERROR, or to SCRAPE_TIMEOUT naming the step if the
 * request's own time is up. Errors that are not about the step (browser crash, disconnected caller)
 * are returned unchanged.
 */
export function createActionError(
  { index, action, error, before }: FailedStep,
  deadline: Deadline,
): unknown {
  const step = describeStep(index, action);
  if (deadline.signal.aborted || deadline.getTimeLeftMs() <= TIMER_MS) {
    const cause: unknown = deadline.signal.reason;
    if (cause !== undefined && !(cause instanceof LimitError)) return cause;
    return new LimitError(
      "SCRAPE_TIMEOUT",
      `${deadline.createExpiry().message} ${step} was running.`,
      {
        cause: error,
      },
    );
  }
  if (isBrowserGone(error)) return error;
  if (error instanceof QuarryError && error.code !== "SCRAPE_TIMEOUT") return error;
  const reason = describeReason(error);
  return new RequestError("SCRAPE_ACTION_ERROR", `${step} failed: ${reason}.`, {
    cause: error,
    details: {
      action: {
        index,
        type: action.type,
        selector: "selector" in action ? (action.selector ?? null) : null,
        reason,
      },
      before,
    },
  });
}

/** True if the page, context or browser closed during the step, which is not the step's fault. */
function isBrowserGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Target page, context or browser has been closed|Target crashed|Page crashed/.test(
      error.message,
    )
  );
}

/** Browser errors for a script that was terminated from outside. */
const STOPPED_SCRIPT =
  /Runtime\.(?:evaluate|callFunctionOn)\): (?:Internal error|Execution was terminated)/;

function describeReason(error: unknown): string {
  if (error instanceof StepFault) return stripFullStop(error.message);
  if (error instanceof QuarryError) return DEFAULT_REASON;
  if (!(error instanceof Error)) return stripFullStop(String(error));
  if (STOPPED_SCRIPT.test(error.message)) return "the script did not end and was stopped";
  return error instanceof Error && error.name === "TimeoutError"
    ? findObstacle(error.message)
    : stripFullStop(readFirstLine(error.message));
}

/** Returns Playwright's last log line, which names the obstacle. */
function findObstacle(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .map((line) => line.replace(/^[\s-]+/, "").trim());
  const covered = lines.findLast((line) => line.endsWith("intercepts pointer events"));
  if (covered !== undefined)
    return `the element is covered: ${shorten(covered.replace(" intercepts pointer events", ""))} is in front of it`;
  const state = lines.findLast((line) => /^element is (not|outside)/.test(line));
  if (state !== undefined) return state.replace(/^element/, "the element");
  return DEFAULT_REASON;
}

function readFirstLine(message: string): string {
  const line = stripVTControlCharacters(message).split("\n", 1)[0] ?? "";
  return shorten(line.replace(/^[\w.]+: (?:Error: )?/, ""));
}

const shorten = (text: string): string =>
  text.length > MAX_SHOWN_CHARACTERS ? `${text.slice(0, MAX_SHOWN_CHARACTERS)}…` : text;
const stripFullStop = (text: string): string => text.replace(/\.+$/, "");
