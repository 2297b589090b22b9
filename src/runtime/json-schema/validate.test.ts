import { describe, expect, test } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { keepValid } from "./keep-valid.ts";
import { validate } from "./validate.ts";

const faults = (schema: object, value: unknown): string[] =>
  validate(schema as Record<string, unknown>, value).map(({ pointer, message }) =>
    `${pointer} ${message}`.trim(),
  );

describe("validate", () => {
  test.each<[object, unknown, boolean]>([
    [{ type: "integer" }, 3, true],
    [{ type: "integer" }, 3.5, false],
    [{ type: ["string", "null"] }, null, true],
    [{ type: "string", nullable: true }, null, true],
    [{ enum: ["a", 1, null] }, 1, true],
    [{ enum: ["a"] }, "b", false],
    [{ const: { a: [1] } }, { a: [1] }, true],
    [{ type: "string", minLength: 2 }, "😀", false],
    [{ type: "string", pattern: "^\\d+$" }, "12", true],
    [{ type: "string", pattern: "^(a+)+$" }, `${"a".repeat(40)}b`, false],
    [{ type: "string", format: "date" }, "2027-02-30T", false],
    [{ type: "string", format: "date-time" }, "2027-02-03T10:00:00Z", true],
    [{ type: "string", format: "email" }, "a@b.example", true],
    [{ type: "string", format: "uri" }, "/relative", false],
    [{ type: "string", format: "unheard-of" }, "x", true],
    [{ type: "number", exclusiveMinimum: 0, multipleOf: 0.1 }, 0.3, true],
    [
      { type: "array", items: { type: "string" }, minItems: 1, uniqueItems: true },
      ["a", "a"],
      false,
    ],
    [{ type: "array", items: [{ type: "string" }], additionalItems: false }, ["a", 1], false],
    [{ prefixItems: [{ type: "string" }], items: { type: "integer" } }, ["a", 1, 2], true],
    [{ anyOf: [{ type: "string" }, { type: "integer" }] }, 1.5, false],
    [{ oneOf: [{ type: "number" }, { type: "integer" }] }, 1, false],
    [{ not: { type: "string" } }, "a", false],
    // oxlint-disable-next-line unicorn/no-thenable
    [{ if: { type: "string" }, then: { minLength: 3 } }, "ab", false],
    [{ type: "object", additionalProperties: false, properties: { a: {} } }, { b: 1 }, false],
    [
      {
        type: "object",
        patternProperties: { "^x-": { type: "string" } },
        additionalProperties: false,
      },
      { "x-a": "1" },
      true,
    ],
    [{ $ref: "#/$defs/a", $defs: { a: { type: "string" } } }, 1, false],
    [{ $ref: "#" }, 1, true],
    [{ properties: { a: false } }, { a: 1 }, false],
  ])("validates with %j the value %j: %s", (schema, value, expected) => {
    expect(
      faults({ allOf: [schema], $defs: (schema as { $defs?: object }).$defs ?? {} }, value)
        .length === 0,
    ).toBe(expected);
  });

  test("matches large patterns until the time budget is spent", () => {
    const pattern = `^${"(a?){1000}".repeat(5)}$`;
    const texts = Array.from({ length: 40 }, (_, at) => `${"a".repeat(300)}${at}`);
    const from = threadCpuMs();
    expect(faults({ items: { pattern } }, texts)[0]).toContain("/0 must match");
    expect(threadCpuMs() - from).toBeLessThan(4_000);
  });

  test("reports the location of a fault", () => {
    const schema = { properties: { a: { items: { required: ["b"] } }, "c/d": { type: "string" } } };
    expect(faults(schema, { a: [{}], "c/d": 1 })).toEqual(["/a/0 lacks b", "/c~1d must be string"]);
  });
});

describe("keepValid", () => {
  const schema = {
    type: "object",
    properties: {
      name: { type: "string" },
      note: { type: ["string", "null"] },
      items: {
        type: "array",
        items: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
      },
    },
    required: ["name", "note"],
    additionalProperties: false,
  };

  test("drops values that do not fit, and sets null where only that fits", () => {
    const kept = keepValid(schema, { name: "a", extra: 1, items: [{ n: 1 }, { n: "x" }] });
    expect(kept.value).toEqual({ name: "a", note: null, items: [{ n: 1 }] });
    expect(kept.dropped).toEqual([
      "/items/1/n must be integer",
      "/items/1 lacks n",
      "/extra is not allowed by the schema",
    ]);
    expect(kept.faults).toEqual([]);
  });

  test("drops incomplete list members in linear time", () => {
    const items = Array.from({ length: 1_000 }, (_, at) => (at % 10 === 3 ? { n: at } : {}));
    const from = threadCpuMs();
    const kept = keepValid({ ...schema, required: ["name"] }, { name: "a", items });
    expect(threadCpuMs() - from).toBeLessThan(1_000);
    expect(kept.faults).toEqual([]);
    expect(kept.value).toEqual({ name: "a", items: items.filter((item) => "n" in item) });
  });

  test("drops the right members when faults come in any order", () => {
    const items = { items: { type: "integer" } };
    const kept = keepValid(
      {
        allOf: [{ properties: { a: { prefixItems: [{}, {}, { minimum: 9 }] } } }],
        properties: { a: items },
      },
      { a: ["x", 1, 2, 3] },
    );
    expect(kept.value).toEqual({ a: [1, 3] });
  });

  test("never adds a missing required value", () => {
    expect(keepValid(schema, {})).toMatchObject({ value: { note: null }, faults: ["lacks name"] });
    expect(keepValid(schema, [1])).toMatchObject({ value: undefined });
  });
});
