// generateContent of Google's Gemini API. Source: https://ai.google.dev/api/generate-content
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

export function createGoogle(options: {
  readonly model: string;
  readonly key: string | undefined;
}): Provider {
  return {
    jsonModes: ["schema", "object", "prompt"],
    write: (request, mode, quirks) => ({
      path: `models/${encodeURIComponent(options.model)}:generateContent`,
      // In a header, because a URL with a key would end up in logs.
      headers: options.key === undefined ? {} : { "x-goog-api-key": options.key },
      body: writeBody(request, mode, quirks),
    }),
    read: readContent,
  };
}

function writeBody(
  request: ModelRequest,
  mode: JsonMode | undefined,
  quirks: Quirks,
): Record<string, unknown> {
  const generationConfig: Record<string, unknown> = { maxOutputTokens: request.maxOutputTokens };
  if (request.temperature !== undefined && !quirks.noTemperature)
    generationConfig["temperature"] = request.temperature;
  if (mode === "schema" || mode === "object")
    generationConfig["responseMimeType"] = "application/json";
  if (mode === "schema") generationConfig["responseJsonSchema"] = request.jsonSchema;
  const system = request.messages.flatMap(({ role, content }) =>
    role === "system" ? [{ text: content }] : [],
  );
  const declarations = (request.tools ?? []).map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }));
  return {
    contents: joinTurns(request.messages, toParts).map(({ isModel, parts }) => ({
      role: isModel ? "model" : "user",
      parts,
    })),
    generationConfig,
    ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }),
    ...(declarations.length === 0 ? {} : { tools: [{ functionDeclarations: declarations }] }),
  };
}

function toParts(message: ModelMessage): Record<string, unknown>[] {
  if (message.role === "tool")
    return [{ functionResponse: { name: message.name, response: { content: message.content } } }];
  const texts = message.content === "" ? [] : [{ text: message.content }];
  if (message.role !== "assistant") return texts;
  const calls = (message.toolCalls ?? []).map(({ name, arguments: args }) => ({
    functionCall: { name, args: args ?? {} },
  }));
  return [...texts, ...calls];
}

const REFUSED = new Set(["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"]);

function readContent(json: unknown): ModelAnswer | undefined {
  const { candidates, usageMetadata, promptFeedback } = toFields(json);
  const counts = toFields(usageMetadata);
  const usage = {
    inputTokens: toCount(counts["promptTokenCount"]),
    // Thought tokens are charged as output.
    outputTokens: toCount(counts["candidatesTokenCount"]) + toCount(counts["thoughtsTokenCount"]),
  };
  if (toFields(promptFeedback)["blockReason"] !== undefined)
    return { text: "", toolCalls: [], usage, finish: "refused" };
  if (toList(candidates).length === 0) return undefined;
  const { content, finishReason } = toFields(toList(candidates)[0]);
  const parts = toList(toFields(content)["parts"]).map(toFields);
  const toolCalls = parts.flatMap(({ functionCall }, at) =>
    isObject(functionCall) ? [readToolCall(functionCall, at)] : [],
  );
  const text = parts.map((part) => (part["thought"] === true ? "" : toText(part["text"]))).join("");
  return { text, toolCalls, usage, finish: toFinish(toText(finishReason), toolCalls) };
}

function toFinish(reason: string, toolCalls: readonly ToolCall[]): ModelAnswer["finish"] {
  if (reason === "MAX_TOKENS") return "length";
  if (REFUSED.has(reason)) return "refused";
  return toolCalls.length > 0 ? "tools" : "stop";
}

function readToolCall({ id, name, args }: Readonly<Record<string, unknown>>, at: number): ToolCall {
  return {
    id: toText(id) || `call_${at}`,
    name: toText(name),
    arguments: args === undefined ? {} : isObject(args) ? args : undefined,
    argumentsText: JSON.stringify(args ?? {}),
  };
}
