// Makes the data of two pages of one template comparable: references of Apollo's cache are followed,
// and objects whose keys are ids, addresses or arguments become lists.
import { isObject } from "../../runtime/is-object.ts";

export type State = { readonly [key: string]: unknown };

const MAX_VALUES = 40_000;
const MAX_DEPTH = 40;

/** Returns undefined if the data is too large to compare. */
export function normalizeState(sources: Readonly<Record<string, unknown>>): State | undefined {
  const normalizer = new Normalizer();
  const state: Record<string, unknown> = {};
  // The names of the sources are ours, not keys of data.
  for (const [name, value] of Object.entries(sources)) state[name] = normalizer.normalize(value);
  return normalizer.isOver ? undefined : state;
}

class Normalizer {
  #left = MAX_VALUES;
  #entities: Readonly<Record<string, unknown>> = {};

  get isOver(): boolean {
    return this.#left < 0;
  }

  normalize(value: unknown, depth = 0): unknown {
    this.#left -= 1;
    if (this.isOver || depth > MAX_DEPTH) return undefined;
    if (Array.isArray(value)) return value.map((item) => this.normalize(item, depth + 1));
    if (!isObject(value)) return value;
    if (isObject(value["ROOT_QUERY"])) {
      this.#entities = value;
      return { query: this.normalize(value["ROOT_QUERY"], depth + 1) };
    }
    const reference = value["__ref"];
    if (typeof reference === "string") {
      const entity = Object.hasOwn(this.#entities, reference)
        ? this.#entities[reference]
        : undefined;
      return this.normalize(entity, depth + 1);
    }
    const keys = Object.keys(value);
    if (keys.length > 0 && keys.every(isIdentity))
      return keys.map((key) => this.normalize(value[key], depth + 1));
    const found: Record<string, unknown> = {};
    for (const key of keys) {
      let name = stripArguments(key);
      for (let at = 2; Object.hasOwn(found, name); at++) name = `${stripArguments(key)} ${at}`;
      found[name] = this.normalize(value[key], depth + 1);
    }
    return found;
  }
}

/** Numbers, UUIDs, `Product:12`, and addresses. */
const isIdentity = (key: string): boolean =>
  /^\d+$|^[\da-f]{8,}(?:-[\da-f]{4,}){0,4}$|^\w+:[^ ]*\d|^\/|^https?:/i.test(key);

/** Apollo writes arguments into keys: `product({"id":"12"})`. */
const stripArguments = (key: string): string => /^([\w$.-]+)[({:].*$/s.exec(key)?.[1] ?? key;
