// Measures all of extraction with one command and prints the Markdown tables of docs/benchmarks.md:
// EVAL_DATA=FOLDER npm run eval -- --scorers ../shared/eval [--out FOLDER] [--only
// pages,recipes,files] [--again] Earlier predictions in the folder of --out are only scored again,
// unless --again is given. Pages are predicted out of fold. Other tools: those of devDependencies;
// python3-trafilatura if Python finds it.
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { loadMdream } from "../mdream.ts";
import { isHeldOut, readPages } from "./read-pages.ts";
import { type PageScores, scorePages } from "./score-pages.ts";
import { type MetaRow, formatPageTables, type Scores } from "./tables.ts";

const { values: flags } = parseArgs({
  options: {
    scorers: { type: "string", default: "../shared/eval" },
    out: { type: "string", default: ".eval" },
    only: { type: "string", default: "pages,recipes,files" },
    again: { type: "boolean", default: false },
  },
});
const DATA = path.resolve(process.env["EVAL_DATA"] ?? "data");
const OUT = path.resolve(flags.out);
const scorer = (file: string): string => path.resolve(flags.scorers, file);
const missing = [
  { wanted: path.join(DATA, "wcxb"), is: "sets of pages", named: "EVAL_DATA" },
  { wanted: scorer("predict.mjs"), is: "scorers", named: "--scorers" },
].filter(({ wanted }) => !existsSync(wanted));
for (const { wanted, is, named } of missing)
  process.stderr.write(`No ${is}: ${wanted} is not there. Name their folder with ${named}.\n`);
if (missing.length > 0) process.exit(2);
const PAGE_SETS = ["wcxb-dev", "aeb", "trafilatura"] as const;
/** A tool that takes longer for a page, in milliseconds, has no answer for it. */
const MAX_PAGE_MS = "5000";
const META_SETS = ["wcxb-dev", "trafilatura"] as const;

