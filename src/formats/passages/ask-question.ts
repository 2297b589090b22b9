// Lets a model answer questions about a page and choose passages. It returns passage numbers, so
// the result is always the page's own text.
import type { Deadline } from "../../deadline.ts";
import type { LanguageModel } from "../../models/model.ts";
import { askForJson, askForText, type ModelReply } from "../model/ask-model.ts";
import { wrapPageText, DATA_RULE, estimateTokens } from "../model/page-as-data.ts";
import type { Passage } from "./rank.ts";

const ANSWERING = [
  "You answer a question about a web page, briefly, in the language of the question.",
  DATA_RULE,
  "If the page does not answer it, say so.",
].join(" ");
const CHOOSING = [
  "You choose the passages of a web page that answer a question. Passages have numbers in front.",
  DATA_RULE,
].join(" ");
const MAX_OUTPUT_TOKENS = 1_500;
const MAX_CHOSEN = 20;

const NUMBERS = {
  type: "object",
  properties: { passages: { type: "array", items: { type: "integer" }, maxItems: MAX_CHOSEN } },
  required: ["passages"],
};

type Options = { readonly inputTokens: number };

/** Asks the model a question. Rethrows the model's errors. */
export async function askQuestion(
  model: LanguageModel,
  question: string,
  passages: readonly Passage[],
  options: Options,
  deadline: Deadline,
): Promise<ModelReply<string>> {
  const text = selectFitting(passages, options.inputTokens)
    .map((passage) => passage.text)
    .join("\n\n");
  const user = `Question: ${question}\n\n${wrapPageText(text)}`;
  return await askForText(
    model,
    { system: ANSWERING, user, maxOutputTokens: MAX_OUTPUT_TOKENS },
    deadline,
  );
}

/**
 * Returns the passages that the model names, in page order, or none. Rethrows the model's errors.
 */
export async function choosePassages(
  model: LanguageModel,
  query: string,
  passages: readonly Passage[],
  options: Options,
  deadline: Deadline,
): Promise<ModelReply<readonly Passage[]>> {
  const shown = selectFitting(passages, options.inputTokens);
  const text = shown.map((passage) => `[${passage.at}] ${passage.text}`).join("\n\n");
  const user = `What is looked for: ${query}\n\n${wrapPageText(text)}\n\nAnswer with {"passages": [numbers]}, the best ones only, none if none fits.`;
  const asked = await askForJson(
    model,
    { system: CHOOSING, user, schema: NUMBERS, maxOutputTokens: MAX_OUTPUT_TOKENS },
    deadline,
  );
  const { passages: numbers } = (asked.value.json ?? {}) as { passages?: unknown };
  const chosen = new Set(Array.isArray(numbers) ? (numbers as unknown[]) : []);
  return { ...asked, value: shown.filter(({ at }) => chosen.has(at)).slice(0, MAX_CHOSEN) };
}

/** Returns the passages that fit the budget, preferring the best matches, in page order. */
function selectFitting(passages: readonly Passage[], tokens: number): Passage[] {
  let left = tokens;
  const kept: Passage[] = [];
  for (const passage of passages.toSorted(
    (one, other) => other.score - one.score || one.at - other.at,
  )) {
    left -= estimateTokens(passage.text) + 4;
    if (left < 0) break;
    kept.push(passage);
  }
  return kept.toSorted((one, other) => one.at - other.at);
}
