// Reads the recipe set with the configured model (QUARRY_MODEL), compared with rules alone on the
// same pages: QUARRY_MODEL=ollama/NAME EVAL_DATA=FOLDER npm run eval:model -- [--pages 40]
// [--no-jsonld] [--rules-too] By default the model reads every page; with --rules-too it is skipped
// where the page's own data is sufficient.
import process from "node:process";
import { parseArgs } from "node:util";
import { loadConfig } from "../../src/config.ts";
import type { Format } from "../../src/contract/page/formats.ts";
import { Deadline } from "../../src/deadline.ts";
import { derive } from "../../src/formats/derive.ts";
import { deriveInput } from "../../test/derive-input.ts";
import type { DerivedDocument } from "../../src/formats/derivation.ts";
import { createUnderstanding } from "../../src/formats/model/understand.ts";
import { createMetrics } from "../../src/metrics.ts";
import { createModels } from "../../src/models/models.ts";
import { RECIPE_SCHEMA } from "./recipe-schema.ts";
import { readRecipePages, scoreRecipe, printScores, type RecipePage } from "./recipes.ts";

const TIMEOUT_MS = 300_000;

const { values } = parseArgs({
  options: {
    pages: { type: "string", default: "40" },
    "no-jsonld": { type: "boolean", default: false },
    "rules-too": { type: "boolean", default: false },
  },
});

await using models = createModels(loadConfig(), { metrics: createMetrics() });
if (models.role("fast") === undefined) {
  console.error("No model is configured: set QUARRY_MODEL (see docs/models.md).");
  process.exit(1);
}
const understand = createUnderstanding(models);
const format: Format = {
  type: "json",
  schema: RECIPE_SCHEMA,
  // A prompt makes every page use the model.
  ...(values["rules-too"] ? {} : { prompt: "The recipe on the page." }),
  checkPromptInjection: false,
  evidence: false,
};

const byRules: Record<string, number>[] = [];
const byModel: Record<string, number>[] = [];
const tokens = { input: 0, output: 0 };
for (const page of choosePages()) {
  const derived = deriveRecipe(page);
  byRules.push(scoreRecipe(listFields(derived), page.truth));
  using deadline = Deadline.start(TIMEOUT_MS);
  const from = performance.now();
  const read = await understand(derived, { formats: [format], deadline });
  byModel.push(scoreRecipe(listFields(read), page.truth));
  const { modelInputTokens = 0, modelOutputTokens = 0 } = read.metadata as Record<string, unknown>;
  tokens.input += Number(modelInputTokens);
  tokens.output += Number(modelOutputTokens);
  const seconds = ((performance.now() - from) / 1_000).toFixed(1);
  console.log(`${page.id} ${seconds} s ${read.warnings.join(" ")}`);
}
printScores("by rules", byRules);
printScores(`by ${models.role("fast")?.name}`, byModel);
console.log(`${tokens.input} tokens in, ${tokens.output} out`);

function listFields({ document }: DerivedDocument): Record<string, unknown> {
  return (document.json ?? {}) as Record<string, unknown>;
}

/** Pages from the whole set, the same in every run. */
function choosePages(): RecipePage[] {
  const all = [...readRecipePages()].filter((page) => !values["no-jsonld"] || !page.hasJsonLd);
  const step = Math.max(1, all.length / Number(values.pages));
  return Array.from(
    { length: Math.min(all.length, Number(values.pages)) },
    (_, at) => all[Math.floor(at * step)],
  ).filter((page) => page !== undefined);
}

function deriveRecipe(page: RecipePage): DerivedDocument {
  return derive(
    deriveInput(page.html, {
      contentType: "text/html",
      url: page.url,
      formats: [format],
      reads: true,
    }),
  );
}
