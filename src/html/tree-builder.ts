// Builds the tree out of tokens: which elements have no content, which end others, what drawings and formulas change. The
// rules, and so the trees, are those of htmlparser2's `Parser` (MIT, tokenizer.property.test.ts); on the way the few
// elements are noted that others look for.
import {
  type ChildNode,
  Comment,
  Document,
  type Element,
  type ParentNode,
  ProcessingInstruction,
  type Text,
} from "domhandler";
import { attributeRules } from "./attribute-rules.ts";
import { lengthOf } from "./code-at.ts";
import { NameTable, standsAt } from "./name-table.ts";
import { newElement, newTag, newText, toLooks } from "./nodes.ts";
import { isMountName, isTellingClass, NOTED, PageNotes } from "./page-notes.ts";
import { HTML_CONTEXT, type TagRules, tagInDrawing, tagRules } from "./tag-rules.ts";
import type { TokenReceiver } from "./tokenizer.ts";

/** Elements nested deeper than this become siblings, as browsers do it (Blink stops at 512 too). */
export const MAX_DEPTH = 512;

/** Open names the builder remembers. Older ones are forgotten, so a page of a million open tags stays linear. */
const MAX_OPEN = 2 * MAX_DEPTH;
const MANY_ATTRIBUTES = 32;
/** Elements looked at above a place for a <noscript>. */
const NOSCRIPT_LEVELS = 6;

type ClassRules = {
  readonly classes: string;
  readonly isTelling: boolean;
  /** From 1 on, in the order of the page. */
  readonly number: number;
};

/** What stands within a word or a line. */
const INLINE = new Set(
  "a abbr b bdi bdo cite code del em font i ins kbd label mark q s samp small span strong sub sup time tt u var wbr".split(
    " ",
  ),
);

