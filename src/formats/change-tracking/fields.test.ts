import { describe, expect, it } from "vitest";
import { compareFields } from "./fields.ts";

describe("compareFields", () => {
  it("reports the top-level fields that differ, with both values", () => {
    const previous = { price: "$9", name: "Starter", seats: [1, 2], gone: true };
    const current = { price: "$12", name: "Starter", seats: [2, 1], added: { a: 1 } };
    expect(compareFields(previous, current)).toEqual({
      price: { previous: "$9", current: "$12" },
      seats: { previous: [1, 2], current: [2, 1] },
      gone: { previous: true, current: null },
      added: { previous: null, current: { a: 1 } },
    });
  });

  it("ignores the order of keys at any depth, and treats null as a missing field", () => {
    const previous = { a: { x: 1, y: [{ k: 1, l: 2 }] }, b: null };
    expect(compareFields(previous, { a: { y: [{ l: 2, k: 1 }], x: 1 } })).toEqual({});
  });

  it("compares values without fields as a whole, and accepts any field name", () => {
    expect(compareFields([1], [2])).toEqual({ value: { previous: [1], current: [2] } });
    const changes = compareFields(JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 2}'));
    expect(Object.keys(changes)).toEqual(["__proto__"]);
  });
});
