import { describe, expect, it } from "vitest";
import { toStorableJson } from "./json-rows.ts";

describe("JSON for PostgreSQL", () => {
  it("is plain JSON for ordinary values", () => {
    expect(toStorableJson({ a: "tëxt 🎉 \\ \n", b: [1, null, true] })).toBe(
      JSON.stringify({ a: "tëxt 🎉 \\ \n", b: [1, null, true] }),
    );
  });

  it("has no U+0000 and no lone surrogates, also not in nested values", () => {
    const value = { a: ["x\0y", { b: "\uD800", c: "\uDC00z" }], d: "😀" };
    expect(JSON.parse(toStorableJson(value))).toEqual({
      a: ["x\uFFFDy", { b: "\uFFFD", c: "\uFFFDz" }],
      d: "😀",
    });
  });

  it("leaves text alone that only looks like an escape", () => {
    expect(JSON.parse(toStorableJson({ a: "\\u0000", b: "\0" }))).toEqual({
      a: "\\u0000",
      b: "\uFFFD",
    });
  });
});
