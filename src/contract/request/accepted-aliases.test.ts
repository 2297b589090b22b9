import { describe, expect, it } from "vitest";
import { findPresentName } from "./accepted-aliases.ts";

describe("the present name of a key", () => {
  it("is told for names of older versions", () => {
    expect(findPresentName("maxDepth")).toBe("maxDiscoveryDepth");
    expect(findPresentName("jsonOptions")).toBe('formats: [{ type: "json", prompt, schema }]');
  });

  it("is the camel case of a key with underscores", () => {
    expect(findPresentName("only_main_content")).toBe("onlyMainContent");
    expect(findPresentName("max_depth")).toBe("maxDiscoveryDepth");
  });

  it("is not guessed for any other key", () => {
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
