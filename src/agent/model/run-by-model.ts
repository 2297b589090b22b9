// A run with a language model: the model decides, tools act, and the journal records both. After a
// kill the conversation is rebuilt from the journal and continues.
import { Deadline } from "../../deadline.ts";
import { LimitError } from "../../errors.ts";
import type { LanguageModel, ModelAnswer, ModelMessage, ToolCall } from "../../models/model.ts";
import { runWithinContext } from "../../formats/model/ask-model.ts";
import { findJson, stripThoughts } from "../../models/find-json.ts";
import { isObject } from "../../runtime/is-object.ts";
import { Findings } from "./findings.ts";
import { fit, buildMark, buildOpening, measureMessage, buildToolAnswer } from "./conversation.ts";
import { RunTools, type CallAnswer, type ToolParts } from "./run-tools.ts";
import { EFFORTS, type Finding, type StoredRun } from "../run.ts";
import type { AgentRunContext } from "../agent-run-context.ts";
import { isFilled } from "../answer/target.ts";
import { checkCall, selectTools, type CheckedCall, type ToolName } from "./tools.ts";

export type ByModelParts = ToolParts & {
  readonly model: LanguageModel;
  /** Estimated tokens of a conversation; the excess is shortened. */
  readonly inputTokens: number;
  readonly now: () => number;
};

/** The provider is overloaded. The run pauses and is retried with its journal unchanged. */
export class ModelBusy extends Error {}

const MAX_OUTPUT_TOKENS = 4_096;
const TOKENS_PER_CREDIT = 10_000;
const CALL_TIMEOUT_MS = 600_000;
/** Consecutive answers without a usable tool call before the run ends. */
const MAX_MALFORMED = 4;
const MAX_REPAIRS = 2;
/** Calls executed per answer; the model may repeat the others. */
const MAX_CALLS = 16;
const MINUTE_MS = 60_000;

/** Throws CreditLimit, RunLostSignal, ModelBusy, TargetError MODEL_FAILED. */
export async function runByModel(parts: ByModelParts, work: AgentRunContext): Promise<Finding> {
  const kept = work.run.options as StoredRun;
  const findings = new Findings(kept.schema, kept.prompt);
  const tools = new RunTools(parts, work, findings);
  const mark = buildMark(work.run.id);
  const messages: ModelMessage[] = buildOpening({
    kept,
    starts: work.starts,
    mark,
    maxCredits: work.run.maxCredits,
  });
  const { turns, minutes } = EFFORTS[kept.effort ?? "medium"];
  const endsAt = work.run.createdAt + minutes * MINUTE_MS;
  const summaries = new Map<ModelMessage, string>();
  const callByMessage = new Map<ModelMessage, ToolCall>();
  let malformed = 0;
  let repairs = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    if (!work.journal.recalls && parts.now() >= endsAt)
      return endWithoutAnswer(findings, OUT_OF_TIME);
    const isLast = turn === turns;
    if (isLast) messages.push({ role: "user", content: "This is the last turn: call finish now." });
    const names: readonly ToolName[] = isLast ? ["finish"] : tools.names;
    const fitted = fit(messages, parts.inputTokens, summaries);
    for (const message of fitted.removed) {
      const call = callByMessage.get(message);
      if (call !== undefined) tools.forget(call);
    }
    const answer = await askModel(parts, work, fitted.messages, names, turn);
    if (answer.finish === "refused") return endWithRefusal(findings, answer);
    messages.push({ role: "assistant", content: answer.text, toolCalls: answer.toolCalls });
    const calls = answer.toolCalls.map((call, index) =>
      index < MAX_CALLS ? checkCall(call, names) : TOO_MANY,
    );
    const usable = calls.filter((call): call is CheckedCall => typeof call !== "string");
    if (calls.length === 0) {
      malformed += 1;
      const data = findData(answer);
      if (data !== undefined) {
        const ended = await tools.finish({ data });
        if (ended.faults.length === 0) return conclude(findings, ended);
      }
      if (malformed >= MAX_MALFORMED || isLast) return endWithText(findings, answer);
      messages.push({ role: "user", content: NUDGE });
      continue;
    }
    const finish = usable.find((call) => call.name === "finish");
    const contents = await tools.runAll(usable.filter((call) => call.name !== "finish"));
    if (finish !== undefined) {
      const ended = await tools.finish(finish.given);
      if (ended.faults.length === 0 || repairs >= MAX_REPAIRS || isLast)
        return conclude(findings, ended);
      repairs += 1;
      contents.set(finish.call, { content: repairText(ended.faults) });
    }
    // Malformed and refused calls alone make no progress.
    malformed = usable.some(({ call }) => contents.get(call)?.isRefused !== true)
      ? 0
      : malformed + 1;
    for (const [index, call] of answer.toolCalls.entries()) {
      const { content, summary } = selectContent(calls[index], contents);
      const message = buildToolAnswer(call, content);
      messages.push(message);
      callByMessage.set(message, call);
      if (summary !== undefined) summaries.set(message, summary);
    }
    if (malformed >= MAX_MALFORMED) return endWithoutAnswer(findings, ONLY_FAULTS);
    if (tools.hasNews()) await work.tell(findings.answer(false));
  }
  return endWithoutAnswer(findings);
}

const NUDGE = "Call a tool, or finish with what you have.";
const TOO_MANY = `Not done: at most ${MAX_CALLS} calls at once. Call it again.`;
const OUT_OF_TIME = "The run reached its time limit; the data is what was saved until then.";
const ONLY_FAULTS = "The language model made only calls that cannot be carried out.";
const NO_END =
  "The language model reached its turn limit without finishing; the data is what it had saved.";

