// Rewrites expected.md of all golden cases, or of the named ones: node scripts/update-golden.ts
// [case …]. Review the difference before you commit it.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GOLDEN, goldenCases, renderCase } from "../test/golden/case.ts";

const names = process.argv.slice(2);
for (const name of names.length > 0 ? names : goldenCases()) {
  const path = join(GOLDEN, name, "expected.md");
  const markdown = renderCase(name);
  if (existsSync(path) && readFileSync(path, "utf8") === markdown) continue;
  writeFileSync(path, markdown);
  console.log(`written: ${name}`);
}
