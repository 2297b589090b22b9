import { describe, expect, it } from "vitest";
import { keepValid, summarizeFaults } from "./keep-valid.ts";

const schema = {
  type: "object",
  properties: {
    days: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, price: { type: "number" } },
        required: ["name", "price"],
      },
    },
  },
};
const full = (name: string) => ({ name, price: 1 });
const bare = (name: string) => ({ name });

describe("keepValid with keepsIncomplete", () => {
  const days = [bare("a"), bare("b"), full("c")];

  it("keeps members without a required property that most members lack", () => {
    const kept = keepValid(schema, { days }, { keepsIncomplete: true });
    expect(kept.value).toEqual({ days });
    expect(kept.faults).toEqual(["/days/0 lacks price", "/days/1 lacks price"]);
  });

  it("keeps all members when all of them lack the property", () => {
    const all = [bare("a"), bare("b")];
    expect(keepValid(schema, { days: all }, { keepsIncomplete: true }).value).toEqual({
      days: all,
    });
  });

  it("removes the one member without a property that most members have", () => {
    const mixed = [full("a"), full("b"), bare("c")];
    const kept = keepValid(schema, { days: mixed }, { keepsIncomplete: true });
    expect(kept).toMatchObject({ value: { days: [full("a"), full("b")] }, faults: [] });
  });

  it("still removes values of the wrong type", () => {
    const wrong = [bare("a"), bare("b"), { name: 3 }];
    const { value } = keepValid(schema, { days: wrong }, { keepsIncomplete: true });
    expect(value).toEqual({ days: [bare("a"), bare("b")] });
  });

  it("removes incomplete members by default", () => {
    expect(keepValid(schema, { days }).value).toEqual({ days: [full("c")] });
  });

  it("does not change the given value", () => {
    const given = { days: [full("a"), full("b"), bare("c")] };
    const before = structuredClone(given);
    keepValid(schema, given, { keepsIncomplete: true });
    expect(given).toEqual(before);
  });

  it("returns the value without faults when there is no schema", () => {
    expect(keepValid(undefined, { days }, { keepsIncomplete: true })).toEqual({
      value: { days },
      dropped: [],
      faults: [],
    });
  });
});

describe("summarizeFaults", () => {
  it("counts the members of one list that lack the same property", () => {
    const [line, ...more] = summarizeFaults(["/days/0 lacks price", "/days/1 lacks price"]);
    expect(line).toMatch(/\b2\b.*price/);
    expect(more).toEqual([]);
  });

  it("reports each property and each list separately", () => {
    const faults = ["/days/0 lacks price", "/days/1 lacks name", "/hours/0 lacks price"];
    expect(summarizeFaults(faults)).toHaveLength(3);
  });

  it("leaves a fault of the root as it is", () => {
    expect(summarizeFaults(["lacks name"])).toEqual(["lacks name"]);
    expect(summarizeFaults([])).toEqual([]);
  });
});
