import { type Document, DomHandler, Element } from "domhandler";
import { Parser } from "htmlparser2";

/** Elements nested deeper than this become siblings, as browsers do it (Blink stops at 512 too). */
export const MAX_DEPTH = 512;

/** Open names the parser remembers. Older ones are forgotten, so a page of a million open tags stays linear. */
const MAX_OPEN = 2 * MAX_DEPTH;

/** Keeps the tree flat from `MAX_DEPTH` on: the element stays, its children follow it as siblings. */
class BoundedHandler extends DomHandler {
  readonly #open: () => string[];

  constructor(open: () => string[]) {
    super();
    this.#open = open;
  }

  override onopentag(name: string, attribs: Record<string, string>): void {
    const open = this.#open();
    if (open.length > MAX_OPEN) open.length = MAX_OPEN;
    if (this.tagStack.length < MAX_DEPTH) {
      super.onopentag(name, attribs);
      return;
    }
    this.addNode(new Element(name, attribs));
    const parent = this.tagStack.at(-1);
    if (parent !== undefined) this.tagStack.push(parent);
    this.lastNode = null;
  }

  override onclosetag(): void {
    if (this.tagStack.length > 1) super.onclosetag();
  }
}

/**
 * In HTML `<![CDATA[` opens a comment that ends at the next ">" (WHATWG HTML, bogus comment state). The parser would
 * look for "]]>" and take everything before it. Behind a slash it is the comment of a script, which is left alone.
 */
function closeStrayCdata(html: string): string {
  return html.includes("<![CDATA[") ? html.replace(/(?<![/*] ?)<!\[CDATA\[/g, "<!x[CDATA[") : html;
}

/**
 * Parses HTML into a domhandler tree, at most `MAX_DEPTH` deep, in time linear in the length.
 * Never throws; malformed markup gives some tree.
 */
export function parseHtml(html: string): Document {
  // The parser keeps its open names, newest first, in a plain array that it searches on every end tag.
  const handler: BoundedHandler = new BoundedHandler(
    () => (parser as unknown as { stack: string[] }).stack,
  );
  const parser = new Parser(handler, {
    lowerCaseTags: true,
    lowerCaseAttributeNames: true,
    decodeEntities: true,
  });
  parser.end(closeStrayCdata(html));
  return handler.root;
}
