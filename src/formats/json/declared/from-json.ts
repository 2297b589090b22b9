// Converts JSON in a page, such as linked data and application state, to things.
import { shorten, toLeaf, type Leaf, type SourceKind, type Thing, type Value } from "./finding.ts";
import { isObject } from "../../../runtime/is-object.ts";

type JsonObject = Readonly<Record<string, unknown>>;

const MAX_NODES = 20_000;
const MAX_DEPTH = 24;

export type JsonSource = {
  readonly source: SourceKind;
  readonly selector: string;
  readonly value: unknown;
};

/**
 * Returns every object as a thing, outer before inner. References to a whole object (`@id`,
 * `__ref`) are followed once. At most 20,000 nodes in all.
 */
export function findThingsInJson(sources: readonly JsonSource[]): Thing[] {
  const byId = new Map<string, JsonObject>();
  for (const { value } of sources) indexIds(value, byId);
  const reader = new Reader(byId);
  for (const each of sources) reader.readRoot(each);
  return reader.things;
}

function indexIds(root: unknown, byId: Map<string, JsonObject>): void {
  const open: unknown[] = [root];
  for (let seen = 0; open.length > 0 && seen < MAX_NODES; seen += 1) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...(value.slice(0, 1_000) as unknown[]));
    else if (isObject(value)) {
      const id = value["@id"];
      if (typeof id === "string" && Object.keys(value).length > 2 && !byId.has(id))
        byId.set(id, value);
      for (const [key, inner] of Object.entries(value)) {
        // GraphQL client caches store their objects under reference names.
        if (isObject(inner) && inner["__typename"] !== undefined && key.includes(":"))
          byId.set(key, inner);
        if (typeof inner === "object" && inner !== null) open.push(inner);
      }
    }
  }
}

class Reader {
  readonly things: Thing[] = [];
  readonly #byId: ReadonlyMap<string, JsonObject>;
  #left = MAX_NODES;

  constructor(byId: ReadonlyMap<string, JsonObject>) {
    this.#byId = byId;
  }

  readRoot({ source, selector, value }: JsonSource): void {
    this.#read(value, { source, selector }, "", 0, new Set());
  }

  #read(
    given: unknown,
    origin: { readonly source: SourceKind; readonly selector: string },
    path: string,
    depth: number,
    above: ReadonlySet<unknown>,
  ): Value[] {
    this.#left -= 1;
    if (this.#left < 0 || depth > MAX_DEPTH) return [];
    if (Array.isArray(given))
      return given
        .slice(0, 1_000)
        .flatMap((item, at) => this.#read(item, origin, `${path}[${at}]`, depth + 1, above));
    if (!isObject(given)) return listLeaves(given, { ...origin, path });
    const value = this.#follow(given);
    if (above.has(value)) return [];
    if (value["@value"] !== undefined) return listLeaves(value["@value"], { ...origin, path });
    const inside = new Set(above).add(value);
    const fields = new Map<string, Value[]>();
    const at = this.things.length;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "@context" || key === "@graph" || key === "@type") continue;
      const values = this.#read(
        inner,
        origin,
        path === "" ? key : `${path}.${key}`,
        depth + 1,
        inside,
      );
      if (values.length > 0) fields.set(stripKeyPrefix(key), values);
    }
    if (Array.isArray(value["@graph"]))
      this.#read(value["@graph"], origin, "@graph", depth + 1, inside);
    if (fields.size === 0) return [];
    const thing: Thing = {
      kind: "thing",
      source: origin.source,
      types: listTypes(value),
      fields,
      evidence: { ...origin, path, text: readLabel(fields) },
    };
    this.things.splice(at, 0, thing);
    return [thing];
  }

  #follow(value: JsonObject): JsonObject {
    const reference = value["__ref"] ?? (Object.keys(value).length <= 2 ? value["@id"] : undefined);
    return typeof reference === "string" ? (this.#byId.get(reference) ?? value) : value;
  }
}

/**
 * `schema:name` and `http://schema.org/name` become "name"; arguments of GraphQL fields are
 * removed.
 */
const stripKeyPrefix = (key: string): string =>
  key
    .replace(/^https?:\/\/schema\.org\//, "")
    .replace(/^[a-z]+:(?=\w)/, "")
    .replace(/\(.*$/, "");

function listLeaves(value: unknown, evidence: Omit<Leaf["evidence"], "text">): Leaf[] {
  if (typeof value === "string") return value.trim() === "" ? [] : [toLeaf(value, evidence)];
  return typeof value === "number" || typeof value === "boolean" ? [toLeaf(value, evidence)] : [];
}

function listTypes(value: JsonObject): string[] {
  const given = value["@type"] ?? value["__typename"] ?? value["_type"];
  return (Array.isArray(given) ? (given as unknown[]) : [given])
    .filter((type) => typeof type === "string")
    .map((type) => type.replace(/^.*[/#:]/, ""));
}

/** Returns a few words that identify the object for a person. */
function readLabel(fields: ReadonlyMap<string, readonly Value[]>): string {
  const first = (fields.get("name") ?? fields.get("headline") ?? fields.get("title"))?.[0];
  return first?.kind === "leaf" ? shorten(String(first.value)) : "";
}
