// The tools the model may call. Arguments are validated first, and faults are reported to the
// model.
import { z } from "zod";
import type { ModelTool, ToolCall } from "../models/model.ts";

const url = z.string().min(1).max(8_192);

const SHAPES = {
  search: {
    description: "Search for pages. Gives addresses with titles; read them with scrape.",
    shape: z.object({ query: z.string().min(1).max(500) }),
  },
  map: {
    description: "List addresses of a site, best matches first.",
    shape: z.object({ url, search: z.string().max(500).optional() }),
  },
  scrape: {
    description:
      "Read a page: its outline, the beginning of its text, its links. With extract true also the data that it gives for the wanted schema.",
    shape: z.object({ url, extract: z.boolean().optional() }),
  },
  read: {
    description:
      "Read on in a page that was read before: a section of its outline, or from a place in characters.",
    shape: z.object({
      page: z.string().max(20),
      section: z.string().max(20).optional(),
      from: z.int().min(0).optional(),
    }),
  },
  interact: {
    description:
      "Open a page in a browser and act on it, step by step, such as filling in a form or pressing a button that shows more; then read what it shows.",
    shape: z.object({
      url,
      actions: z
        .array(
          z.union([
            z.object({ type: z.literal("click"), selector: z.string().max(1_000) }),
            z.object({ type: z.literal("write"), text: z.string().max(5_000) }),
            z.object({ type: z.literal("press"), key: z.string().max(50) }),
            z.object({ type: z.literal("scroll"), direction: z.enum(["up", "down"]).optional() }),
            z.object({ type: z.literal("wait"), milliseconds: z.int().min(1).max(10_000) }),
          ]),
        )
        .min(1)
        .max(20),
    }),
  },
  note: {
    description:
      "Keep what was found so far: data in the shape of the schema, which is joined with what is kept already, and a remark.",
    shape: z.object({ text: z.string().max(5_000).optional(), data: z.unknown().optional() }),
  },
  finish: {
    description:
      "End with the answer. Every value must stand on a page that was read; where it does not stand there word for word, quote the words that say so in evidence.",
    shape: z.object({
      data: z.unknown().optional(),
      message: z.string().max(10_000).optional(),
      evidence: z
        .array(z.object({ pointer: z.string().max(500), quote: z.string().min(1).max(1_000) }))
        .max(1_000)
        .optional(),
    }),
  },
} as const;

export type ToolName = keyof typeof SHAPES;
export type ToolArguments<N extends ToolName> = z.output<(typeof SHAPES)[N]["shape"]>;

export type CheckedCall = {
  [N in ToolName]: {
    readonly name: N;
    readonly call: ToolCall;
    readonly given: ToolArguments<N>;
  };
}[ToolName];

/** Returns the tools of a run for the model. */
export function toolsFor(names: readonly ToolName[]): ModelTool[] {
  return names.map((name) => {
    const { description, shape } = SHAPES[name];
    const { $schema: _, ...parameters } = z.toJSONSchema(shape) as Record<string, unknown>;
    return { name, description, parameters };
  });
}

/** Returns the validated call, or what is wrong with it as text for the model. */
export function checkCall(call: ToolCall, names: readonly ToolName[]): CheckedCall | string {
  const name = names.find((one) => one === call.name);
  if (name === undefined)
    return `There is no tool ${JSON.stringify(call.name.slice(0, 100))}; there are ${names.join(", ")}.`;
  if (call.arguments === undefined) return "The arguments are no JSON object; send them again.";
  const checked = SHAPES[name].shape.safeParse(call.arguments);
  if (!checked.success) return `The arguments do not fit: ${z.prettifyError(checked.error)}`;
  return { name, call, given: checked.data } as CheckedCall;
}
