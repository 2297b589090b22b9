// The generated pages match the tables.
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { findStaleFiles, writeErrorsPage, writeFiles } from "../../scripts/generate-reference.ts";
import { ERROR_CODES } from "../../src/contract/request/error-codes.ts";

describe("generated files", () => {
  it("generated files are up to date (node scripts/generate-reference.ts writes them)", () => {
    expect(findStaleFiles()).toEqual([]);
  });

  it("the check finds missing and edited generated files", () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), "quarry-reference-"));
    try {
      expect(findStaleFiles(folder)).toHaveLength(5);
      writeFiles(folder);
      expect(findStaleFiles(folder)).toEqual([]);
      appendFileSync(path.join(folder, ".env.example"), "# more\n");
      expect(findStaleFiles(folder)).toEqual([".env.example"]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("generated files list exactly the codes of the table", () => {
    const listed = [...writeErrorsPage().matchAll(/^\| \d{3} \| `(\w+)`/gm)].map(
      (match) => match[1],
    );
    expect(new Set(listed)).toEqual(new Set(Object.keys(ERROR_CODES)));
    expect(listed).toHaveLength(Object.keys(ERROR_CODES).length);
  });

  it("generated files contain no secret setting with a value", () => {
    const example = readFileSync(path.resolve(import.meta.dirname, "../../.env.example"), "utf8");
    expect(example.split("\n").filter((line) => /^[^#\s]/.test(line))).toEqual([]);
  });
});
