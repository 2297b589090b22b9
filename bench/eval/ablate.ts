// Measures what each pass after the model earns (src/html/main-content/passes/choose-blocks.ts), with
// models that never saw the page's domain:
//   EVAL_DATA=FOLDER node bench/eval/ablate.ts --models DIR [--scorers ../shared/eval] [--without NAME,NAME] [--only NAME,NAME]
// DIR holds the folds of `scripts/train-main-content.ts --folds 5 --models DIR`. `fundus` and the
// held-out domains are pages that no pass was tuned on. A figure is the loss when the pass is left
// out, times 10,000. Passes named by `--without` are left out everywhere, and their own rows add
// them back: "(all)" shows what they earn together.
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { blockText } from "../../src/html/main-content/blocks/blocks.ts";
import {
  chooseBlocks,
  isDeclaredArticle,
  JOINS,
  type Join,
  type KnownPage,
  type Pass,
  PASSES,
} from "../../src/html/main-content/passes/choose-blocks.ts";
import { computeFeatures, FEATURE_NAMES } from "../../src/html/main-content/features/features.ts";
import { createPredictor, type TreeModel } from "../../src/html/main-content/model/model.ts";
import {
  classifyRole,
  computeKindFeatures,
  createKindReader,
  type KindModel,
} from "../../src/html/main-content/model/page-kind.ts";
import { analyzePage } from "../../src/html/main-content/features/page-view.ts";
import { isKept } from "../../src/html/main-content/passes/verdict.ts";
import {
  type PackedTables,
  unpackTables,
} from "../../src/html/main-content/features/word-table.ts";
import { holdsFact, readMarkdown } from "./match-facts.ts";
import { reduce } from "./prepare-pages.ts";
import { readFactPages } from "./read-facts.ts";
import { chooseFold, isHeldOut, type LabelledPage, readPages } from "./read-pages.ts";
import { toScoredWords } from "./readable-text.ts";

const { values: flags } = parseArgs({
  options: {
    models: { type: "string" },
    scorers: { type: "string", default: "../shared/eval" },
    without: { type: "string", default: "" },
    only: { type: "string" },
  },
});
const DATA = process.env["EVAL_DATA"] ?? "data";
const FOLDS = 5;
const MIN_EARNED = 0.0005;
if (flags.models === undefined) {
  process.stderr.write("Name the folder of the folds' models with --models.\n");
  process.exit(2);
}
const models = path.resolve(flags.models);

type Variant = { readonly passes: readonly Pass[]; readonly joins: readonly Join[] };

const buildVariant = (left: ReadonlySet<string>): Variant => ({
  passes: PASSES.filter(({ name }) => !left.has(name)),
  joins: JOINS.filter((name) => !left.has(name)),
});
const only = flags.only?.split(",");
const names: string[] = [...JOINS, ...PASSES.map(({ name }) => name)].filter(
  (name) => only?.includes(name) ?? true,
);
const together = new Set(flags.without.split(",").filter(Boolean));
const VARIANTS = new Map<string, Variant>([
  ["", buildVariant(together)],
  // Adds the pass back if it is left out.
  ...names.map((name): [string, Variant] => [
    name,
    buildVariant(together.symmetricDifference(new Set([name]))),
  ]),
  ["(all)", buildVariant(new Set())],
]);

const readJson = (name: string, fold: number): unknown =>
  JSON.parse(readFileSync(path.join(models, `${name}-${fold}.json`), "utf8"));
const folds = Array.from({ length: FOLDS }, (_, fold) => ({
  tables: unpackTables(readJson("words", fold) as PackedTables),
  predict: createPredictor(readJson("fold", fold) as TreeModel, FEATURE_NAMES),
  kindOf: createKindReader(readJson("kinds", fold) as KindModel),
}));

