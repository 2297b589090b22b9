// Reads the names of elements: words of classes, ids and labels, roles, tags and attributes.
import type { Element } from "domhandler";
import { HashList } from "./hash-list.ts";
import { getNameGroups, getTagGroups, getValueGroups } from "./name-groups.ts";
import { computeHash, MAX_NAME_CHARACTERS, readWords, SEED } from "./name-hashes.ts";

const MAX_NAMES_CHARACTERS = 400;
const MAX_VALUE_CHARACTERS = 29;
/** Attributes with a fixed set of meaningful values. */
const CLOSED: ReadonlySet<string> = new Set(["role", "itemprop", "rel", "type", "property"]);
/** Attributes that matter by their presence, besides ARIA. */
const INFORMATIVE_ATTRIBUTES: ReadonlySet<string> = new Set([
  "data-nosnippet",
  "method",
  "tabindex",
  "for",
]);
/** Data attribute values that are names, not numbers or keys. */
const VALUE = /^[a-z][\w -]*$/i;
const TAG = computeHash(SEED, "tag");
const WORD = computeHash(SEED, "word");
const NAME = computeHash(SEED, "name");
const SPOKEN = computeHash(SEED, "spoken");
const DATA = computeHash(SEED, "data");
const DECLARED = computeHash(SEED, "told");

/** Groups of a tag or value, and its name list, NO_LIST if none. */
type KnownName = { readonly groups: number; readonly list: number };
/** Known tags and classes also carry their part of the element signature; classes, their index. */
type KnownTag = KnownName & { readonly signature: number };
type KnownClasses = KnownTag & { readonly index: number };
const NO_LIST = -1;
/** Index of "" among the classes of a page. */
const NO_CLASS = 0;

/**
 * Rule for reading an attribute: ignore it, by value, or by presence, which always gives the same
 * list.
 */
type Attribute = {
  readonly isRead: boolean;
  readonly isData: boolean;
  readonly told: number;
  readonly values: Map<string, KnownName>;
};

/** Reads names of the elements of one page and caches them. */
export class NameReader {
  /** Hashes of the names of all lists, and the start of each list. */
  readonly hashes = new HashList();
  readonly listStart = [0];
  /** The microdata types seen so far. */
  readonly itemTypes = new Set<string>();
  /** The values of `class` seen so far; the first is "" for none. */
  readonly classes = [""];
  /**
   * The element read last: signature of tag and first class, class index, and 1 if it has an id.
   */
  signature = 0;
  classIndex = NO_CLASS;
  hasId = false;
  readonly #tags = new Map<string, KnownTag>();
  readonly #classes = new Map<string, KnownClasses>();
  readonly #attributes = new Map<string, Attribute>();

  /**
   * Returns the group bits of an element's tag, role, schema.org property, class and id. Appends
   * its name lists to `lists`.
   */
  read({ name, attribs }: Element, lists: number[]): number {
    // Names on the root describe the page, not a part of it.
    if (name === "html" || name === "body") return this.#readRoot(name, attribs);
    const tag = this.#tags.get(name) ?? this.#newTag(name);
    let { groups, signature } = tag;
    let classIndex = NO_CLASS;
    let hasId = false;
    lists.push(tag.list);
    for (const attribute in attribs) {
      if (attribute === "href" || attribute === "style") continue;
      const value = attribs[attribute]!;
      if (attribute === "class") {
        const known = this.#classes.get(value) ?? this.#newClass(value);
        groups |= known.groups;
        signature ^= known.signature;
        classIndex = known.index;
        if (known.list !== NO_LIST) lists.push(known.list);
      } else if (attribute === "id") {
        hasId = true;
        // Ids are unique, so caching them is useless.
        groups |= getNameGroups(value);
        const list = this.#newList("id", value);
        if (list !== NO_LIST) lists.push(list);
      } else groups |= this.#readOther(attribute, value, lists);
    }
    this.signature = signature;
    this.classIndex = classIndex;
    this.hasId = hasId;
    return groups;
  }