/** Builds the tree. It stays flat from `MAX_DEPTH` on: the element stays, its children follow it as siblings. */
export class TreeBuilder implements TokenReceiver {
  readonly root = new Document([]);
  readonly notes = new PageNotes();
  readonly #html: string;
  readonly #parents: ParentNode[] = [this.root];
  #parent: ParentNode = this.root;
  /** The last child of `#parent`. */
  #last: ChildNode | null = null;
  /** The text that goes on when more text follows. */
  #text: Text | null = null;
  /** Whether the edge of a block stood before the next text, too deep for the tree to show it. */
  #isParted = false;
  /** What is open, innermost last; what lies below `#bottom` is forgotten. */
  readonly #open: TagRules[] = [];
  #bottom = 0;
  /** How names are read here: as HTML, as in a drawing or as in a formula; innermost last. */
  readonly #contexts: number[] = [HTML_CONTEXT];
  /** The start tag under way, its attributes so far, and the value of the last one. */
  #tag: TagRules | undefined;
  readonly #names: string[] = [];
  readonly #values: string[] = [];
  /** How many attributes that is: an array that is emptied gives its room away, and every tag would ask for new room. */
  #count = 0;
  /** The names once more, where there are many. */
  #known: Set<string> | undefined;
  #attribute = attributeRules("");
  #value = "";
  /** Of the class attribute read last, as far as it has no references. */
  #classRules: ClassRules = { classes: "", isTelling: false, number: 0 };
  #classCount = 0;
  /** Whether it is to be noted for its attributes, whether all of them are usual; the id it has. */
  #isTelling = false;
  #isUsual = true;
  /** That of its class attribute. */
  #classNumber = 0;
  #id: string | undefined;
  readonly #tags = new NameTable(tagRules);
  readonly #attributes = new NameTable(attributeRules);
  readonly #classes = new NameTable((classes) => this.#newClassRules(classes));

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#addText(this.#html.slice(start, end));
  }

  ontextentity(code: number): void {
    this.#addText(String.fromCodePoint(code));
  }

  isInForeignContext(): boolean {
    return this.#contexts[this.#contexts.length - 1] !== HTML_CONTEXT;
  }

  isInNoscript(): boolean {
    const parents = this.#parents;
    for (let at = parents.length - 1; at >= 0 && at >= parents.length - NOSCRIPT_LEVELS; at--)
      if ((parents[at] as Partial<Element>).name === "noscript") return true;
    return false;
  }

  onopentagname(start: number, end: number): void {
    this.#begin(this.#read(start, end));
  }

  onopentagend(): void {
    this.#finish();
  }

  onselfclosingtag(): void {
    if (this.isInForeignContext()) this.#finishAndClose();
    else this.#finish();
  }

  onclosetag(start: number, end: number): void {
    if (this.#endsInnermost(start, end)) {
      this.#pop();
      return;
    }
    const tag = this.#read(start, end);
    if (tag.isVoid) {
      if (tag.name === "br") this.#add(newElement("br", {}));
      return;
    }
    const at = this.#indexOf(tag);
    if (at !== -1) while (this.#open.length > at) this.#pop();
    else if (tag.name === "p") {
      this.#begin(tag);
      this.#finishAndClose();
    }
  }

  /** Nearly all end tags; the rules of the name need not be looked up then. */
  #endsInnermost(start: number, end: number): boolean {
    const top = this.#open.length - 1;
    if (top < this.#bottom || this.#contexts.length > 1) return false;
    const { name } = this.#open[top] as TagRules;
    return lengthOf(name) === end - start && standsAt(name, this.#html, start);
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
    const { name, isTelling, isUsual } = this.#attribute;
    const value = this.#value;
    this.#value = "";
    if (this.#hasAttribute(name)) return;
    if (isTelling) this.#isTelling = true;
    if (!isUsual) this.#isUsual = false;
    if (name === "class") {
      const isWhole = value === this.#classRules.classes;
      if (!isWhole || this.#classRules.number === 0) this.#classRules = this.#newClassRules(value);
      if (this.#classRules.isTelling) this.#isTelling = true;
      this.#classNumber = this.#classRules.number;
    } else if (name === "id") this.#id = value;
    this.#names[this.#count] = name;
    this.#values[this.#count] = value;
    this.#count++;
    this.#known?.add(name);
  }

  #newClassRules(classes: string): ClassRules {
    return { classes, isTelling: isTellingClass(classes), number: ++this.#classCount };
  }

  /** Looks through the few that most elements have; of an element with thousands of them that would be a square. */
  #hasAttribute(name: string): boolean {
    const count = this.#count;
    if (count >= MANY_ATTRIBUTES) {
      this.#known ??= new Set(this.#names.slice(0, count));
      return this.#known.has(name);
    }
    for (let at = 0; at < count; at++) if (this.#names[at] === name) return true;
    return false;
  }

  ondeclaration(start: number, end: number): void {
    this.#addNonContent(new ProcessingInstruction("!doctype", `!${this.#html.slice(start, end)}`));
  }

  oncomment(start: number, end: number, marks: number): void {
    this.#addNonContent(new Comment(this.#html.slice(start, end - marks)));
  }

  oncdata(start: number, end: number, marks: number): void {
    const data = this.#html.slice(start, end - marks);
    if (this.isInForeignContext()) this.#addText(data);
    else this.#addNonContent(new Comment(`[CDATA[${data}]]`));
  }

  /** To be called once, when the document has ended. */
  end(): void {
    this.#endText();
  }

  /** What a name in the page stands for at this place. */
  #read(start: number, end: number): TagRules {
    if (this.#contexts.length === 1) return this.#tags.at(this.#html, start, end);
    const written = this.#html.slice(start, end);
    const context = this.#contexts[this.#contexts.length - 1] as number;
    return tagInDrawing(written, context, this.#open, this.#bottom);
  }

  /** Takes the name of a start tag; its element is made when the tag ends. */
  #begin(tag: TagRules): void {
    this.#count = 0;
    this.#known = undefined;
    this.#isTelling = false;
    this.#isUsual = true;
    this.#classNumber = 0;
    this.#id = undefined;
    // A form in a form is none.
    this.#tag = tag.name === "form" && this.#indexOf(tag) !== -1 ? undefined : tag;
    if (this.#tag === undefined) return;
    const { closes } = tag;
    if (closes !== undefined) {
      let top = this.#open.length - 1;
      while (top >= this.#bottom && closes[(this.#open[top] as TagRules).number] === 1) {
        this.#pop();
        top--;
      }
    }
    if (tag.isVoid) return;
    this.#open.push(tag);
    if (tag.context !== undefined) this.#contexts.push(tag.context);
  }

  #finish(): void {
    const tag = this.#tag;
    if (tag === undefined) return;
    this.#tag = undefined;
    if (this.#open.length - this.#bottom > MAX_OPEN) this.#bottom = this.#open.length - MAX_OPEN;
    const attributes = toAttributes(this.#names, this.#values, this.#count);
    const looks = toLooks(this.#classNumber, this.#isUsual);
    const element = newTag(tag.name, attributes, [], tag.type, tag.number, looks);
    this.#add(element);
    this.#note(element, tag);
    if (!tag.isVoid && this.#parents.length < MAX_DEPTH) {
      this.#parents.push(element);
      this.#parent = element;
      this.#last = null;
      return;
    }
    if (!tag.isVoid) {
      this.#part(tag);
      this.#parents.push(this.#parent);
    }
    this.notes.text.leave(element);
  }

  #note(element: Element, tag: TagRules): void {
    if (tag.groups !== 0) this.notes.add(element, tag.groups);
    if (this.#isTelling) this.notes.telling.push(element);
    if (this.#id === undefined ? tag.isMount : isMountName(this.#id))
      this.notes.mounts.push(element);
  }

  #finishAndClose(): void {
    const tag = this.#tag;
    this.#finish();
    const top = this.#open.length - 1;
    if (tag !== undefined && top >= this.#bottom && this.#open[top]?.name === tag.name) this.#pop();
  }

  /** Place of the innermost open element of this name, -1 for none. */
  #indexOf({ name }: TagRules): number {
    for (let at = this.#open.length - 1; at >= this.#bottom; at--)
      if ((this.#open[at] as TagRules).name === name) return at;
    return -1;
  }

  /** Ends the innermost open element. */
  #pop(): void {
    const tag = this.#open.pop();
    if (tag?.context !== undefined) this.#contexts.pop();
    this.#endText();
    if (this.#parents.length < 2) return;
    const closed = this.#parents.pop() as ParentNode;
    const parent = this.#parents[this.#parents.length - 1] as ParentNode;
    if (parent === closed) {
      if (tag !== undefined) this.#part(tag);
      return;
    }
    if (tag !== undefined && (tag.groups & NOTED.counted) !== 0)
      this.notes.text.leave(closed as Element);
    this.#parent = parent;
    this.#last = closed as Element;
  }

  #addText(data: string): void {
    if (this.#text !== null) {
      this.#text.data += data;
      return;
    }
    const text = newText(this.#isParted ? `\n${data}` : data);
    this.#isParted = false;
    this.#add(text);
    this.#text = text;
  }

  /** Words on both sides of an element that is too deep to hold them stay apart. */
  #part({ name }: TagRules): void {
    if (!INLINE.has(name)) this.#isParted = true;
  }

  /** The text so far is whole. */
  #endText(): void {
    if (this.#text === null) return;
    this.notes.text.add(this.#text.data);
    this.#text = null;
  }

  #addNonContent(node: Comment | ProcessingInstruction): void {
    this.#add(node);
    this.notes.nonContent.push(node);
  }

  #add(node: ChildNode): void {
    this.#endText();
    const parent = this.#parent;
    const last = this.#last;
    node.parent = parent;
    if (last === null) {
      // Most elements have one child, and an array that grows takes room for many.
      parent.children = [node];
    } else {
      parent.children.push(node);
      node.prev = last;
      last.next = node;
    }
    this.#last = node;
  }
}

/** The attributes of one element. The most usual ones are written out: an object made in one piece costs a tenth. */
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
