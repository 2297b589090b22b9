import { describe, expect, it } from "vitest";
import { toJsonBytes, withMember } from "./json-bytes.ts";

describe("JSON as bytes", () => {
  it.each([
    ["a short text", "é"],
    ["ASCII", "plain ".repeat(2_000)],
    ["other letters", "字と絵 🎈 é ".repeat(3_000)],
    ["half of a pair", `${"a".repeat(10_000)}\ud83c`],
    ["more than the memory that is kept", "ü".repeat(700_000)],
  ])("is that of the value: %s", (_, text) => {
    const value = { markdown: text, metadata: { title: text.slice(0, 20) } };
    expect(toJsonBytes(value).toString()).toBe(JSON.stringify(value));
  });

  it("stays what it was when more is written", () => {
    const first = toJsonBytes({ text: "а".repeat(20_000) });
    const kept = first.toString();
    toJsonBytes({ text: "б".repeat(30_000) });
    expect(first.toString()).toBe(kept);
  });

  it("takes a member that is JSON already", () => {
    const data = toJsonBytes({ a: "é" });
    expect(withMember({ success: true }, "data", data).toString()).toBe(
      '{"success":true,"data":{"a":"é"}}',
    );
    expect(withMember({}, "data", data).toString()).toBe('{"data":{"a":"é"}}');
  });
});
