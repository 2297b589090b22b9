import { describe, expect, it } from "vitest";
import { findPresentName } from "./accepted-aliases.ts";

describe("current name of a key", () => {
  it("finds the current name of keys from older versions", () => {
    expect(findPresentName("maxDepth")).toBe("maxDiscoveryDepth");
    expect(findPresentName("jsonOptions")).toBe('formats: [{ type: "json", prompt, schema }]');
  });

  it("converts a snake_case key to camelCase", () => {
    expect(findPresentName("only_main_content")).toBe("onlyMainContent");
    expect(findPresentName("max_depth")).toBe("maxDiscoveryDepth");
  });

  it("suggests no name for an unknown key", () => {
    for (const key of [
      "extra",
      "__proto__",
      "toString",
      "_a",
      "a_",
      "A_b",
      "",
      `${"a_b".repeat(99)}`,
    ])
      expect(findPresentName(key)).toBeUndefined();
  });
});
