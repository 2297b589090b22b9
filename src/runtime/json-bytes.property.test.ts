import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toJsonBytes, withMember } from "./json-bytes.ts";

describe("JSON as bytes", () => {
  test.each(["\u{d800}", "\u{dfff}a", "’", "é", "😀", "\u2028"])(
    "serializes %j in a long text without changes",
    (piece) => {
      const value = [piece.repeat(6_000)];
      expect(JSON.parse(toJsonBytes(value).toString("utf8"))).toEqual(value);
    },
  );

  test("throws TypeError when serializing undefined", () => {
    expect(() => toJsonBytes(undefined)).toThrow(TypeError);
  });

  test("appends any member whose value is already serialized", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (object, value) => {
        const bytes = withMember(object, 'its "name"', toJsonBytes(value));
        const whole = { ...object, 'its "name"': value };
        expect(JSON.parse(bytes.toString("utf8"))).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });
});
