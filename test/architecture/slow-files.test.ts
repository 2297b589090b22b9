import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { SLOW_FILES } from "../slow-files.ts";

const root = path.resolve(import.meta.dirname, "../..");

describe("files that npm run check leaves out", () => {
  it("the list of slow test files names only files that exist", () => {
    expect(SLOW_FILES.filter((file) => !existsSync(path.join(root, file)))).toEqual([]);
  });
});
