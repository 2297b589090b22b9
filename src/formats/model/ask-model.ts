// Asks a model one question and parses the answer as JSON: parsed, validated, and repaired once by
// the model itself.
import type { Deadline } from "../../deadline.ts";
import { QuarryError, TargetError } from "../../errors.ts";
import { isContextLengthError } from "../../models/create-language-model.ts";
import { findJson, stripThoughts } from "../../models/find-json.ts";
import type { LanguageModel, ModelAnswer, ModelMessage, ModelUsage } from "../../models/model.ts";
import { validate } from "../../runtime/json-schema/validate.ts";

/** The reason of a failed question as a warning states it. */
export const describeModelFailure = ({ code, message }: QuarryError): string =>
  code === "SCRAPE_TIMEOUT"
    ? "The language model did not answer within the scrape's timeout."
    : message;

export type ModelReply<T> = {
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
): Promise<ModelReply<string>> {
  const answer = await model.complete(
    {
      messages: buildMessages(question),
      maxOutputTokens: question.maxOutputTokens,
      temperature: 0,
    },
    deadline,
  );
  const value = stripThoughts(answer.text).trim();
  if (value === "" || answer.finish === "refused")
    throw createUnusableError(model, answer, answer.usage);
  return { value, usage: answer.usage, finish: answer.finish };
}

/**
 * Returns a value for the schema, with the faults that are left after one repair. Throws
 * MODEL_FAILED if the answer contains no JSON.
 */
export async function askForJson(
  model: LanguageModel,
  question: Question & {
    /** Schema that the model server enforces. */
    readonly schema: Schema;
    /** Schema that the answer must fit. Default: the enforced schema. */
    readonly accepted?: Schema;
  },
  deadline: Deadline,
): Promise<ModelReply<{ readonly json: unknown; readonly faults: readonly string[] }>> {
  const messages = buildMessages(question);
  const { accepted = question.schema } = question;
  const rest = {
    maxOutputTokens: question.maxOutputTokens,
    jsonSchema: question.schema,
    temperature: 0,
  };
  const first = await model.complete({ messages, ...rest }, deadline);
  if (first.finish === "refused") throw createUnusableError(model, first, first.usage);
  const read = readJson(first, accepted);
  if (read.faults.length === 0) return { value: read, usage: first.usage, finish: first.finish };
  const isCut = first.finish === "length" && first.text.trim() !== "";
  const repair: ModelMessage[] = [
    ...messages,
    { role: "assistant", content: first.text.slice(-MAX_REPEATED) || "(nothing)" },
    { role: "user", content: isCut ? CONTINUE : repairText(read.faults) },
  ];
  const second = await model
    .complete({ messages: repair, ...rest }, deadline)
    .catch((error: unknown) => {
      throw withUsage(error, first.usage);
    });
  const usage = addUsage(first.usage, second.usage);
  const repaired = isCut ? readContinued(first, second, accepted) : readJson(second, accepted);
  const best =
    repaired.json === undefined ||
    (read.json !== undefined && repaired.faults.length > read.faults.length)
      ? read
      : repaired;
  if (best.json === undefined) throw createUnusableError(model, second, usage);
  return { value: best, usage, finish: second.finish };
}

/** Characters of an answer that are sent back to the model. */
const MAX_REPEATED = 40_000;

const CONTINUE =
  "Your answer was cut off. Continue exactly where it stopped: write only the rest of the JSON, and repeat nothing.";

const repairText = (faults: readonly string[]): string =>
  `This answer cannot be used: ${faults.slice(0, 10).join("; ")}. Give the whole answer again as one JSON object that fits the schema. Leave out or set to null what the page does not say.`;

/** The rest of a truncated answer, or all of it again. */
function readContinued(first: ModelAnswer, second: ModelAnswer, schema: Schema): ParsedAnswer {
  const joined = readJson({ ...second, text: first.text + stripFence(second.text) }, schema);
  if (joined.faults.length === 0) return joined;
  const again = readJson(second, schema);
  return again.json !== undefined && again.faults.length < joined.faults.length ? again : joined;
}

const stripFence = (text: string): string =>
  stripThoughts(text)
    .trim()
    .replace(/^```\w*\n?/, "");

type Schema = Readonly<Record<string, unknown>>;
type ParsedAnswer = { readonly json: unknown; readonly faults: readonly string[] };

function readJson(answer: ModelAnswer, schema: Schema): ParsedAnswer {
  const texts = [answer.text, answer.reasoning ?? ""].filter((text) => text.trim() !== "");
  const json = texts.map((text) => findJson(text)).find((value) => value !== undefined);
  if (json === undefined)
    return {
      json,
      faults: [answer.finish === "length" ? "it was cut off before its end" : "it is not JSON"],
    };
  const faults = listFaults(schema, json);
  const wrapped = faults.length === 0 ? undefined : wrapAnswer(schema, json);
  return wrapped === undefined ? { json, faults } : { json: wrapped, faults: [] };
}

const listFaults = (schema: Schema, json: unknown): string[] =>
  validate(schema, json).map(({ pointer, message }) => `${pointer || "the whole"} ${message}`);

/** Models that got the schema as text may leave out its one required property. */
function wrapAnswer(schema: Schema, json: unknown): unknown {
  const [name, ...others] = Array.isArray(schema["required"])
    ? (schema["required"] as string[])
    : [];
  if (name === undefined || others.length > 0) return undefined;
  const wrapped = { [name]: json };
  return listFaults(schema, wrapped).length === 0 ? wrapped : undefined;
}

const MIN_TOKENS = 400;
const MAX_SHRINKS = 5;

/**
 * Runs work with a budget of input tokens. Halves it and runs again if the model says that the
 * request is longer than its context.
 */
export async function runWithinContext<T>(
  tokens: number,
  run: (tokens: number) => Promise<T>,
): Promise<T> {
  for (let left = MAX_SHRINKS, budget = tokens; ; left -= 1, budget = Math.floor(budget / 2))
    try {
      return await run(budget);
    } catch (error) {
      if (!isContextLengthError(error) || left === 0 || budget <= MIN_TOKENS) throw error;
    }
}

/** Tokens of the calls that led to an error. */
export function readFailureUsage(error: unknown): ModelUsage {
  const { usage } = (error instanceof QuarryError ? (error.details ?? {}) : {}) as {
    readonly usage?: ModelUsage;
  };
  return usage ?? NO_USAGE;
}

/** The error with the tokens of all calls that led to it, which count in usage as well. */
export const withUsage = (error: unknown, usage: ModelUsage): unknown =>
  error instanceof QuarryError ? error.withDetails({ usage }) : error;

const buildMessages = ({ system, user }: Question): ModelMessage[] => [
  { role: "system", content: system },
  { role: "user", content: user },
];

const createUnusableError = (
  model: LanguageModel,
  { finish }: ModelAnswer,
  usage: ModelUsage,
): TargetError =>
  new TargetError(
    "MODEL_FAILED",
    `The language model ${model.name} ${finish === "refused" ? "declined to answer" : finish === "length" ? "was cut off before it gave an answer" : "gave no usable answer"}.`,
    { details: { usage } },
  );
