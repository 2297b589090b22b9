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
 * Finds the schema of an object with known fields, of that type if one is given. A field may also
 * take null or a string.
 */
function findFields(schema: JsonSchema | undefined, type?: unknown): JsonSchema | undefined {
  const { properties, anyOf = [], oneOf = [] } = schema ?? {};
  if (properties !== undefined)
    return type === undefined || properties["type"]?.const === type ? schema : undefined;
  for (const one of [...anyOf, ...oneOf]) {
    const found = findFields(one, type);
    if (found !== undefined) return found;
  }
  return undefined;
}

function shortenEntry(entry: unknown, items: JsonSchema | undefined): unknown {
  if (!isObject(entry)) return entry;
  const { type, ...fields } = entry;
  const schema = findFields(items, type);
  const given = schema === undefined ? fields : selectGivenOptions(fields, schema);
  return Object.keys(given).length === 0 ? type : { type, ...given };
}

/**
 * Leaves out what is the default, so that the form shows what was chosen. The others are in the
 * order of the schema.
 */
export function selectGivenOptions(options: Options, { properties = {} }: JsonSchema): Options {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]) => {
      const value = options[name];
      const fields = findFields(schema);
      const written =
        NAMED_ENTRIES.has(name) && Array.isArray(value)
          ? value.map((entry: unknown) => shortenEntry(entry, schema.items))
          : fields !== undefined && isObject(value)
            ? selectGivenOptions(value, fields)
            : value;
      const isUnset = value === undefined || value === null || value === (schema.default ?? false);
      const isDefault = isSame(written, schema.default) || isSame(value, schema.default);
      const isMarkdown = name === "formats" && isSame(written, ["markdown"]);
      const isEmpty =
        typeof written === "object" && written !== null && Object.keys(written).length === 0;
      return isUnset || isDefault || isMarkdown || isEmpty ? [] : [[name, written]];
    }),
  );
}
