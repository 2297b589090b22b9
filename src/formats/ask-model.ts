// Asks a model one question and parses the answer as JSON: parsed, validated, and repaired once by
// the model itself.
import type { Deadline } from "../deadline.ts";
import { TargetError } from "../errors.ts";
import { findJson, withoutThoughts } from "../models/find-json.ts";
import type { LanguageModel, ModelAnswer, ModelMessage, ModelUsage } from "../models/model.ts";
import { validate } from "../runtime/json-schema/validate.ts";

export type Asked<T> = {
  readonly value: T;
  readonly usage: ModelUsage;
  readonly finish: ModelAnswer["finish"];
};

export const NO_USAGE: ModelUsage = { inputTokens: 0, outputTokens: 0 };

export const addUsage = (one: ModelUsage, other: ModelUsage): ModelUsage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
});

type Question = {
  readonly system: string;
  readonly user: string;
  readonly maxOutputTokens: number;
};

/** Returns a text. Throws MODEL_FAILED for an empty or refused answer. */
export async function askForText(
  model: LanguageModel,
  question: Question,
  deadline: Deadline,
): Promise<Asked<string>> {
  const answer = await model.complete(
    { messages: messagesOf(question), maxOutputTokens: question.maxOutputTokens, temperature: 0 },
    deadline,
  );
  const value = withoutThoughts(answer.text).trim();
  if (value === "" || answer.finish === "refused") throw unusable(model, answer);
  return { value, usage: answer.usage, finish: answer.finish };
}

/**
 * Returns a value for the schema, with the faults that are left after one repair. Throws
 * MODEL_FAILED if the answer contains no JSON.
 */
export async function askForJson(
  model: LanguageModel,
  question: Question & { readonly schema: Readonly<Record<string, unknown>> },
  deadline: Deadline,
): Promise<Asked<{ readonly json: unknown; readonly faults: readonly string[] }>> {
  const messages = messagesOf(question);
  const rest = {
    maxOutputTokens: question.maxOutputTokens,
    jsonSchema: question.schema,
    temperature: 0,
  };
  const first = await model.complete({ messages, ...rest }, deadline);
  if (first.finish === "refused") throw unusable(model, first);
  const read = readJson(first, question.schema);
  if (read.faults.length === 0) return { value: read, usage: first.usage, finish: first.finish };
  const repair: ModelMessage[] = [
    ...messages,
    { role: "assistant", content: first.text.slice(0, 40_000) || "(nothing)" },
    {
      role: "user",
      content: `This answer cannot be used: ${read.faults.slice(0, 10).join("; ")}. Give the whole answer again as one JSON object that fits the schema. Leave out or set to null what the page does not say.`,
    },
  ];
  const second = await model.complete({ messages: repair, ...rest }, deadline);
  const usage = addUsage(first.usage, second.usage);
  const repaired = readJson(second, question.schema);
  const best =
    repaired.json === undefined ||
    (read.json !== undefined && repaired.faults.length > read.faults.length)
      ? read
      : repaired;
  if (best.json === undefined) throw unusable(model, second);
  return { value: best, usage, finish: second.finish };
}

function readJson(
  answer: ModelAnswer,
  schema: Readonly<Record<string, unknown>>,
): { json: unknown; faults: string[] } {
  const json = findJson(answer.text);
  if (json === undefined)
    return {
      json,
      faults: [answer.finish === "length" ? "it was cut off before its end" : "it is not JSON"],
    };
  return {
    json,
    faults: validate(schema, json).map(
      ({ pointer, message }) => `${pointer || "the whole"} ${message}`,
    ),
  };
}

const messagesOf = ({ system, user }: Question): ModelMessage[] => [
  { role: "system", content: system },
  { role: "user", content: user },
];

const unusable = (model: LanguageModel, { finish }: ModelAnswer): TargetError =>
  new TargetError(
    "MODEL_FAILED",
    `The language model ${model.name} ${finish === "refused" ? "declined to answer" : finish === "length" ? "was cut off before it gave an answer" : "gave no usable answer"}.`,
  );
