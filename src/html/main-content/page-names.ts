// What the elements of a page are called: words of classes, ids and labels, roles, tags and attributes, as hashes that a learned table
// can be asked for.
import { isTag, type Element, type ParentNode } from "domhandler";
import type { Segmentation } from "./blocks.ts";
import { HashList } from "./hash-list.ts";

/** Names list after list; elements with like attributes share lists. */
export type PageNames = {
  /** Hashes of the names of all lists, and where each list begins; one longer than the lists. */
  readonly hashes: Int32Array;
  readonly listStart: readonly number[];
  /** The lists of the tag and of each of the attributes of each element, and where an element's begin; one longer than the elements. */
  readonly own: readonly number[];
  readonly ownStart: readonly number[];
  /** The lists of the inline elements around each block's first text, and where a block's begin; one longer than the blocks. */
  readonly inline: readonly number[];
  readonly inlineStart: readonly number[];
  /** For each element the recorded element around it, -1 for none. */
  readonly parent: readonly number[];
  /** For each block its container, -1 for none. */
  readonly container: readonly number[];
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
const NOT_READ = new Map<string, number>();

/** Gathers the names of all recorded elements and around all blocks. */
export function gatherNames({ elements, blocks, texts }: Segmentation): PageNames {
  const { nodes, parent } = elements;
  const reader = new ListReader();
  const own: number[] = [];
  const ownStart = [0];
  for (const node of nodes) {
    reader.read(node, own);
    ownStart.push(own.length);
  }
  const inline: number[] = [];
  const inlineStart = [0];
  const containers: number[] = [];
  for (const { container, textStart } of blocks) {
    containers.push(container);
    const outer = nodes[container];
    let node: ParentNode | null | undefined = texts[textStart]?.parent;
    for (let level = 0; level < INLINE_LEVELS; level++) {
      if (node === null || node === undefined || node === outer || !isTag(node)) break;
      reader.read(node, inline);
      node = node.parent;
    }
    inlineStart.push(inline.length);
  }
  return {
    hashes: reader.hashes.all(),
    listStart: reader.listStart,
    own,
    ownStart,
    inline,
    inlineStart,
    parent,
    container: containers,
  };
}

class ListReader {
  readonly hashes = new HashList();
  readonly listStart = [0];
  readonly #tags = new Map<string, number>();
  readonly #classes = new Map<string, number>();
  readonly #attributes = new Map<string, Map<string, number>>();

  /** Adds the lists of an element to others. */
  read({ name, attribs }: Element, lists: number[]): void {
    // The names on the document's root speak of the page, not of a part of it.
    if (name === "html" || name === "body") return;
    let tag = this.#tags.get(name);
    if (tag === undefined) {
      this.hashes.add(hashOf(TAG, name));
      tag = this.#endList();
      this.#tags.set(name, tag);
    }
    lists.push(tag);
    for (const attribute in attribs) {
      // Most attributes are one of these.
      if (attribute === "href") continue;
      const known = attribute === "class" ? this.#classes : this.#knownOf(attribute);
      if (known === NOT_READ) continue;
      const value = attribs[attribute]!;
      let list = known.get(value);
      if (list === undefined) {
        list = this.#newList(attribute, value);
        known.set(value, list);
      }
      if (list >= 0) lists.push(list);
    }
  }

  /** The lists known of an attribute, by its values. */
  #knownOf(attribute: string): Map<string, number> {
    let known = this.#attributes.get(attribute);
    if (known === undefined) {
      known = isRead(attribute) ? new Map() : NOT_READ;
      this.#attributes.set(attribute, known);
    }
    return known;
  }

  /** The list of the names that an attribute gives, -1 for none. */
  #newList(attribute: string, value: string): number {
    const first = this.hashes.length;
    addNames(attribute, value, this.hashes);
    return this.hashes.length === first ? -1 : this.#endList();
  }

  #endList(): number {
    return this.listStart.push(this.hashes.length) - 2;
  }
}

/** Adds the names that an attribute gives, each once, to the end of a list. */
function addNames(attribute: string, value: string, found: HashList): void {
  const first = found.length;
  if (attribute === "class" || attribute === "id") {
    if (value.length <= LONGEST_NAMES) readWords(value, WORD, NAME, found, first);
  } else if (attribute === "aria-label") {
    if (value.length <= LONGEST_NAMES) readWords(value, SPOKEN, undefined, found, first);
  } else if (CLOSED.has(attribute)) {
    if (value.length <= LONGEST_NAME) found.add(hashOf(hashOf(SEED, attribute), value));
  } else if (attribute === "itemtype") {
    found.add(hashOf(hashOf(SEED, attribute), value.slice(value.lastIndexOf("/") + 1)));
  } else if (attribute.startsWith("aria-") || TELLING.has(attribute)) {
    found.add(hashOf(TOLD, attribute));
  } else if (value.length <= LONGEST_VALUE && VALUE.test(value)) {
    found.add(hashOf(hashOf(SEED, attribute), value));
    readWords(value, DATA, undefined, found, first);
  }
}

/**
 * Adds the hashes of words, runs of two and more letters of which a capital after a small letter begins a new one, and of whole names
 * that are made of several parts. Capitals count as small letters and a run of digits as 0.
 */
function readWords(
  value: string,
  wordSeed: number,
  nameSeed: number | undefined,
  found: HashList,
  first: number,
): void {
  let word = wordSeed;
  let letters = 0;
  let name = nameSeed ?? 0;
  let length = 0;
  let hasParts = false;
  let wasSmall = false;
  let wasDigit = false;
  const add = (hash: number): void => {
    if (!found.has(hash, first)) found.add(hash);
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
