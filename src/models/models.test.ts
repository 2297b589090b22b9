import { afterEach, describe, expect, test } from "vitest";
import {
  startModelServer,
  type ModelServer,
  type ModelServerOptions,
} from "../../test/model-server.ts";
import { startUpstreamProxy } from "../../test/upstream-proxy.ts";
import { ConfigError } from "../config.ts";
import { Deadline } from "../deadline.ts";
import { createMetrics } from "../metrics.ts";
import { Secret } from "../settings/secret.ts";
import type { LanguageModel, ModelRequest, Models } from "./model.ts";
import { createModels, type ModelSettings } from "./models.ts";

const SETTINGS: ModelSettings = {
  model: undefined,
  modelBaseUrl: undefined,
  modelApiKey: undefined,
  modelFast: undefined,
  modelFastBaseUrl: undefined,
  modelFastApiKey: undefined,
  modelProxy: undefined,
  httpsProxy: undefined,
  noProxy: undefined,
  modelConcurrency: 4,
  modelTimeoutMs: 5_000,
  modelInputTokens: 24_000,
};
const SCHEMA = { type: "object", properties: { name: { type: "string" } } };
const ASK: ModelRequest = {
  messages: [{ role: "user", content: "Which name?" }],
  maxOutputTokens: 100,
};
const TOOL = {
  name: "look",
  description: "Looks something up.",
  parameters: { type: "object", properties: { word: { type: "string" } } },
};

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

async function open(
  options: ModelServerOptions,
  settings: Partial<ModelSettings> = {},
): Promise<{
  server: ModelServer;
  model: LanguageModel;
  models: Models;
  metrics: ReturnType<typeof createMetrics>;
}> {
  const server = await startModelServer(options);
  const metrics = createMetrics();
  const models = createModels(
    {
      ...SETTINGS,
      model: "openai-compatible/test",
      modelBaseUrl: server.baseUrl,
      ...settings,
    },
    { metrics, firstPauseMs: 1 },
  );
  opened.push(server, models);
  const model = models.role("fast");
  if (model === undefined) throw new Error("no model");
  return { server, model, models, metrics };
}

async function complete(model: LanguageModel, request: ModelRequest, timeoutMs = 5_000) {
  using deadline = Deadline.start(timeoutMs);
  return await model.complete(request, deadline);
}

describe("createModels roles", () => {
  test("returns no model when none is configured", () => {
    const models = createModels(SETTINGS, { metrics: createMetrics() });
    expect(models.role("fast")).toBeUndefined();
    expect(models.role("smart")).toBeUndefined();
  });

  test("uses one model for both roles, and a fast model only for its own", async () => {
    const { models } = await open({ turns: [] });
    expect(models.role("smart")?.name).toBe("openai-compatible/test");
    const two = createModels(
      { ...SETTINGS, model: "anthropic/large", modelFast: "ollama/small" },
      { metrics: createMetrics() },
    );
    opened.push(two);
    expect(two.role("smart")?.name).toBe("anthropic/large");
    expect(two.role("fast")?.name).toBe("ollama/small");
  });

  test("requires an address for a provider without a default", () => {
    expect(() =>
      createModels({ ...SETTINGS, model: "openai-compatible/x" }, { metrics: createMetrics() }),
    ).toThrow(ConfigError);
  });

  test("does not send the key of one address to another", async () => {
    const other = await startModelServer({ turns: [{ text: "yes" }] });
    opened.push(other);
    const { models } = await open(
      { turns: [] },
      {
        modelApiKey: new Secret("canary-key"),
        modelFast: "openai-compatible/fast",
        modelFastBaseUrl: other.baseUrl,
      },
    );
    await complete(models.role("fast") as LanguageModel, ASK);
    expect(other.headers[0]?.authorization).toBeUndefined();
  });
});

