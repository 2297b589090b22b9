// Merges the answers for the parts of a long page: the first non-empty value wins, lists are
// joined.
import { isObject } from "../../../runtime/is-object.ts";

const isEmpty = (value: unknown): boolean => value === undefined || value === null || value === "";

/**
 * Returns `first` with missing values from `second`. Lists contain the distinct members of both.
 */
export function mergeValues(first: unknown, second: unknown): unknown {
  if (isEmpty(first)) return second;
  if (isEmpty(second)) return first;
  if (Array.isArray(first) && Array.isArray(second)) {
    const seen = new Set<string>();
    return [...(first as unknown[]), ...(second as unknown[])].filter((item) => {
      const key = JSON.stringify(item);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
  }
  if (!isObject(first) || !isObject(second)) return first;
  const merged: Record<string, unknown> = { ...first };
  for (const [key, value] of Object.entries(second))
    if (!Object.hasOwn(merged, key)) merged[key] = value;
    else merged[key] = mergeValues(merged[key], value);
  return merged;
}
