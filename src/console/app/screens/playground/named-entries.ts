// Lists such as `parsers`, whose entries are names or objects with a type. Pure.

export const nameEntry = (entry: unknown): string =>
  typeof entry === "object" && entry !== null && "type" in entry
    ? String(entry.type)
    : String(entry);

/** Removes the entries with this name, or adds the name; other entries keep their options. */
export function toggleEntry(entries: readonly unknown[], name: string): unknown[] {
  const others = entries.filter((entry) => nameEntry(entry) !== name);
  return others.length < entries.length ? others : [...entries, name];
}

const sortEntries = (entries: readonly unknown[]): string =>
  JSON.stringify(entries.map((entry) => JSON.stringify(entry)).toSorted());

/** True for the same entries in any order. */
export const hasSameEntries = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  sortEntries(one) === sortEntries(other);
