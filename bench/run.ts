// All benchmarks, one after the other; each prints JSON lines.  npm run bench -- --pages=DIR [--only=pipeline,scrape,crawl,start]
import { spawnSync } from "node:child_process";
import path from "node:path";
import process from "node:process";
import { readArgument, USAGE_EXIT_CODE } from "./pages.ts";

const names = readArgument("only", "pipeline,scrape,crawl,start").split(",");
for (const name of names) {
  const result = spawnSync(
    process.execPath,
    [path.join(import.meta.dirname, `${name}.ts`), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  if (result.status !== 0) process.exitCode = result.status ?? 1;
  // The pages are missing, for the others too.
  if (result.status === USAGE_EXIT_CODE) break;
}
