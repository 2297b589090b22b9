// Anthropic Messages API. JSON by schema is requested as a forced tool call, which every model
// supports. Source: https://docs.anthropic.com/en/api/messages
import { joinTurns } from "./join-turns.ts";
import type { ModelAnswer, ModelMessage, ModelRequest, ToolCall } from "./model.ts";
import {
  toCount,
  toFields,
  toList,
  toText,
  type JsonMode,
  type Provider,
  type Quirks,
} from "./provider.ts";
import { isObject } from "../runtime/is-object.ts";

const VERSION = "2023-06-01";
/** The tool that receives an answer with a schema. */
const ANSWER_TOOL = "answer";

export function createAnthropic(options: {
  readonly model: string;
  readonly key: string | undefined;
}): Provider {
  return {
    jsonModes: ["schema", "prompt"],
    write: (request, mode, quirks) => ({
      path: "messages",
      headers: {
        "anthropic-version": VERSION,
        ...(options.key === undefined ? {} : { "x-api-key": options.key }),
      },
      body: writeBody(options.model, request, mode, quirks),
    }),
    read: readMessage,
  };
}

function writeBody(
  model: string,
  request: ModelRequest,
  mode: JsonMode | undefined,
  quirks: Quirks,
): Record<string, unknown> {
  const system = request.messages.flatMap(({ role, content }) =>
    role === "system" ? [content] : [],
  );
  const body: Record<string, unknown> = {
    model,
    max_tokens: request.maxOutputTokens,
    messages: joinTurns(request.messages, toBlocks).map(({ isModel, parts }) => ({
      role: isModel ? "assistant" : "user",
      content: parts,
    })),
  };
  if (system.length > 0) body["system"] = system.join("\n\n");
  if (request.temperature !== undefined && !quirks.noTemperature)
    body["temperature"] = request.temperature;
  const tools = (request.tools ?? []).map(({ name, description, parameters }) => ({
    name,
    description,
    input_schema: parameters,
  }));
  if (mode === "schema") {
    tools.push({
      name: ANSWER_TOOL,
      description: "Gives the answer.",
      input_schema: toObjectSchema(request.jsonSchema),
    });
    // Without this, the model could call its other tools first.
    body["tool_choice"] =
      tools.length === 1 ? { type: "tool", name: ANSWER_TOOL } : { type: "any" };
  }
  if (tools.length > 0) body["tools"] = tools;
  return body;
}

/** Tool input must be an object; other schemas are described in words. */
const toObjectSchema = (
  schema: ModelRequest["jsonSchema"] = {},
): Readonly<Record<string, unknown>> =>
  schema["type"] === undefined ? { type: "object", ...schema } : schema;

function toBlocks(message: ModelMessage): Record<string, unknown>[] {
  if (message.role === "tool")
    return [{ type: "tool_result", tool_use_id: message.toolCallId, content: message.content }];
  // An empty text block is rejected.
  const texts = message.content === "" ? [] : [{ type: "text", text: message.content }];
  if (message.role !== "assistant") return texts;
  const calls = (message.toolCalls ?? []).map(({ id, name, arguments: input }) => ({
    type: "tool_use",
    id,
    name,
    input: input ?? {},
  }));
  return [...texts, ...calls];
}

const FINISH: Readonly<Record<string, ModelAnswer["finish"]>> = {
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refused",
};

function readMessage(json: unknown): ModelAnswer | undefined {
  const { content, usage, stop_reason: reason } = toFields(json);
  if (!Array.isArray(content)) return undefined;
  const blocks = toList(content).map(toFields);
  const calls = blocks.filter(({ type }) => type === "tool_use");
  const answer = calls.find(({ name }) => name === ANSWER_TOOL);
  const toolCalls = calls.filter((call) => call !== answer).map(readToolCall);
  const written = blocks.map(({ type, text }) => (type === "text" ? toText(text) : "")).join("");
  const { input_tokens: inputTokens, output_tokens: outputTokens } = toFields(usage);
  return {
    text: answer === undefined ? written : JSON.stringify(answer["input"]),
    toolCalls,
    usage: { inputTokens: toCount(inputTokens), outputTokens: toCount(outputTokens) },
    finish: FINISH[toText(reason)] ?? (toolCalls.length > 0 ? "tools" : "stop"),
  };
}

function readToolCall({ id, name, input }: Readonly<Record<string, unknown>>): ToolCall {
  return {
    id: toText(id),
    name: toText(name),
    arguments: isObject(input) ? input : undefined,
    argumentsText: JSON.stringify(input ?? {}),
  };
}
