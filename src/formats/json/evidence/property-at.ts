// Finds the property of a schema for a value of an answer.
import { dereference } from "../../../runtime/json-schema/dereference.ts";
import { isObject } from "../../../runtime/is-object.ts";
import type { Property } from "./check-evidence.ts";

type Schema = Readonly<Record<string, unknown>>;

/** `pointer`: JSON pointer into the value. Values outside the schema have only their name. */
export function findPropertyAt(schema: Schema, pointer: string): Property {
  const parts = pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
  let node: Schema = dereference(schema, schema);
  let name = "";
  for (const part of parts) {
    const { properties, items, additionalProperties } = node;
    if (/^\d+$/.test(part) && items !== undefined) node = dereference(items, schema);
    else {
      name = part;
      const own = isObject(properties) ? properties[part] : undefined;
      node = dereference(own ?? additionalProperties, schema);
    }
  }
  const { description, enum: options } = node;
  return {
    name,
    ...(typeof description === "string" ? { description } : {}),
    ...(Array.isArray(options) || node["const"] !== undefined ? { isEnum: true } : {}),
  };
}
