// Looks up many places at once, by id, classes and tag.
import type { Element } from "domhandler";
import { readCharCode, measureLength } from "../parse/char-code-at.ts";
import { getClassNumber, getElementTagNumber } from "../parse/nodes.ts";
import { getTagNumber, TAG_NUMBERS } from "../parse/tag-numbers.ts";
import { parseClassNames, type Place } from "./place.ts";

const NONE: readonly never[] = [];

/** Meanings indexed by place: by id if it has one, else by its first class, else by its tag. */
export class Places<Meaning extends { readonly place: Place }> {
  readonly #byId = new Map<string, Meaning[]>();
  readonly #byClass = new Map<string, Meaning[]>();
  readonly #byTag = new Map<string, Meaning[]>();
  /** Prefilter by length and first letter, which rejects most ids. */
  readonly #begins = new Uint8Array(LENGTH_BUCKETS * LETTER_BUCKETS);
  readonly #tags = new Uint8Array(TAG_NUMBERS);

  constructor(meanings: readonly Meaning[]) {
    for (const meaning of meanings) {
      const { id, classes, tag } = meaning.place;
      if (id !== undefined) {
        add(this.#byId, id, meaning);
        this.#begins[getIdPrefix(id)] = 1;
      } else if (classes[0] !== undefined) add(this.#byClass, classes[0], meaning);
      else {
        add(this.#byTag, tag, meaning);
        this.#tags[getTagNumber(tag)] = 1;
      }
    }
  }

  get isEmpty(): boolean {
    return this.#byId.size + this.#byClass.size + this.#byTag.size === 0;
  }

  ofId(element: Element): readonly Meaning[] {
    if (this.#byId.size === 0) return NONE;
    const id = element.attribs["id"];
    if (id === undefined || id === "" || this.#begins[getIdPrefix(id)] === 0) return NONE;
    return this.#byId.get(id) ?? NONE;
  }

  ofTag(element: Element): readonly Meaning[] {
    return this.#tags[getElementTagNumber(element)] === 0
      ? NONE
      : (this.#byTag.get(element.name) ?? NONE);
  }

  /** Returns the possible meanings of a class attribute. */
  ofClasses(classes: string): readonly Meaning[] {
    let found: Meaning[] | undefined;
    for (const name of parseClassNames(classes)) {
      const meanings = this.#byClass.get(name);
      if (meanings !== undefined) found = found === undefined ? meanings : [...found, ...meanings];
    }
    return found ?? NONE;
  }
}

const LENGTH_BUCKETS = 32;
const LETTER_BUCKETS = 32;
const getIdPrefix = (id: string): number =>
  (measureLength(id) % LENGTH_BUCKETS) * LETTER_BUCKETS + (readCharCode(id, 0) % LETTER_BUCKETS);

function add<Meaning>(map: Map<string, Meaning[]>, key: string, meaning: Meaning): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [meaning]);
  else known.push(meaning);
}

/** Caches the possible meanings of each class attribute of one page. */
export class ClassLookup<Meaning extends { readonly place: Place }> {
  readonly #places: Places<Meaning>;
  readonly #byNumber: (readonly Meaning[] | undefined)[] = [];

  constructor(places: Places<Meaning>) {
    this.#places = places;
  }

  of(element: Element): readonly Meaning[] {
    const number = getClassNumber(element);
    if (number === 0) return NONE;
    const known = number < 0 ? undefined : this.#byNumber[number];
    if (known !== undefined) return known;
    const meanings = this.#places.ofClasses(element.attribs["class"] ?? "");
    if (number > 0) this.#byNumber[number] = meanings;
    return meanings;
  }
}
