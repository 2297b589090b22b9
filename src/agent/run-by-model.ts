// A run with a language model: the model decides, tools act, and the journal records both. After a
// kill the conversation is rebuilt from the journal and continues.
import { Deadline } from "../deadline.ts";
import { LimitError } from "../errors.ts";
import type { LanguageModel, ModelAnswer, ModelMessage, ToolCall } from "../models/model.ts";
import { Findings } from "./findings.ts";
import { fit, markOf, opening, toolAnswer } from "./conversation.ts";
import { RunTools, type ToolParts } from "./run-tools.ts";
import { EFFORTS, type Finding, type StoredRun } from "./run.ts";
import type { AgentRunContext } from "./agent-run-context.ts";
import { checkCall, toolsFor, type CheckedCall, type ToolName } from "./tools.ts";

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
const CALL_MS = 600_000;
/** Consecutive answers without a usable tool call before the run ends. */
const MAX_MALFORMED = 4;
const MAX_REPAIRS = 2;
/** Calls executed per answer; the model may repeat the others. */
const MAX_CALLS = 16;
const MINUTE_MS = 60_000;

/** Throws CreditLimit, RunLost, ModelBusy, TargetError MODEL_FAILED. */
export async function runByModel(parts: ByModelParts, work: AgentRunContext): Promise<Finding> {
  const kept = work.run.options as StoredRun;
  const findings = new Findings(kept.schema, kept.prompt);
  const tools = new RunTools(parts, work, findings);
  const mark = markOf(work.run.id);
  const messages: ModelMessage[] = opening({
    kept,
    starts: work.starts,
    mark,
    maxCredits: work.run.maxCredits,
  });
  const { turns, minutes } = EFFORTS[kept.effort ?? "medium"];
  const endsAt = work.run.createdAt + minutes * MINUTE_MS;
  let malformed = 0;
  let repairs = 0;
  for (let turn = 1; turn <= turns; turn += 1) {
    if (!work.journal.recalls && parts.now() >= endsAt) return gaveUp(findings, OUT_OF_TIME);
    const isLast = turn === turns;
    if (isLast) messages.push({ role: "user", content: "This is the last turn: call finish now." });
    const names: readonly ToolName[] = isLast ? ["finish"] : tools.names;
    const answer = await think(parts, work, messages, names, turn);
    if (answer.finish === "refused") return refused(findings, answer);
    messages.push({ role: "assistant", content: answer.text, toolCalls: answer.toolCalls });
    const calls = answer.toolCalls.map((call, index) =>
      index < MAX_CALLS ? checkCall(call, names) : TOO_MANY,
    );
    const usable = calls.filter((call): call is CheckedCall => typeof call !== "string");
    malformed = usable.length === 0 ? malformed + 1 : 0;
    if (malformed >= MAX_MALFORMED) return gaveUp(findings);
    if (calls.length === 0) {
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
      contents.set(finish.call, repairText(ended.faults));
    }
    for (const [index, call] of answer.toolCalls.entries())
      messages.push(toolAnswer(call, contentOf(calls[index], contents)));
    if (tools.hasNews()) await work.tell(findings.answer(false));
  }
  return gaveUp(findings);
}

const NUDGE = "Call a tool, or finish with what you have.";
const TOO_MANY = `Not done: at most ${MAX_CALLS} calls at once. Call it again.`;
const OUT_OF_TIME = "The run reached its time limit; the data is what was saved until then.";
const NO_END =
  "The language model reached its turn limit without finishing; the data is what it had saved.";

function contentOf(
  call: CheckedCall | string | undefined,
  contents: ReadonlyMap<ToolCall, string>,
): string {
  if (call === undefined) return "";
  return typeof call === "string" ? call : (contents.get(call.call) ?? "");
}

/** One answer of the model: a step of its own, charged by tokens. */
async function think(
  { model, inputTokens }: ByModelParts,
  { journal }: AgentRunContext,
  messages: readonly ModelMessage[],
  names: readonly ToolName[],
  turn: number,
): Promise<ModelAnswer> {
  const maxCredits = creditsOf(2 * inputTokens + MAX_OUTPUT_TOKENS);
  const sent = fit(messages, inputTokens);
  return await journal.step({ tool: "think", input: { turn }, maxCredits }, async (signal) => {
    using deadline = Deadline.start(CALL_MS, signal);
    const answer = await complete(model, sent, names, deadline);
    const { inputTokens: read, outputTokens: written } = answer.usage;
    return {
      output: answer,
      credits: Math.min(maxCredits, creditsOf(read + written)),
      tokens: read + written,
      shown: {
        text: summaryOf(answer),
        model: model.name,
        inputTokens: read,
        outputTokens: written,
        calls: answer.toolCalls.map(({ name }) => name),
      },
    };
  });
}

const creditsOf = (tokens: number): number => Math.max(1, Math.ceil(tokens / TOKENS_PER_CREDIT));

async function complete(
  model: LanguageModel,
  messages: readonly ModelMessage[],
  names: readonly ToolName[],
  deadline: Deadline,
): Promise<ModelAnswer> {
  try {
    return await model.complete(
      { messages, tools: toolsFor(names), maxOutputTokens: MAX_OUTPUT_TOKENS, temperature: 0 },
      deadline,
    );
  } catch (error) {
    if (error instanceof LimitError && error.code === "MODEL_BUSY")
      throw new ModelBusy(error.message, { cause: error });
    throw error;
  }
}

const MAX_SUMMARY = 1_000;

function summaryOf({ text, toolCalls }: ModelAnswer): string {
  if (text.trim() !== "") return text.trim().slice(0, MAX_SUMMARY);
  return toolCalls.length === 0 ? "" : `Calls ${toolCalls.map(({ name }) => name).join(", ")}.`;
}

const repairText = (faults: readonly string[]): string =>
  `Not finished yet. ${faults.slice(0, 20).join(" ")} Fix this and call finish again, or leave out values that no page states.`;

type Ended = { readonly message: string | undefined; readonly faults: readonly string[] };

function conclude(findings: Findings, { message }: Ended): Finding {
  const answer = findings.answer(true);
  return {
    answer,
    warnings: findings.warnings(answer),
    ...(message === undefined ? {} : { message }),
  };
}

function gaveUp(findings: Findings, warning = NO_END): Finding {
  const answer = findings.answer(true);
  return { answer, warnings: [warning, ...findings.warnings(answer)] };
}

function refused(findings: Findings, { text }: ModelAnswer): Finding {
  const message = text.trim().slice(0, MAX_SUMMARY);
  return {
    answer: findings.answer(true),
    warnings: [],
    refused: true,
    ...(message === "" ? {} : { message }),
  };
}
