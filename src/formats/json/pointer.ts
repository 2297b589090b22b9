// JSON pointers (RFC 6901).

/** A key as a part of a pointer. */
export const escape = (key: string): string => key.replaceAll("~", "~0").replaceAll("/", "~1");

/** The keys of a pointer. */
export const partsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

/** What stands at a pointer; undefined where nothing does. */
export function readPointer(value: unknown, pointer: string): unknown {
  let at = value;
  for (const key of partsOf(pointer)) {
    if (typeof at !== "object" || at === null || !Object.hasOwn(at, key)) return undefined;
    at = (at as Record<string, unknown>)[key];
  }
  return at;
}
