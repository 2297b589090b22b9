// Rules for changes of a monitored page: which differences count, and which changes notify.
import { z } from "zod";
import { buildPatternsSchema } from "../request/patterns.ts";

const defineLinePatterns = (field: string) => buildPatternsSchema(field).prefault([]);
const textSchema = z.string().min(1).max(1_000);
const fieldPathSchema = z
  .string()
  .min(1)
  .max(200)
  .describe("Path into the page's json, such as offer.price.");

const pixelsSchema = z.int().min(0).max(50_000);
const boxSchema = z.strictObject({
  x: pixelsSchema,
  y: pixelsSchema,
  width: pixelsSchema.min(1),
  height: pixelsSchema.min(1),
});
const pictureScopeSchema = z
  .strictObject({
    region: boxSchema
      .optional()
      .describe("Part of the page in pixels; without it, the window at the top of the page."),
    masks: z.array(boxSchema).max(50).default([]).describe("Parts that never count."),
    threshold: z
      .number()
      .min(0)
      .max(1)
      .default(0.000_001)
      .describe("A larger share of differing pixels is a change, 0 to 1."),
    tolerance: z
      .number()
      .min(0)
      .max(1)
      .default(0.1)
      .describe("Difference of colors that still counts as equal, 0 to 1."),
  })
  .describe("Compare a screenshot instead of the text. Needs a browser.");

export type PictureScope = z.output<typeof pictureScopeSchema>;

const jsonPathSchema = z
  .string()
  .max(500)
  .regex(/^\$/, "must be a JSON path that starts with $, such as $.items[*].price");

/**
 * Part of a page that is compared. Elements are chosen by includeTags and excludeTags of
 * scrapeOptions.
 */
export const pageScopeSchema = z
  .strictObject({
    linesMatching: defineLinePatterns("scope.linesMatching").describe(
      "Only lines of the Markdown that match one of these RE2 patterns.",
    ),
    linesNotMatching: defineLinePatterns("scope.linesNotMatching").describe(
      "No lines that match one of these RE2 patterns.",
    ),
    fields: z
      .array(fieldPathSchema)
      .max(50)
      .optional()
      .describe("Only these fields of the page's json; the text is not compared then."),
    textOnly: z
      .boolean()
      .default(false)
      .describe("Ignore link targets, images and Markdown syntax."),
    jsonPaths: z
      .array(jsonPathSchema)
      .min(1)
      .max(50)
      .optional()
      .describe(
        "For JSON APIs: only these values (RFC 9535 without filters), such as $.items[*].price.",
      ),
    structure: z
      .boolean()
      .default(false)
      .describe("Compare the elements of the page without their text."),
    picture: pictureScopeSchema.optional(),
  })
  .superRefine(({ fields, textOnly, jsonPaths, structure, picture, ...lines }, context) => {
    const ways = [
      ["fields", fields !== undefined],
      ["jsonPaths", jsonPaths !== undefined],
      ["structure", structure],
      ["picture", picture !== undefined],
      ["textOnly", textOnly],
    ] as const;
    const [first, second] = ways.filter(([, isGiven]) => isGiven).map(([name]) => name);
    const patterns = lines.linesMatching.length + lines.linesNotMatching.length > 0;
    const other = second ?? (patterns && first !== "textOnly" ? "line patterns" : undefined);
    if (
      first !== undefined &&
      other !== undefined &&
      !(other === "line patterns" && first === "structure")
    )
      context.addIssue({
        code: "custom",
        message: `scope: ${first} and ${other} cannot be combined; use two targets`,
      });
  })
  .describe("The part of the page that is compared.");

export type PageScope = z.output<typeof pageScopeSchema>;

export const detectionSchema = z
  .strictObject({
    confirmations: z
      .int()
      .min(0)
      .max(5)
      .default(2)
      .describe("Fetches that must show the change again before it counts."),
    confirmAfterSeconds: z.int().min(0).max(600).default(20).describe("Delay before each of them."),
    brokenAfter: z
      .int()
      .min(1)
      .max(50)
      .default(3)
      .describe("Failed checks in a row after which a page is reported as broken."),
    ignoreNoise: z
      .boolean()
      .default(true)
      .describe("Ignore counters, dates, rotating blocks and regions learned as unstable."),
    ignore: defineLinePatterns("detection.ignore").describe("Changed lines that never count."),
    watch: defineLinePatterns("detection.watch").describe(
      "Changed lines that always count, even in unstable regions.",
    ),
  })
  .describe("Rules for differences that count as a change.");

export type Detection = z.output<typeof detectionSchema>;

const numberCondition = {
  field: fieldPathSchema.optional(),
  near: textSchema
    .optional()
    .describe(
      "The first number after this text, on the first line that contains it. Without near and field, the first number of the compared text that is no list marker. URLs do not count.",
    ),
  value: z.number(),
};

const conditionSchema = z.discriminatedUnion("type", [
  z.strictObject({
    type: z.enum(["textAppears", "textDisappears"]).describe("Somewhere on the page."),
    text: textSchema,
  }),
  z.strictObject({
    type: z.enum(["textAdded", "textRemoved"]).describe("In the changed lines."),
    text: textSchema,
  }),
  z.strictObject({
    type: z
      .enum(["numberAbove", "numberBelow", "numberChangedByPercent"])
      .describe("Above and below notify when the number crosses the value."),
    ...numberCondition,
  }),
  z.strictObject({ type: z.literal("fieldChanged"), field: fieldPathSchema }),
  z.strictObject({
    type: z.literal("fieldEquals"),
    field: fieldPathSchema,
    value: z.union([z.string().max(1_000), z.number(), z.boolean(), z.null()]),
  }),
  z.strictObject({
    type: z.enum(["statusChanged", "redirectChanged", "titleChanged", "newUrls"]),
  }),
]);

export type Condition = z.output<typeof conditionSchema>;

export const conditionsSchema = z
  .strictObject({
    match: z.enum(["any", "all"]).default("any"),
    conditions: z.array(conditionSchema).min(1).max(20),
  })
  .superRefine(({ conditions }, context) => {
    for (const [index, condition] of conditions.entries())
      if ("value" in condition && condition.type !== "fieldEquals") {
        const { field, near } = condition;
        if (field !== undefined && near !== undefined)
          context.addIssue({
            code: "custom",
            path: ["conditions", index],
            message: `when.conditions[${index}]: field and near exclude each other`,
          });
      }
  })
  .describe("Changes that notify; all when missing.");

export type Conditions = z.output<typeof conditionsSchema>;
