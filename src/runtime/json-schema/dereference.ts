// References within a JSON Schema: JSON pointers (RFC 6901) behind a number sign.
import { isObject } from "../is-object.ts";
import { readPointer } from "./pointer.ts";

type Node = Readonly<Record<string, unknown>>;

const MAX_STEPS = 20;

/**
 * The part of the schema that `$ref` names; "#" is the whole schema. Undefined if there is none.
 */
export function resolveReference(root: Node, reference: string): unknown {
  if (reference === "#") return root;
  return reference.startsWith("#/") ? readPointer(root, reference.slice(1)) : undefined;
}

/**
 * Follows references, and picks the first non-null alternative of a node without its own properties
 * or items. Returns an empty schema for broken or circular references.
 */
export function dereference(node: unknown, root: Node): Node {
  let current: Node = isObject(node) ? node : {};
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    const { $ref: reference, anyOf, oneOf, allOf, properties, items } = current;
    const forms = anyOf ?? oneOf ?? allOf;
    if (typeof reference === "string") {
      const target = resolveReference(root, reference);
      current = isObject(target) ? target : {};
    } else if (Array.isArray(forms) && properties === undefined && items === undefined)
      current = forms.filter(isObject).find((form) => form["type"] !== "null") ?? {};
    else return current;
  }
  return {};
}
