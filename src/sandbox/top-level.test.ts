import { expect, test } from "vitest";
import { keepTopLevelNames } from "./top-level.ts";

test.each([
  ["const a = 1", "var a = 1"],
  ["let a, b = 2", "var a = undefined, b = 2"],
  ["let { a, b: [c] } = x;", "var { a, b: [c] } = x;"],
  ["class A extends B {}\n(f)()", "var A = class A extends B {};\n(f)()"],
  [
    "const a = 1; { const b = 2; } for (const c of d) e(c)",
    "var a = 1; { const b = 2; } for (const c of d) e(c)",
  ],
  ["var a = 1; function f() { const b = 2 }", "var a = 1; function f() { const b = 2 }"],
  ["await x; const a = await y", "await x; var a = await y"],
  ["const s = 'const a = 1' // let b", "var s = 'const a = 1' // let b"],
])("keeps the top-level names of %s", (code, expected) => {
  expect(keepTopLevelNames(code)).toBe(expected);
});

test("wraps code with a return in a function body", () => {
  expect(keepTopLevelNames("if (a) return 1; // why")).toBe(
    "await (async () => {\nif (a) return 1; // why\n})()",
  );
});

test("reports syntax errors with their position", () => {
  expect(() => keepTopLevelNames("let a = 1;\nlet = ;")).toThrow(/^Unexpected token \(2:6\)$/);
  expect(() => keepTopLevelNames("import fs from 'fs'")).toThrow(/modules cannot be loaded here$/);
  expect(() => keepTopLevelNames("(".repeat(100_000))).toThrow(SyntaxError);
});
