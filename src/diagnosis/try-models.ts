import type { Config } from "../config.ts";
import { Deadline } from "../deadline.ts";
import { QuarryError } from "../errors.ts";
import { createMetrics } from "../metrics.ts";
import { findJson } from "../models/find-json.ts";
import type { LanguageModel } from "../models/model.ts";
import { createModels } from "../models/models.ts";

const TIMEOUT_MS = 30_000;
const SCHEMA = {
  type: "object",
  properties: { sum: { type: "integer" } },
  required: ["sum"],
};

export type ModelTrial = {
  readonly name: string;
  readonly works: boolean;
  /** Result for people: "answers in 0.4 s, in JSON". */
  readonly result: string;
};

/** Asks every configured model one small question. Empty where no model is configured. */
export async function tryModels(config: Config): Promise<ModelTrial[]> {
  await using models = createModels(config, { metrics: createMetrics() });
  const smart = models.role("smart");
  const fast = models.role("fast");
  const trials: ModelTrial[] = [];
  if (smart !== undefined) trials.push({ name: smart.name, ...(await ask(smart)) });
  if (fast !== undefined && fast !== smart)
    trials.push({ name: `${fast.name} (fast)`, ...(await ask(fast)) });
  return trials;
}

async function ask(model: LanguageModel): Promise<Omit<ModelTrial, "name">> {
  using deadline = Deadline.start(TIMEOUT_MS);
  const from = performance.now();
  try {
    const answer = await model.complete(
      {
        messages: [{ role: "user", content: 'Add 19 and 23. Answer with JSON: {"sum": number}.' }],
        jsonSchema: SCHEMA,
        maxOutputTokens: 500,
      },
      deadline,
    );
    const seconds = ((performance.now() - from) / 1_000).toFixed(1);
    const found = findJson(answer.text) as { sum?: unknown } | undefined;
    if (found?.sum === 42) return { works: true, result: `answers in ${seconds} s, in JSON` };
    return {
      works: false,
      result: `answers in ${seconds} s, but not with the JSON it was asked for: ${JSON.stringify(answer.text.slice(0, 80))}`,
    };
  } catch (error) {
    if (!(error instanceof QuarryError)) throw error;
    const result =
      error.code === "SCRAPE_TIMEOUT"
        ? `does not answer within ${TIMEOUT_MS / 1_000} s`
        : `does not work: ${error.message}`;
    return { works: false, result };
  }
}
