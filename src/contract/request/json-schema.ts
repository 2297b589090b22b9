import { z } from "zod";
import { findJsonSchemaFault } from "../../runtime/json-schema/find-schema-fault.ts";

/** A JSON Schema object; `$schema` and unknown keywords are allowed. */
export const jsonSchemaSchema = z
  .record(z.string(), z.unknown())
  .superRefine((schema, context) => {
    const fault = findJsonSchemaFault(schema);
    if (fault !== undefined)
      context.addIssue({ code: "custom", message: `Invalid JSON schema: ${fault}` });
  })
  .describe("A JSON Schema (2020-12 or draft-07).");
