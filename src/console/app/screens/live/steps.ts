// Recorded steps as actions of a scrape and as code of a session.
import type { RecordedStep } from "../../../../contract/session/screen.ts";

export type StepActions = { readonly url: string; readonly actions: readonly object[] };

/** Placeholder for text that was typed into a password field. */
export const SECRET = "PASSWORD";

const textOf = (step: Extract<RecordedStep, { type: "write" }>): string =>
  step.isSecret ? SECRET : step.text;

function toAction(step: RecordedStep): object {
  switch (step.type) {
    case "open":
      // Actions have no step for an address.
      return {
        type: "executeJavascript",
        script: `location.assign(${JSON.stringify(step.url)})`,
      };
    case "write":
      return { type: "write", text: textOf(step) };
    case "click":
    case "press":
    case "scroll":
      return step;
  }
}

/** Returns the first address and the actions after it. */
export function toActions(steps: readonly RecordedStep[]): StepActions {
  const [first, ...rest] = steps;
  if (first?.type !== "open") return { url: "", actions: steps.map(toAction) };
  return { url: first.url, actions: rest.map(toAction) };
}

function toLine(step: RecordedStep): string {
  switch (step.type) {
    case "open":
      return `await page.goto(${JSON.stringify(step.url)});`;
    case "click":
      return `await page.click(${JSON.stringify(step.selector)});`;
    case "write":
      return `await page.keyboard.type(${JSON.stringify(textOf(step))});`;
    case "press":
      return `await page.keyboard.press(${JSON.stringify(step.key)});`;
    case "scroll":
      return `await page.mouse.wheel(0, ${step.direction === "down" ? 600 : -600});`;
  }
}

/** Code for POST /v2/browser/{id}/execute, and for Playwright. */
export const toCode = (steps: readonly RecordedStep[]): string => steps.map(toLine).join("\n");

/** Describes a step for the list: a verb and its object. */
export function describeStep(step: RecordedStep): readonly [verb: string, object: string] {
  switch (step.type) {
    case "open":
      return ["open", step.url];
    case "click":
      return ["click", step.selector];
    case "write":
      return ["type", step.isSecret ? "a password (not kept)" : step.text];
    case "press":
      return ["press", step.key];
    case "scroll":
      return ["scroll", step.direction];
  }
}
