// The prompts in docs/model-prompts.md are the ones that are sent.
import { readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { deriveInput } from "../../../../test/derive-input.ts";
import { Deadline } from "../../../deadline.ts";
import type { LanguageModel, ModelRequest } from "../../../models/model.ts";
import { countTokens } from "../../../ranking/model-tokens.ts";
import { deriveWithTokens } from "../../derive.ts";
import { askForData } from "./with-model.ts";

const ROOT = path.resolve(import.meta.dirname, "../../../..");
const GUIDE = path.join(ROOT, "docs/model-prompts.md");

const text = { type: "string" };
const number = { type: "number" };
const PROMPTS = [
  {
    page: "movies/film-cast",
    task: {
      schema: {
        type: "object",
        properties: {
          title: text,
          runtime_minutes: { type: "integer" },
          cast: {
            type: "array",
            items: { type: "object", properties: { actor: text, role: text } },
          },
        },
        required: ["title"],
      },
    },
  },
  {
    page: "tables/city-budget",
    task: {
      schema: {
        type: "object",
        properties: {
          departments: {
            type: "array",
            items: { type: "object", properties: { name: text, net: number } },
          },
        },
      },
      prompt: "Departments that spend more than they take in",
    },
  },
  {
    page: "contacts/law-office",
    task: { prompt: "How do I reach the notary, and when is the office closed?" },
  },
];

async function promptOf({ page, task }: (typeof PROMPTS)[number]): Promise<string> {
  const html = await readFile(path.join(ROOT, `test/understanding/tasks/${page}.html`), "utf8");
  const format = { type: "json", checkPromptInjection: false, evidence: false, ...task } as const;
  const { draft, reading, modelPage } = await deriveWithTokens(
    deriveInput(html, { formats: [format], reads: true }),
  );
  if (draft === undefined || modelPage === undefined) throw new Error("no page for a model");
  let sent: ModelRequest | undefined;
  const model: LanguageModel = {
    name: "test/scripted",
    async complete(request) {
      sent = request;
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { text: '{"data": {"title": null}}', toolCalls: [], usage, finish: "stop" };
    },
  };
  using deadline = Deadline.start(10_000);
  const request = { task, draft, text: reading?.markdown ?? "", page: modelPage };
  await askForData(model, { ...request, inputTokens: 4_000 }, deadline);
  const messages = (sent?.messages ?? []).map(({ role, content }) => `[${role}]\n${content}`);
  return messages.join("\n\n").replaceAll(/page-[\da-f]{16}/g, "page-3f9a61c05be2d874");
}

describe("prompts of the json format", () => {
  it("prompts fit a model with 8,192 tokens of context and equal those of the guide", async () => {
    const prompts = await Promise.all(PROMPTS.map(promptOf));
    for (const prompt of prompts) expect(countTokens(prompt)).toBeLessThan(1_800);
    const blocks = prompts.map((prompt) => `\`\`\`text\n${prompt}\n\`\`\``);
    const guide = await readFile(GUIDE, "utf8");
    const shown = guide.match(/```text\n[\s\S]*?\n```/g) ?? [];
    expect(shown).toEqual(blocks);
  });
});
