// Trains the main-content model, or measures it out of fold. EVAL_DATA names the folder of
// development sets (bench/eval/README.md).
//   node scripts/train-main-content.ts --folds 5 [--models DIR] [--out DIR]   cross-validation by domain: word F1 by kind; with --out also
//                                                                             the Markdown of each page by a model that never saw its domain
//   node scripts/train-main-content.ts --write                                trains on all pages and writes model.json, words.json and kinds.json
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import {
  trainBoostedTrees,
  type BoostOptions,
  type TrainingRows,
} from "../bench/eval/boost-trees.ts";
import { WordCounts } from "../bench/eval/learn-words.ts";
import { measureWords } from "../bench/eval/measure-words.ts";
import { preparePages, reduce, type PreparedPage } from "../bench/eval/prepare-pages.ts";
import { measureKinds, trainKinds } from "../bench/eval/train-kinds.ts";
import { chooseFold, readPages } from "../bench/eval/read-pages.ts";
import { weighTokens } from "../src/html/main-content/features/evidence.ts";
import {
  FIRST_EVIDENCE_COLUMN,
  FEATURE_NAMES,
} from "../src/html/main-content/features/features.ts";
import { DEFAULT_STRICTNESS } from "../src/html/main-content/passes/thresholds.ts";
import {
  findMainContentWith,
  type TrainedModels,
} from "../src/html/main-content/find-main-content.ts";
import {
  createPredictor,
  type Predictor,
  type TreeModel,
} from "../src/html/main-content/model/model.ts";
import { createKindReader } from "../src/html/main-content/model/page-kind.ts";
import { unpackTables, type PackedTables } from "../src/html/main-content/features/word-table.ts";
import { toMarkdown } from "../src/html/markdown/markdown.ts";

const { values: flags } = parseArgs({
  options: {
    folds: { type: "string" },
    only: { type: "string" },
    write: { type: "boolean" },
    cache: { type: "string" },
    models: { type: "string" },
    out: { type: "string" },
    name: { type: "string", default: "folds" },
    strictness: { type: "string", default: String(DEFAULT_STRICTNESS) },
    features: { type: "string" },
    gains: { type: "boolean" },
    forests: { type: "string", default: "2" },
    trees: { type: "string", default: "100" },
    leaves: { type: "string", default: "24" },
    rate: { type: "string", default: "0.11" },
    rows: { type: "string", default: "0.5" },
    columns: { type: "string", default: "0.4" },
    ridge: { type: "string", default: "1" },
    least: { type: "string", default: "0.5" },
    seed: { type: "string", default: "7" },
    power: { type: "string", default: "0.8" },
    aeb: { type: "string", default: "2" },
    trafilatura: { type: "string", default: "6" },
  },
});
const DATA = process.env["EVAL_DATA"] ?? "data";
/** Longer blocks count no more than this many words. */
const MAX_BLOCK_SIZE = 300;

/**
 * Number of parts that the pages are split into to learn words; each part uses the words of the
 * others.
 */
const CROSS_VALIDATION_PARTS = 5;
/**
 * Weight of the trafilatura set's pages when words are learned: their truth does not cover most
 * blocks.
 */
const TRAFILATURA_WORD_WEIGHT = 1;

/**
 * The weight of a block grows with its words, that of a page less than the sum of its blocks, so
 * that long pages do not dominate short ones.
 */
function weightsOf(page: PreparedPage, trafilatura = Number(flags.trafilatura)): Float32Array {
  const whole = page.sizes.reduce((sum, size) => sum + Math.min(size, MAX_BLOCK_SIZE), 0) || 1;
  const factor =
    page.set === "aeb" ? Number(flags.aeb) : page.set === "trafilatura" ? trafilatura : 1;
  const scale = factor / whole ** Number(flags.power);
  return page.sizes.map((size, block) =>
    Number.isNaN(page.targets[block]!) ? 0 : Math.min(size, MAX_BLOCK_SIZE) * scale,
  );
}