/** Runs a program and returns its standard output. Rejects when it fails. */
async function run(command: string, words: readonly string[]): Promise<string> {
  const child = spawn(command, words, {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, EVAL_DATA: DATA },
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => (text += part));
  const { promise, resolve, reject } = Promise.withResolvers<number | null>();
  child.on("error", reject);
  child.on("close", resolve);
  const code = await promise;
  if (code !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${code}`);
  return text;
}
const runNode = (...words: string[]): Promise<string> => run(process.execPath, words);

const hasPrediction = (name: string, set: string): boolean =>
  !flags.again && existsSync(path.join(OUT, name, `${set}.jsonl`));

/** Predicts the pages by models that never saw their domain. */
async function predictOurs(): Promise<void> {
  if (PAGE_SETS.every((set) => hasPrediction("quarry", set))) return;
  const models = path.join(OUT, "models");
  await runNode(
    "--max-old-space-size=6000",
    "scripts/train-main-content.ts",
    "--folds",
    "5",
    "--models",
    models,
    "--out",
    OUT,
    "--name",
    "quarry",
  );
}

async function predictByLines(name: string, sets: readonly string[], lines: string): Promise<void> {
  for (const set of sets) {
    if (hasPrediction(name, set)) continue;
    // Moved into place when complete, so that an interrupted run leaves no partial answer.
    const part = path.join(OUT, "part", name);
    const words = ["--name", name, "--sets", set, "--lines", lines, "--out", part];
    words.push("--timeout", MAX_PAGE_MS);
    await runNode(scorer("predict.mjs"), ...words);
    mkdirSync(path.join(OUT, name), { recursive: true });
    renameSync(path.join(part, name, `${set}.jsonl`), path.join(OUT, name, `${set}.jsonl`));
  }
}

const buildCommand = (file: string): string => `${process.execPath} bench/eval/${file}`;

type Prediction = { readonly name: string; readonly predict: () => Promise<void> };

/**
 * Predicts with our extractor and the other tools, each in a child process, as many at a time as
 * two cores allow; returns their names.
 */
async function predictPages(): Promise<string[]> {
  const left: Prediction[] = [{ name: "quarry", predict: predictOurs }];
  const found = "import importlib.util as u; print(u.find_spec('trafilatura') is not None)";
  const hasTrafilatura = await run("python3", ["-c", found]).then(
    (answer) => answer.trim() === "True",
    () => false,
  );
  const installed = ["defuddle", "readability", "turndown"];
  if ((await loadMdream()) !== undefined) installed.push("mdream");
  const peers = installed.map((name): [string, string] => [
    name,
    buildCommand(`peer-lines.ts ${name}`),
  ]);
  if (hasTrafilatura) peers.push(["trafilatura", "python3 bench/eval/trafilatura-lines.py"]);
  for (const [name, lines] of peers)
    left.push({ name, predict: () => predictByLines(name, PAGE_SETS, lines) });
  const names = left.map(({ name }) => name);
  left.push({
    name: "quarry-meta",
    predict: () => predictByLines("quarry-meta", META_SETS, buildCommand("predict-meta.ts")),
  });
  const work = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await next.predict();
  };
  await Promise.all(Array.from({ length: availableParallelism() > 1 ? 2 : 1 }, work));
  return names;
}

/** Scores the predictions, and those of held-out domains separately. */
function scoreText(names: readonly string[]): Promise<PageScores> {
  const held = new Set(
    readPages(DATA)
      .filter(({ domain }) => isHeldOut(domain))
      .map(({ set, id }) => `${set} ${id}`),
  );
  return scorePages({
    scorers: flags.scorers,
    out: OUT,
    names,
    sets: PAGE_SETS,
    isHeld: (set, id) => held.has(`${set} ${id}`),
  });
}

async function scoreMeta(): Promise<Scores<MetaRow>> {
  const file = path.join(OUT, "scores-meta.json");
  const words = ["--out", OUT, "--sets", PAGE_SETS.join(","), "--names", "quarry-meta"];
  await runNode(scorer("score.mjs"), ...words, "--what", "meta", "--json", file);
  return JSON.parse(readFileSync(file, "utf8")) as Scores<MetaRow>;
}

async function pages(): Promise<string> {
  const names = await predictPages();
  return formatPageTables({ ...(await scoreText(names)), meta: await scoreMeta() });
}

const fenced = (title: string, text: string): string =>
  `**${title}**\n\n\`\`\`\n${text.trim()}\n\`\`\`\n`;

async function recipes(): Promise<string> {
  const all = await runNode("bench/eval/recipes.ts");
  const without = await runNode("bench/eval/recipes.ts", "--no-jsonld");
  return `${fenced("Recipes", all)}\n${fenced("Recipes, pages without linked data", without)}`;
}

/** PDFs with known text, scans of them, and tables with their cells. */
async function files(): Promise<string> {
  const folder = path.join(OUT, "files");
  const sets = ["printed", "scanned", "icdar2013"].filter(
    (set) => flags.again || !existsSync(path.join(folder, "quarry", `${set}.jsonl`)),
  );
  const lines = buildCommand("document-lines.ts");
  if (sets.length > 0)
    await runNode(
      scorer("pdf/pdf.mjs"),
      "run",
      "--name",
      "quarry",
      "--sets",
      sets.join(","),
      "--lines",
      lines,
      "--out",
      folder,
    );
  return fenced("Files", await runNode(scorer("pdf/pdf.mjs"), "score", "--out", folder));
}

const PARTS = { pages, recipes, files } as const;

mkdirSync(OUT, { recursive: true });
const tables: string[] = [];
for (const [name, part] of Object.entries(PARTS))
  if (flags.only.split(",").includes(name)) tables.push(await part());
const text = tables.join("\n");
writeFileSync(path.join(OUT, "tables.md"), text);
process.stdout.write(text);
