// Validates a caller's JSON Schema: the keywords that structured output relies on. Source: JSON
// Schema 2020-12 core and validation, and draft-07 spellings that clients still send.
import { isObject } from "../is-object.ts";
import { resolveReference } from "./dereference.ts";

type Node = Record<string, unknown>;
type Place = { readonly schema: unknown; readonly path: string };

const TYPES = new Set(["string", "number", "integer", "boolean", "object", "array", "null"]);
const MAPS = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"];
const SINGLES = [
  "additionalProperties",
  "unevaluatedProperties",
  "propertyNames",
  "contains",
  "not",
  "if",
  "then",
  "else",
];
const LISTS = ["anyOf", "oneOf", "allOf", "prefixItems"];
const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const MAX_PLACES = 10_000;
/** Maximum JSON depth; each level of properties takes two. */
const MAX_LEVELS = 400;

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === "string");
const has = (node: Node, key: string): boolean => node[key] !== undefined;

function findTypeFault(type: unknown): string | undefined {
  const names: unknown[] = Array.isArray(type) ? type : [type];
  const known = names.length > 0 && names.every((name) => TYPES.has(name as string));
  return known ? undefined : `type ${JSON.stringify(type)} is not a JSON Schema type`;
}

function findReferenceFault(root: Node, reference: unknown): string | undefined {
  if (typeof reference !== "string") return "$ref must be a string";
  if (reference === "#") return undefined;
  if (!reference.startsWith("#/")) return `$ref ${reference} points outside the schema`;
  const target = resolveReference(root, reference);
  return target === undefined ? `$ref ${reference} leads nowhere` : undefined;
}

function findPatternFault(pattern: unknown): string | undefined {
  if (typeof pattern !== "string") return "pattern must be a string";
  try {
    RegExp(pattern, "u");
    return undefined;
  } catch {
    return `pattern ${pattern} is not a regular expression`;
  }
}

function findKeywordFault(root: Node, node: Node): string | undefined {
  if (has(node, "type")) {
    const fault = findTypeFault(node["type"]);
    if (fault !== undefined) return fault;
  }
  if (has(node, "$ref")) {
    const fault = findReferenceFault(root, node["$ref"]);
    if (fault !== undefined) return fault;
  }
  if (has(node, "pattern")) {
    const fault = findPatternFault(node["pattern"]);
    if (fault !== undefined) return fault;
  }
  if (has(node, "enum") && !Array.isArray(node["enum"])) return "enum must be a list";
  // Draft 4 wrote required as a boolean on the property.
  if (has(node, "required") && !isTexts(node["required"]) && typeof node["required"] !== "boolean")
    return "required must be a list of property names";
  for (const key of MAPS)
    if (has(node, key) && !isObject(node[key])) return `${key} must be an object`;
  for (const key of LISTS)
    if (has(node, key) && !Array.isArray(node[key])) return `${key} must be a list`;
  for (const key of COUNTS)
    if (has(node, key) && !(Number.isInteger(node[key]) && (node[key] as number) >= 0))
      return `${key} must be a whole number, zero or more`;
  return undefined;
}

function listChildren(node: Node, path: string): Place[] {
  const children: Place[] = [];
  for (const key of MAPS) {
    const map = node[key];
    if (!isObject(map)) continue;
    for (const [name, schema] of Object.entries(map))
      children.push({ schema, path: `${path}/${key}/${name}` });
  }
  for (const key of LISTS) {
    const list = node[key];
    if (!Array.isArray(list)) continue;
    for (const [index, schema] of list.entries())
      children.push({ schema, path: `${path}/${key}/${index}` });
  }
  for (const key of SINGLES)
    if (has(node, key)) children.push({ schema: node[key], path: `${path}/${key}` });
  const items = node["items"];
  if (Array.isArray(items))
    for (const [index, schema] of items.entries())
      children.push({ schema, path: `${path}/items/${index}` });
  else if (items !== undefined) children.push({ schema: items, path: `${path}/items` });
  return children;
}

/** Includes unknown keywords, because later code may recurse into the schema. */
function isDeeper(value: unknown, levels: number): boolean {
  let open: unknown[] = [value];
  for (let level = 0; level < levels && open.length > 0; level += 1)
    open = open.flatMap((one) =>
      typeof one === "object" && one !== null ? Object.values(one) : [],
    );
  return open.length > 0;
}

/**
 * Returns the first reason why a JSON Schema cannot be used, with its place; undefined if valid.
 * Iterative, bounded in size.
 */
export function findJsonSchemaFault(root: Record<string, unknown>): string | undefined {
  const isDictionary =
    root["type"] === "object" &&
    !has(root, "properties") &&
    (root["additionalProperties"] === true || isObject(root["additionalProperties"]));
  if (isDictionary)
    return "an object without properties that allows any property has nothing to fill in";
  if (isDeeper(root, MAX_LEVELS)) return `it is nested more than ${MAX_LEVELS} levels deep`;
  const open: Place[] = [{ schema: root, path: "#" }];
  for (let place = open.pop(), seen = 1; place !== undefined; place = open.pop(), seen += 1) {
    if (seen > MAX_PLACES) return `it has more than ${MAX_PLACES} parts`;
    if (typeof place.schema === "boolean") continue;
    if (!isObject(place.schema)) return `${place.path} is not a schema`;
    const fault = findKeywordFault(root, place.schema);
    if (fault !== undefined) return `${fault} (at ${place.path})`;
    open.push(...listChildren(place.schema, place.path));
  }
  return undefined;
}
