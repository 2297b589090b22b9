import path from "node:path";
import { describe, expect, it } from "vitest";
import { readSources } from "./import-graph.ts";

const root = path.resolve(import.meta.dirname, "../..");
const PLAIN_DATA = ["src/contract/request/error-codes.ts", "src/contract/request/limits.ts"].map(
  (file) => path.join(root, file),
);

describe("imports of the client", () => {
  it("the client loads only its own files and two plain data files of the contract", async () => {
    const sources = await readSources(root, ["client", "src/contract"]);
    const own = [...sources.keys()].filter((file) => file.startsWith(path.join(root, "client")));
    expect(own.map((file) => path.basename(file))).toContain("client.ts");
    const allowed = new Set([...own, ...PLAIN_DATA]);
    for (const file of allowed) {
      for (const { target, isType } of sources.get(file) ?? []) {
        const resolved = path.resolve(path.dirname(file), target);
        const isAllowed = target.startsWith(".") && allowed.has(resolved);
        expect(isType || isAllowed, `${path.relative(root, file)} loads ${target}`).toBe(true);
      }
    }
  });
});
