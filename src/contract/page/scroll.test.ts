import { expect, it } from "vitest";
import { scrapeRequestSchema } from "./scrape.ts";
import { toScrollLimits } from "./scroll.ts";

const parse = (scroll: unknown) =>
  scrapeRequestSchema.safeParse({ url: "https://a.example", scroll });

it('treats "auto" like an object without limits', () => {
  const limits = { maxEntries: 1_000, maxPixels: 300_000, maxTimeMs: 20_000 };
  expect(toScrollLimits(parse("auto").data?.scroll)).toEqual(limits);
  expect(toScrollLimits(parse({}).data?.scroll)).toEqual(limits);
  expect(toScrollLimits(parse({ maxEntries: 5 }).data?.scroll)).toEqual({
    ...limits,
    maxEntries: 5,
  });
  expect(toScrollLimits(parse(undefined).data?.scroll)).toBeUndefined();
});

it.each([true, "down", { maxEntries: 0 }, { maxTimeMs: 200_000 }, { entries: 5 }])(
  "rejects the scroll option %j",
  (scroll) => {
    expect(parse(scroll).success).toBe(false);
  },
);