function selectContent(
  call: CheckedCall | string | undefined,
  contents: ReadonlyMap<ToolCall, CallAnswer>,
): CallAnswer {
  if (call === undefined) return { content: "" };
  return typeof call === "string"
    ? { content: call }
    : (contents.get(call.call) ?? { content: "" });
}

/** One answer of the model: a separate step, charged by tokens. */
async function askModel(
  { model, inputTokens }: ByModelParts,
  { journal }: AgentRunContext,
  messages: readonly ModelMessage[],
  names: readonly ToolName[],
  turn: number,
): Promise<ModelAnswer> {
  const maxCredits = toCredits(
    Math.min(2 * inputTokens, estimateTokens(messages)) + MAX_OUTPUT_TOKENS,
  );
  return await journal.runStep({ tool: "think", input: { turn }, maxCredits }, async (signal) => {
    using deadline = Deadline.start(CALL_TIMEOUT_MS, signal);
    const answer = await complete({ model, inputTokens }, messages, names, deadline);
    const { inputTokens: read, outputTokens: written } = answer.usage;
    return {
      output: answer,
      credits: Math.min(maxCredits, toCredits(read + written)),
      tokens: read + written,
      shown: {
        text: buildSummary(answer),
        model: model.name,
        inputTokens: read,
        outputTokens: written,
        calls: answer.toolCalls.map(({ name }) => name),
      },
    };
  });
}

const toCredits = (tokens: number): number => Math.max(1, Math.ceil(tokens / TOKENS_PER_CREDIT));

/** Upper estimate of a request: two characters a token, and the definitions of the tools. */
const estimateTokens = (messages: readonly ModelMessage[]): number =>
  TOOL_DEFINITION_TOKENS + messages.reduce((sum, message) => sum + measureMessage(message), 0) / 2;
const TOOL_DEFINITION_TOKENS = 3_000;

/** Shortens a conversation further that is longer than the model's context. */
async function complete(
  { model, inputTokens }: Pick<ByModelParts, "model" | "inputTokens">,
  messages: readonly ModelMessage[],
  names: readonly ToolName[],
  deadline: Deadline,
): Promise<ModelAnswer> {
  const rest = { tools: selectTools(names), maxOutputTokens: MAX_OUTPUT_TOKENS, temperature: 0 };
  try {
    return await runWithinContext(inputTokens, async (tokens) =>
      model.complete(
        { messages: tokens === inputTokens ? messages : fit(messages, tokens).messages, ...rest },
        deadline,
      ),
    );
  } catch (error) {
    if (error instanceof LimitError && error.code === "MODEL_BUSY")
      throw new ModelBusy(error.message, { cause: error });
    throw error;
  }
}

const MAX_SUMMARY_CHARACTERS = 1_000;

function buildSummary({ text, toolCalls }: ModelAnswer): string {
  if (text.trim() !== "") return text.trim().slice(0, MAX_SUMMARY_CHARACTERS);
  return toolCalls.length === 0 ? "" : `Calls ${toolCalls.map(({ name }) => name).join(", ")}.`;
}

const repairText = (faults: readonly string[]): string =>
  `Not finished yet. ${faults.slice(0, 20).join(" ")} Fix this and call finish again, or leave out values that no page states.`;

type RunEnding = { readonly message: string | undefined; readonly faults: readonly string[] };

/** The data of an answer in words: some models write it instead of calling finish. */
function findData({ text }: ModelAnswer): unknown {
  const json = findJson(text);
  if (!isObject(json)) return Array.isArray(json) ? json : undefined;
  return Object.hasOwn(json, "data") ? json["data"] : json;
}

function conclude(findings: Findings, { message }: RunEnding): Finding {
  const answer = findings.answer(true);
  const warnings = findings.listWarnings(answer);
  const about = { warnings, ...(message === undefined ? {} : { message }) };
  if (isFilled(answer.value)) return { answer, ...about };
  const failure = { code: "AGENT_EMPTY_ANSWER", message: message ?? NO_DATA } as const;
  return { answer: findings.answer(false), failure, ...about };
}

const NO_DATA = "The language model found no data for the prompt on the pages it read.";

/** At the limit of turns, time or unusable calls, the model's saved data is the answer, if any. */
function endWithoutAnswer(findings: Findings, reason = NO_END): Finding {
  const answer = findings.answer(true);
  const warnings = findings.listWarnings(answer);
  if (isFilled(answer.value)) return { answer, warnings: [reason, ...warnings] };
  return {
    answer: findings.answer(false),
    warnings,
    failure: { code: "AGENT_NO_ANSWER", message: reason },
  };
}

function endWithText(findings: Findings, { text }: ModelAnswer): Finding {
  const answer = findings.answer(false);
  const said = stripThoughts(text).trim().slice(0, MAX_SUMMARY_CHARACTERS);
  return {
    answer,
    warnings: findings.listWarnings(answer),
    failure: {
      code: "AGENT_NO_ANSWER",
      message: `The language model ended with text instead of data${said === "" ? "." : `: ${said}`}`,
    },
  };
}

function endWithRefusal(findings: Findings, { text }: ModelAnswer): Finding {
  const message = text.trim().slice(0, MAX_SUMMARY_CHARACTERS);
  return {
    answer: findings.answer(true),
    warnings: [],
    refused: true,
    ...(message === "" ? {} : { message }),
  };
}
