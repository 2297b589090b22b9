// Messages of the live view (protocol "quarry-screen"): inputs of viewers with control, and reports
// to viewers. Pictures are binary messages.
import { z } from "zod";

const place = { x: z.number().min(0).max(1), y: z.number().min(0).max(1) };
const button = z.enum(["left", "middle", "right"]);
const count = z.int().min(1).max(3).default(1);
const key = z.string().min(1).max(30);
const tab = z.int().min(1);
const wheel = z.number().min(-5_000).max(5_000);
const MAX_FILES = 10;

/** Positions are fractions of the picture's width and height. */
export const screenInputSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("move"), ...place }),
  z.strictObject({ type: z.literal("down"), ...place, button, count }),
  z.strictObject({ type: z.literal("up"), ...place, button, count }),
  z.strictObject({ type: z.literal("wheel"), ...place, dx: wheel, dy: wheel }),
  z.strictObject({ type: z.literal("keydown"), key }),
  z.strictObject({ type: z.literal("keyup"), key }),
  z.strictObject({ type: z.literal("insert"), text: z.string().min(1).max(100_000) }),
  z.strictObject({ type: z.literal("copy") }),
  z.strictObject({ type: z.literal("open"), url: z.string().min(1).max(10_000) }),
  z.strictObject({ type: z.enum(["back", "forward", "reload"]) }),
  z.strictObject({ type: z.literal("stop") }),
  z.strictObject({ type: z.literal("newTab") }),
  z.strictObject({ type: z.enum(["selectTab", "closeTab"]), tab }),
  z.strictObject({
    type: z.literal("files"),
    files: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(255),
          mimeType: z.string().max(200),
          base64: z.base64(),
        }),
      )
      .max(MAX_FILES),
  }),
  z.strictObject({ type: z.literal("record"), on: z.boolean() }),
  z.strictObject({ type: z.literal("forget") }),
]);

export type ScreenInput = z.output<typeof screenInputSchema>;

export type RecordedStep =
  | { readonly type: "open"; readonly url: string }
  | { readonly type: "click"; readonly selector: string }
  /** `isSecret`: typed into a password field; the text is not kept. */
  | { readonly type: "write"; readonly text: string; readonly isSecret: boolean }
  | { readonly type: "press"; readonly key: string }
  | { readonly type: "scroll"; readonly direction: "up" | "down" };

export type ScreenTab = { readonly id: number; readonly url: string; readonly title: string };

export type ScreenReport =
  | {
      readonly type: "state";
      readonly tabs: readonly ScreenTab[];
      readonly tab: number;
      readonly canGoBack: boolean;
      readonly canGoForward: boolean;
      readonly isLoading: boolean;
      /** Time at which the session ends, and ends without further input, in ms since 1970. */
      readonly expiresAt: number;
      readonly idleAt: number;
    }
  | {
      readonly type: "steps";
      readonly isRecording: boolean;
      readonly steps: readonly RecordedStep[];
    }
  | { readonly type: "copied"; readonly text: string }
  | { readonly type: "chooser"; readonly isMultiple: boolean }
  | { readonly type: "notice"; readonly text: string };
