// Places in a page as a generator names them: one element by tag, id, classes and role, and its parent where that tells it apart. Less
// than CSS, so that thousands of elements can be asked for dozens of places in the time that one selector takes.
import { type Element, isTag } from "domhandler";
import { attributeOf } from "../parse/tree.ts";

/**
 * A place, read from `tag#id.class[role=name]`, with `parent > ` before it at most. The tag is always given; an id that ends in `*`
 * stands for all that begin so.
 */
export type Place = {
  readonly tag: string;
  readonly id?: string | undefined;
  /** How the id begins. */
  readonly idStart?: string | undefined;
  readonly classes: readonly string[];
  readonly role?: string | undefined;
  readonly parent?: Place | undefined;
};

const PLACE = /^([a-z][\w-]*)(?:#([\w-]+)|#([\w:-]+)\*)?((?:\.[\w-]+)*)(?:\[role=([a-z]+)\])?$/;

/** Reads a place; throws for what is none. */
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

/** Whether an element stands at a place. */
export function standsAtPlace(element: Element, place: Place): boolean {
  if (element.name !== place.tag) return false;
  if (place.id !== undefined && attributeOf(element, "id") !== place.id) return false;
  if (place.idStart !== undefined && !attributeOf(element, "id").startsWith(place.idStart))
    return false;
  if (place.role !== undefined && attributeOf(element, "role") !== place.role) return false;
  if (place.classes.length > 0) {
    const names = classNames(attributeOf(element, "class"));
    if (!place.classes.every((name) => names.has(name))) return false;
  }
  if (place.parent === undefined) return true;
  const { parent } = element;
  return parent !== null && isTag(parent) && standsAtPlace(parent, place.parent);
}

/** The names in a class attribute, each once. */
export const classNames = (classes: string): Set<string> => new Set(classes.split(/\s+/));
