import type { z } from "zod";

type Schema = z.core.$ZodType;

type Definition = {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly out?: Schema;
  readonly options?: readonly Schema[];
  readonly left?: Schema;
  readonly right?: Schema;
  readonly valueType?: Schema;
  readonly values?: readonly unknown[];
};

const readDefinition = (schema: Schema): Definition => schema._zod.def as unknown as Definition;

/** Returns the schemas behind wrappers and unions. */
function open(schema: Schema): Schema[] {
  const definition = readDefinition(schema);
  const { type, innerType, options = [], left, right } = definition;
  if (type === "union") return options.flatMap(open);
  if (type === "intersection") return [left, right].flatMap((side) => (side ? open(side) : []));
  if (type === "pipe") {
    const side = definition.in;
    const isTransform = side !== undefined && readDefinition(side).type === "transform";
    const inner = isTransform ? definition.out : side;
    return inner === undefined ? [] : open(inner);
  }
  return innerType === undefined ? [schema] : open(innerType);
}

/** False for the union branch of another `type`. */
function isForm({ shape }: Definition, value: unknown): boolean {
  const type: unknown = (value as { readonly type?: unknown } | null | undefined)?.type;
  const own = shape?.["type"];
  if (typeof type !== "string" || own === undefined) return true;
  return open(own).some((schema) => {
    const { values } = readDefinition(schema);
    return values === undefined || values.includes(type);
  });
}

/** Returns the value at the path; undefined if there is none. */
export function findValue(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== "object" || current === null || !Object.hasOwn(current, part))
      return undefined;
    current = (current as Record<PropertyKey, unknown>)[part];
  }
  return current;
}

/** Returns the field names allowed at the path; `value` is the whole request. */
export function findKnownKeys(
  schema: Schema,
  path: readonly PropertyKey[],
  value: unknown,
): Set<string> {
  let schemas = open(schema);
  for (const part of path) {
    schemas = schemas.flatMap((one) => {
      const { element, shape, valueType } = readDefinition(one);
      const inner = typeof part === "number" ? element : (shape?.[String(part)] ?? valueType);
      return inner === undefined ? [] : open(inner);
    });
  }
  const at = findValue(value, path);
  return new Set(
    schemas
      .map(readDefinition)
      .filter((definition) => isForm(definition, at))
      .flatMap(({ shape = {} }) => Object.keys(shape)),
  );
}
