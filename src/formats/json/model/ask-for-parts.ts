// Asks a model about the parts of a page one after the other. Halves a part that does not fit into
// the model's context. Keeps the answers before a failure.
import type { Deadline } from "../../../deadline.ts";
import { QuarryError } from "../../../errors.ts";
import { isContextLengthError } from "../../../models/create-language-model.ts";
import type { LanguageModel, ModelUsage } from "../../../models/model.ts";
import {
  addUsage,
  askForJson,
  NO_USAGE,
  readFailureUsage,
  withUsage,
} from "../../model/ask-model.ts";
import { DATA_RULE, wrapPageText } from "../../model/page-as-data.ts";
import type { AnswerSchemas } from "./answer-schema.ts";
import type { PagePart } from "./page-parts.ts";

export const SYSTEM = [
  "You extract structured data from web pages.",
  DATA_RULE,
  "Leave out, or set to null, what the page does not say. Never guess, never use other knowledge.",
].join(" ");

export type PartsQuestion = {
  readonly parts: readonly PagePart[];
  readonly instructions: string;
  readonly schemas: AnswerSchemas;
  readonly inputTokens: number;
};

export type PartsAnswer = { readonly warnings: readonly string[]; readonly usage: ModelUsage };

const MAX_OUTPUT_TOKENS = 8_000;
const MIN_OUTPUT_TOKENS = 500;
const MAX_CALLS = 24;
const MAX_HALVINGS = 5;

/**
 * `onAnswer` returns true to skip the remaining parts. Throws the error of the first call, with the
 * tokens spent.
 */
export async function askForParts(
  model: LanguageModel,
  { parts, instructions, schemas, inputTokens }: PartsQuestion,
  deadline: Deadline,
  onAnswer: (json: unknown) => boolean,
): Promise<PartsAnswer> {
  const warnings: string[] = [];
  let open = [...parts];
  let usage = NO_USAGE;
  let budget = inputTokens;
  let halvings = 0;
  let answered = 0;
  let isCut = false;
  for (let calls = 0; open.length > 0; calls += 1) {
    if (calls >= MAX_CALLS) {
      warnings.push(`json: the page took ${MAX_CALLS} calls of the model; its rest was not read.`);
      break;
    }
    const [part, ...rest] = open as [PagePart, ...PagePart[]];
    try {
      const user = [instructions, wrapPageText(part.text), part.note].filter((text) => text !== "");
      const asked = await askForJson(
        model,
        {
          system: SYSTEM,
          user: user.join("\n\n"),
          schema: schemas.sent,
          accepted: schemas.accepted,
          // The answer has to fit into the context as well.
          maxOutputTokens: Math.max(
            MIN_OUTPUT_TOKENS,
            Math.min(MAX_OUTPUT_TOKENS, Math.floor(budget / 2)),
          ),
        },
        deadline,
      );
      usage = addUsage(usage, asked.usage);
      answered += 1;
      isCut ||= asked.finish === "length";
      open = rest;
      if (onAnswer(asked.value.json)) break;
    } catch (error) {
      usage = addUsage(usage, readFailureUsage(error));
      if (isContextLengthError(error) && halvings < MAX_HALVINGS) {
        halvings += 1;
        budget = Math.floor(budget / 2);
        // The others are as large.
        open = open.flatMap(halve);
        continue;
      }
      if (answered === 0 || !(error instanceof QuarryError)) throw withUsage(error, usage);
      warnings.push(
        `json: the language model failed after ${answered} of ${answered + open.length} parts of the page; what only the others say is missing. ${error.message}`,
      );
      break;
    }
  }
  if (isCut) warnings.push("json: the model's answer was truncated; values may be missing.");
  return { warnings, usage };
}

function halve(part: PagePart): PagePart[] {
  const lines = part.text.split("\n");
  const { length } = part.text;
  if (lines.length < 2) {
    const middle = Math.ceil(length / 2);
    return [part.text.slice(0, middle), part.text.slice(middle)]
      .filter((text) => text !== "")
      .map((text) => ({ ...part, text }));
  }
  let at = 0;
  let size = 0;
  while (at < lines.length - 1 && (at === 0 || size < length / 2)) {
    size += (lines[at]?.length ?? 0) + 1;
    at += 1;
  }
  return [lines.slice(0, at), lines.slice(at)].map((half) => ({ ...part, text: half.join("\n") }));
}
