import { expect, test } from "vitest";
import { clickOptions, timed } from "./arguments.ts";

test("replaces a timeout of 0, which means no limit in Playwright, by the maximum", () => {
  expect(timed.parse({ timeout: 0 })).toEqual({ timeout: 300_000 });
  expect(clickOptions.parse({ timeout: 0 })).toEqual({ timeout: 300_000 });
  expect(timed.parse({ timeout: 20 })).toEqual({ timeout: 20 });
  expect(timed.parse({})).toEqual({});
});

test.each([-1, 300_001, Number.POSITIVE_INFINITY, Number.NaN, "0", null])(
  "rejects a timeout of %s",
  (timeout) => {
    expect(timed.safeParse({ timeout }).success).toBe(false);
  },
);
