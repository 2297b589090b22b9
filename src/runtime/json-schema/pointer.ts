// JSON pointers (RFC 6901).

/** Escapes a key as a pointer segment. */
export const escape = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** Splits a pointer into keys. */
export const splitPointer = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** Returns the value at a pointer, or undefined. */
export function readPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of splitPointer(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
