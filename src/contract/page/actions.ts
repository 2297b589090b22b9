import { z } from "zod";
import { screenshotFields } from "./formats.ts";
import { LIMITS } from "../request/limits.ts";

const selectorSchema = z.string().min(1).max(10_000).describe("CSS selector.");

const waitActionSchema = z
  .strictObject({
    type: z.literal("wait"),
    milliseconds: z.int().min(1).optional().describe("Milliseconds to wait."),
    selector: selectorSchema
      .optional()
      .describe("Wait until this element is visible, at most 30 seconds."),
  })
  .refine((action) => (action.milliseconds === undefined) !== (action.selector === undefined), {
    message: "A wait action takes either milliseconds or selector, and one of them is needed",
  });

const PAPER_FORMATS = [
  "A0",
  "A1",
  "A2",
  "A3",
  "A4",
  "A5",
  "A6",
  "Letter",
  "Legal",
  "Tabloid",
  "Ledger",
] as const;

const pdfFields = {
  format: z.enum(PAPER_FORMATS).default("Letter"),
  landscape: z.boolean().default(false),
  scale: z.number().min(0.1).max(2).default(1).describe("0.1 to 2."),
};

const generatePdfActionSchema = z
  .strictObject({ type: z.literal("generatePDF"), ...pdfFields })
  .transform((action) => ({ ...action, type: "pdf" as const }))
  .describe("Alias of pdf.");

const actionSchema = z.discriminatedUnion("type", [
  waitActionSchema,
  z.strictObject({
    type: z.literal("click"),
    selector: selectorSchema,
    all: z
      .boolean()
      .default(false)
      .describe("Click every match; without a match the action succeeds."),
  }),
  z.strictObject(screenshotFields),
  z.strictObject({
    type: z.literal("write"),
    text: z.string().describe("Typed into the focused element."),
  }),
  z.strictObject({
    type: z.literal("press"),
    key: z.string().min(1).max(100).describe("A key name, such as Enter, Tab or Escape."),
  }),
  z.strictObject({
    type: z.literal("scroll"),
    direction: z.enum(["up", "down"]).default("down"),
    selector: z
      .string()
      .max(10_000)
      .transform((selector) => (selector === "" ? undefined : selector))
      .optional()
      .describe("CSS selector of an element to scroll; the page when missing or empty."),
  }),
  z.strictObject({ type: z.literal("scrape") }),
  z.strictObject({
    type: z.literal("executeJavascript"),
    script: z.string().min(1).max(LIMITS.interact.codeCharacters),
  }),
  z.strictObject({ type: z.literal("pdf"), ...pdfFields }),
  generatePdfActionSchema,
]);

export type Action = z.output<typeof actionSchema>;
export type ActionType = Action["type"];

/** Browser steps that run in order before the capture. */
export const actionsSchema = z
  .array(actionSchema)
  .refine((actions) => actions.length <= LIMITS.actions.max, {
    message: `actions: at most ${LIMITS.actions.max} actions are allowed`,
  })
  .meta({
    description: "Browser steps run in order before the capture, at most 50.",
    maxItems: LIMITS.actions.max,
  });

/**
 * Returns the milliseconds that the actions wait explicitly; a wait for a selector counts as one
 * second.
 */
export function sumWaitMs(actions: readonly Action[]): number {
  return actions.reduce((total, action) => {
    if (action.type !== "wait") return total;
    return total + (action.milliseconds ?? LIMITS.actions.selectorWaitCountsMs);
  }, 0);
}
