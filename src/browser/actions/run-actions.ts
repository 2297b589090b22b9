// Runs the steps of a request in a live page.
import { setTimeout as sleep } from "node:timers/promises";
import type { Page } from "playwright-core";
import type { CapturedActions } from "../../capture.ts";
import type { Action } from "../../contract/page/actions.ts";
import { LIMITS } from "../../contract/request/limits.ts";
import type { Deadline } from "../../deadline.ts";
import { printPdf } from "../screenshot/print-pdf.ts";
import { takeScreenshot } from "../screenshot/screenshot.ts";
import { StepFault, createActionError, describePartialResults, describeStep } from "./failure.ts";
import { findVisible } from "./find-element.ts";
import { answerDialogs, closePopups } from "./interruptions.ts";
import { executeJavascript } from "./javascript.ts";
import { press, write } from "./keyboard.ts";
import { watchNavigation } from "./navigation.ts";
import { click, clickAll, scroll } from "./pointer.ts";
import { STEP_MS, type Results, type StepParts } from "./step.ts";

export type ActionOptions = {
  /** Returns the page as HTML for scrape steps. Defaults to Playwright's serialization. */
  readonly readHtml?: (page: Page, deadline: Deadline) => Promise<string>;
  /**
   * Milliseconds that a click waits for its element, and again for the element to accept it.
   * Defaults to 15 seconds.
   */
  readonly patienceMs?: number;
};

export type ActionsResult = {
  readonly actions: CapturedActions;
  /** Warnings for the caller: answered dialogs and closed popups. */
  readonly warnings: readonly string[];
};

/** Maximum bytes and characters that all steps together may return. */
const MAX_RESULT_BYTES = 256 * 1024 * 1024;
const MAX_WARNINGS = 5;

/**
 * Runs the steps in order. Each waits for what it needs and ends with the page at rest. The first
 * failure throws RequestError SCRAPE_ACTION_ERROR with index, type, selector and reason. Rejects
 * with SCRAPE_TIMEOUT at the deadline. Afterwards the tab may show another page.
 */
export async function runActions(
  page: Page,
  actions: readonly Action[],
  options: ActionOptions,
  deadline: Deadline,
): Promise<ActionsResult> {
  const results: Results = { screenshots: [], scrapes: [], javascriptReturns: [], pdfs: [] };
  if (actions.length === 0) return { actions: results, warnings: [] };
  const warnings: string[] = [];
  let step = "";
  using _dialogs = answerDialogs(page, (text) =>
    warnings.push(`${step} opened a dialog, which was answered (${text.slice(0, 200)}).`),
  );
  using _popups = closePopups(page, (url) =>
    warnings.push(`${step} opened a popup, which was closed (${url.slice(0, 200)}).`),
  );
  const session = await deadline.race(page.context().newCDPSession(page));
  const readHtml = options.readHtml ?? ((from: Page) => from.content());
  const parts: StepParts = {
    page,
    session,
    results,
    warnings,
    readHtml,
    patienceMs: options.patienceMs ?? STEP_MS.patience,
  };
  try {
    for (const [index, action] of actions.entries()) {
      step = describeStep(index, action);
      try {
        await runStep(action, parts, deadline);
        if (measureResults(results) > MAX_RESULT_BYTES)
          throw new StepFault(`the actions together returned more than ${MAX_RESULT_BYTES} bytes`);
      } catch (error) {
        const before = describePartialResults(page.url(), results);
        throw createActionError({ index, action, error, before }, deadline);
      }
    }
  } finally {
    session.detach().catch(() => undefined);
  }
  return { actions: results, warnings: warnings.slice(0, MAX_WARNINGS) };
}

/** Steps that can navigate or change the page. */
const INTERACTIONS = new Set<Action["type"]>([
  "click",
  "press",
  "write",
  "scroll",
  "executeJavascript",
]);

async function runStep(action: Action, parts: StepParts, deadline: Deadline): Promise<void> {
  if (!INTERACTIONS.has(action.type)) return await performAction(action, parts, deadline);
  using navigation = watchNavigation(parts.page);
  await performAction(action, parts, deadline);
  await navigation.settle(deadline);
}

async function performAction(action: Action, parts: StepParts, deadline: Deadline): Promise<void> {
  const { page, session, results } = parts;
  switch (action.type) {
    case "wait":
      return await wait(page, action, deadline);
    case "click":
      if (action.all) return await clickAll(page, action.selector, deadline);
      return await click(page, action.selector, deadline, parts.patienceMs);
    case "write":
      return await write(page, action.text, deadline);
    case "press":
      return await press(page, action.key, deadline);
    case "scroll":
      return await scroll(page, action.direction, action.selector, deadline);
    case "executeJavascript":
      results.javascriptReturns.push(await executeJavascript(session, action.script, deadline));
      return;
    case "scrape": {
      using until = deadline.createChild(STEP_MS.script);
      const html = await until.race(parts.readHtml(page, until));
      results.scrapes.push({ url: page.url(), html });
      return;
    }
    case "screenshot": {
      using until = deadline.createChild(STEP_MS.render);
      const { file, warnings } = await takeScreenshot(page, action, until);
      results.screenshots.push(file);
      parts.warnings.push(...warnings);
      return;
    }
    case "pdf": {
      using until = deadline.createChild(STEP_MS.render);
      results.pdfs.push(await printPdf(page, action, until));
    }
  }
}

async function wait(
  page: Page,
  { milliseconds, selector }: Extract<Action, { type: "wait" }>,
  deadline: Deadline,
): Promise<void> {
  if (selector !== undefined) {
    using until = deadline.createChild(LIMITS.actions.selectorWaitMs);
    await findVisible(page, selector, until);
  } else await deadline.race(sleep(milliseconds, undefined, { signal: deadline.signal }));
}

function measureResults({ screenshots, scrapes, pdfs, javascriptReturns }: Results): number {
  const files = [...screenshots, ...pdfs].reduce((sum, { bytes }) => sum + bytes.byteLength, 0);
  // A value was measured on arrival; strings dominate large ones.
  const values = javascriptReturns.reduce(
    (sum, { value }) => sum + (typeof value === "string" ? value.length : 0),
    0,
  );
  return scrapes.reduce((sum, { html }) => sum + html.length, files + values);
}
