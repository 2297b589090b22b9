// Schemas of the contract as JSON Schema.
import { z } from "zod";

export type JsonObject = { [key: string]: unknown };

function readDefault(schema: z.core.$ZodTypes): unknown {
  const { def } = schema._zod;
  return (
    z.globalRegistry.get(schema)?.["default"] ??
    (def.type === "default" ? def.defaultValue : undefined)
  );
}

/**
 * Builds the JSON Schema of requests (`input`) or responses (`output`). Zod leaves out the defaults
 * of requests that it transforms; they are published as well.
 */
export function toJsonSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    reused: "inline",
    override: ({ zodSchema, jsonSchema }) => {
      if (io === "output" || jsonSchema.default !== undefined) return;
      const value = readDefault(zodSchema);
      if (value !== undefined) Object.assign(jsonSchema, { default: value });
    },
  }) as JsonObject;
  return rest;
}
