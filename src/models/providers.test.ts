// Wire formats of the providers, as in their references.
import { describe, expect, test } from "vitest";
import { createAnthropic } from "./anthropic.ts";
import { createGoogle } from "./google.ts";
import type { ModelRequest } from "./model.ts";
import { createChatCompletions } from "./openai-compatible.ts";
import type { Provider, Quirks } from "./provider.ts";

const NO_QUIRKS: Quirks = { noTemperature: false, otherTokenLimit: false };
const SCHEMA = { type: "object", properties: { city: { type: "string" } } };
const CALL = { id: "c1", name: "look", arguments: { at: "Kiel" }, argumentsText: '{"at":"Kiel"}' };
const TURNS: ModelRequest = {
  messages: [
    { role: "system", content: "Be brief." },
    { role: "user", content: "Weather?" },
    { role: "assistant", content: "", toolCalls: [CALL] },
    { role: "tool", toolCallId: "c1", name: "look", content: "rain" },
    { role: "user", content: "And?" },
  ],
  tools: [{ name: "look", description: "Looks.", parameters: SCHEMA }],
  maxOutputTokens: 50,
  temperature: 0,
};

describe("anthropic", () => {
  const provider = createAnthropic({ model: "m", key: "k" });

  test("writes alternating turns, a separate system prompt and tool results as blocks", () => {
    const { path, headers, body } = provider.write(TURNS, undefined, NO_QUIRKS);
    expect(path).toBe("messages");
    expect(headers).toEqual({ "anthropic-version": "2023-06-01", "x-api-key": "k" });
    expect(body).toEqual({
      model: "m",
      max_tokens: 50,
      temperature: 0,
      system: "Be brief.",
      messages: [
        { role: "user", content: [{ type: "text", text: "Weather?" }] },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "c1", name: "look", input: { at: "Kiel" } }],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "c1", content: "rain" },
            { type: "text", text: "And?" },
          ],
        },
      ],
      tools: [{ name: "look", description: "Looks.", input_schema: SCHEMA }],
    });
  });

  test("requests JSON by a forced tool call and reads it from the call", () => {
    const request: ModelRequest = {
      messages: [{ role: "user", content: "?" }],
      jsonSchema: SCHEMA,
      maxOutputTokens: 5,
    };
    expect(provider.write(request, "schema", NO_QUIRKS).body).toMatchObject({
      tools: [{ name: "answer", input_schema: SCHEMA }],
      tool_choice: { type: "tool", name: "answer" },
    });
    const answer = provider.read({
      id: "msg_1",
      type: "message",
      role: "assistant",
      content: [
        { type: "text", text: "Here." },
        { type: "tool_use", id: "t", name: "answer", input: { city: "Kiel" } },
      ],
      stop_reason: "tool_use",
      usage: { input_tokens: 12, output_tokens: 3 },
    });
    expect(answer).toEqual({
      text: '{"city":"Kiel"}',
      toolCalls: [],
      usage: { inputTokens: 12, outputTokens: 3 },
      finish: "stop",
    });
  });

  test("reads Anthropic tool calls, truncated answers and refusals", () => {
    const content = [{ type: "tool_use", id: "t", name: "look", input: { at: "Kiel" } }];
    expect(provider.read({ content, stop_reason: "tool_use" })).toMatchObject({
      finish: "tools",
      toolCalls: [{ id: "t", name: "look", arguments: { at: "Kiel" } }],
    });
    const text = [{ type: "text", text: "a" }];
    expect(provider.read({ content: text, stop_reason: "max_tokens" })?.finish).toBe("length");
    expect(provider.read({ content: text, stop_reason: "refusal" })?.finish).toBe("refused");
    expect(provider.read({ type: "error" })).toBeUndefined();
  });
});

describe("google", () => {
  const provider = createGoogle({ model: "gemini-x", key: "k" });

  test("writes contents, a separate system prompt, calls and results as parts, and the key in a header", () => {
    const { path, headers, body } = provider.write(
      { ...TURNS, jsonSchema: SCHEMA },
      "schema",
      NO_QUIRKS,
    );
    expect(path).toBe("models/gemini-x:generateContent");
    expect(headers).toEqual({ "x-goog-api-key": "k" });
    expect(body).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [
        { role: "user", parts: [{ text: "Weather?" }] },
        { role: "model", parts: [{ functionCall: { name: "look", args: { at: "Kiel" } } }] },
        {
          role: "user",
          parts: [
            { functionResponse: { name: "look", response: { content: "rain" } } },
            { text: "And?" },
          ],
        },
      ],
      tools: [
        {
          functionDeclarations: [
            { name: "look", description: "Looks.", parametersJsonSchema: SCHEMA },
          ],
        },
      ],
      generationConfig: {
        maxOutputTokens: 50,
        temperature: 0,
        responseMimeType: "application/json",
        responseJsonSchema: SCHEMA,
      },
    });
  });

  test("reads texts without thoughts, calls, usage and finish reasons", () => {
    const answer = provider.read({
      candidates: [
        {
          content: { role: "model", parts: [{ text: "hm", thought: true }, { text: "Rain." }] },
          finishReason: "STOP",
        },
      ],
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 2, thoughtsTokenCount: 5 },
    });
    expect(answer).toEqual({
      text: "Rain.",
      toolCalls: [],
      usage: { inputTokens: 9, outputTokens: 7 },
      finish: "stop",
    });
    const called = { content: { parts: [{ functionCall: { name: "look", args: { at: "x" } } }] } };
    expect(provider.read({ candidates: [called] })).toMatchObject({
      finish: "tools",
      toolCalls: [{ name: "look", arguments: { at: "x" } }],
    });
    expect(provider.read({ promptFeedback: { blockReason: "SAFETY" } })?.finish).toBe("refused");
    expect(provider.read({ candidates: [{ finishReason: "MAX_TOKENS" }] })?.finish).toBe("length");
    expect(provider.read({})).toBeUndefined();
  });
});

describe("chat completions", () => {
  const provider: Provider = createChatCompletions({
    model: "m",
    key: undefined,
    tokenLimit: "max_completion_tokens",
  });

  test("names the token limit as the server requires and sends no header without a key", () => {
    const { headers, body } = provider.write(TURNS, "object", {
      noTemperature: true,
      otherTokenLimit: false,
    });
    expect(headers).toEqual({});
    expect(body).toMatchObject({
      max_completion_tokens: 50,
      response_format: { type: "json_object" },
    });
    expect(body).not.toHaveProperty("temperature");
  });

  test("reads content in parts, arguments as an object, a refusal and a filter", () => {
    const read = (message: object, reason = "stop") =>
      provider.read({ choices: [{ message, finish_reason: reason }] });
    expect(
      read({
        content: [
          { type: "text", text: "a" },
          { type: "text", text: "b" },
        ],
      })?.text,
    ).toBe("ab");
    const call = { function: { name: "look", arguments: { at: "Kiel" } } };
    expect(read({ content: null, tool_calls: [call] })?.toolCalls[0]).toMatchObject({
      id: "call_0",
      arguments: { at: "Kiel" },
    });
    expect(read({ content: "", refusal: "no" })?.finish).toBe("refused");
    expect(read({ content: "" }, "content_filter")?.finish).toBe("refused");
    expect(provider.read({ error: { message: "no" } })).toBeUndefined();
  });
});
