import { describe, expect, it } from "vitest";
import { toStorableJson } from "./json-rows.ts";

describe("JSON for PostgreSQL", () => {
  it("serializes ordinary values as plain JSON", () => {
    expect(toStorableJson({ a: "tëxt 🎉 \\ \n", b: [1, null, true] })).toBe(
      JSON.stringify({ a: "tëxt 🎉 \\ \n", b: [1, null, true] }),
    );
  });

  it("replaces U+0000 and lone surrogates, also in nested values", () => {
    const value = { a: ["x\0y", { b: "\uD800", c: "\uDC00z" }], d: "😀" };
    expect(JSON.parse(toStorableJson(value))).toEqual({
      a: ["x\uFFFDy", { b: "\uFFFD", c: "\uFFFDz" }],
      d: "😀",
    });
  });

  it("keeps text that only looks like an escape", () => {
    expect(JSON.parse(toStorableJson({ a: "\\u0000", b: "\0" }))).toEqual({
      a: "\\u0000",
      b: "\uFFFD",
    });
  });
});