/** Scores a kept text from 0 to 1. */
type Score = (text: string) => number;

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of toScoredWords(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

/** Word F1. Scripts without spaces are compared by character. */
function scoreWords(truth: string): Score {
  const spread = (text: string): string =>
    text.replaceAll(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu,
      " $& ",
    );
  const wanted = countWords(spread(truth));
  const all = [...wanted.values()].reduce((sum, count) => sum + count, 0);
  return (text) => {
    let [kept, hit] = [0, 0];
    for (const [word, count] of countWords(spread(text))) {
      kept += count;
      hit += Math.min(count, wanted.get(word) ?? 0);
    }
    return all + kept === 0 ? 1 : (2 * hit) / (all + kept);
  };
}

function scoreSegments({ wanted, unwanted }: NonNullable<LabelledPage["segments"]>): Score {
  const fold = (text: string): string => text.replaceAll(/\s+/g, " ");
  return (text) => {
    const said = fold(text);
    const hits = wanted.filter((one) => said.includes(fold(one))).length;
    const extra = unwanted.filter((one) => said.includes(fold(one))).length;
    return (2 * hits) / Math.max(hits + extra + wanted.length, 1);
  };
}

/** Pages of one set with the mean score of each variant. */
class SetScores {
  pages = 0;
  readonly sums = new Map<string, number>();
  /** Pages on which the variant differs from all passes. */
  readonly changed = new Map<string, number>();

  add(scores: ReadonlyMap<string, number>, changed: ReadonlySet<string>): void {
    this.pages++;
    for (const [name, score] of scores) this.sums.set(name, (this.sums.get(name) ?? 0) + score);
    for (const name of changed) this.changed.set(name, (this.changed.get(name) ?? 0) + 1);
  }

  mean(name: string): number {
    return (this.sums.get(name) ?? 0) / Math.max(this.pages, 1);
  }

  earned(name: string): number {
    const difference = this.mean("") - this.mean(name);
    return together.has(name) || name === "(all)" ? -difference : difference;
  }
}

const sets = new Map<string, SetScores>();

function measure(
  page: { readonly url: string; readonly html: string },
  fold: number,
  into: readonly string[],
  score: Score,
): void {
  const { tables, predict, kindOf } = folds[fold]!;
  reduce(page, (root, { url, hints }) => {
    const view = analyzePage(root, { url, hints });
    const known: KnownPage = {
      url,
      title: hints.title,
      declaresArticle: isDeclaredArticle(hints),
      declaresProduct: hints.products.length === 1,
      kind: {
        ...kindOf(computeKindFeatures(view, url, hints)),
        role: classifyRole(url, hints),
      },
    };
    const asked = predict(computeFeatures(view, tables));
    const page = view.segmentation;
    const said = new Map<string, number>();
    const scores = new Map<string, number>();
    const changed = new Set<string>();
    for (const [name, variant] of VARIANTS) {
      const { verdicts } = chooseBlocks(view, asked, known, variant);
      const kept = verdicts.flatMap((verdict, index) => (isKept(verdict) ? [index] : []));
      const key = kept.join();
      let value = said.get(key);
      if (value === undefined) {
        value = score(kept.map((index) => blockText(page, page.blocks[index]!)).join("\n"));
        if (said.size > 0) changed.add(name);
        said.set(key, value);
      } else if (value !== scores.get("") && scores.size > 0) changed.add(name);
      scores.set(name, value);
    }
    for (const set of into) {
      let own = sets.get(set);
      if (own === undefined) sets.set(set, (own = new SetScores()));
      own.add(scores, changed);
    }
  });
}

for (const page of readPages(DATA)) {
  const score =
    page.segments === undefined ? scoreWords(page.truth ?? "") : scoreSegments(page.segments);
  const into = [page.set, ...(isHeldOut(page.domain) ? ["held-out"] : [])];
  if (page.set === "wcxb-dev") into.push(page.kind);
  measure(page, chooseFold(page.domain, FOLDS), into, score);
}
type NewsPage = { id: string; url?: string; html(): Buffer; gold: { text: string } };
const file = pathToFileURL(path.resolve(flags.scorers, "lib/datasets.mjs")).href;
const { SETS } = (await import(file)) as { SETS: { fundus: { load(): NewsPage[] } } };
for (const news of SETS.fundus.load()) {
  const { id, url = "", gold } = news;
  measure(
    { url, html: news.html().toString("utf8") },
    chooseFold(id, FOLDS),
    ["fundus"],
    scoreWords(gold.text),
  );
}
for (const page of readFactPages()) {
  if (page.part !== "dev") continue;
  measure(page, chooseFold(page.id, FOLDS), ["facts dev"], (text) => {
    const said = readMarkdown(text);
    const kept = page.facts.filter((fact) => holdsFact(said, fact)).length;
    const extra = page.boilerplate.filter((words) => holdsFact(said, words)).length;
    return (kept + page.boilerplate.length - extra) / (page.facts.length + page.boilerplate.length);
  });
}

const COUNTED: ReadonlySet<string> = new Set([
  "wcxb-dev",
  "aeb",
  "trafilatura",
  "fundus",
  "facts dev",
]);
const columns = [...sets.keys()];
const print = (cells: readonly string[]): boolean =>
  process.stdout.write(`| ${cells.join(" | ")} |\n`);
print([
  "left out",
  ...columns.map((set) => `${set} (${sets.get(set)!.pages})`),
  "pages changed",
  "stays",
]);
print(["---", ...columns.map(() => "--:"), "--:", "---"]);
print(["(nothing: score)", ...columns.map((set) => sets.get(set)!.mean("").toFixed(4)), "", ""]);
for (const name of [...names, "(all)"]) {
  const earned = columns.map((set) => sets.get(set)!.earned(name));
  const changed = columns
    .filter((set) => COUNTED.has(set))
    .reduce((sum, set) => sum + (sets.get(set)!.changed.get(name) ?? 0), 0);
  const stays = earned.some((value, at) => COUNTED.has(columns[at]!) && value >= MIN_EARNED);
  const isUnseen = ["held-out", "fundus", "facts dev"].some(
    (set) => (sets.get(set)?.earned(name) ?? 0) >= MIN_EARNED,
  );
  print([
    together.has(name) ? `${name} (left out)` : name,
    ...earned.map((value) => (value * 10_000).toFixed(1)),
    String(changed),
    isUnseen ? "yes" : stays ? "tuned pages only" : "no",
  ]);
}
