// The options of a stored request that somebody chose. Pure.
import type { JsonSchema } from "../../data/contract.ts";
import type { Options } from "./modes.ts";

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const isObject = (value: unknown): value is Options =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Lists whose entries without options of their own are written as their names. */
const NAMED_ENTRIES: ReadonlySet<string> = new Set(["formats", "parsers"]);

/**
 * Options whose default depends on other options. The server leaves them out of the request of a
 * job unless they were chosen.
 */
const DEPENDENT: ReadonlySet<string> = new Set(["skipTlsVerification"]);

/** Returns the schema and, if it takes several kinds of values, those of each kind. */
const listVariants = (schema: JsonSchema): JsonSchema[] => [
  schema,
  ...[...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap(listVariants),
];

/**
 * Finds the schema of an object with known fields, of that type if one is given. A field may also
 * take null or a string.
 */
const findFields = (schema: JsonSchema | undefined, type?: unknown): JsonSchema | undefined =>
  schema &&
  listVariants(schema).find(
    ({ properties }) =>
      properties !== undefined && (type === undefined || properties["type"]?.const === type),
  );

function shortenEntry(entry: unknown, items: JsonSchema | undefined): unknown {
  if (!isObject(entry)) return entry;
  const { type, ...fields } = entry;
  const schema = findFields(items, type);
  const given = schema === undefined ? fields : selectGivenOptions(fields, schema);
  return Object.keys(given).length === 0 ? type : { type, ...given };
}

/** Writes a value without the defaults of its own fields. */
function shorten(name: string, value: unknown, schema: JsonSchema): unknown {
  if (NAMED_ENTRIES.has(name) && Array.isArray(value))
    return value.map((entry: unknown) => shortenEntry(entry, schema.items));
  const fields = findFields(schema);
  if (fields === undefined || !isObject(value)) return value;
  const given = selectGivenOptions(value, fields);
  const isSwitch = listVariants(schema).some(({ type }) => type === "boolean");
  return isSwitch && Object.keys(given).length === 0 ? true : given;
}

/**
 * Leaves out null and what is the declared default, so that the form shows what was chosen. An empty
 * object or list is kept, because it may mean something else than a missing one. The options are in
 * the order of the schema.
 */
export function selectGivenOptions(options: Options, { properties = {} }: JsonSchema): Options {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const value = options[name];
      if (value === undefined || value === null) return [];
      const written = shorten(name, value, schema);
      const isDefault = isSame(written, schema.default) || isSame(value, schema.default);
      return isDefault && !DEPENDENT.has(name) ? [] : [[name, written]];
    }),
  );
}
