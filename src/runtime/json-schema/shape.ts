// Converts a caller's JSON Schema to the shape to fill: references resolved, alternatives decided,
// unused parts dropped. Source: JSON Schema 2020-12 core and validation, with draft-07 spellings.
import { isObject } from "../is-object.ts";
import { resolveReference } from "./dereference.ts";

export type ShapeKind = "string" | "number" | "integer" | "boolean" | "object" | "array" | "any";

export type Shape = {
  readonly kind: ShapeKind;
  readonly nullable: boolean;
  /** The schema's format; "date" also if the description asks for YYYY-MM-DD. */
  readonly format: string | undefined;
  readonly enum: readonly unknown[] | undefined;
  readonly description: string;
  /** Strings among the schema's examples and its default. */
  readonly examples: readonly string[];
  readonly properties: ReadonlyMap<string, Shape>;
  readonly required: ReadonlySet<string>;
  readonly items: Shape | undefined;
  readonly maxItems: number;
};

type Node = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 8;
const MAX_SHAPES = 2_000;
const KINDS: ReadonlySet<string> = new Set([
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
]);

const toList = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as unknown[]) : [];

/** Reads a schema that the contract has accepted. Circular schemas end after eight levels. */
export function readShape(schema: Node): Shape {
  let left = MAX_SHAPES;
  return read(schema, 0);

  function read(given: unknown, depth: number): Shape {
    left -= 1;
    if (!isObject(given) || depth > MAX_DEPTH || left < 0) return ANY;
    const node = merge(schema, given, 0);
    const types = (typeof node["type"] === "string" ? [node["type"]] : toList(node["type"])).map(
      String,
    );
    const kind = detectKind(node, types);
    const properties = new Map<string, Shape>();
    if (kind === "object" && isObject(node["properties"]))
      for (const [name, property] of Object.entries(node["properties"]))
        properties.set(name, read(property, depth + 1));
    const first = toList(node["prefixItems"])[0] ?? toList(node["items"])[0];
    const items = isObject(node["items"]) ? node["items"] : first;
    const description = [node["title"], node["description"]]
      .filter((text) => typeof text === "string")
      .join(". ");
    const asksForDay = kind === "string" && ISO_DAY.test(description);
    return {
      kind,
      nullable:
        types.includes("null") || node["nullable"] === true || toList(node["enum"]).includes(null),
      format: typeof node["format"] === "string" ? node["format"] : asksForDay ? "date" : undefined,
      enum:
        "const" in node
          ? [node["const"]]
          : Array.isArray(node["enum"])
            ? toList(node["enum"])
            : undefined,
      description,
      examples: [...toList(node["examples"]), node["default"]].filter(
        (text) => typeof text === "string",
      ),
      properties,
      required: new Set(toList(node["required"]).filter((name) => typeof name === "string")),
      items: kind === "array" ? (items === undefined ? ANY : read(items, depth + 1)) : undefined,
      maxItems: typeof node["maxItems"] === "number" ? node["maxItems"] : 1_000,
    };
  }
}

/** A description that asks for a day in ISO 8601, without a time. */
const ISO_DAY =
  /\bYYYY-MM-DD\b(?![T ]?\s?HH)|\bISO(?:[- ]?8601)?[- ](?:formatted )?date\b(?![- ]?time)|\bdate in ISO\b/i;

const ANY: Shape = {
  kind: "any",
  nullable: true,
  format: undefined,
  enum: undefined,
  description: "",
  examples: [],
  properties: new Map(),
  required: new Set(),
  items: undefined,
  maxItems: 1_000,
};

/** Returns an object shape with these properties of any type. */
export const buildShapeOfNames = (names: readonly string[]): Shape => ({
  ...ANY,
  kind: "object",
  properties: new Map(names.map((name) => [name, ANY])),
});

function detectKind(node: Node, types: readonly string[]): ShapeKind {
  const stated = types.find((type) => KINDS.has(type));
  if (stated !== undefined) return stated as ShapeKind;
  if (isObject(node["properties"])) return "object";
  if (node["items"] !== undefined || node["prefixItems"] !== undefined) return "array";
  const values = toList(node["enum"]).filter((value) => value !== null);
  if (values.length > 0 && values.every((value) => typeof value === "string")) return "string";
  return "any";
}

/** Merges a node with its reference, its allOf and its first non-null alternative. */
function merge(root: Node, node: Node, depth: number): Node {
  if (depth > 20) return node;
  let merged: Node = node;
  const { $ref: reference } = node;
  if (typeof reference === "string") {
    const target = resolveReference(root, reference);
    if (isObject(target)) merged = { ...merge(root, target, depth + 1), ...without(node, "$ref") };
  }
  for (const part of toList(node["allOf"]))
    if (isObject(part)) merged = join(merged, merge(root, part, depth + 1));
  const alternatives = [...toList(node["anyOf"]), ...toList(node["oneOf"])].filter(isObject);
  const isNull = (part: Node): boolean => part["type"] === "null" || part["const"] === null;
  const chosen = alternatives.find((part) => !isNull(part));
  if (chosen === undefined) return merged;
  const joined = join(merged, merge(root, chosen, depth + 1));
  return alternatives.some(isNull) ? { ...joined, nullable: true } : joined;
}

function join(one: Node, other: Node): Node {
  const properties =
    isObject(one["properties"]) && isObject(other["properties"])
      ? { properties: { ...other["properties"], ...one["properties"] } }
      : {};
  const required = [...toList(one["required"]), ...toList(other["required"])];
  return { ...other, ...one, ...properties, ...(required.length > 0 ? { required } : {}) };
}

function without(node: Node, key: string): Node {
  const { [key]: _dropped, ...rest } = node;
  return rest;
}