  #readRoot(name: string, attribs: Element["attribs"]): number {
    let groups = 0;
    const classes = attribs["class"];
    const known =
      classes === undefined ? undefined : (this.#classes.get(classes) ?? this.#newClass(classes));
    this.signature = hashName(name) ^ (known?.signature ?? 0);
    this.classIndex = known?.index ?? NO_CLASS;
    this.hasId = attribs["id"] !== undefined;
    for (const attribute in attribs) {
      groups |= getValueGroups(attribute, attribs[attribute]!);
      if (attribute === "itemtype") this.itemTypes.add(attribs[attribute]!);
    }
    return groups;
  }

  #readOther(name: string, value: string, lists: number[]): number {
    const attribute = this.#attributes.get(name) ?? this.#newAttribute(name);
    if (!attribute.isRead || (attribute.isData && value.length > MAX_VALUE_CHARACTERS)) return 0;
    if (attribute.told !== NO_LIST) {
      lists.push(attribute.told);
      return 0;
    }
    let known = attribute.values.get(value);
    if (known === undefined) {
      known = { groups: getValueGroups(name, value), list: this.#newList(name, value) };
      attribute.values.set(value, known);
      if (name === "itemtype") this.itemTypes.add(value);
    }
    if (known.list !== NO_LIST) lists.push(known.list);
    return known.groups;
  }

  #newTag(name: string): KnownTag {
    this.hashes.add(computeHash(TAG, name));
    const known = {
      groups: getTagGroups(name),
      list: this.#endList(),
      signature: hashName(name),
    };
    this.#tags.set(name, known);
    return known;
  }

  #newClass(value: string): KnownClasses {
    const known = {
      groups: getNameGroups(value),
      list: this.#newList("class", value),
      signature: Math.imul(hashName(readFirstName(value)), 7),
      index: this.classes.push(value) - 1,
    };
    this.#classes.set(value, known);
    return known;
  }

  #newAttribute(name: string): Attribute {
    const isTold =
      INFORMATIVE_ATTRIBUTES.has(name) || (name.startsWith("aria-") && name !== "aria-label");
    const isData = name.startsWith("data-");
    const isRead =
      isTold || isData || name === "aria-label" || name === "itemtype" || CLOSED.has(name);
    if (isTold) this.hashes.add(computeHash(DECLARED, name));
    const told = isTold ? this.#endList() : NO_LIST;
    const attribute = { isRead, isData: isData && !isTold, told, values: new Map() };
    this.#attributes.set(name, attribute);
    return attribute;
  }

  /** Adds a list of the names in an attribute. Returns its number, or NO_LIST if there are none. */
  #newList(attribute: string, value: string): number {
    const first = this.hashes.length;
    addNames(attribute, value, this.hashes);
    return this.hashes.length === first ? NO_LIST : this.#endList();
  }

  #endList(): number {
    return this.listStart.push(this.hashes.length) - 2;
  }
}

/** Returns the first of several class names, without digits. */
const readFirstName = (names: string): string =>
  /[^\s]+/.exec(names.slice(0, 200))?.[0].replace(/\d+/g, "") ?? "";

/** FNV-1a of a name as written. */
function hashName(name: string): number {
  let hash = SEED;
  for (let index = 0; index < name.length; index++)
    hash = Math.imul(hash ^ name.charCodeAt(index), 0x01000193);
  return hash;
}

/** Adds the distinct names in an attribute's value to the end of a list. */
function addNames(attribute: string, value: string, found: HashList): void {
  const first = found.length;
  if (attribute === "class" || attribute === "id") {
    if (value.length <= MAX_NAMES_CHARACTERS) readWords(value, WORD, NAME, found, first);
  } else if (attribute === "aria-label") {
    if (value.length <= MAX_NAMES_CHARACTERS) readWords(value, SPOKEN, undefined, found, first);
  } else if (CLOSED.has(attribute)) {
    if (value.length <= MAX_NAME_CHARACTERS)
      found.add(computeHash(computeHash(SEED, attribute), value));
  } else if (attribute === "itemtype") {
    found.add(computeHash(computeHash(SEED, attribute), value.slice(value.lastIndexOf("/") + 1)));
  } else if (value.length <= MAX_VALUE_CHARACTERS && VALUE.test(value)) {
    found.add(computeHash(computeHash(SEED, attribute), value));
    readWords(value, DATA, undefined, found, first);
  }
}
