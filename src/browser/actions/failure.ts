// The error of a step that failed: it names index, type, selector and reason, in words for who wrote the step.
import { stripVTControlCharacters } from "node:util";
import type { CapturedActions } from "../../capture.ts";
import type { Action } from "../../contract/page/actions.ts";
import type { Deadline } from "../../deadline.ts";
import { LimitError, QuarryError, RequestError } from "../../errors.ts";

/** Why a step failed, in words; thrown by the steps and turned into the contract's error by `actionFailure`. */
export class StepFault extends Error {
  override name = "StepFault";
}

const NOTHING_SAID = "it did not finish in its time";
const SHOWN = 300;

/** "Action 2 (click "#next")", counted from 0 as in the request. */
export function nameStep(index: number, action: Action): string {
  const selector = "selector" in action ? action.selector : undefined;
  return `Action ${index} (${action.type}${selector === undefined ? "" : ` ${JSON.stringify(shorten(selector))}`})`;
}

type FailedStep = {
  readonly index: number;
  readonly action: Action;
  readonly error: unknown;
  readonly before: Before;
};

/** What the steps before the one that failed had come to. Their pictures and PDFs are not kept: nothing was delivered. */
export type Before = {
  /** Where the page was. */
  readonly url: string;
  readonly scrapes: readonly { readonly url: string }[];
  /** As far as all of them together are short. */
  readonly javascriptReturns: CapturedActions["javascriptReturns"];
};

const MAX_CHARACTERS = 100_000;

export function describeBefore(url: string, results: CapturedActions): Before {
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

/** A step's own time ends with that of the request, and its timer may fire this much earlier. */
const TIMER_MS = 5;

/**
 * SCRAPE_ACTION_ERROR for whatever a step threw; SCRAPE_TIMEOUT, which names the step too, when the request's own time was up.
 * An error that is not about the step (the browser died, the caller hung up) comes back as it is.
 */
export function actionFailure(
  { index, action, error, before }: FailedStep,
  deadline: Deadline,
): unknown {
  const step = nameStep(index, action);
  if (deadline.signal.aborted || deadline.timeLeftMs() <= TIMER_MS) {
    const cause: unknown = deadline.signal.reason;
    if (cause !== undefined && !(cause instanceof LimitError)) return cause;
    return new LimitError("SCRAPE_TIMEOUT", `${deadline.expiry().message} ${step} was running.`, {
      cause: error,
    });
  }
  if (isBrowserGone(error)) return error;
  if (error instanceof QuarryError && error.code !== "SCRAPE_TIMEOUT") return error;
  const reason = reasonOf(error);
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

/** Did page, context or browser end under the step? Then it is not the step's fault. */
function isBrowserGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    /Target page, context or browser has been closed|Target crashed|Page crashed/.test(
      error.message,
    )
  );
}

/** What the browser answers for a script that was ended from outside. */
const STOPPED_SCRIPT =
  /Runtime\.(?:evaluate|callFunctionOn)\): (?:Internal error|Execution was terminated)/;

function reasonOf(error: unknown): string {
  if (error instanceof StepFault) return withoutStop(error.message);
  if (error instanceof QuarryError) return NOTHING_SAID;
  if (!(error instanceof Error)) return withoutStop(String(error));
  if (STOPPED_SCRIPT.test(error.message)) return "the script did not end and was stopped";
  return error instanceof Error && error.name === "TimeoutError"
    ? obstacleOf(error.message)
    : withoutStop(firstLine(error.message));
}

/** What Playwright says last that it waited for, which is what was in the way. */
function obstacleOf(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split("\n")
    .map((line) => line.replace(/^[\s-]+/, "").trim());
  const covered = lines.findLast((line) => line.endsWith("intercepts pointer events"));
  if (covered !== undefined)
    return `the element is covered: ${shorten(covered.replace(" intercepts pointer events", ""))} is in front of it`;
  const state = lines.findLast((line) => /^element is (not|outside)/.test(line));
  if (state !== undefined) return state.replace(/^element/, "the element");
  return NOTHING_SAID;
}

function firstLine(message: string): string {
  const line = stripVTControlCharacters(message).split("\n", 1)[0] ?? "";
  return shorten(line.replace(/^[\w.]+: (?:Error: )?/, ""));
}

const shorten = (text: string): string => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text);
const withoutStop = (text: string): string => text.replace(/\.+$/, "");
