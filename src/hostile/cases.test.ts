import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { CASES } from "./cases/index.ts";

const FOLDER = path.join(import.meta.dirname, "cases");

describe("hostile cases", () => {
  it("each hostile case is in a file of its name that begins with the reason why the attack works", () => {
    const files = readdirSync(FOLDER, { recursive: true, encoding: "utf8" }).filter(
      (name) => name.endsWith(".ts") && name !== "index.ts",
    );
    const names = files.map((file) => path.basename(file, ".ts"));
    expect(names.toSorted()).toEqual(CASES.map(({ name }) => name).toSorted());
    for (const file of files) {
      const text = readFileSync(path.join(FOLDER, file), "utf8");
      expect(text, file).toMatch(/^\/\/ \S.{40,}/);
      expect(text, file).toContain(`"${path.basename(file, ".ts")}"`);
    }
  });

  it("each hostile case has a name, a severity, an attack, a promise and a time limit", () => {
    for (const { name, severity, attack, promise, budgetMs } of CASES) {
      expect(["critical", "high", "medium", "low"], name).toContain(severity);
      expect(
        [attack, promise].every((text) => /^[A-Z].*\.$/.test(text)),
        name,
      ).toBe(true);
      expect(budgetMs, name).toBeGreaterThan(0);
    }
    expect(new Set(CASES.map(({ name }) => name)).size).toBe(CASES.length);
  });
});
