import { describe, expect, it } from "vitest";
import { dereference, resolveReference } from "./dereference.ts";

const root = {
  $defs: {
    "a/b": { type: "string" },
    row: { properties: { name: {} } },
    loop: { $ref: "#/$defs/loop" },
  },
  properties: { row: { $ref: "#/$defs/row" } },
};

describe("references within a schema", () => {
  it("resolves pointers with escaped keys, and the whole schema", () => {
    expect(resolveReference(root, "#/$defs/a~1b")).toBe(root.$defs["a/b"]);
    expect(resolveReference(root, "#")).toBe(root);
  });

  it("resolves nothing outside the schema or on its prototype", () => {
    for (const reference of ["#/missing", "other.json#/a", "#/constructor", "a"])
      expect(resolveReference(root, reference)).toBeUndefined();
  });

  it("follows references and picks the first alternative that is not null", () => {
    const either = { anyOf: [{ type: "null" }, { $ref: "#/properties/row" }] };
    expect(dereference(either, root)).toBe(root.$defs.row);
  });

  it("ends circular references with an empty schema", () => {
    expect(dereference({ $ref: "#/$defs/loop" }, root)).toEqual({});
  });
});
