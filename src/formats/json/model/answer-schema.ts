// The shape of a model's answer: that of the data, with a reference allowed in place of each value.
import { isObject } from "../../../runtime/is-object.ts";
import { readShape, type Shape } from "../../../runtime/json-schema/shape.ts";

type Schema = Readonly<Record<string, unknown>>;

export type AnswerSchemas = {
  /** Short schema that the model server enforces; uses only keywords that all servers support. */
  readonly sent: Schema;
  /** Schema that a usable answer fits; its values are converted and checked one by one. */
  readonly accepted: Schema;
};

export function answerSchemas(schema: Schema | undefined): AnswerSchemas {
  const isOpen = schema === undefined || hasFormsOfObjects(schema);
  const shape = isOpen ? undefined : readShape(schema);
  return {
    sent: wrap(shape && toSchema(shape, buildScalarSchema)),
    accepted: wrap(shape && toSchema(shape, () => ({}))),
  };
}

const QUOTES = {
  type: "array",
  items: {
    type: "object",
    properties: { pointer: { type: "string" }, quote: { type: "string" } },
    required: ["pointer", "quote"],
  },
};

const wrap = (data: Schema | undefined): Schema => ({
  type: "object",
  properties: { data: data ?? {}, quotes: QUOTES },
  required: ["data"],
});

function toSchema(shape: Shape, scalar: (shape: Shape) => Schema): Schema {
  if (shape.kind === "array")
    return {
      type: ["array", "null"],
      ...(shape.items === undefined ? {} : { items: toSchema(shape.items, scalar) }),
    };
  if (shape.kind !== "object") return scalar(shape);
  if (shape.properties.size === 0) return { type: ["object", "null"] };
  const required = [...shape.required].filter((name) => shape.properties.has(name));
  return {
    type: "object",
    properties: Object.fromEntries(
      [...shape.properties].map(([name, property]) => [name, toSchema(property, scalar)]),
    ),
    ...(required.length > 0 ? { required } : {}),
  };
}

function buildScalarSchema({ kind }: Shape): Schema {
  switch (kind) {
    case "number":
    case "integer":
      return { type: ["number", "string", "null"] };
    case "boolean":
      return { type: ["boolean", "string", "null"] };
    case "string":
      return { type: ["string", "null"] };
    default:
      return {};
  }
}

const MAX_NODES = 5_000;

/** True if a schema allows several forms of objects or lists; a shape has only the first. */
function hasFormsOfObjects(schema: Schema): boolean {
  const open: unknown[] = [schema];
  for (let left = MAX_NODES; open.length > 0 && left > 0; left -= 1) {
    const node = open.pop();
    if (Array.isArray(node)) open.push(...(node as unknown[]));
    if (!isObject(node)) continue;
    for (const key of ["anyOf", "oneOf"]) {
      const forms = node[key];
      if (!Array.isArray(forms)) continue;
      const others = (forms as unknown[]).filter((form) => !isScalar(form));
      if (others.length > 1) return true;
    }
    open.push(...Object.values(node));
  }
  return false;
}

const SCALARS: ReadonlySet<unknown> = new Set(["string", "number", "integer", "boolean", "null"]);

const isScalar = (form: unknown): boolean =>
  isObject(form) &&
  (SCALARS.has(form["type"]) || form["enum"] !== undefined || form["const"] !== undefined);
