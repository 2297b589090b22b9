// Places in a page as a generator names them: an element by tag, id, classes and role, optionally
// with its parent. Less than CSS, so that thousands of elements can be tested for dozens of places
// in the time of one selector.
import { type Element, isTag } from "domhandler";
import { readAttribute } from "../parse/tree.ts";

/**
 * A place, parsed from `tag#id.class[role=name]` with at most one `parent > ` before it. The tag is
 * required. An id that ends in `*` matches a prefix.
 */
export type Place = {
  readonly tag: string;
  readonly id?: string | undefined;
  /** Prefix of the id. */
  readonly idStart?: string | undefined;
  readonly classes: readonly string[];
  readonly role?: string | undefined;
  readonly parent?: Place | undefined;
};

const PLACE = /^([a-z][\w-]*)(?:#([\w-]+)|#([\w:-]+)\*)?((?:\.[\w-]+)*)(?:\[role=([a-z]+)\])?$/;

/** Parses a place. Throws if the text is not a valid place. */
export function readPlace(text: string): Place {
  const [own = "", above, ...rest] = text.split(" > ").toReversed();
  const [, tag, id, idStart, classes = "", role] = PLACE.exec(own) ?? [];
  if (tag === undefined || rest.length > 0) throw new Error(`"${text}" is no place.`);
  return {
    tag,
    id,
    idStart,
    classes: classes.split(".").filter((name) => name !== ""),
    role,
    parent: above === undefined ? undefined : readPlace(above),
  };
}

/** True if the element matches the place. */
export function matchesPlace(element: Element, place: Place): boolean {
  if (element.name !== place.tag) return false;
  if (place.id !== undefined && readAttribute(element, "id") !== place.id) return false;
  if (place.idStart !== undefined && !readAttribute(element, "id").startsWith(place.idStart))
    return false;
  if (place.role !== undefined && readAttribute(element, "role") !== place.role) return false;
  if (place.classes.length > 0) {
    const names = parseClassNames(readAttribute(element, "class"));
    if (!place.classes.every((name) => names.has(name))) return false;
  }
  if (place.parent === undefined) return true;
  const { parent } = element;
  return parent !== null && isTag(parent) && matchesPlace(parent, place.parent);
}

/** Returns the distinct names in a class attribute. */
export const parseClassNames = (classes: string): Set<string> => new Set(classes.split(/\s+/));
