import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findJsonFault } from "./json-fault.ts";

describe("the place of a fault in JSON", () => {
  it.each([
    ['{"type": "object", "properties": {"name": }}', "}}"],
    ['{"a": 1,}', "}"],
    ["[1, 2,]", "]"],
    ["[1 2]", "2]"],
    ['{"a" 1}', "1}"],
    ["{a: 1}", "a: 1}"],
    ['["a\nb"]', '"a\nb"]'],
    ['["\\x"]', '"\\x"]'],
    ["[01]", "1]"],
    ["nul", "nul"],
    ["{} x", "x"],
    ['{"a": [1', ""],
    ["", ""],
  ])("is the first character of %j that cannot follow", (text, rest) => {
    expect(findJsonFault(text)).toBe(text.length - rest.length);
  });

  it("is found in no text that JSON.parse accepts, and in every other text", () => {
    const isJson = (text: string): boolean => {
      try {
        JSON.parse(text);
        return true;
      } catch {
        return false;
      }
    };
    const near = fc
      .tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "}", "]", '"', ":", "1", "e", "\\"))
      .map(([text, at, sign]) => {
        const place = at % (text.length + 1);
        return text.slice(0, place) + sign + text.slice(place + 1);
      });
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          near,
          fc.json().map((text) => ` ${text}\n`),
        ),
        (text) => {
          expect(findJsonFault(text) === undefined, text).toBe(isJson(text));
        },
      ),
    );
  });
});
