// Asks a language model for the positions of values on pages. It answers with references; the
// server copies the words.
import type { Deadline } from "../deadline.ts";
import { addUsage, askForJson, NO_USAGE, runWithinContext } from "../formats/model/ask-model.ts";
import type { LearnPage } from "../formats/threads/learn-extractor.ts";
import type { FormatPool } from "../formats/threads/pool.ts";
import { wrapPageText, DATA_RULE } from "../formats/model/page-as-data.ts";
import { readShape, type Shape } from "../runtime/json-schema/shape.ts";
import type { LanguageModel, ModelUsage } from "../models/model.ts";

export type PointTask = {
  readonly pages: readonly LearnPage[];
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
  readonly prompt?: string | undefined;
};

export type PointedPages = {
  /** The pages with the references that the model gave. */
  readonly pages: readonly LearnPage[];
  readonly usage: ModelUsage;
};

/** Throws the model's errors. */
export type PointAtValues = (task: PointTask, deadline: Deadline) => Promise<PointedPages>;

const MAX_OUTPUT_TOKENS = 4_000;
/** Tokens reserved for the instructions and the schema. */
const MIN_PAGE_TOKENS = 500;

const SYSTEM = [
  "You say where data stands on a web page. Each line of the page starts with its reference, such as n12.",
  DATA_RULE,
  "Answer with references only, never with words of your own. Give null for what the page does not say.",
].join(" ");

const EXPLANATION = [
  'Answer with {"data": …} in the shape of the schema, with a reference in place of each value: "n12" where the whole line is the value,',
  '{"ref": "n12", "text": "184.00"} where a part of the line is, word for word. Of a list of records give the first two only.',
].join(" ");

export function createPointAtValues(
  model: LanguageModel,
  inputTokens: number,
  pool: Pick<FormatPool, "describe">,
): PointAtValues {
  return async ({ pages, schema, prompt }, deadline) => {
    const wanted = [
      ...(schema === undefined ? [] : [`JSON Schema of the data:\n${JSON.stringify(schema)}`]),
      ...(prompt === undefined || prompt.trim() === "" ? [] : [`What is wanted:\n${prompt}`]),
      EXPLANATION,
    ].join("\n\n");
    const pointed: LearnPage[] = [];
    let usage = NO_USAGE;
    for (const page of pages) {
      const asked = await runWithinContext(inputTokens, (tokens) => ask(page, tokens));
      pointed.push({ ...page, pointed: asked.answer });
      usage = addUsage(usage, asked.usage);
    }
    return { pages: pointed, usage };

    async function ask(
      { html, url }: LearnPage,
      tokens: number,
    ): Promise<{ answer: unknown; usage: ModelUsage }> {
      const room = Math.max(MIN_PAGE_TOKENS, tokens - Math.ceil(wanted.length / 3));
      const { text, left } = await pool.describe({ html, url, tokens: room }, deadline);
      const rest = left === 0 ? "" : `\n${left} more lines were left out.`;
      const { value, usage: spent } = await askForJson(
        model,
        {
          system: SYSTEM,
          user: `${wanted}\n\n${wrapPageText(text)}${rest}`,
          schema: {
            type: "object",
            properties: { data: toReferences(schema) },
            required: ["data"],
          },
          maxOutputTokens: MAX_OUTPUT_TOKENS,
        },
        deadline,
      );
      const { json } = value;
      const answer = typeof json === "object" && json !== null && "data" in json ? json.data : json;
      return { answer, usage: spent };
    }
  };
}

const REFERENCE = {
  anyOf: [
    { type: "string", description: "A reference, such as n12." },
    {
      type: "object",
      properties: { ref: { type: "string" }, text: { type: "string" } },
      required: ["ref", "text"],
    },
    { type: "null" },
  ],
} as const;

/** The shape of the data with references in place of values. */
function toReferences(schema: PointTask["schema"]): Record<string, unknown> {
  const convert = (shape: Shape): Record<string, unknown> => {
    if (shape.kind === "object" && shape.properties.size > 0)
      return {
        type: "object",
        properties: Object.fromEntries(
          [...shape.properties].map(([name, property]) => [name, convert(property)]),
        ),
      };
    if (shape.kind === "array" && shape.items !== undefined)
      return { type: "array", items: convert(shape.items) };
    return shape.kind === "object" ? { type: "object" } : REFERENCE;
  };
  return schema === undefined ? { type: "object" } : convert(readShape(schema));
}
