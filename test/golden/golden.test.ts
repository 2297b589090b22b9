import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { GOLDEN, goldenCases, readRequest, renderCase } from "./case.ts";

describe("golden pages", () => {
  for (const name of goldenCases())
    it(`${name}: ${readRequest(name).why}`, () => {
      expect(renderCase(name)).toBe(readFileSync(join(GOLDEN, name, "expected.md"), "utf8"));
    });
});
