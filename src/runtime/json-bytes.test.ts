import { describe, expect, it } from "vitest";
import { toJsonBytes, withMember } from "./json-bytes.ts";

describe("JSON as bytes", () => {
  it.each([
    ["a short text", "é"],
    ["ASCII", "plain ".repeat(2_000)],
    ["other letters", "字と絵 🎈 é ".repeat(3_000)],
    ["half of a pair", `${"a".repeat(10_000)}\ud83c`],
  ])("serializes the value %s like JSON.stringify", (_, text) => {
    const value = { markdown: text, metadata: { title: text.slice(0, 20) } };
    expect(toJsonBytes(value).toString()).toBe(JSON.stringify(value));
  });

  it("appends a member whose value is already serialized", () => {
    const data = toJsonBytes({ a: "é" });
    expect(withMember({ success: true }, "data", data).toString()).toBe(
      '{"success":true,"data":{"a":"é"}}',
    );
    expect(withMember({}, "data", data).toString()).toBe('{"data":{"a":"é"}}');
  });
});
