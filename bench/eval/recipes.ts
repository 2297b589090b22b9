// Structured extraction from recipe pages without a model, scored by field: EVAL_DATA=FOLDER node
// bench/eval/recipes.ts [--no-jsonld] [--jsonld] [--half dev|held] [--faults FIELD] [--out FILE]
// Texts are equal regardless of case and punctuation, lists by word F1 of their joined text,
// minutes by equality.
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import { derive } from "../../src/formats/derive.ts";
import { deriveInput } from "../../test/derive-input.ts";
import { RECIPE_SCHEMA } from "./recipe-schema.ts";

type Truth = Readonly<Record<string, unknown>>;
export type RecipePage = {
  readonly id: string;
  readonly url: string;
  readonly html: Buffer;
  readonly truth: Truth;
  readonly hasJsonLd: boolean;
};

/** The pages of the set that have a truth file. */
export function* readRecipePages(): Generator<RecipePage> {
  const root = path.join(
    process.env["EVAL_DATA"] ?? "/tmp/eval",
    "recipe-scrapers/tests/test_data",
  );
  for (const site of readdirSync(root).toSorted()) {
    const folder = path.join(root, site);
    if (!statSync(folder).isDirectory()) continue;
    for (const file of readdirSync(folder).toSorted()) {
      const truthFile = path.join(folder, file.replace(".testhtml", ".json"));
      if (!file.endsWith(".testhtml") || !existsSync(truthFile)) continue;
      const html = readFileSync(path.join(folder, file));
      const truth = JSON.parse(readFileSync(truthFile, "utf8")) as Truth;
      const text = html.toString("utf8");
      const hasJsonLd = /ld\+json/i.test(text) && /"@type"\s*:\s*\[?\s*"Recipe"/i.test(text);
      yield { id: `${site}/${file}`, url: `https://${site}/`, html, truth, hasJsonLd };
    }
  }
}

const toText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value) : "";
const splitWords = (text: unknown): string[] =>
  toText(text)
    .toLowerCase()
    .normalize("NFKC")
    .match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
const fold = (text: unknown): string => splitWords(text).join(" ");
const normalizeUrl = (url: unknown): string =>
  toText(url)
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .split(/[?#]/)[0] ?? "";

function scoreWordF1(one: unknown, other: unknown): number {
  const join = (list: unknown): string =>
    Array.isArray(list) ? list.map(String).join("\n") : toText(list);
  const counts = new Map<string, number>();
  const wanted = splitWords(join(other));
  const given = splitWords(join(one));
  for (const word of wanted) counts.set(word, (counts.get(word) ?? 0) + 1);
  let shared = 0;
  for (const word of given) {
    const left = counts.get(word) ?? 0;
    if (left > 0) shared += 1;
    counts.set(word, left - 1);
  }
  return given.length + wanted.length === 0 ? 0 : (2 * shared) / (given.length + wanted.length);
}

/** Scores one page by field; fields without truth are left out. */
export function scoreRecipe(
  json: Readonly<Record<string, unknown>>,
  truth: Truth,
): Record<string, number> {
  const scores: Record<string, number> = {};
  for (const name of ["title", "author", "site_name", "yields"])
    if (truth[name]) scores[name] = fold(json[name]) === fold(truth[name]) ? 1 : 0;
  for (const [name, key] of [
    ["ingredients", "ingredients"],
    ["instructions", "instructions_list"],
  ] as const)
    if (Array.isArray(truth[key]) && truth[key].length > 0)
      scores[name] = scoreWordF1(json[name], truth[key]);
  for (const name of ["total_time", "prep_time", "cook_time"])
    if (truth[name] !== undefined && truth[name] !== null)
      scores[name] = Number(json[name]) === Number(truth[name]) ? 1 : 0;
  if (truth["image"])
    scores["image"] = normalizeUrl(json["image"]) === normalizeUrl(truth["image"]) ? 1 : 0;
  if (truth["language"])
    scores["language"] =
      toText(json["language"]).slice(0, 2).toLowerCase() ===
      toText(truth["language"]).slice(0, 2).toLowerCase()
        ? 1
        : 0;
  return scores;
}

/** The half a site belongs to: rules are developed on one and tested on the other. */
export const chooseHalf = (id: string): "dev" | "held" =>
  createHash("sha256")
    .update(id.split("/")[0] ?? "")
    .digest()[0]! %
    2 ===
  0
    ? "dev"
    : "held";

export function printScores(name: string, pages: readonly Record<string, number>[]): void {
  const byField = new Map<string, number[]>();
  for (const page of pages)
    for (const [field, score] of Object.entries(page))
      byField.set(field, [...(byField.get(field) ?? []), score]);
  const mean = (list: readonly number[]): number =>
    list.reduce((sum, each) => sum + each, 0) / list.length;
  const means = [...byField].map(([field, scores]) => ({
    field,
    mean: mean(scores),
    count: scores.length,
  }));
  const overall = mean(means.map((each) => each.mean));
  console.log(`${name}: ${pages.length} pages, mean of fields ${overall.toFixed(3)}`);
  console.log(
    means.map((each) => `  ${each.field} ${each.mean.toFixed(3)} (${each.count})`).join("\n"),
  );
}

function main(): void {
  const { values } = parseArgs({
    options: {
      "no-jsonld": { type: "boolean" },
      jsonld: { type: "boolean" },
      half: { type: "string" },
      faults: { type: "string" },
      out: { type: "string" },
    },
  });
  const scores: Record<string, number>[] = [];
  const lines: string[] = [];
  let milliseconds = 0;
  for (const page of readRecipePages()) {
    if (values["no-jsonld"] === true && page.hasJsonLd) continue;
    if (values.jsonld === true && !page.hasJsonLd) continue;
    if (values.half !== undefined && chooseHalf(page.id) !== values.half) continue;
    const from = process.cpuUsage();
    const json = extract(page);
    const { user, system } = process.cpuUsage(from);
    milliseconds += (user + system) / 1_000;
    const score = scoreRecipe(json, page.truth);
    scores.push(score);
    lines.push(JSON.stringify({ id: page.id, json }));
    const { faults } = values;
    if (faults !== undefined && (score[faults] ?? 1) < 0.8) {
      const key = faults === "instructions" ? "instructions_list" : faults;
      console.log(page.id, score[faults]?.toFixed(2));
      console.log("   truth", JSON.stringify(page.truth[key])?.slice(0, 300));
      console.log("   found", JSON.stringify(json[faults])?.slice(0, 300));
    }
  }
  if (values.out !== undefined) writeFileSync(values.out, `${lines.join("\n")}\n`);
  printScores("without a model", scores);
  console.log(`${(milliseconds / scores.length).toFixed(1)} CPU ms a page`);
}

function extract(page: RecipePage): Record<string, unknown> {
  const { document } = derive(
    deriveInput(page.html, {
      contentType: "text/html",
      url: page.url,
      formats: [{ type: "deterministicJson", schema: RECIPE_SCHEMA, evidence: false }],
    }),
  );
  return (document.json ?? {}) as Record<string, unknown>;
}

if (import.meta.main) main();
