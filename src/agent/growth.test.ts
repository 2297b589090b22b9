import { describe, expect, it } from "vitest";
import { expectNoSquare } from "../../test/growth.ts";
import { findEvidence } from "./answer/evidence.ts";
import { isSame } from "./answer/rows.ts";
import { readTopic } from "./rules/topic.ts";

describe("linear time of the agent's readers", () => {
  it("finds words of a value in linear time", () => {
    expectNoSquare((size) => {
      findEvidence("u", `${"a ".repeat(size / 2)}`, `${"a ".repeat(39)}b`);
      findEvidence("u", `a${" *".repeat(size / 2)}`, "a b");
      findEvidence("u", "a".repeat(size), "a".repeat(size / 2));
      findEvidence("u", "a".repeat(size), `${"a".repeat(size / 2)}-b`);
      findEvidence("u", `${"\\* ".repeat(size / 3)}x`, `${"* ".repeat(30)}y`);
    });
  });

  it("matches escaped signs between words without backtracking", () => {
    const value = `${"a\\ ".repeat(38)}b`;
    expect(findEvidence("u", `${"a\\\\\\ ".repeat(100)}c`, value)).toBeUndefined();
    const signs = `${"* ".repeat(38)}x`;
    const found = findEvidence("u", `${"\\*".repeat(40)}y ${"\\* ".repeat(38)}x`, signs);
    expect(found?.text).toBe("x");
  });

  it("finds numbers in linear time", () => {
    expectNoSquare((size) => {
      findEvidence("u", `1${",".repeat(size)}1`, 7);
    });
  });

  it("compares values in linear time", () => {
    expectNoSquare((size) => {
      isSame(`a${"/".repeat(size)}b`, "a");
    });
  });

  it("reads headings in linear time", () => {
    expectNoSquare((size) => {
      readTopic({ url: "u", title: "t", markdown: `#${" ".repeat(size)}x\nb` }, ["b"]);
    });
  });
});
