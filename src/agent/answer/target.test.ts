import { describe, expect, it } from "vitest";
import { isFilled, buildPointer, relax, compileTarget, getValueAt, setAt } from "./target.ts";

const person = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };

describe("extraction targets", () => {
  it("separates lists of objects from single values at any depth", () => {
    const target = compileTarget({
      type: "object",
      properties: {
        staff: { type: "array", items: person },
        about: { type: "object", properties: { town: { type: "string" } } },
        tags: { type: "array", items: { type: "string" } },
      },
    });
    expect(target.lists.map(({ path, fields }) => [path, fields])).toEqual([[["staff"], ["name"]]]);
    expect(target.values).toEqual([["about", "town"], ["tags"]]);
    expect(target.isWrapped).toBe(false);
  });

  it("wraps a list that is the whole value and follows references", () => {
    const target = compileTarget({
      type: "array",
      items: { $ref: "#/$defs/person" },
      $defs: { person },
    });
    expect(target.isWrapped).toBe(true);
    expect(target.lists[0]).toMatchObject({ path: ["items"], fields: ["name"] });
    expect(target.schema).toMatchObject({
      properties: { items: { type: "array" } },
      $defs: { person },
    });
  });

  it("stops at a self-reference", () => {
    const node = { type: "object", properties: { next: { $ref: "#" }, name: { type: "string" } } };
    expect(compileTarget(node).values.length).toBeGreaterThan(0);
    expect(compileTarget({ $ref: "#" }).lists).toEqual([]);
  });

  it("limits the values of a schema that references itself many times", () => {
    const names = Array.from({ length: 90 }, (_, index) => `part${index}`);
    const properties = Object.fromEntries(names.map((name) => [name, { $ref: "#" }]));
    const { values } = compileTarget({ type: "object", properties });
    expect(values).toHaveLength(1_000);
  });

  it('relaxes requirements but keeps properties named "required"', () => {
    const schema = { ...person, properties: { required: { type: "array" }, ...person.properties } };
    expect(relax(schema)).toEqual({ type: "object", properties: schema.properties });
    expect(schema.required).toEqual(["name"]);
  });
});

describe("value paths", () => {
  it("sets and reads values by path and formats JSON pointers", () => {
    const value: Record<string, unknown> = {};
    setAt(value, ["a", "b/c"], 1);
    expect(getValueAt(value, ["a", "b/c"])).toBe(1);
    expect(getValueAt(value, ["x", "y"])).toBeUndefined();
    expect(buildPointer(["a", "b/c", "d~e", 0])).toBe("/a/b~1c/d~0e/0");
    expect([0, false, "x", [{ a: 1 }]].every(isFilled)).toBe(true);
    expect([null, undefined, "", [], {}, [null], { a: "" }].some(isFilled)).toBe(false);
  });
});
