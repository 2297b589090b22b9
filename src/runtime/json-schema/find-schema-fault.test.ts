import { describe, expect, it } from "vitest";
import { findJsonSchemaFault } from "./find-schema-fault.ts";

const deep = (depth: number): Record<string, unknown> => {
  let schema: Record<string, unknown> = { type: "string" };
  for (let level = 0; level < depth; level += 1)
    schema = { type: "object", properties: { a: schema } };
  return schema;
};

describe("caller's JSON Schema", () => {
  it.each([
    [{}],
    [
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        type: "object",
        properties: {},
        additionalProperties: false,
      },
    ],
    [{ type: ["string", "null"] }],
    [{ type: "array", items: { type: "integer", minimum: 1 } }],
    [{ type: "array", items: [{ type: "string" }, true] }],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "string", enum: ["x"] } } }],
    [{ $ref: "#/definitions/a~1b", definitions: { "a/b": { $ref: "#" } } }],
    [{ anyOf: [{ type: "null" }, { type: "object", properties: { a: {} }, required: ["a"] }] }],
    [{ properties: { a: { type: "string", required: true } } }],
    [{ type: "object", properties: { tags: { type: "object", additionalProperties: true } } }],
    [{ "x-vendor": 1, title: "a", format: "uri", pattern: "^a+$" }],
    [deep(150)],
  ])("accepts a valid JSON Schema (case %#)", (schema) => {
    expect(findJsonSchemaFault(schema)).toBeUndefined();
  });

  it.each([
    [{ type: "objekt" }, "type"],
    [{ type: [] }, "type"],
    [{ type: 5 }, "type"],
    [{ properties: [] }, "properties"],
    [{ properties: { a: "string" } }, "#/properties/a"],
    [{ items: "string" }, "#/items"],
    [{ required: "a" }, "required"],
    [{ enum: "a" }, "enum"],
    [{ anyOf: {} }, "anyOf"],
    [{ pattern: "(" }, "pattern"],
    [{ minLength: -1 }, "minLength"],
    [{ $ref: "#/$defs/none" }, "leads nowhere"],
    [{ $ref: "https://example.com/schema" }, "outside"],
    [{ type: "object", additionalProperties: true }, "nothing to fill in"],
    [{ anyOf: Array.from({ length: 20_000 }, () => ({})) }, "more than 10000 parts"],
    [deep(3_000), "more than 400 levels"],
    [{ default: deep(3_000) }, "more than 400 levels"],
  ])("rejects an invalid JSON Schema with the reason (case %#)", (schema, text) => {
    expect(findJsonSchemaFault(schema)).toContain(text);
  });
});
