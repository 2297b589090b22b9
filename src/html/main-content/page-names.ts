// What the elements of a page are called: words of classes, ids and labels, roles, tags and attributes, as hashes that a learned table
// can be asked for.
import { isTag, type Element, type ParentNode } from "domhandler";
import type { Segmentation } from "./blocks.ts";

/** Hashes of names. Like attributes share a list. */
export type NameList = Int32Array;

export type PageNames = {
  /** For each element the lists of its tag and of each of its attributes. */
  readonly own: readonly (readonly NameList[])[];
  /** For each element the recorded element around it, -1 for none. */
  readonly parent: Int32Array;
  /** For each block its container, -1 for none. */
  readonly container: Int32Array;
  /** For each block the lists of the inline elements around its first text. */
  readonly inline: readonly (readonly NameList[])[];
};

/** Inline elements looked at around a block's first text. */
const INLINE_LEVELS = 6;
const LONGEST_NAMES = 400;
const LONGEST_NAME = 40;
const LONGEST_VALUE = 29;
/** Attributes with a set of values that mean something. */
const CLOSED: ReadonlySet<string> = new Set(["role", "itemprop", "rel", "type", "property"]);
/** Attributes that tell something by being there, beside those of ARIA. */
const TELLING: ReadonlySet<string> = new Set(["data-nosnippet", "method", "tabindex", "for"]);
/** Values of data attributes that are names rather than numbers or keys. */
const VALUE = /^[a-z][\w -]*$/i;
const SPACE = 32;
/** FNV-1a, one character further. */
const next = (hash: number, code: number): number => Math.imul(hash ^ code, 0x01000193);
/** FNV-1a of a text in small letters, begun with what it is a name of. */
function hashOf(seed: number, text: string): number {
  let hash = next(seed, SPACE);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    hash = next(hash, code >= 65 && code <= 90 ? code + 32 : code);
  }
  return hash;
}
const SEED = 0x811c9dc5;
const TAG = hashOf(SEED, "tag");
const WORD = hashOf(SEED, "word");
const NAME = hashOf(SEED, "name");
const SPOKEN = hashOf(SEED, "spoken");
const DATA = hashOf(SEED, "data");
const TOLD = hashOf(SEED, "told");
const READ: ReadonlySet<string> = new Set(["class", "id", "itemtype", ...CLOSED, ...TELLING]);
const isRead = (attribute: string): boolean =>
  READ.has(attribute) || attribute.startsWith("data-") || attribute.startsWith("aria-");
const NOT_READ = new Map<string, NameList>();

/** Gathers the names of all recorded elements and around all blocks. */
export function gatherNames({ elements, blocks, texts }: Segmentation): PageNames {
  const reader = new ListReader();
  const own = elements.nodes.map((node) => reader.read(node));
  return {
    own,
    parent: Int32Array.from(elements.parent),
    container: Int32Array.from(blocks, ({ container }) => container),
    inline: blocks.map(({ container, textStart }) => {
      const outer = elements.nodes[container];
      const lists: NameList[] = [];
      let node: ParentNode | null | undefined = texts[textStart]?.parent;
      for (let level = 0; level < INLINE_LEVELS; level++) {
        if (node === null || node === undefined || node === outer || !isTag(node)) break;
        lists.push(...reader.read(node));
        node = node.parent;
      }
      return lists;
    }),
  };
}

class ListReader {
  readonly #tags = new Map<string, NameList>();
  readonly #attributes = new Map<string, Map<string, NameList>>();

  read({ name, attribs }: Element): NameList[] {
    // The names on the document's root speak of the page, not of a part of it.
    if (name === "html" || name === "body") return [];
    let tag = this.#tags.get(name);
    if (tag === undefined) {
      tag = Int32Array.of(hashOf(TAG, name));
      this.#tags.set(name, tag);
    }
    const lists = [tag];
    for (const attribute in attribs) {
      let known = this.#attributes.get(attribute);
      if (known === undefined) {
        known = isRead(attribute) ? new Map() : NOT_READ;
        this.#attributes.set(attribute, known);
      }
      if (known === NOT_READ) continue;
      const value = attribs[attribute]!;
      let list = known.get(value);
      if (list === undefined) {
        list = namesIn(attribute, value);
        known.set(value, list);
      }
      if (list.length > 0) lists.push(list);
    }
    return lists;
  }
}

/** The names that an attribute gives: each once. */
function namesIn(attribute: string, value: string): NameList {
  const found: number[] = [];
  if (attribute === "class" || attribute === "id") {
    if (value.length <= LONGEST_NAMES) readWords(value, WORD, NAME, found);
  } else if (attribute === "aria-label") {
    if (value.length <= LONGEST_NAMES) readWords(value, SPOKEN, undefined, found);
  } else if (CLOSED.has(attribute)) {
    if (value.length <= LONGEST_NAME) found.push(hashOf(hashOf(SEED, attribute), value));
  } else if (attribute === "itemtype") {
    found.push(hashOf(hashOf(SEED, attribute), value.slice(value.lastIndexOf("/") + 1)));
  } else if (attribute.startsWith("aria-") || TELLING.has(attribute)) {
    found.push(hashOf(TOLD, attribute));
  } else if (value.length <= LONGEST_VALUE && VALUE.test(value)) {
    found.push(hashOf(hashOf(SEED, attribute), value));
    readWords(value, DATA, undefined, found);
  }
  return Int32Array.from(found);
}

/**
 * Adds the hashes of words, runs of two and more letters of which a capital after a small letter begins a new one, and of whole names
 * that are made of several parts. Capitals count as small letters and a run of digits as 0.
 */
function readWords(
  value: string,
  wordSeed: number,
  nameSeed: number | undefined,
  found: number[],
): void {
  let word = wordSeed;
  let letters = 0;
  let name = nameSeed ?? 0;
  let length = 0;
  let hasParts = false;
  let wasSmall = false;
  let wasDigit = false;
  const add = (hash: number): void => {
    if (!found.includes(hash)) found.push(hash);
  };
  for (let index = 0; index <= value.length; index++) {
    const code = index < value.length ? value.charCodeAt(index) : SPACE;
    const isCapital = code >= 65 && code <= 90;
    const folded = isCapital ? code + 32 : code;
    const isLetter = (folded >= 97 && folded <= 122) || code > 127;
    if (letters > 0 && (!isLetter || (isCapital && wasSmall))) {
      if (letters > 1) add(word);
      word = wordSeed;
      letters = 0;
    }
    if (isLetter) {
      word = next(word, folded);
      letters++;
    }
    wasSmall = isLetter && !isCapital;
    if (nameSeed === undefined) continue;
    const isDigit = code >= 48 && code <= 57;
    if (code <= SPACE) {
      if (hasParts && length <= LONGEST_NAME) add(name);
      name = nameSeed;
      length = 0;
      hasParts = false;
    } else if (!isDigit || !wasDigit) {
      name = next(name, isDigit ? 48 : folded);
      length++;
      if (code === 45 || code === 95) hasParts = true;
    }
    wasDigit = isDigit;
  }
}
