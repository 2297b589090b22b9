import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ENDPOINTS } from "./endpoints/endpoints.ts";
import { toErrorBody } from "./request/faults.ts";
import { PLAIN_FORMATS } from "./page/formats.ts";
import { scrapeOptionsSchema, scrapeRequestSchema } from "./page/scrape.ts";
import { findUrlFault, resolveUrl } from "./request/url.ts";

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const formats = fc.uniqueArray(
  fc.oneof(
    fc.constantFrom(...PLAIN_FORMATS),
    fc.constant("screenshot"),
    fc.constant({ type: "json", prompt: "a" }),
    fc.constant({ type: "query", prompt: "a" }),
    fc.constant({ type: "changeTracking", modes: ["json"] }),
  ),
  { selector: (format) => (typeof format === "string" ? format : format.type) },
);
const action = fc.oneof(
  fc.constant({ type: "scroll" }),
  fc.constant({ type: "generatePDF" }),
  fc.constant({ type: "click", selector: "p" }),
  fc.record({ type: fc.constant("wait"), milliseconds: fc.integer({ min: 1, max: 20_000 }) }),
);
/** Mostly valid requests. */
const scrapeRequest = fc
  .record({
    formats: maybe(formats),
    actions: maybe(fc.array(action, { maxLength: 10 })),
    headers: maybe(fc.constantFrom({}, { a: "b" }, [{ key: "a", value: "b" }])),
    timeout: maybe(fc.constantFrom(1_000, 9_000, 30_000, 300_000)),
    waitFor: maybe(fc.integer({ min: 0, max: 5_000 })),
    proxy: maybe(fc.constantFrom("basic", "stealth", "enhanced", "auto")),
    parsers: maybe(fc.constantFrom([], ["pdf"], [{ type: "pdf", pageMarkdown: true }], ["image"])),
    location: maybe(fc.constantFrom({}, { country: "US" }, { languages: ["de"] })),
    lockdown: maybe(fc.boolean()),
    storeInCache: maybe(fc.boolean()),
    redactPII: maybe(fc.constantFrom(true, false, { mode: "fast" })),
    profile: maybe(fc.constant({ name: "a" })),
    zeroDataRetention: maybe(fc.boolean()),
  })
  .map((fields) => JSON.parse(JSON.stringify(fields)) as object);

describe("properties of requests", () => {
  it("validates validated options again with the same result", () => {
    let taken = 0;
    fc.assert(
      fc.property(scrapeRequest, (request) => {
        const first = scrapeOptionsSchema.safeParse(request);
        if (!first.success) return;
        taken += 1;
        const again = scrapeOptionsSchema.parse(JSON.parse(JSON.stringify(first.data)));
        expect(JSON.parse(JSON.stringify(again))).toEqual(JSON.parse(JSON.stringify(first.data)));
      }),
      { numRuns: 500 },
    );
    expect(taken).toBeGreaterThan(100);
  });

  it("every route accepts any JSON or rejects it with a list of issues", () => {
    const bodies = ENDPOINTS.flatMap(({ body }) => (body === undefined ? [] : [body]));
    const keys = [
      "url",
      "urls",
      "formats",
      "actions",
      "parsers",
      "headers",
      "webhook",
      "prompt",
      "targets",
      "schedule",
      "schema",
      "location",
      "scrapeOptions",
      "type",
      "__proto__",
      "constructor",
    ];
    const nested = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "small" },
        fc.jsonValue(),
        fc.constantFrom("https://a.com", "markdown", "json", "wait", "pdf"),
        tie("object"),
        fc.array(tie("value"), { maxLength: 3 }),
      ),
      object: fc.dictionary(fc.constantFrom(...keys), tie("value"), { maxKeys: 6 }),
    })).value;
    fc.assert(
      fc.property(nested, fc.constantFrom(...bodies), (value, schema) => {
        const result = schema.safeParse(value);
        if (result.success) return;
        const fault = toErrorBody(result.error);
        expect(fault.details.length).toBeGreaterThan(0);
        for (const issue of fault.details) expect(issue.message).not.toBe("");
      }),
      { numRuns: 3_000 },
    );
  });

  it("a URL is valid exactly when it can be resolved, and resolving is idempotent", () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl(), fc.string(), fc.domain()), (text) => {
        const isTaken = scrapeRequestSchema.safeParse({ url: text }).success;
        expect(isTaken).toBe(findUrlFault(text) === undefined);
        if (!isTaken) return;
        const absolute = resolveUrl(text);
        expect(findUrlFault(absolute)).toBeUndefined();
        expect(resolveUrl(absolute)).toBe(absolute);
      }),
      { numRuns: 1_000 },
    );
  });
});
