import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toJsonBytes, withMember } from "./json-bytes.ts";

const long = fc
  .string({ unit: "binary", maxLength: 60 })
  .map((text) => text.repeat(Math.ceil(5_000 / Math.max(1, text.length))));

describe("JSON as bytes", () => {
  test("is what Buffer makes of the same text, short or long", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), long), (text) => {
        const value = { text, list: [text.length, null] };
        expect(toJsonBytes(value).equals(Buffer.from(JSON.stringify(value)))).toBe(true);
      }),
    );
  });

  test.each(["\u{d800}", "\u{dfff}a", "’", "é", "😀", "\u2028"])(
    "%j in a long text comes back as it was",
    (piece) => {
      const value = [piece.repeat(6_000)];
      expect(JSON.parse(toJsonBytes(value).toString("utf8"))).toEqual(value);
    },
  );

  test("what is no JSON is no bytes", () => {
    expect(() => toJsonBytes(undefined)).toThrow(TypeError);
  });

  test("takes in a member that is JSON already", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (object, value) => {
        const bytes = withMember(object, 'its "name"', toJsonBytes(value));
        const whole = { ...object, 'its "name"': value };
        expect(JSON.parse(bytes.toString("utf8"))).toEqual(JSON.parse(JSON.stringify(whole)));
      }),
    );
  });
});
