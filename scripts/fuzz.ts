// Breaks real pages and checks the answers, for a given number of tries:
// npm run fuzz -- [--pages FOLDER] [--count 1000] [--seed N] [--keep FOLDER]
// Pages are *.html and *.html.gz below FOLDER (default: test/golden). Each try has its own seed, so
// `--seed` with `--count 1` reproduces a fault; --keep writes the pages with faults.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { gunzipSync } from "node:zlib";
import { examinePage } from "../test/examine-page.ts";
import { createRandom, mutatePage } from "../test/mutate-page.ts";

const { values: flags } = parseArgs({
  options: {
    pages: { type: "string", default: "test/golden" },
    count: { type: "string", default: "1000" },
    seed: { type: "string", default: String(Math.trunc(Math.random() * 1_000_000_000)) },
    keep: { type: "string" },
    /** Larger pages are left out, bytes. */
    largest: { type: "string", default: "400000" },
  },
});
const files = readdirSync(flags.pages, { recursive: true, encoding: "utf8" })
  .filter((name) => /\.html(?:\.gz)?$/.test(name))
  .toSorted()
  .map((name) => path.join(flags.pages, name));
if (files.length === 0) throw new Error(`no pages below ${flags.pages}`);

const read = (file: string): string => {
  const bytes = readFileSync(file);
  return (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
};

const first = Number(flags.seed);
const count = Number(flags.count);
console.log(`seed ${first}, ${count} pages made of ${files.length}`);
let faulty = 0;
for (let seed = first; seed < first + count; seed++) {
  const random = createRandom(seed);
  const file = files[Math.floor(random() * files.length)]!;
  const html = read(file);
  if (html.length > Number(flags.largest)) continue;
  const page = mutatePage(html, random);
  const faults = examinePage(page);
  if ((seed - first + 1) % 500 === 0) console.log(`${seed - first + 1} done, ${faulty} faulty`);
  if (faults.length === 0) continue;
  faulty += 1;
  console.log(`seed ${seed}, ${file}: ${faults.slice(0, 3).join("; ").slice(0, 1_500)}`);
  if (flags.keep === undefined) continue;
  mkdirSync(flags.keep, { recursive: true });
  writeFileSync(path.join(flags.keep, `${seed}.html`), page.body);
}
console.log(`${count} pages, ${faulty} faulty`);
process.exitCode = faulty === 0 ? 0 : 1;
