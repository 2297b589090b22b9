// The options of a stored request that somebody chose. Pure.
import type { JsonSchema } from "../../data/contract.ts";
import type { Options } from "./modes.ts";

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** A format without options of its own is written as its name. */
const shortenFormat = (format: unknown): unknown =>
  typeof format === "object" &&
  format !== null &&
  "type" in format &&
  Object.keys(format).length === 1
    ? format.type
    : format;

/** Leaves out what is the default, so that the form shows what was chosen. */
export function selectGivenOptions(options: Options, { properties = {} }: JsonSchema): Options {
  return Object.fromEntries(
    Object.entries(options).flatMap(([name, value]) => {
      const schema = properties[name];
      const isFormats = name === "formats" && Array.isArray(value);
      const written = isFormats ? (value as unknown[]).map(shortenFormat) : value;
      const isDefault =
        isSame(written, schema?.default) || isSame(value, schema?.default) || value === null;
      const isEmpty = typeof value === "object" && value !== null && isSame(Object.keys(value), []);
      return schema === undefined || isDefault || isEmpty ? [] : [[name, written]];
    }),
  );
}
