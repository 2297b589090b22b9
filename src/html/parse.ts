import {
  type ChildNode,
  Comment,
  Document,
  Element,
  isTag,
  type ParentNode,
  ProcessingInstruction,
  Text,
} from "domhandler";
import { Parser, type Tokenizer } from "htmlparser2";
import { HtmlTokenizer } from "./tokenizer.ts";
import { nextNode } from "./tree.ts";

/** Elements nested deeper than this become siblings, as browsers do it (Blink stops at 512 too). */
export const MAX_DEPTH = 512;

/** Open names the parser remembers. Older ones are forgotten, so a page of a million open tags stays linear. */
const MAX_OPEN = 2 * MAX_DEPTH;

/**
 * The names of HTML, each as one string. A name cut out of the page is another string with the same letters, and comparing it
 * with `"div"` compares letters; with these the engine compares addresses. The passes ask for names millions of times.
 */
const NAMES: ReadonlyMap<string, string> = new Map(
  // A string that was once the name of a property is kept only once by the engine, like those written in the source.
  Object.keys(
    Object.fromEntries(
      (
        "a abbr address area article aside audio b base bdi bdo blockquote body br button canvas caption center cite code " +
        "col colgroup data datalist dd del details dfn dialog div dl dt em embed fieldset figcaption figure font footer form " +
        "g h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe img input ins kbd label legend li link main map mark math " +
        "menu meta nav noscript object ol optgroup option output p param path picture pre q rp rt ruby s samp script search " +
        "section select slot small source span strike strong style sub summary sup svg table tbody td template textarea " +
        "tfoot th thead time title tr track tt u ul use var video wbr"
      )
        .split(" ")
        .map((name) => [name, 0]),
    ),
  ).map((name) => [name, name]),
);

/** Elements that speak of the page and are few, wherever they stand. */
const SIGNS: ReadonlySet<string> = new Set(["base", "meta", "script", "title"]);
const signsOf = new WeakMap<Document, readonly Element[]>();

/**
 * The base, meta, script and title elements a page was parsed with, in document order: noted on the way, so that nobody walks
 * the tree for them.
 */
export function signsIn(document: Document): readonly Element[] {
  let signs = signsOf.get(document);
  if (signs === undefined) {
    signs = [...elementsBelow(document)].filter(({ name }) => SIGNS.has(name));
    signsOf.set(document, signs);
  }
  return signs;
}

function* elementsBelow(document: Document): Iterable<Element> {
  for (let node = nextNode(document, document); node !== null; node = nextNode(node, document))
    if (isTag(node)) yield node;
}

/** Builds the tree. It stays flat from `MAX_DEPTH` on: the element stays, its children follow it as siblings. */
class TreeBuilder {
  readonly root = new Document([]);
  readonly signs: Element[] = [];
  readonly #parents: ParentNode[] = [this.root];
  #parent: ParentNode = this.root;
  /** The last child of `#parent`. */
  #last: ChildNode | null = null;
  /** The text that goes on when more text follows. */
  #text: Text | null = null;
  readonly #open: () => string[];

  constructor(open: () => string[]) {
    this.#open = open;
  }

  onopentag(name: string, attribs: Record<string, string>): void {
    const open = this.#open();
    if (open.length > MAX_OPEN) open.length = MAX_OPEN;
    const element = new Element(NAMES.get(name) ?? name, attribs);
    this.#add(element);
    if (SIGNS.has(name)) this.signs.push(element);
    if (this.#parents.length < MAX_DEPTH) {
      this.#parents.push(element);
      this.#parent = element;
      this.#last = null;
    } else this.#parents.push(this.#parent);
  }

  onclosetag(): void {
    this.#text = null;
    if (this.#parents.length < 2) return;
    const closed = this.#parents.pop() as ParentNode;
    const parent = this.#parents[this.#parents.length - 1] as ParentNode;
    if (parent === closed) return;
    this.#parent = parent;
    this.#last = closed as Element;
  }

  ontext(data: string): void {
    if (this.#text !== null) {
      this.#text.data += data;
      return;
    }
    const text = new Text(data);
    this.#add(text);
    this.#text = text;
  }

  oncomment(data: string): void {
    this.#add(new Comment(data));
  }

  onprocessinginstruction(name: string, data: string): void {
    this.#add(new ProcessingInstruction(name, data));
  }

  #add(node: ChildNode): void {
    const parent = this.#parent;
    const last = this.#last;
    parent.children.push(node);
    node.parent = parent;
    if (last !== null) {
      node.prev = last;
      last.next = node;
    }
    this.#last = node;
    this.#text = null;
  }
}

/**
 * Parses HTML into a domhandler tree, at most `MAX_DEPTH` deep, in time linear in the length.
 * Never throws; malformed markup gives some tree.
 */
export function parseHtml(html: string): Document {
  // The parser keeps its open names, newest first, in a plain array that it searches on every end tag.
  const builder: TreeBuilder = new TreeBuilder(
    () => (parser as unknown as { stack: string[] }).stack,
  );
  const parser = new Parser(builder, {
    lowerCaseTags: true,
    lowerCaseAttributeNames: true,
    // The parser only calls what HtmlTokenizer has; the declared class also has private members.
    Tokenizer: HtmlTokenizer as unknown as typeof Tokenizer,
  });
  parser.end(html);
  signsOf.set(builder.root, builder.signs);
  return builder.root;
}
