// Typical answers of models, from a scripted server: each is read without a second call if
// possible.
import { afterEach, describe, expect, it } from "vitest";
import { startModelServer, type ModelServer, type Turn } from "../../../test/model-server.ts";
import { Deadline } from "../../deadline.ts";
import { createMetrics } from "../../metrics.ts";
import type { LanguageModel } from "../../models/model.ts";
import { createModels } from "../../models/models.ts";
import { askForJson, askForText, readFailureUsage, runWithinContext } from "./ask-model.ts";

const opened: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).toReversed()) await each[Symbol.asyncDispose]();
});

async function open(
  turns: readonly Turn[],
): Promise<{ server: ModelServer; model: LanguageModel }> {
  const server = await startModelServer({ turns });
  const models = createModels(
    {
      model: "openai-compatible/test",
      modelBaseUrl: server.baseUrl,
      modelApiKey: undefined,
      modelFast: undefined,
      modelFastBaseUrl: undefined,
      modelFastApiKey: undefined,
      modelProxy: undefined,
      httpsProxy: undefined,
      noProxy: undefined,
      modelConcurrency: 1,
      modelTimeoutMs: 5_000,
      modelInputTokens: 8_000,
    },
    { metrics: createMetrics(), firstPauseMs: 1 },
  );
  opened.push(server, models);
  const model = models.role("smart");
  if (model === undefined) throw new Error("no model");
  return { server, model };
}

const SCHEMA = {
  type: "object",
  properties: {
    data: {
      type: "object",
      properties: { names: { type: "array", items: { type: "string" } } },
      required: ["names"],
    },
  },
  required: ["data"],
};
const QUESTION = { system: "s", user: "u", maxOutputTokens: 100, schema: SCHEMA };
const WHOLE = { data: { names: ["Ada", "Bruno"] } };
const completion = (message: object): Turn => ({
  raw: JSON.stringify({
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: "stop" }],
    usage: { prompt_tokens: 5, completion_tokens: 2 },
  }),
});

describe("answers of models", () => {
  it.each<[string, Turn]>([
    ["with the wrapper", { json: WHOLE }],
    ["without the wrapper", { json: WHOLE.data }],
    [
      "in a code fence with text around it",
      { text: `Here:\n\`\`\`json\n${JSON.stringify(WHOLE)}\n\`\`\`\nDone.` },
    ],
    ["after thoughts with braces", { text: `<think>{"data": 1}</think>${JSON.stringify(WHOLE)}` }],
    [
      "with single quotes and trailing commas",
      { text: "{'data': {'names': ['Ada', 'Bruno',],},}" },
    ],
    [
      "in reasoning_content",
      completion({ content: "", reasoning_content: `So: ${JSON.stringify(WHOLE)}` }),
    ],
    ["in reasoning", completion({ content: null, reasoning: JSON.stringify(WHOLE) })],
  ])("parses JSON %s from one call", async (_, turn) => {
    const { server, model } = await open([turn]);
    using deadline = Deadline.start(5_000);
    const { value } = await askForJson(model, QUESTION, deadline);
    expect(value).toEqual({ json: WHOLE, faults: [] });
    server.check();
  });

  it("keeps the complete values of a cut answer without another call", async () => {
    const { server, model } = await open([
      { text: '{"data": {"names": ["Ada", "Bruno", "Car', finish: "length" },
    ]);
    using deadline = Deadline.start(5_000);
    const { value, finish } = await askForJson(model, QUESTION, deadline);
    expect(value.json).toEqual(WHOLE);
    expect(finish).toBe("length");
    server.check();
  });

  it("continues an answer that was cut before anything could be used", async () => {
    const { server, model } = await open([
      { text: '{"data": {"na', finish: "length" },
      { text: 'mes": ["Ada", "Bruno"]}}' },
    ]);
    using deadline = Deadline.start(5_000);
    const { value } = await askForJson(model, QUESTION, deadline);
    expect(value).toEqual({ json: WHOLE, faults: [] });
    expect(server.requests[1]?.messages.at(-1)?.content).toContain("Continue exactly");
    server.check();
  });

  it("reports the tokens of model calls without a usable answer", async () => {
    const { model } = await open([{ text: "I cannot." }, { text: "Really not." }]);
    using deadline = Deadline.start(5_000);
    const error = await askForJson(model, QUESTION, deadline).catch((cause: unknown) => cause);
    const { inputTokens, outputTokens } = readFailureUsage(error);
    expect(inputTokens).toBeGreaterThan(0);
    expect(outputTokens).toBeGreaterThan(0);
  });

  it("does not return the model's reasoning as its answer", async () => {
    const { model } = await open([completion({ content: "", reasoning_content: "Let me think." })]);
    using deadline = Deadline.start(5_000);
    await expect(
      askForText(model, { system: "s", user: "u", maxOutputTokens: 9 }, deadline),
    ).rejects.toMatchObject({ code: "MODEL_FAILED" });
  });

  it.each([
    "This model's maximum context length is 8192 tokens, however you requested 9000 tokens.",
    "the request exceeds the available context size, try increasing it",
    "prompt is too long: 210000 tokens > 200000 maximum",
  ])("retries with half of the text after %j", async (error) => {
    const budgets: number[] = [];
    const { server, model } = await open([{ status: 400, error }, { json: WHOLE }]);
    using deadline = Deadline.start(5_000);
    const { value } = await runWithinContext(8_000, async (tokens) => {
      budgets.push(tokens);
      return await askForJson(model, QUESTION, deadline);
    });
    expect(budgets).toEqual([8_000, 4_000]);
    expect(value.json).toEqual(WHOLE);
    server.check();
  });

  it("does not shorten the text after another error", async () => {
    const { model } = await open([{ status: 401, error: "Incorrect API key" }]);
    using deadline = Deadline.start(5_000);
    await expect(
      runWithinContext(8_000, async () => askForJson(model, QUESTION, deadline)),
    ).rejects.toMatchObject({ code: "MODEL_FAILED" });
  });

  it("waits as long as Retry-After says if the deadline allows it", async () => {
    const busy: Turn = { status: 429, headers: { "retry-after": "0.05" } };
    const { server, model } = await open([busy, { json: WHOLE }]);
    using deadline = Deadline.start(5_000);
    const from = performance.now();
    await askForJson(model, QUESTION, deadline);
    expect(performance.now() - from).toBeGreaterThanOrEqual(45);
    server.check();
    const late = await open([{ status: 429, headers: { "retry-after": "60" } }]);
    await expect(askForJson(late.model, QUESTION, deadline)).rejects.toMatchObject({
      code: "MODEL_BUSY",
    });
  });
});
