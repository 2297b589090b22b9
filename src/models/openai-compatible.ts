// Chat completions as defined by OpenAI and supported by Ollama, llama.cpp, vLLM, LM Studio and
// many others. Not the Responses API, which local servers lack. Source:
// https://platform.openai.com/docs/api-reference/chat/create
import type { ModelAnswer, ModelMessage, ModelRequest, ToolCall } from "./model.ts";
import {
  toCount,
  toFields,
  toList,
  parseArguments,
  toText,
  type JsonMode,
  type Provider,
  type Quirks,
} from "./provider.ts";

export type ChatCompletionsOptions = {
  readonly model: string;
  readonly key: string | undefined;
  /** OpenAI renamed the limit on output tokens; other servers keep the first name. */
  readonly tokenLimit: "max_tokens" | "max_completion_tokens";
};

const TOKEN_LIMITS = {
  max_tokens: "max_completion_tokens",
  max_completion_tokens: "max_tokens",
} as const;

export function createChatCompletions(options: ChatCompletionsOptions): Provider {
  return {
    jsonModes: ["schema", "object", "prompt"],
    write: (request, mode, quirks) => ({
      path: "chat/completions",
      headers: options.key === undefined ? {} : { authorization: `Bearer ${options.key}` },
      body: writeBody(options, request, mode, quirks),
    }),
    read: readCompletion,
  };
}

function writeBody(
  options: ChatCompletionsOptions,
  request: ModelRequest,
  mode: JsonMode | undefined,
  quirks: Quirks,
): Record<string, unknown> {
  const limit = quirks.otherTokenLimit ? TOKEN_LIMITS[options.tokenLimit] : options.tokenLimit;
  const body: Record<string, unknown> = {
    model: options.model,
    messages: request.messages.map(writeMessage),
    [limit]: request.maxOutputTokens,
    stream: false,
  };
  if (request.temperature !== undefined && !quirks.noTemperature)
    body["temperature"] = request.temperature;
  if (request.tools !== undefined && request.tools.length > 0)
    body["tools"] = request.tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters },
    }));
  if (mode === "schema")
    body["response_format"] = {
      type: "json_schema",
      json_schema: { name: "answer", schema: request.jsonSchema, strict: false },
    };
  else if (mode === "object") body["response_format"] = { type: "json_object" };
  return body;
}

function writeMessage(message: ModelMessage): Record<string, unknown> {
  if (message.role === "tool")
    return { role: "tool", tool_call_id: message.toolCallId, content: message.content };
  if (message.role === "assistant" && message.toolCalls !== undefined)
    return {
      role: "assistant",
      content: message.content,
      tool_calls: message.toolCalls.map(({ id, name, argumentsText }) => ({
        id,
        type: "function",
        function: { name, arguments: argumentsText },
      })),
    };
  return { role: message.role, content: message.content };
}

const FINISH: Readonly<Record<string, ModelAnswer["finish"]>> = {
  length: "length",
  tool_calls: "tools",
  function_call: "tools",
  content_filter: "refused",
};

function readCompletion(json: unknown): ModelAnswer | undefined {
  const { choices, usage } = toFields(json);
  const choice = toFields(toList(choices)[0]);
  if (choice["message"] === undefined) return undefined;
  const message = toFields(choice["message"]);
  const toolCalls = toList(message["tool_calls"]).map(readToolCall);
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = toFields(usage);
  const reasoning = toText(message["reasoning_content"]) || toText(message["reasoning"]);
  const refused = typeof message["refusal"] === "string";
  return {
    text: readContent(message["content"]),
    ...(reasoning === "" ? {} : { reasoning }),
    toolCalls,
    usage: { inputTokens: toCount(inputTokens), outputTokens: toCount(outputTokens) },
    finish: refused
      ? "refused"
      : toolCalls.length > 0
        ? "tools"
        : (FINISH[toText(choice["finish_reason"])] ?? "stop"),
  };
}

/** A string, or a list of parts of which some are text. */
function readContent(content: unknown): string {
  if (typeof content === "string") return content;
  return toList(content)
    .map((part) => toText(toFields(part)["text"]))
    .join("");
}

function readToolCall(call: unknown, at: number): ToolCall {
  const { id, function: called } = toFields(call);
  const { name, arguments: given } = toFields(called);
  // Some servers send the arguments as an object instead of a string.
  const argumentsText = typeof given === "string" ? given : JSON.stringify(given ?? {});
  return {
    id: toText(id) || `call_${at}`,
    name: toText(name),
    arguments: parseArguments(argumentsText),
    argumentsText,
  };
}
