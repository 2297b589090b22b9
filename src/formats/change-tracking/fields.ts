// Compares two JSON values field by field.
import { isObject } from "../../runtime/is-object.ts";

export type FieldChanges = Record<
  string,
  { readonly previous: unknown; readonly current: unknown }
>;

/** Field name for values without fields. */
const WHOLE = "value";

/**
 * Returns the top-level fields that differ, each with both values, null if missing. Ignores key
 * order but not list order. Non-objects are compared as one field named `value`.
 */
export function compareFields(previous: unknown, current: unknown): FieldChanges {
  const before = flattenFields(previous);
  const after = flattenFields(current);
  const names = new Set([...before.keys(), ...after.keys()]);
  const changes: [string, FieldChanges[string]][] = [];
  for (const name of names) {
    const one = before.get(name) ?? null;
    const other = after.get(name) ?? null;
    if (toCanonicalJson(one) !== toCanonicalJson(other))
      changes.push([name, { previous: one, current: other }]);
  }
  // Not by assignment, because a field may be named __proto__.
  return Object.fromEntries(changes);
}

const flattenFields = (value: unknown): Map<string, unknown> =>
  new Map(isObject(value) ? Object.entries(value) : [[WHOLE, value]]);

function toCanonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : inner,
  );
}
