// Types of fields in a JSON Schema, for learning.
import type { ScalarType } from "../../contract/extractors/program.ts";
import { readShape, type Shape } from "../../runtime/json-schema/shape.ts";
import type { WantedFields } from "./learn-program.ts";

/** Fields by name; names of fields in objects and records are joined by dots. */
export function listWantedFields(schema: Readonly<Record<string, unknown>>): WantedFields {
  const found = new Map<string, WantedFields[string]>();
  const open: { readonly shape: Shape; readonly name: string }[] = [
    { shape: readShape(schema), name: "" },
  ];
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    const { shape, name } = entry;
    const inner = shape.kind === "array" && shape.items !== undefined ? shape.items : shape;
    if (inner.kind === "object")
      for (const [key, property] of inner.properties)
        open.push({ shape: property, name: name === "" ? key : `${name}.${key}` });
    else {
      const type = findType(inner);
      if (type !== undefined) found.set(name, { type, description: shape.description });
    }
  }
  return Object.fromEntries(found);
}

function findType({ kind, format }: Shape): ScalarType | undefined {
  if (kind === "number" || kind === "integer" || kind === "boolean") return kind;
  if (kind !== "string") return undefined;
  if (format === "date" || format === "date-time") return "date";
  return format === "uri" || format === "url" || format === "uri-reference" ? "url" : "string";
}
