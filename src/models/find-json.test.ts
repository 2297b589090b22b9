import { expect, test } from "vitest";
import { findJson, stripThoughts } from "./find-json.ts";

test.each([
  ['{"a": 1}', { a: 1 }],
  ['```json\n{"a": 1}\n```', { a: 1 }],
  ['Here it is:\n{"a": "}\\"{"} — done', { a: '}"{' }],
  ['<think>{"a": 0}</think>\n{"a": 1}', { a: 1 }],
  ["[1, 2] and more", [1, 2]],
  ['{"a": [1, {"b": 2}', { a: [1, { b: 2 }] }],
  ['{"price": 12', {}],
  ['{"names": ["Ada", "Bru', { names: ["Ada"] }],
  ['```json\n{"a": {"b": 1}, "c": "x', { a: { b: 1 } }],
  ["{'a': 'b', 'ok': True, 'none': None,}", { a: "b", ok: true, none: null }],
  ['{"a": [1, 2,], // two\n "b": "c"}', { a: [1, 2], b: "c" }],
  ["```\n{a: 1}\n```", { a: 1 }],
  ["no JSON here", undefined],
  ["", undefined],
])("finds in %j the JSON %j", (text, expected) => {
  expect(findJson(text)).toEqual(expected);
});

test("removes thoughts before the answer", () => {
  expect(stripThoughts("<think>hm</think> yes").trim()).toBe("yes");
  expect(stripThoughts("yes")).toBe("yes");
});
