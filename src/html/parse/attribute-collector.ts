// Collects the attributes of the current start tag.
import { getAttributeRules } from "./attribute-rules.ts";
import { NameTable } from "./name-table.ts";
import { toAttributeFlags } from "./nodes.ts";
import { isNotableClass } from "../evidence/element-index.ts";

const MAX_LINEAR_SEARCH = 32;

type ClassRules = {
  readonly classes: string;
  readonly isNotable: boolean;
  /** From 1, in page order. */
  readonly number: number;
};

/** Receives the attribute tokens of each start tag. */
export class AttributeCollector {
  readonly #html: string;
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  /** The arrays keep their length between tags, because emptying them would free their memory. */
  #count = 0;
  /** The names as a set, for elements with many attributes. */
  #known: Set<string> | undefined;
  #attribute = getAttributeRules("");
  #value = "";
  /** The last class attribute, if it had no character references. */
  #classRules: ClassRules = { classes: "", isNotable: false, number: 0 };
  #classCount = 0;
  #isNotable = false;
  #isUsual = true;
  #classNumber = 0;
  #id: string | undefined;
  readonly #attributes = new NameTable(getAttributeRules);
  readonly #classes = new NameTable((classes) => this.#createClassRules(classes));

  constructor(html: string) {
    this.#html = html;
  }

  /** Clears the attributes of the previous tag. */
  resetAttributes(): void {
    this.#count = 0;
    this.#known = undefined;
    this.#isNotable = false;
    this.#isUsual = true;
    this.#classNumber = 0;
    this.#id = undefined;
  }

  /** True if the attributes are of a kind that the element index lists. */
  get isNotable(): boolean {
    return this.#isNotable;
  }

  get id(): string | undefined {
    return this.#id;
  }

  get attributeFlags(): number {
    return toAttributeFlags(this.#classNumber, this.#isUsual);
  }

  /** Returns the value of an attribute of the current tag. */
  getValue(name: string): string | undefined {
    for (let at = 0; at < this.#count; at++) if (this.#names[at] === name) return this.#values[at];
    return undefined;
  }

  toAttributes(): Record<string, string> {
    return toAttributes(this.#names, this.#values, this.#count);
  }

  onattribname(start: number, end: number): void {
    this.#attribute = this.#attributes.at(this.#html, start, end);
  }

  onattribdata(start: number, end: number): void {
    if (this.#value === "" && this.#attribute.name === "class") {
      this.#classRules = this.#classes.at(this.#html, start, end);
      this.#value = this.#classRules.classes;
      return;
    }
    const data = this.#html.slice(start, end);
    this.#value = this.#value === "" ? data : this.#value + data;
  }

  onattribentity(code: number): void {
    this.#value += String.fromCodePoint(code);
  }

  onattribend(): void {
    const { name, isNotable, isUsual } = this.#attribute;
    const value = this.#value;
    this.#value = "";
    if (this.#hasAttribute(name)) return;
    if (isNotable) this.#isNotable = true;
    if (!isUsual) this.#isUsual = false;
    if (name === "class") {
      const isWhole = value === this.#classRules.classes;
      if (!isWhole || this.#classRules.number === 0)
        this.#classRules = this.#createClassRules(value);
      if (this.#classRules.isNotable) this.#isNotable = true;
      this.#classNumber = this.#classRules.number;
    } else if (name === "id") this.#id = value;
    this.#names[this.#count] = name;
    this.#values[this.#count] = value;
    this.#count++;
    this.#known?.add(name);
  }

  #createClassRules(classes: string): ClassRules {
    return { classes, isNotable: isNotableClass(classes), number: ++this.#classCount };
  }

  /**
   * A linear search for the few attributes of most elements, and a set otherwise, to avoid
   * quadratic time.
   */
  #hasAttribute(name: string): boolean {
    const count = this.#count;
    if (count >= MAX_LINEAR_SEARCH) {
      this.#known ??= new Set(this.#names.slice(0, count));
      return this.#known.has(name);
    }
    for (let at = 0; at < count; at++) if (this.#names[at] === name) return true;
    return false;
  }
}

/**
 * Builds the attributes of one element. The most common combinations are object literals, which
 * cost a tenth.
 */
function toAttributes(
  names: readonly string[],
  values: readonly string[],
  count: number,
): Record<string, string> {
  if (count === 0) return {};
  const first = names[0] as string;
  const value = values[0] as string;
  if (count === 1) {
    if (first === "class") return { class: value };
    if (first === "href") return { href: value };
    if (first === "id") return { id: value };
  } else if (count === 2 && first === "class") {
    const second = names[1];
    if (second === "href") return { class: value, href: values[1] as string };
    if (second === "id") return { class: value, id: values[1] as string };
  } else if (count === 3 && first === "class" && names[1] === "href" && names[2] === "title")
    return { class: value, href: values[1] as string, title: values[2] as string };
  const attributes: Record<string, string> = {};
  for (let at = 0; at < count; at++) attributes[names[at] as string] = values[at] as string;
  return attributes;
}
