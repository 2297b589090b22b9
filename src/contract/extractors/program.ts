// The program of an extractor: positions of records and fields on the pages of one template. Data
// only; the server interprets it.
import { z } from "zod";
import { MAX_PATH_CHARACTERS, parsePath } from "./path.ts";

export const PROGRAM_LIMITS = {
  fields: 100,
  fallbacks: 6,
  depth: 3,
  fingerprint: 64,
  textCharacters: 200,
  /** Values of `values`. */
  values: 200,
} as const;

export const SCALAR_TYPES = ["string", "number", "integer", "boolean", "date", "url"] as const;
export type ScalarType = (typeof SCALAR_TYPES)[number];

export const TYPED_PARTS = [
  "price",
  "date",
  "email",
  "phone",
  "rating",
  "percent",
  "quantity",
  "number",
] as const;

const pathSchema = z
  .string()
  .min(1)
  .max(MAX_PATH_CHARACTERS)
  .superRefine((text, context) => {
    const parsed = parsePath(text);
    if ("fault" in parsed)
      context.addIssue({
        code: "custom",
        message: `The path ${JSON.stringify(text.slice(0, 80))} ${parsed.fault}.`,
      });
  })
  .describe(
    'Elements below the page or record: tags, #id, .class, [attribute="value"], :nth-of-type(n), " > " and blanks; "." is the page or record itself.',
  );

const shortText = z.string().min(1).max(PROGRAM_LIMITS.textCharacters);

const anchorSchema = z
  .strictObject({
    label: shortText.optional().describe("The words before the value, such as Price."),
    heading: shortText.optional().describe("The heading above the value."),
    column: shortText
      .optional()
      .describe("The header of the value's column, where records are rows."),
  })
  .refine(
    ({ label, heading, column }) =>
      [label, heading, column].filter((text) => text !== undefined).length === 1,
    "anchor needs exactly one of label, heading and column.",
  );

const takeSchema = z
  .strictObject({
    after: shortText.optional().describe("Only the text after these words."),
    before: shortText.optional().describe("Only the text before these words."),
    separator: shortText
      .optional()
      .describe(
        "Splits the text: item chooses a part; without item all parts are values of a field with many.",
      ),
    item: z
      .int()
      .min(-50)
      .max(50)
      .optional()
      .describe("Which part, from 0; negative from the end."),
    typed: z.enum(TYPED_PARTS).optional().describe("The one value of this kind in the text."),
  })
  .refine(
    ({ separator, item }) => item === undefined || separator !== undefined,
    "take.item needs take.separator.",
  )
  .describe("Which part of the text is the value; without it the whole text is.");

const dataSchema = z.strictObject({
  kind: z.enum(["json-ld", "meta", "heading"]),
  path: shortText.describe(
    "For json-ld a type and keys, such as Product.offers.price; for meta a name; for heading the tag of the heading above, such as h2.",
  ),
});

const sourceShape = {
  path: pathSchema.optional(),
  anchor: anchorSchema.optional(),
  attribute: z
    .string()
    .regex(/^[a-zA-Z_:][\w:.-]{0,100}$/, "must be the name of an attribute")
    .optional()
    .describe("The attribute that holds the value; without it the text does."),
  data: dataSchema.optional().describe("Machine-readable data instead of an element."),
  take: takeSchema.optional(),
};

const NEEDS_PLACE = "needs a path, an anchor or data";
type PlacedField = { path?: unknown; anchor?: unknown; data?: unknown };
const hasPlace = ({ path, anchor, data }: PlacedField): boolean =>
  path !== undefined || anchor !== undefined || data !== undefined;

const sourceSchema = z
  .strictObject(sourceShape)
  .refine(hasPlace, `A fallback ${NEEDS_PLACE}.`)
  .describe("Another place of the same value, used where those before it have none.");

const scalar = z.union([z.string().max(1_000), z.number(), z.boolean()]);

const valueFieldSchema = z
  .strictObject({
    type: z.enum(SCALAR_TYPES),
    ...sourceShape,
    format: z
      .enum(["price", "date", "email", "phone"])
      .optional()
      .describe("A text of another kind is not the value."),
    unit: shortText
      .optional()
      .describe(
        "Unit or ISO 4217 code of a number; a number in another unit is converted or left out.",
      ),
    many: z.boolean().optional().describe("All values of the path, as a list."),
    required: z
      .boolean()
      .optional()
      .describe("Every page of the template has the field; records without it are dropped."),
    values: z
      .record(z.string().max(PROGRAM_LIMITS.textCharacters), scalar)
      .refine((values) => Object.keys(values).length <= PROGRAM_LIMITS.values, {
        message: `values has more than ${PROGRAM_LIMITS.values} entries.`,
      })
      .optional()
      .describe("Values that texts of the page map to; any other text gives no value."),
    fallback: z.array(sourceSchema).max(PROGRAM_LIMITS.fallbacks).optional(),
    agree: z
      .boolean()
      .optional()
      .describe(
        "Other places that are as reliable as the first must agree with it where they have a value.",
      ),
  })
  .refine(hasPlace, `A field ${NEEDS_PLACE}.`);

const recordsSchema = z.strictObject({
  path: pathSchema,
  until: z
    .literal("next")
    .optional()
    .describe("A record spans from an element of the path to the next such sibling."),
  nested: z
    .literal(true)
    .optional()
    .describe("Nested records, such as replies, are separate records."),
});

export type ProgramSource = z.output<typeof sourceSchema>;
export type ValueField = z.output<typeof valueFieldSchema>;
export type RecordsPlace = z.output<typeof recordsSchema>;
/** A list of objects; without `records` one object. */
export type GroupField = {
  records?: RecordsPlace | undefined;
  required?: boolean | undefined;
  fields: Record<string, ProgramField>;
};
export type ProgramField = ValueField | GroupField;

const buildFieldsSchema = (field: z.ZodType<ProgramField>) =>
  z
    .record(z.string().min(1).max(PROGRAM_LIMITS.textCharacters), field)
    .refine((fields) => Object.keys(fields).length > 0, { message: "fields is empty." })
    .refine((fields) => Object.keys(fields).length <= PROGRAM_LIMITS.fields, {
      message: `fields has more than ${PROGRAM_LIMITS.fields} entries.`,
    });

function buildFieldSchema(depth: number): z.ZodType<ProgramField> {
  if (depth >= PROGRAM_LIMITS.depth) return valueFieldSchema;
  const groupFieldSchema = z.strictObject({
    records: recordsSchema.optional(),
    required: z.boolean().optional(),
    fields: buildFieldsSchema(buildFieldSchema(depth + 1)),
  });
  return z.union([valueFieldSchema, groupFieldSchema]);
}

export const programSchema = z
  .strictObject({
    version: z.literal(1),
    records: recordsSchema.optional().describe("The value is a list with one object per record."),
    fields: buildFieldsSchema(buildFieldSchema(1)),
    template: z
      .strictObject({
        fingerprint: z
          .array(z.string().regex(/^[0-9a-f]{8}$/, "must be eight hexadecimal digits"))
          .min(1)
          .max(PROGRAM_LIMITS.fingerprint),
      })
      .optional()
      .describe("Marks of the template; a page with too few of them gives no values."),
  })
  .describe("Places of records and fields on the pages of one template.");

export type ExtractorProgram = z.output<typeof programSchema>;

export const isGroup = (field: ProgramField): field is GroupField => "fields" in field;