describe("model answers", () => {
  test("returns text, usage and finish reason, and counts the call", async () => {
    const { model, server, metrics } = await open({ turns: [{ text: "Ada", finish: "length" }] });
    const answer = await complete(model, { ...ASK, temperature: 0 });
    expect(answer).toMatchObject({ text: "Ada", finish: "length", toolCalls: [] });
    expect(answer.usage.inputTokens).toBeGreaterThan(0);
    expect(await metrics.registry.metrics()).toContain(
      'quarry_model_calls_total{model="openai-compatible/test",outcome="length"} 1',
    );
    server.check();
  });

  test("returns tool calls and sends their results in the provider's format", async () => {
    const { model, server } = await open({
      turns: [{ toolCalls: [{ name: "look", arguments: { word: "ada" } }] }, { text: "Lovelace" }],
    });
    const first = await complete(model, { ...ASK, tools: [TOOL] });
    expect(first.finish).toBe("tools");
    const [call] = first.toolCalls;
    expect(call?.arguments).toEqual({ word: "ada" });
    const second = await complete(model, {
      ...ASK,
      tools: [TOOL],
      messages: [
        ...ASK.messages,
        { role: "assistant", content: "", toolCalls: first.toolCalls },
        { role: "tool", toolCallId: call?.id ?? "", name: "look", content: "found" },
      ],
    });
    expect(second.text).toBe("Lovelace");
    server.check();
  });

  test("marks tool arguments that are not JSON and keeps the original text", async () => {
    const { model } = await open({
      turns: [{ toolCalls: [{ name: "look", arguments: '{"word": "ad' }] }],
    });
    const { toolCalls } = await complete(model, { ...ASK, tools: [TOOL] });
    expect(toolCalls[0]).toMatchObject({ arguments: undefined, argumentsText: '{"word": "ad' });
  });
});

describe("rejected features", () => {
  test("falls back from a JSON schema to an object, then to words, and remembers it", async () => {
    const { model, server } = await open({
      turns: () => ({ json: { name: "Ada" } }),
      refuses: ["json_schema", "json_object"],
    });
    const answer = await complete(model, { ...ASK, jsonSchema: SCHEMA });
    expect(JSON.parse(answer.text)).toEqual({ name: "Ada" });
    expect(server.requests.map((request) => request.response_format?.type)).toEqual([
      "json_schema",
      "json_object",
      undefined,
    ]);
    expect(server.requests[2]?.messages[0]?.content).toContain(JSON.stringify(SCHEMA));
    await complete(model, { ...ASK, jsonSchema: SCHEMA });
    expect(server.requests).toHaveLength(4);
    server.check();
  });

  test("describes tools in words and reads a call from the text", async () => {
    const { model, server } = await open({
      turns: [{ text: 'I will look.\n{"tool": "look", "arguments": {"word": "ada"}}' }],
      refuses: ["tools"],
    });
    const { toolCalls, finish } = await complete(model, { ...ASK, tools: [TOOL] });
    expect(finish).toBe("tools");
    expect(toolCalls[0]).toMatchObject({ name: "look", arguments: { word: "ada" } });
    expect(server.answered[0]?.tools).toBeUndefined();
    expect(server.answered[0]?.messages[0]?.content).toContain("Looks something up.");
    server.check();
  });

  test("ignores a call of a tool that was not offered", async () => {
    const text = '{"tool": "delete_everything", "arguments": {}}';
    const { model } = await open({ turns: [{ text }], refuses: ["tools"] });
    const answer = await complete(model, { ...ASK, tools: [TOOL] });
    expect(answer.toolCalls).toEqual([]);
    expect(answer.text).toBe(text);
  });

  test("omits a rejected temperature and renames a rejected token limit", async () => {
    const { model, server } = await open({
      turns: [{ text: "ok" }],
      refuses: ["temperature", "max_tokens"],
    });
    await complete(model, { ...ASK, temperature: 0 });
    const [request] = server.answered;
    expect(request?.temperature).toBeUndefined();
    expect(request?.max_completion_tokens).toBe(100);
    server.check();
  });

  test("redacts a key that a provider repeats with status 200", async () => {
    const raw = JSON.stringify({ error: { message: "No credits left for canary-key" } });
    const { model } = await open({ turns: [{ raw }] }, { modelApiKey: new Secret("canary-key") });
    const failure = (await complete(model, ASK).catch((error: unknown) => error)) as Error;
    expect(failure.message).toContain("No credits left for ***");
    expect(failure.message).not.toContain("canary-key");
  });

  test("does not retry a request that is too long in simpler forms, and learns nothing from it", async () => {
    const error = "maximum context length is 4096 tokens, max_tokens must be at most 96";
    const { model, server } = await open({
      turns: [{ status: 400, error }, { json: { name: "Ada" } }],
    });
    await expect(complete(model, { ...ASK, jsonSchema: SCHEMA })).rejects.toThrow("4096");
    expect(server.requests).toHaveLength(1);
    await complete(model, { ...ASK, jsonSchema: SCHEMA });
    expect(server.requests[1]?.response_format?.type).toBe("json_schema");
  });

  test("does not apply the rejection of one schema to the next", async () => {
    const error = "JSON schema conversion failed: Unrecognized schema";
    const json = { name: "Ada" };
    const { model, server } = await open({ turns: [{ status: 400, error }, { json }, { json }] });
    await complete(model, { ...ASK, jsonSchema: SCHEMA });
    await complete(model, { ...ASK, jsonSchema: SCHEMA });
    expect(server.requests.map((request) => request.response_format?.type)).toEqual([
      "json_schema",
      "json_object",
      "json_schema",
    ]);
  });

  test("fails immediately on a wrong key and redacts it", async () => {
    const { model, server } = await open(
      { turns: [], key: "right" },
      { modelApiKey: new Secret("canary-key") },
    );
    const failure = await complete(model, ASK).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "MODEL_FAILED" });
    expect(String((failure as Error).message)).toContain("Incorrect API key");
    expect(JSON.stringify([(failure as Error).message, (failure as Error).stack])).not.toContain(
      "canary-key",
    );
    expect(server.headers).toHaveLength(1);
  });
});

