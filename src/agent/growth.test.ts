import { describe, it } from "vitest";
import { expectNoSquare } from "../../test/growth.ts";
import { findEvidence } from "./evidence.ts";
import { isSame } from "./rows.ts";
import { readTopic } from "./topic.ts";

describe("what an agent reads costs its length, not its square", () => {
  it("where the words of a value are looked for", () => {
    expectNoSquare((size) => {
      findEvidence("u", `${"a ".repeat(size / 2)}`, `${"a ".repeat(39)}b`);
      findEvidence("u", `a${" *".repeat(size / 2)}`, "a b");
      findEvidence("u", "a".repeat(size), "a".repeat(size / 2));
      findEvidence("u", "a".repeat(size), `${"a".repeat(size / 2)}-b`);
      findEvidence("u", `${"\\* ".repeat(size / 3)}x`, `${"* ".repeat(30)}y`);
    });
  });

  it("where signs and backslashes could be shared out between words in many ways", () => {
    const value = `${"a\\ ".repeat(38)}b`;
    findEvidence("u", `${"a\\\\\\ ".repeat(100)}c`, value);
    findEvidence("u", `${"\\*".repeat(40)}y ${"\\* ".repeat(38)}x`, `${"* ".repeat(38)}x`);
  });

  it("where a number is looked for", () => {
    expectNoSquare((size) => {
      findEvidence("u", `1${",".repeat(size)}1`, 7);
    });
  });

  it("where values are compared", () => {
    expectNoSquare((size) => {
      isSame(`a${"/".repeat(size)}b`, "a");
    });
  });

  it("where headings are read", () => {
    expectNoSquare((size) => {
      readTopic({ url: "u", title: "t", markdown: `#${" ".repeat(size)}x\nb` }, ["b"]);
    });
  });
});
