// The tools the model may call. Arguments are validated first, and faults are reported to the
// model.
import { z } from "zod";
import { OPERATORS } from "../tables/query-table.ts";
import type { ModelTool, ToolCall } from "../../models/model.ts";

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
  collect: {
    description:
      "Copy the rows of a table of a page into a table of the run, without reading them yourself: from all next pages if next is true, and with values of each row's own page if details is given. columns: name in the run's table -> column of the page's table (c1, c2 …). details.columns: name -> column of the table `page` of a detail page that you have scraped as details.page.",
    shape: z.object({
      page: z.string().max(20),
      table: z.string().max(20),
      columns: z.record(z.string().min(1).max(100), z.string().min(1).max(200)),
      into: z.string().min(1).max(100).optional(),
      next: z.boolean().optional(),
      details: z
        .object({
          link: z.string().min(1).max(200),
          page: z.string().max(20).optional(),
          columns: z.record(z.string().min(1).max(100), z.string().min(1).max(200)),
        })
        .optional(),
    }),
  },
  query: {
    description:
      "Filter, join, sort and count collected rows. The result is a table of its own (q1, q2 …) whose first rows are shown; finish can give it by name.",
    shape: z.object({
      from: z.string().max(100),
      where: z
        .array(
          z.object({
            column: z.string().max(200),
            is: z.enum(OPERATORS),
            value: z.union([z.string(), z.number(), z.boolean(), z.null()]).optional(),
          }),
        )
        .max(20)
        .optional(),
      join: z
        .object({
          table: z.string().max(100),
          on: z.string().max(200),
          to: z.string().max(200).optional(),
        })
        .optional(),
      sort: z
        .array(z.object({ column: z.string().max(200), descending: z.boolean().optional() }))
        .max(5)
        .optional(),
      distinct: z.string().max(200).optional(),
      columns: z.array(z.string().max(200)).max(50).optional(),
      limit: z.int().min(1).max(50_000).optional(),
      into: z.string().min(1).max(100).optional(),
    }),
  },
  note: {
    description:
      "Keep what was found so far: data in the shape of the schema, which is joined with what is kept already, and a remark.",
    shape: z.object({ text: z.string().max(5_000).optional(), data: z.unknown().optional() }),
  },
  finish: {
    description:
      'End with the answer. Every value must stand on a page that was read; where it does not stand there word for word, quote the words that say so in evidence. Give collected rows by name in rows: JSON pointer into data -> table, such as {"/books": "q1"}; also q1.count, q1.first, q1.first.COLUMN.',
    shape: z.object({
      data: z.unknown().optional(),
      rows: z.record(z.string().max(500), z.string().max(300)).optional(),
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
export function selectTools(names: readonly ToolName[]): ModelTool[] {
  return names.map((name) => {
    const { description, shape } = SHAPES[name];
    const { $schema: _, ...parameters } = z.toJSONSchema(shape) as Record<string, unknown>;
    return { name, description, parameters };
  });
}

/** Returns the validated call, or the fault as text for the model. */
export function checkCall(call: ToolCall, names: readonly ToolName[]): CheckedCall | string {
  const name = names.find((one) => one === call.name);
  if (name === undefined)
    return `There is no tool ${JSON.stringify(call.name.slice(0, 100))}; there are ${names.join(", ")}.`;
  if (call.arguments === undefined) return "The arguments are no JSON object; send them again.";
  const checked = SHAPES[name].shape.safeParse(call.arguments);
  if (!checked.success) return `The arguments do not fit: ${z.prettifyError(checked.error)}`;
  return { name, call, given: checked.data } as CheckedCall;
}
