// Tools of a model on a live page, with their arguments and effects. Elements are referenced as in
// the accessibility snapshot.
import type { Page } from "playwright-core";
import { z } from "zod";
import type { ModelTool, ToolCall } from "../models/model.ts";

const ref = z
  .string()
  .regex(/^(?:f\d+)?e\d+$/)
  .describe("Reference of the element, such as e12.");

const SHAPES = {
  click: { about: "Click an element.", shape: z.object({ ref }) },
  type: {
    about: "Put text into a field; with submit true press Enter after it.",
    shape: z.object({ ref, text: z.string().max(5_000), submit: z.boolean().optional() }),
  },
  select: {
    about: "Choose an option of a list by its words or value.",
    shape: z.object({ ref, option: z.string().max(500) }),
  },
  press: {
    about: "Press a key, such as Enter, Escape, ArrowDown.",
    shape: z.object({ key: z.string().max(50) }),
  },
  scroll: {
    about: "Scroll the page, or to an element.",
    shape: z.object({ direction: z.enum(["up", "down"]).optional(), ref: ref.optional() }),
  },
  wait: {
    about: "Wait for the page.",
    shape: z.object({ milliseconds: z.int().min(1).max(10_000) }),
  },
  extract: {
    about: "Read the text of an element, or of the whole page.",
    shape: z.object({ ref: ref.optional() }),
  },
  back: { about: "Go back to the page before.", shape: z.object({}) },
  finish: {
    about: "End with the answer: what was done, or what the page says.",
    shape: z.object({ answer: z.string().max(10_000), success: z.boolean() }),
  },
} as const;

type Name = keyof typeof SHAPES;

export type PageCall = {
  [N in Name]: { readonly name: N; readonly given: z.output<(typeof SHAPES)[N]["shape"]> };
}[Name];

export const PAGE_TOOLS: readonly ModelTool[] = Object.entries(SHAPES).map(
  ([name, { about, shape }]) => {
    const { $schema: _, ...parameters } = z.toJSONSchema(shape) as Record<string, unknown>;
    return { name, description: about, parameters };
  },
);

/** Returns the parsed call, or a message about what is wrong with it. */
export function checkPageCall({ name, arguments: given }: ToolCall): PageCall | string {
  if (!Object.hasOwn(SHAPES, name))
    return `There is no tool ${JSON.stringify(name.slice(0, 100))}; there are ${Object.keys(SHAPES).join(", ")}.`;
  if (given === undefined) return "The arguments are no JSON object; send them again.";
  const checked = SHAPES[name as Name].shape.safeParse(given);
  if (!checked.success) return `The arguments do not fit: ${z.prettifyError(checked.error)}`;
  return { name, given: checked.data } as PageCall;
}

const MAX_TEXT = 8_000;
const ACTION_TIMEOUT_MS = 5_000;
export const SCROLL_PIXELS = 800;

/**
 * Runs the call and returns a description of the result. Throws the browser's errors, such as for a
 * missing element.
 */
export async function runPageCall(page: Page, call: PageCall, leftMs: number): Promise<string> {
  const timeout = Math.max(1, Math.min(ACTION_TIMEOUT_MS, leftMs));
  const at = (reference: string) => page.locator(`aria-ref=${reference}`);
  const { ref: named } = call.given as { readonly ref?: string };
  // An element missing in the last snapshot does not appear by waiting.
  if (named !== undefined && (await at(named).count()) === 0)
    throw new Error(`There is no element ${named} on the page as it was last shown.`);
  switch (call.name) {
    case "click":
      await at(call.given.ref).click({ timeout });
      return "Clicked.";
    case "type":
      await at(call.given.ref).fill(call.given.text, { timeout });
      if (call.given.submit === true) await at(call.given.ref).press("Enter", { timeout });
      return "Typed.";
    case "select": {
      const { ref: reference, option } = call.given;
      const list = at(reference);
      await list
        .selectOption({ label: option }, { timeout: timeout / 2 })
        .catch(() => list.selectOption(option, { timeout: timeout / 2 }));
      return "Chosen.";
    }
    case "press":
      await page.keyboard.press(call.given.key);
      return "Pressed.";
    case "scroll":
      if (call.given.ref !== undefined)
        await at(call.given.ref).scrollIntoViewIfNeeded({ timeout });
      else
        await page.mouse.wheel(0, call.given.direction === "up" ? -SCROLL_PIXELS : SCROLL_PIXELS);
      return "Scrolled.";
    case "wait":
      await page.waitForTimeout(Math.min(call.given.milliseconds, leftMs));
      return "Waited.";
    case "extract": {
      const element = call.given.ref === undefined ? page.locator("body") : at(call.given.ref);
      return (await element.innerText({ timeout })).slice(0, MAX_TEXT);
    }
    case "back":
      await page.goBack({ timeout, waitUntil: "domcontentloaded" });
      return "Went back.";
    case "finish":
      return "";
  }
}
