import { describe, expect, it } from "vitest";
import { toJsonSchema } from "../../../../contract/endpoints/to-json-schema.ts";
import { agentRequestSchema } from "../../../../contract/jobs/agent.ts";
import { batchRequestSchema } from "../../../../contract/jobs/batch.ts";
import { crawlRequestSchema } from "../../../../contract/jobs/crawl.ts";
import { extractRequestSchema } from "../../../../contract/jobs/extract.ts";
import { scrapeRequestSchema } from "../../../../contract/page/scrape.ts";
import type { JsonSchema } from "../../data/contract.ts";
import { selectGivenOptions } from "./given-options.ts";
import type { Options } from "./modes.ts";

const url = "https://example.com/";
const [pathRequest, listRequest] = [{ url }, { urls: [url] }];
const ENDPOINTS = [
  ["/v2/scrape", scrapeRequestSchema, pathRequest],
  ["/v2/crawl", crawlRequestSchema, pathRequest],
  ["/v2/batch/scrape", batchRequestSchema, listRequest],
  ["/v2/extract", extractRequestSchema, listRequest],
  ["/v2/agent", agentRequestSchema, { prompt: "prices" }],
] as const;

/** Objects that are valid only with a field. */
const REQUIRED: Readonly<Record<string, Options>> = {
  webhook: { url },
  viewport: { width: 800, height: 600 },
  profile: { name: "a" },
};
/** Entries of lists whose own objects and lists are tested as well. */
const ENTRIES: Readonly<Record<string, readonly Options[]>> = {
  formats: [
    { type: "markdown" },
    { type: "json", prompt: "prices" },
    { type: "screenshot" },
    { type: "changeTracking" },
    { type: "attributes", selectors: [] },
  ],
  parsers: [{ type: "pdf" }, { type: "image" }],
};

const listVariants = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(listVariants),
];

/** Builds bodies that set one object, list or switch each, at any depth. */
function* buildValues(name: string, schema: JsonSchema): Generator<unknown> {
  for (const { type, properties, additionalProperties, items } of listVariants(schema)) {
    if (type === "boolean") yield* [true, false];
    if (type === "array") {
      yield [];
      for (const entry of ENTRIES[name] ?? []) {
        const rest =
          name === "formats" && entry["type"] !== "markdown" ? [{ type: "markdown" }] : [];
        for (const variant of items === undefined ? [] : listVariants(items))
          if (variant.properties?.["type"]?.const === entry["type"])
            for (const fields of buildObjects(variant)) yield [...rest, { ...entry, ...fields }];
        yield [...rest, entry];
      }
    }
    if (properties === undefined) {
      if (type === "object" || additionalProperties !== undefined) yield {};
      continue;
    }
    const required = REQUIRED[name] ?? {};
    yield required;
    for (const fields of buildObjects({ properties })) yield { ...required, ...fields };
  }
}

function* buildObjects({ properties = {} }: JsonSchema): Generator<Options> {
  for (const [name, schema] of Object.entries(properties))
    for (const value of buildValues(name, schema)) yield { [name]: value };
}

/** A batch is returned as it is sent, with the page options at the top level. */
function toStored(path: string, parsed: unknown): Options {
  const stored = JSON.parse(JSON.stringify(parsed)) as Options;
  if (path !== "/v2/batch/scrape") return stored;
  const { scrapeOptions, ...rest } = stored;
  return { ...(scrapeOptions as Options), ...rest };
}

describe("options of an earlier request", () => {
  it.each(ENDPOINTS)("of %s give the same request again", (path, contract, required) => {
    const schema = toJsonSchema(contract, "input") as JsonSchema;
    let tested = 0;
    for (const fields of buildObjects(schema)) {
      const parsed = contract.safeParse({ ...required, ...fields });
      if (!parsed.success) continue;
      tested += 1;
      const stored = toStored(path, parsed.data);
      const again = contract.parse(selectGivenOptions(stored, schema));
      expect(toStored(path, again), JSON.stringify(fields)).toEqual(stored);
    }
    expect(tested).toBeGreaterThan(10);
  });

  it.each(ENDPOINTS)("of %s are none if nothing was chosen", (path, contract, required) => {
    const schema = toJsonSchema(contract, "input") as JsonSchema;
    const stored = toStored(path, contract.parse(required));
    // The server leaves out options that follow from the others.
    const omit = (options: Options): Options => {
      const { timeout: _, skipTlsVerification: __, ...rest } = options;
      return rest;
    };
    const { scrapeOptions, ...rest } = omit(stored);
    const request = scrapeOptions
      ? { ...rest, scrapeOptions: omit(scrapeOptions as Options) }
      : rest;
    expect(selectGivenOptions(request, schema)).toEqual(required);
  });
});
