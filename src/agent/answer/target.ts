// Target of a schema: lists of rows, which pages add to, and single values.
import { isObject } from "../../runtime/is-object.ts";
import { dereference } from "../../runtime/json-schema/dereference.ts";

export type Schema = Readonly<Record<string, unknown>>;

export type ListTarget = {
  /** Path of the list in the value; empty if the value is the list. */
  readonly path: readonly string[];
  /** Schema of one row, usable by itself. */
  readonly item: Schema;
  readonly fields: readonly string[];
};

export type Target = {
  /** The schema as the caller gave it. */
  readonly given: Schema;
  /** Schema of an object. */
  readonly schema: Schema;
  /** True if the schema's value is itself a list. Then `schema` has it as the property `items`. */
  readonly isWrapped: boolean;
  readonly lists: readonly ListTarget[];
  /** Single values by path. */
  readonly values: readonly (readonly string[])[];
};

/** Property name for a list that is the whole value. */
export const WRAPPED = "items";
const MAX_DEPTH = 4;
/** Maximum lists and values; a recursive schema has infinitely many. */
const MAX_TARGETS = 1_000;

export function compileTarget(given: Schema): Target {
  const root = dereference(given, given);
  const isWrapped = isList(root, given);
  const schema = isWrapped ? wrap(given, root) : given;
  const lists: ListTarget[] = [];
  const values: string[][] = [];
  const visit = (node: Schema, path: readonly string[]): void => {
    for (const [name, child] of Object.entries(listProperties(node))) {
      if (lists.length + values.length >= MAX_TARGETS) return;
      const resolved = dereference(child, schema);
      const here = [...path, name];
      if (isList(resolved, schema)) lists.push(toList(resolved, here, schema));
      else if (Object.keys(listProperties(resolved)).length > 0 && here.length < MAX_DEPTH)
        visit(resolved, here);
      else values.push(here);
    }
  };
  visit(dereference(schema, schema), []);
  return { given, schema, isWrapped, lists, values };
}

function wrap(given: Schema, root: Schema): Schema {
  const { $defs, definitions, ...rest } = root;
  return {
    type: "object",
    properties: { [WRAPPED]: rest },
    required: [WRAPPED],
    ...readDefinitions({
      ...given,
      $defs: $defs ?? given["$defs"],
      definitions: definitions ?? given["definitions"],
    }),
  };
}

const readDefinitions = ({ $defs, definitions }: Schema): Schema => ({
  ...($defs === undefined ? {} : { $defs }),
  ...(definitions === undefined ? {} : { definitions }),
});

function toList(node: Schema, path: readonly string[], root: Schema): ListTarget {
  const item = dereference(node["items"], root);
  return {
    path,
    item: { type: "object", ...item, ...readDefinitions(root) },
    fields: Object.keys(listProperties(item)),
  };
}

/** An array of objects with named properties. */
function isList(node: Schema, root: Schema): boolean {
  if (Array.isArray(node["items"]) || node["items"] === undefined) return false;
  return Object.keys(listProperties(dereference(node["items"], root))).length > 0;
}

export function listProperties(node: Schema): Readonly<Record<string, Schema>> {
  const { properties } = node;
  return isObject(properties) ? (properties as Record<string, Schema>) : {};
}

/** Returns the schema of the value at a path. */
export function getSchemaAt({ schema }: Pick<Target, "schema">, path: readonly string[]): Schema {
  let node = dereference(schema, schema);
  for (const name of path) node = dereference(listProperties(node)[name], schema);
  return node;
}

/** Returns the value at a path; undefined if there is none. */
export function getValueAt(value: unknown, path: readonly string[]): unknown {
  let current = value;
  for (const name of path) current = isObject(current) ? current[name] : undefined;
  return current;
}

/** Sets the value at a path and creates the objects on the way. */
export function setAt(
  root: Record<string, unknown>,
  path: readonly string[],
  value: unknown,
): void {
  let current = root;
  for (const name of path.slice(0, -1)) {
    if (!isObject(current[name])) current[name] = {};
    current = current[name] as Record<string, unknown>;
  }
  const last = path.at(-1);
  if (last !== undefined) current[last] = value;
}

/** Returns the schema without `required`: a page need not have all fields. */
export function relax(schema: Schema): Schema {
  const copy = structuredClone(schema) as Record<string, unknown>;
  const open: unknown[] = [copy];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    if (isObject(node)) {
      const own = node as Record<string, unknown>;
      if (Array.isArray(own["required"])) delete own["required"];
      if (typeof own["minItems"] === "number") delete own["minItems"];
    }
    open.push(...Object.values(node));
  }
  return copy;
}

/** A JSON pointer (RFC 6901). */
export const buildPointer = (path: readonly (string | number)[]): string =>
  path.map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");

/** True if a value has content: no null, empty text, list or object. */
export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.some(isFilled);
  if (isObject(value)) return Object.values(value).some(isFilled);
  return true;
}
