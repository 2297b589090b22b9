// Explains how a result was created, on request (header `x-quarry-explain`). Written for people:
// only `pageModel` has a fixed shape.
import { z } from "zod";

const ref = z
  .string()
  .describe("Reference of the element, such as n12; the same for every reading of the same HTML.");
const count = z.int().min(0);

export const pageModelSchema = z
  .object({
    nodes: count.describe("Elements that were read."),
    isCut: z.boolean().describe("The page has more elements than are read."),
    lines: z
      .array(z.string())
      .describe(
        "The page as a language model is shown it: a line for each piece of text, table row, control and value of machine-readable data, with its reference. At most 100,000 characters.",
      ),
    linesLeft: count.describe("Lines past the limit."),
    pairs: z.array(z.object({ ref, kind: z.string(), label: z.string(), value: z.string() })),
    pairsLeft: count.describe("Pairs past the limit of 200."),
    tables: z.array(
      z.object({
        ref,
        caption: z.string(),
        columns: z.array(z.string()),
        rows: count,
        hasRowHeaders: z.boolean(),
      }),
    ),
    records: z.array(
      z.object({
        ref,
        title: z.string().describe("The heading before the records."),
        records: count,
        first: z.array(ref).describe("The elements of the first record."),
        isAside: z
          .boolean()
          .describe('In navigation, or below a heading such as "You may also like".'),
      }),
    ),
    setsLeft: count.describe("Tables and sets of records past the limit of 60 each."),
  })
  .meta({ id: "PageModel", description: "What a reader sees on the page." });

export type PageModelView = z.output<typeof pageModelSchema>;

export const explanationSchema = z.looseObject({ pageModel: pageModelSchema.optional() }).meta({
  id: "Explanation",
  description:
    "How the result was made; with the request header `x-quarry-explain: 1`. For people: other fields may change.",
});