function gatherRows(pages: readonly PreparedPage[], features: readonly string[]): TrainingRows {
  const columns = features.map((name) => FEATURE_NAMES.indexOf(name));
  const weights = pages.map((page) => weightsOf(page));
  const count = weights.reduce(
    (sum, own) => sum + own.reduce((rows, weight) => rows + (weight > 0 ? 1 : 0), 0),
    0,
  );
  const rows = {
    features,
    values: new Float32Array(count * features.length),
    targets: new Float32Array(count),
    weights: new Float32Array(count),
  };
  let row = 0;
  pages.forEach((page, index) => {
    weights[index]!.forEach((weight, block) => {
      if (weight === 0) return;
      rows.targets[row] = page.targets[block]!;
      rows.weights[row] = weight;
      columns.forEach(
        (column, at) =>
          (rows.values[row * columns.length + at] =
            page.values[block * FEATURE_NAMES.length + column]!),
      );
      row++;
    });
  });
  const mean = rows.weights.reduce((sum, weight) => sum + weight, 0) / count;
  rows.weights.forEach((weight, at) => (rows.weights[at] = weight / mean));
  return rows;
}

function train(pages: readonly PreparedPage[], label: string): TreeModel {
  const options: BoostOptions = {
    forests: Number(flags.forests),
    trees: Number(flags.trees),
    leaves: Number(flags.leaves),
    rate: Number(flags.rate),
    rowShare: Number(flags.rows),
    featureShare: Number(flags.columns),
    ridge: Number(flags.ridge),
    leastWeight: Number(flags.least),
    seed: Number(flags.seed),
  };
  const features =
    flags.features === undefined
      ? FEATURE_NAMES
      : readFileSync(flags.features, "utf8").trim().split(/\s+/);
  const started = performance.now();
  const { model, gains } = trainBoostedTrees(gatherRows(pages, features), options);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(
    `${label}: ${seconds} s, ${model.features.length} features, ${Math.round(JSON.stringify(model).length / 1024)} KB`,
  );
  if (flags.gains) {
    const whole = [...gains.values()].reduce((sum, gain) => sum + gain, 0);
    for (const [name, gain] of [...gains].sort((one, two) => two[1] - one[1]))
      console.log(name, ((100 * gain) / whole).toFixed(2));
  }
  return model;
}

/** Word statistics of all pages, which can be read without some parts. */
function countWords(pages: readonly PreparedPage[], parts: number): WordCounts {
  const own = pages.map((page) => weightsOf(page, TRAFILATURA_WORD_WEIGHT));
  const mean =
    own.reduce((sum, weights) => sum + weights.reduce((one, two) => one + two, 0), 0) /
    own.reduce((sum, weights) => sum + weights.filter((weight) => weight > 0).length, 0);
  return new WordCounts(
    pages.map((page, index) => ({
      domain: page.domain,
      signs: page.signs,
      targets: page.targets,
      weights: own[index]!.map((weight) => weight / mean),
    })),
    parts,
    (domain) => chooseFold(domain, parts),
  );
}

/**
 * Sets the word evidence of every page from the parts that are neither its own nor `held`; returns
 * that of all parts except `held`.
 */
function tellWords(
  pages: readonly PreparedPage[],
  words: WordCounts,
  parts: number,
  held: readonly number[],
): PackedTables {
  for (let part = 0; part < parts; part++) {
    const tables = unpackTables(words.tables([...held, part]));
    for (const page of pages) {
      if (chooseFold(page.domain, parts) !== part) continue;
      const width = FEATURE_NAMES.length;
      for (let block = 0; block < page.sizes.length; block++)
        page.values.fill(0, block * width + FIRST_EVIDENCE_COLUMN, (block + 1) * width);
      weighTokens(page.signs, tables, page.values, width, FIRST_EVIDENCE_COLUMN);
    }
  }
  return words.tables(held);
}

