// Numbers in a query string: digits only, within a range.
import { z } from "zod";
import { LIMITS } from "./limits.ts";

const MAX_DIGITS = 15;

/** Digits as a number from `min` to `max`; the error starts with `label`. */
export function buildDigitsSchema(name: string, min: number, max: number, label: string) {
  return z
    .string()
    .refine((text) => {
      const fits = /^\d+$/.test(text) && text.length <= MAX_DIGITS;
      return fits && Number(text) >= min && Number(text) <= max;
    }, `${label}: ${name} must be a whole number from ${min} to ${max}`)
    .transform(Number)
    .meta({ pattern: "^\\d+$" });
}

const INVALID = "Invalid pagination";

export const skipSchema = buildDigitsSchema("skip", 0, LIMITS.count, INVALID)
  .optional()
  .describe(`Entries to skip, 0 to ${LIMITS.count}.`);

/** Query of a paged list: `limit` from 1 to `max`. */
export function buildLimitSchema(max: number) {
  return buildDigitsSchema("limit", 1, max, INVALID)
    .optional()
    .describe(`Entries on the page, 1 to ${max}.`);
}

/** A unix time in milliseconds. */
export const beforeSchema = buildDigitsSchema("before", 0, 8.64e14, "Invalid before");

export const flagSchema = z
  .enum(["true", "false", "1", "0"])
  .transform((text) => text === "true" || text === "1");
