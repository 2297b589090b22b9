import { describe, expect, it } from "vitest";
import { parseDataLiteral } from "./data-literal.ts";

describe("data literals", () => {
  it.each([
    [
      `{a:1,'b':[!0,void 0,-.5],c:{d:"x\\u003Cy"},}`,
      { a: 1, b: [true, undefined, -0.5], c: { d: "x<y" } },
    ],
    [
      `[null,{type:"data",data:{at:new Date(0)},uses:{}}]`,
      [null, { type: "data", data: { at: "1970-01-01T00:00:00.000Z" }, uses: {} }],
    ],
    [`JSON.parse("{\\"a\\":[1]}")`, { a: [1] }],
    [`new Set(["a"])`, ["a"]],
  ])("parses %s", (text, value) => {
    expect(parseDataLiteral(text)).toEqual(value);
  });

  it("gives the parameters of a function their values", () => {
    const text = `(function(a,b,c){b.name="Ana";b["age"]=c;return {data:[{author:b,none:a}],state:{b}}}(null,{},7));`;
    expect(parseDataLiteral(text)).toEqual({
      data: [{ author: { name: "Ana", age: 7 }, none: null }],
      state: { b: { name: "Ana", age: 7 } },
    });
  });

  it.each(["{a:location.href}", "[f()]", "(function(a){return a+1}(1))", `{a:"b`, "`${a}`"])(
    "refuses code: %s",
    (text) => {
      expect(parseDataLiteral(text)).toBeUndefined();
    },
  );

  it("does not set the prototype of an object", () => {
    expect(Object.getPrototypeOf(parseDataLiteral(`{__proto__:{a:1}}`))).toBe(Object.prototype);
  });
});