function foldModel(pages: readonly PreparedPage[], fold: number, folds: number): TreeModel {
  const file =
    flags.models === undefined ? undefined : path.join(flags.models, `fold-${fold}.json`);
  if (file !== undefined && existsSync(file))
    return JSON.parse(readFileSync(file, "utf8")) as TreeModel;
  const model = train(
    pages.filter((page) => chooseFold(page.domain, folds) !== fold),
    `fold ${fold}`,
  );
  if (file !== undefined) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(model));
  }
  return model;
}

function writeAnswers(
  forests: ReadonlyMap<number, TrainedModels>,
  folds: number,
  out: string,
): void {
  const answers = new Map<string, string[]>();
  for (const page of readPages(DATA)) {
    const trained = forests.get(chooseFold(page.domain, folds));
    if (trained === undefined) continue;
    const before = process.cpuUsage();
    const content = reduce(
      page,
      (root, asked) =>
        void findMainContentWith(trained, root, {
          ...asked,
          strictness: Number(flags.strictness),
        }),
    );
    const spent = process.cpuUsage(before);
    const markdown = toMarkdown(content.root, { base: content.base, page: page.url });
    const lines = answers.get(page.set) ?? [];
    answers.set(page.set, lines);
    lines.push(JSON.stringify({ id: page.id, markdown, cpu: (spent.user + spent.system) / 1000 }));
  }
  const folder = path.join(out, flags.name);
  mkdirSync(folder, { recursive: true });
  for (const [set, lines] of answers)
    writeFileSync(path.join(folder, `${set}.jsonl`), `${lines.join("\n")}\n`);
}

const pages = preparePages(DATA, flags.cache);
if (flags.folds !== undefined) {
  const folds = Number(flags.folds);
  const wanted =
    flags.only === undefined
      ? [...Array.from({ length: folds }).keys()]
      : flags.only.split(",").map(Number);
  const words = countWords(pages, folds);
  const tables = new Map<number, PackedTables>();
  const predictors = new Map<number, Predictor>();
  const scores = new Map<PreparedPage, Float64Array>();
  for (const fold of wanted) {
    tables.set(fold, tellWords(pages, words, folds, [fold]));
    const predictor = createPredictor(foldModel(pages, fold, folds), FEATURE_NAMES);
    predictors.set(fold, predictor);
    for (const page of pages)
      if (chooseFold(page.domain, folds) === fold) scores.set(page, predictor(page.values));
  }
  const kinds = new Map(
    wanted.map((fold) => [
      fold,
      trainKinds(pages.filter((page) => chooseFold(page.domain, folds) !== fold)),
    ]),
  );
  if (flags.models !== undefined)
    for (const fold of wanted) {
      const keep = (name: string, value: unknown): void =>
        writeFileSync(path.join(flags.models!, `${name}-${fold}.json`), JSON.stringify(value));
      keep("words", tables.get(fold));
      keep("kinds", kinds.get(fold));
    }
  console.log(measureKinds(pages, (page) => kinds.get(chooseFold(page.domain, folds))));
  for (const strictness of [0.8, 1, 1.25])
    console.log(measureWords(`strictness ${strictness}`, [...scores.keys()], scores, strictness));
  if (flags.out !== undefined) {
    const forests = wanted.map((fold): [number, TrainedModels] => [
      fold,
      {
        tables: unpackTables(tables.get(fold)!),
        predict: predictors.get(fold)!,
        kindOf: createKindReader(kinds.get(fold)!),
      },
    ]);
    writeAnswers(new Map(forests), folds, flags.out);
  }
}
if (flags.write) {
  const folder = "src/html/main-content";
  const tables = tellWords(
    pages,
    countWords(pages, CROSS_VALIDATION_PARTS),
    CROSS_VALIDATION_PARTS,
    [],
  );
  writeFileSync(`${folder}/features/words.json`, `${JSON.stringify(tables)}\n`);
  writeFileSync(`${folder}/model/model.json`, `${JSON.stringify(train(pages, "all pages"))}\n`);
  writeFileSync(`${folder}/model/kinds.json`, `${JSON.stringify(trainKinds(pages))}\n`);
}
