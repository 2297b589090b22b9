import { describe, expect, it } from "vitest";
import { toErrorBody } from "../request/faults.ts";
import { v1ScrapeRequestSchema, type V1ScrapeRequest } from "./v1-scrape.ts";

const url = "https://a.example/";
const parse = (body: Partial<V1ScrapeRequest> = {}) =>
  v1ScrapeRequestSchema.parse({ url, ...body });
const formatsOf = (body: Partial<V1ScrapeRequest>) => parse(body).options.formats;
const fault = (body: object) => {
  const checked = v1ScrapeRequestSchema.safeParse({ url, ...body });
  if (checked.success) throw new Error("the body was taken");
  return toErrorBody(checked.error);
};
const schema = { type: "object", properties: { title: { type: "string" } } };

describe("/v1 page options", () => {
  it("has the /v1 page defaults", () => {
    expect(parse().options).toMatchObject({
      url,
      formats: [{ type: "markdown" }],
      timeout: 30_000,
      proxy: "basic",
      maxAge: 0,
      skipTlsVerification: false,
      parsers: [{ type: "pdf" }],
      onlyMainContent: true,
      origin: "api",
    });
  });

  it("accepts formats as text, including screenshot@fullPage", () => {
    expect(formatsOf({ formats: ["html", "screenshot@fullPage", "links"] })).toMatchObject([
      { type: "html" },
      { type: "screenshot", fullPage: true },
      { type: "links" },
    ]);
    expect(formatsOf({ formats: ["screenshot", "screenshot@fullPage", "screenshot"] })).toEqual([
      expect.objectContaining({ type: "screenshot", fullPage: true }),
    ]);
  });

  it("accepts the extraction task beside the formats under either name or both", () => {
    const task = { schema, prompt: "the title", systemPrompt: "be brief" };
    const format = { type: "json", schema, prompt: "be brief\n\nthe title" };
    const json = parse({ formats: ["json"], jsonOptions: task });
    expect(json.options.formats).toMatchObject([format]);
    expect(json.jsonNames).toEqual(["json"]);
    const extract = parse({ formats: ["markdown", "extract"], extract: task });
    expect(extract.options.formats).toMatchObject([{ type: "markdown" }, format]);
    expect(extract.jsonNames).toEqual(["extract"]);
    const both = parse({ formats: ["json", "extract"], jsonOptions: task, extract: task });
    expect(both.options.formats).toMatchObject([format]);
    expect(both.jsonNames).toEqual(["json", "extract"]);
  });

  it("accepts the comparison options beside the formats", () => {
    const formats = ["markdown", "changeTracking"] as const;
    expect(
      formatsOf({
        formats: [...formats],
        changeTrackingOptions: { modes: ["git-diff"], tag: "t" },
      }),
    ).toMatchObject([
      { type: "markdown" },
      { type: "changeTracking", modes: ["git-diff"], tag: "t" },
    ]);
    expect(formatsOf({ formats: [...formats] })).toMatchObject([{}, { modes: [], tag: null }]);
  });

  it("accepts parsePDF false and the old name of location", () => {
    expect(parse({ parsePDF: false }).options.parsers).toEqual([]);
    expect(parse({ geolocation: { country: "DE" } }).options.location).toEqual({ country: "de" });
    const both = parse({ geolocation: { country: "DE" }, location: { country: "FR" } });
    expect(both.options.location).toEqual({ country: "fr" });
  });

  it.each([
    ["json without options", { formats: ["json"] }, "jsonOptions"],
    ["options without json", { jsonOptions: { prompt: "p" } }, "jsonOptions"],
    ["extract without options", { formats: ["extract"] }, "extract"],
    ["comparison that was not asked for", { changeTrackingOptions: {} }, "changeTrackingOptions"],
    ["an old format of /v0", { formats: ["content"] }, "formats"],
  ])("rejects %s in /v1 page options", (_, body, field) => {
    expect(fault(body).details[0]?.path[0]).toBe(field);
  });

  it("applies the rules of /v2 with the same texts", () => {
    expect(fault({ waitFor: 20_000, timeout: 30_000 })).toMatchObject({
      error: "waitFor must not exceed half of timeout",
      details: [{ path: ["waitFor"] }],
    });
    expect(fault({ formats: ["changeTracking"] }).error).toContain("markdown");
    expect(fault({ formats: ["json"], jsonOptions: {} }).error).toContain("needs a prompt");
  });

  it("answers NOT_IMPLEMENTED for the /v1 browser agent", () => {
    expect(fault({ agent: { model: "FIRE-1" } }).code).toBe("NOT_IMPLEMENTED");
  });
});
