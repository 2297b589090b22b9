// Merges the data of several pages: lists are joined, and everything else comes from the first page
// that has it.
import { isObject } from "../runtime/is-object.ts";

export type PageData = { readonly url: string; readonly data: unknown };

export type MergeResult = {
  readonly data: unknown;
  /** URLs by the field they gave; "" for data without fields. */
  readonly sources: Readonly<Record<string, readonly string[]>>;
};

type Fields = Readonly<Record<string, unknown>>;

/** Own properties only: data may have a field named constructor. */
const readField = (value: unknown, field: string): unknown =>
  isObject(value) && Object.hasOwn(value, field) ? value[field] : undefined;

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.values(value).every(isEmpty));

/** The first of these fields that two entries share decides whether they are the same thing. */
const NAMES = ["id", "url", "sku", "isbn", "email", "name", "title"];
/** Maximum entries of a joined list. */
const MAX_ENTRIES = 10_000;

/** Merges in the given order. `schema` limits the length of lists. */
export function mergePages(pages: readonly PageData[], schema?: Fields): MergeResult {
  const sources = new Map<string, string[]>();
  const note = (field: string, url: string): void => {
    const urls = sources.get(field);
    if (urls === undefined) sources.set(field, [url]);
    else if (!urls.includes(url)) urls.push(url);
  };
  let data: unknown;
  for (const page of pages) {
    if (isEmpty(page.data)) continue;
    if (isObject(page.data))
      for (const [field, value] of Object.entries(page.data))
        if (hasNewValue(readField(data, field), value)) note(field, page.url);
    if (!isObject(page.data) && hasNewValue(data, page.data)) note("", page.url);
    data = mergeValues(data, page.data);
  }
  return {
    data: data === undefined ? undefined : fitLimits(data, schema),
    sources: Object.fromEntries(sources),
  };
}

/** True if the value adds to the known data. */
function hasNewValue(known: unknown, value: unknown): boolean {
  if (isEmpty(value)) return false;
  if (isEmpty(known)) return true;
  if (Array.isArray(known) && Array.isArray(value)) {
    const texts = new Set(known.map(toText));
    return value.some((entry) => !texts.has(toText(entry)));
  }
  if (isObject(known) && isObject(value))
    return Object.entries(value).some(([field, inner]) =>
      hasNewValue(readField(known, field), inner),
    );
  return toText(known) === toText(value);
}

function mergeValues(one: unknown, other: unknown): unknown {
  if (isEmpty(other)) return one === undefined ? other : one;
  if (isEmpty(one)) return Array.isArray(other) ? joinLists([], other) : other;
  if (Array.isArray(one) && Array.isArray(other)) return joinLists(one, other);
  if (isObject(one) && isObject(other)) {
    const merged = new Map(Object.entries(one));
    for (const [field, value] of Object.entries(other))
      merged.set(field, mergeValues(merged.get(field), value));
    return Object.fromEntries(merged);
  }
  return one;
}

/** Merges entries about the same thing unless they contradict each other. */
function joinLists(one: readonly unknown[], other: readonly unknown[]): unknown[] {
  const joined: unknown[] = [];
  const known = new Set<string>();
  const named = new Map<string, number>();
  for (const entry of [...one, ...other]) {
    const text = toText(entry);
    if (known.has(text) || joined.length >= MAX_ENTRIES) continue;
    known.add(text);
    const name = readName(entry);
    const place = name === undefined ? undefined : named.get(name);
    const same = place === undefined ? undefined : joined[place];
    if (place !== undefined && isSameValue(same, entry)) {
      joined[place] = mergeValues(same, entry);
      known.add(toText(joined[place]));
      continue;
    }
    if (name !== undefined && place === undefined) named.set(name, joined.length);
    joined.push(entry);
  }
  return joined;
}

function readName(entry: unknown): string | undefined {
  if (!isObject(entry)) return undefined;
  const field = NAMES.find(
    (name) => ["string", "number"].includes(typeof entry[name]) && !isEmpty(entry[name]),
  );
  return field === undefined ? undefined : `${field} ${String(entry[field]).trim().toLowerCase()}`;
}

function isSameValue(one: unknown, other: unknown): boolean {
  if (isEmpty(one) || isEmpty(other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) return true;
  if (isObject(one) && isObject(other))
    return Object.entries(other).every(([field, value]) =>
      isSameValue(readField(one, field), value),
    );
  return toText(one) === toText(other);
}

/** Equal for equal values regardless of the order of their fields. */
function toText(value: unknown): string {
  return (
    JSON.stringify(value, (_, inner: unknown) =>
      isObject(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : typeof inner === "string"
          ? inner.trim()
          : inner,
    ) ?? ""
  );
}

/** Applies the `maxItems` of lists that the schema names by their fields. */
function fitLimits(data: unknown, schema: unknown): unknown {
  if (!isObject(schema)) return data;
  const max = schema["maxItems"];
  if (Array.isArray(data)) return typeof max === "number" ? data.slice(0, max) : data;
  const properties = schema["properties"];
  if (!isObject(data) || !isObject(properties)) return data;
  return Object.fromEntries(
    Object.entries(data).map(([field, value]) => [
      field,
      fitLimits(value, readField(properties, field)),
    ]),
  );
}
