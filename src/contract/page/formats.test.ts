import { describe, expect, it } from "vitest";
import { toErrorBody } from "../request/faults.ts";
import { findFormat, formatsSchema, PLAIN_FORMATS } from "./formats.ts";
import { parsersSchema } from "./parsers.ts";

const refuse = (formats: unknown) => {
  const result = formatsSchema.safeParse(formats);
  if (result.success) throw new Error(`was taken: ${JSON.stringify(formats)}`);
  return toErrorBody(result.error);
};

describe("formats", () => {
  it.each([...PLAIN_FORMATS, "screenshot", "changeTracking"])(
    "reads %s the same as name and object",
    (type) => {
      expect(formatsSchema.parse([type])).toEqual(formatsSchema.parse([{ type }]));
    },
  );

  it("fills in the default options of format objects", () => {
    const viewport = { width: 7_680, height: 4_320 };
    const json = {
      type: "json",
      schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: {},
      },
    };
    expect(
      formatsSchema.parse([
        json,
        { type: "screenshot", quality: 100, viewport },
        { type: "changeTracking", modes: ["git-diff", "json"], tag: "" },
        { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] },
        { type: "question", question: "why?" },
        { type: "highlights", query: "why" },
        { type: "query", prompt: "why?" },
      ]),
    ).toEqual([
      { ...json, checkPromptInjection: false, evidence: false },
      { type: "screenshot", fullPage: false, quality: 100, viewport },
      { type: "changeTracking", modes: ["git-diff", "json"], tag: "", ignoreNoise: true },
      { type: "attributes", selectors: [{ selector: "a", attribute: "href" }] },
      { type: "question", question: "why?" },
      { type: "highlights", query: "why" },
      { type: "query", prompt: "why?", mode: "freeform" },
    ]);
  });

  it.each([
    [["json"], "json format needs a prompt"],
    [[{ type: "json" }], "json format needs a prompt"],
    [[{ type: "json", prompt: " " }], "json format needs a prompt"],
    [[{ type: "json", schema: { type: "objekt" } }], "Invalid JSON schema"],
    [
      [{ type: "json", schema: { type: "object", additionalProperties: true } }],
      "Invalid JSON schema",
    ],
  ])("rejects the format %j with its own text", (formats, text) => {
    expect(refuse(formats).error).toContain(text);
  });

  it.each([
    [["screenshot@fullPage"], [0]],
    [["attributes"], [0]],
    [["question"], [0]],
    [[null], [0]],
    [[{}], [0, "type"]],
    [[{ type: "pdf" }], [0, "type"]],
    [[{ type: "json", prompt: "a".repeat(10_001) }], [0, "prompt"]],
    [[{ type: "screenshot", quality: 0 }], [0, "quality"]],
    [[{ type: "screenshot", quality: 101 }], [0, "quality"]],
    [[{ type: "screenshot", quality: 1.5 }], [0, "quality"]],
    [[{ type: "screenshot", viewport: { width: 7_681, height: 1 } }], [0, "viewport", "width"]],
    [[{ type: "screenshot", viewport: { width: 1, height: 4_321 } }], [0, "viewport", "height"]],
    [[{ type: "screenshot", viewport: { width: "1", height: 1 } }], [0, "viewport", "width"]],
    [[{ type: "screenshot", viewport: { width: 1.5, height: 1 } }], [0, "viewport", "width"]],
    [[{ type: "screenshot", viewport: { width: -1, height: 1 } }], [0, "viewport", "width"]],
    [[{ type: "changeTracking", modes: ["diff"] }], [0, "modes", 0]],
    [[{ type: "attributes", selectors: [{ selector: "a" }] }], [0, "selectors", 0, "attribute"]],
    [[{ type: "question", question: "" }], [0, "question"]],
    [[{ type: "highlights" }], [0, "query"]],
    [[{ type: "query", prompt: "a", mode: "loose" }], [0, "mode"]],
  ])("rejects the format %j and names its position", (formats, path) => {
    const fault = refuse(formats);
    expect(fault.error).toMatch(/^Bad Request: /);
    expect(fault.details[0]?.path).toEqual(path);
  });

  it("finds a format entry by its type", () => {
    const formats = formatsSchema.parse(["links", { type: "screenshot", fullPage: true }]);
    expect(findFormat(formats, "screenshot")?.fullPage).toBe(true);
    expect(findFormat(formats, "links")).toBeDefined();
    expect(findFormat(formats, "markdown")).toBeUndefined();
  });
});

describe("parsers", () => {
  const pdf = { type: "pdf", mode: "auto", pages: false, blocks: false, pageMarkers: false };

  it.each([
    [["pdf"], [pdf]],
    [[{ type: "pdf" }], [pdf]],
    [
      ["image", { type: "image" }],
      [{ type: "image" }, { type: "image" }],
    ],
    [
      [{ type: "pdf", mode: "ocr", maxPages: 10_000, pages: true }],
      [{ ...pdf, mode: "ocr", maxPages: 10_000, pages: true }],
    ],
    [[{ type: "pdf", pageMarkdown: true }], [{ ...pdf, pages: true }]],
    [[], []],
  ])("accepts the parsers %j", (given, expected) => {
    expect(parsersSchema.parse(given)).toEqual(expected);
  });

  it.each([
    [{ type: "pdf", mode: "slow" }],
    [{ type: "pdf", maxPages: 0 }],
    [{ type: "pdf", maxPages: 10_001 }],
    [{ type: "word" }],
    [{ type: "image", mode: "ocr" }],
    [{}],
  ])("rejects the parsers %j", (parser) => {
    expect(parsersSchema.safeParse([parser]).success).toBe(false);
  });
});
