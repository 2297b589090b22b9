import { expect, it } from "vitest";
import { crawlRequestSchema } from "../jobs/crawl.ts";
import { searchRequestSchema } from "../page/search.ts";
import { toJsonSchema } from "./to-json-schema.ts";

it("publishes the defaults of fields that are transformed", () => {
  expect(toJsonSchema(crawlRequestSchema, "input")).toMatchObject({
    properties: {
      limit: { default: 10_000 },
      includePaths: { default: [] },
      scrapeOptions: {
        default: {},
        anyOf: [
          { properties: { formats: { default: ["markdown"] }, redactPII: { default: false } } },
          { type: "null" },
        ],
      },
    },
  });
  expect(toJsonSchema(searchRequestSchema, "input")).toMatchObject({
    properties: { scrapeOptions: { properties: { formats: { default: [] } } } },
  });
});
