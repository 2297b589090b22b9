import { describe, expect, it } from "vitest";
import { z } from "zod";
import { toErrorBody, UNKNOWN_KEY_TEXT } from "./faults.ts";

const explain = (schema: z.ZodType, value: unknown, fallback?: string) => {
  const result = schema.safeParse(value);
  if (result.success) throw new Error("was taken");
  return toErrorBody(result.error, fallback);
};

describe("error body of a bad request", () => {
  it("names the invalid field and its limit", () => {
    const schema = z.strictObject({
      size: z.int().min(2).max(5),
      name: z.string().min(2),
      list: z.array(z.enum(["a", "b"])),
      max: z.array(z.string()).max(1),
      rate: z.number().gt(0),
    });
    const { error, code, details } = explain(schema, {
      size: 9,
      name: "",
      list: ["c", "a"],
      max: ["a", "b"],
      rate: 0,
    });
    expect([error, code]).toEqual(["Bad Request: size must be at most 5", "BAD_REQUEST"]);
    expect(details.map((issue) => [issue.code, issue.path, issue.message])).toEqual([
      ["too_big", ["size"], "size must be at most 5"],
      ["too_small", ["name"], "name must be at least 2 characters"],
      ["invalid_value", ["list", 0], 'list[0] must be one of "a", "b"'],
      ["too_big", ["max"], "max must have at most 1 entry"],
      ["too_small", ["rate"], "rate must be more than 0"],
    ]);
    expect(details[0]).toMatchObject({ maximum: 5, inclusive: true });
  });

  it("uses the fallback text when the first issue is not from a rule of ours", () => {
    const schema = z.strictObject({
      a: z.string(),
      b: z.string().refine(() => false, "b: own rule"),
    });
    expect(explain(schema, { a: 1, b: "" }).error).toMatch(/^Bad Request: /);
    expect(explain(schema, { a: 1, b: "" }, "Invalid request body").error).toBe(
      "Invalid request body: a must be a string",
    );
    expect(explain(schema, { a: "", b: "" }).error).toBe("b: own rule");
  });

  it("reports an unknown key first, also inside nested unions", () => {
    const leaf = z.union([
      z.string(),
      z.strictObject({ url: z.string(), n: z.number().optional() }),
    ]);
    const schema = z.strictObject({ hook: z.array(z.union([z.boolean(), leaf])) });
    const { error, details } = explain(schema, { hook: [{ url: "a", n: "1", extra: 1 }] });
    expect(error).toContain(`${UNKNOWN_KEY_TEXT}: "`);
    expect(details).toEqual([
      expect.objectContaining({ code: "invalid_type", path: ["hook", 0, "n"] }),
      expect.objectContaining({ code: "unrecognized_keys", path: ["hook", 0], keys: ["extra"] }),
    ]);
  });

  it("suggests the current name for a key of an older version", () => {
    const { details } = explain(z.strictObject({}), { maxDepth: 1, url_list: [], extra: 1 });
    expect(details[0]?.message).toBe(
      'unrecognized keys "maxDepth" (write maxDiscoveryDepth), "url_list" (write urlList), "extra"',
    );
  });

  it("reports the union branch that is closest to the value", () => {
    const schema = z.union([
      z.enum(["a"]),
      z.strictObject({ type: z.literal("b"), n: z.number() }),
    ]);
    expect(explain(schema, { type: "b" }).details[0]?.path).toEqual(["n"]);
    expect(explain(schema, "c").details[0]?.code).toBe("invalid_value");
  });

  it("keeps the error body small for any input", () => {
    const schema = z.strictObject({ list: z.array(z.string()).optional() });
    const many = Object.fromEntries(Array.from({ length: 300_000 }, (_, n) => [`key${n}`, 1]));
    const keys = explain(schema, many);
    expect(keys.details[0]?.keys).toHaveLength(20);
    expect(keys.details[0]?.message).toMatch(/"key19" and 299980 more$/);
    const long = explain(schema, { ["k".repeat(1_000_000)]: 1 });
    const issues = explain(schema, { list: Array.from({ length: 5_000 }, () => 1) });
    expect(issues.details).toHaveLength(21);
    expect(issues.details.at(-1)?.message).toBe("and 4980 more");
    for (const body of [keys, long, issues])
      expect(JSON.stringify(body).length).toBeLessThan(4_000);
  });

  it("uses the error code of the violated rule", () => {
    const schema = z.string().superRefine((_text, context) => {
      const params = { errorCode: "UNSUPPORTED_FILE_TYPE" };
      context.addIssue({ code: "custom", message: "no", params });
    });
    expect(explain(schema, "a")).toMatchObject({ error: "no", code: "UNSUPPORTED_FILE_TYPE" });
  });
});