describe("model transport failures", () => {
  test("retries a busy provider after the time that it names", async () => {
    const busy = { status: 429, headers: { "retry-after": "0" } };
    const { model, server } = await open({ turns: [busy, { status: 503 }, { text: "now" }] });
    expect((await complete(model, ASK)).text).toBe("now");
    server.check();
  });

  test("reports a provider that stays busy with the time that it names", async () => {
    const { model } = await open({
      turns: () => ({ status: 429, error: "Rate limit reached", headers: { "retry-after": "90" } }),
    });
    await expect(complete(model, ASK)).rejects.toMatchObject({
      code: "MODEL_BUSY",
      retryAfterMs: 90_000,
      message: expect.stringContaining("Rate limit reached"),
    });
  });

  test("retries a truncated answer at most four times", async () => {
    const cut = { text: "a long answer", cutAfter: 40 };
    const { model, server } = await open({ turns: [cut, { text: "whole" }] });
    expect((await complete(model, ASK)).text).toBe("whole");
    server.check();
    const always = await open({ turns: () => cut });
    await expect(complete(always.model, ASK)).rejects.toMatchObject({ code: "MODEL_FAILED" });
    expect(always.server.requests).toHaveLength(4);
  });

  test.each([{ raw: "<html>gateway</html>" }, { raw: '{"choices": [' }])(
    "rejects $raw as an answer",
    async (answer) => {
      const { model } = await open({ turns: () => answer });
      await expect(complete(model, ASK)).rejects.toMatchObject({ code: "MODEL_FAILED" });
    },
  );

  test("ends slow tokens at the call's own limit, and silence at the deadline", async () => {
    const slow = await open({ turns: () => ({ trickle: true }) }, { modelTimeoutMs: 1_000 });
    await expect(complete(slow.model, ASK)).rejects.toMatchObject({
      code: "MODEL_FAILED",
      message: expect.stringContaining("1000 ms"),
    });
    const silent = await open({ turns: () => ({ hang: true }) });
    await expect(complete(silent.model, ASK, 150)).rejects.toMatchObject({
      code: "SCRAPE_TIMEOUT",
    });
  });

  test("does not follow a redirect", async () => {
    const other = await startModelServer({ turns: () => ({ text: "stolen" }) });
    opened.push(other);
    const headers = { location: `${other.baseUrl}/chat/completions` };
    const { model } = await open({ turns: () => ({ status: 307, headers }) });
    await expect(complete(model, ASK)).rejects.toMatchObject({ code: "MODEL_FAILED" });
    expect(other.headers).toHaveLength(0);
  });

  test("limits concurrent calls", async () => {
    let running = 0;
    let max = 0;
    const { model } = await open(
      {
        turns: () => {
          running += 1;
          max = Math.max(max, running);
          queueMicrotask(() => (running -= 1));
          return { text: "ok" };
        },
      },
      { modelConcurrency: 1 },
    );
    const answers = await Promise.all(Array.from({ length: 5 }, () => complete(model, ASK)));
    expect(answers).toHaveLength(5);
    expect(max).toBe(1);
  });
});

describe("corporate proxy", () => {
  test("reaches a model through the configured proxy by the model's host name", async () => {
    const proxy = await startUpstreamProxy("corporate");
    opened.push({ [Symbol.asyncDispose]: () => proxy.close() });
    const server = await startModelServer({ turns: [{ text: "through" }] });
    opened.push(server);
    const models = createModels(
      {
        ...SETTINGS,
        model: "openai-compatible/test",
        modelBaseUrl: server.baseUrl,
        modelProxy: proxy.url,
      },
      { metrics: createMetrics(), firstPauseMs: 1 },
    );
    opened.push(models);
    expect((await complete(models.role("smart") as LanguageModel, ASK)).text).toBe("through");
    expect(proxy.asked).toEqual([`${server.baseUrl}/chat/completions`]);
  });
});
