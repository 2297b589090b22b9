// Builds the tree of a page from its tokens, as browsers do: WHATWG HTML, §13.2.6. Differences:
// html, head, body and tbody are only created if written (body also inside a written html),
// noscript content is parsed and isolated, framesets are ordinary elements, and a tree is never
// deeper than MAX_DEPTH.
import { Comment, type Element, ProcessingInstruction } from "domhandler";
import { measureLength } from "./char-code-at.ts";
import { NameTable, matchesAt } from "./name-table.ts";
import { HTML_CONTEXT, RULE, type TagRules, tagInDrawing, tagRules } from "./tag-rules.ts";
import type { TokenReceiver } from "./tokenizer.ts";
import { OpenElements } from "./open-elements.ts";

const TABLE_CELL = /^(?:td|th)$/;
/** Elements that stay in a table without being part of it. */
const KEPT_IN_TABLE = /^(?:style|script|template|noscript)$/;
/** Document types of quirks mode, in which a table does not end a paragraph. §13.2.6.4.1 */
const QUIRKS_TYPE =
  /^doctype\s+(?!html\b)|-\/\/(?:w3c\/\/dtd (?:html 3|w3 html)|ietf\/\/dtd html|netscape|microsoft)|-\/\/w3c\/\/dtd html 4\.0\d* (?:transitional|frameset)\/\/en["']\s*$/i;

const TABLE = new Set(["table"]);
const TABLE_BODIES = new Set(["table", "tbody", "thead", "tfoot"]);
const ROWS = new Set(["tr", ...TABLE_BODIES]);

/** Receives the tokens of one page. */
export class TreeBuilder extends OpenElements implements TokenReceiver {
  readonly #tags = new NameTable(tagRules);
  #tag: TagRules | undefined;
  #html: Element | undefined;
  #body: Element | undefined;
  #form: Element | undefined;
  #hasHead = false;
  /** The body has started, explicitly or implicitly. */
  #isInBody = false;
  #isInQuirks = true;
  #skipsLineFeed = false;
  readonly #unclosed = new Set<string>();

  ontext(start: number, end: number): void {
    let from = start;
    if (this.#skipsLineFeed) {
      this.#skipsLineFeed = false;
      if (this.html.charCodeAt(from) === 13) from++;
      if (this.html.charCodeAt(from) === 10) from++;
      if (from >= end) return;
    }
    this.#addText(this.html.slice(from, end));
  }

  ontextentity(code: number): void {
    this.#skipsLineFeed = false;
    this.#addText(String.fromCodePoint(code));
  }

  /** Names of elements without end tag that were closed early to keep the rest of the page. */
  get unclosed(): ReadonlySet<string> {
    return this.#unclosed;
  }

  onopentagname(start: number, end: number): void {
    this.resetAttributes();
    this.#tag = this.#read(start, end);
  }

  onopentagend(): void {
    this.#startTag(false);
  }

  onselfclosingtag(): void {
    this.#startTag(true);
  }

  onclosetag(start: number, end: number): void {
    this.#skipsLineFeed = false;
    const { current } = this;
    if (
      current !== undefined &&
      this.contexts.length === 1 &&
      (current.rules & RULE.ownRules) === 0
    ) {
      // Nearly all end tags end the innermost element, so the rules of the name need no lookup.
      const { name } = current;
      if (measureLength(name) === end - start && matchesAt(name, this.html, start)) {
        if ((current.rules & RULE.formatting) !== 0) this.endFormatting();
        this.close();
        return;
      }
    }
    const tag = this.#read(start, end);
    if (!this.isInForeignContext()) {
      this.#endTag(tag);
      return;
    }
    if (tag.name === "p" || tag.name === "br")
      while (this.isInForeignContext() && this.open.length > 0) this.close();
    else if (this.#endForeign(tag)) return;
    this.#endTag(tagRules(tag.name));
  }

  ondeclaration(start: number, end: number): void {
    const text = this.html.slice(start, end);
    if (!this.#isInBody && this.open.length === 0) this.#isInQuirks = QUIRKS_TYPE.test(text);
    this.addNonContent(new ProcessingInstruction("!doctype", `!${text}`));
  }

  oncomment(start: number, end: number, marks: number): void {
    this.addNonContent(new Comment(this.html.slice(start, end - marks)));
  }

  onunclosed(name: string): void {
    this.#unclosed.add(name);
    this.close();
  }

  oncdata(start: number, end: number, marks: number): void {
    const data = this.html.slice(start, end - marks);
    if (this.isInForeignContext()) this.addText(data);
    else this.addNonContent(new Comment(`[CDATA[${data}]]`));
  }

  /** Returns the rules of a name at this position. */
  #read(start: number, end: number): TagRules {
    if (this.contexts.length === 1) return this.#tags.at(this.html, start, end);
    const written = this.html.slice(start, end);
    const context = this.contexts[this.contexts.length - 1] as number;
    return tagInDrawing(written, context, this.open, this.bottom);
  }

  #addText(data: string): void {
    const { current } = this;
    const isShown =
      current === undefined || (current.rules & (RULE.tableContext | RULE.ownRules)) !== 0;
    if (isShown || this.formatting.entries.length > 0) {
      if (!this.#isInBody && this.#isOutsideBody(current)) {
        if (!isBlank(data)) this.#startBody();
      } else if (!this.isInForeignContext()) {
        if (current !== undefined && (current.rules & RULE.tableContext) !== 0) {
          if (!isBlank(data)) {
            this.reconstruct(true);
            if (((this.current?.rules ?? 0) & RULE.tableContext) !== 0) this.addFosteredText(data);
            else this.addText(data);
            return;
          }
        } else if (!isRawText(current)) this.reconstruct(false);
      }
    }
    this.addText(data);
  }

  #isOutsideBody(current: TagRules | undefined): boolean {
    return current === undefined || current.name === "html" || current.name === "head";
  }

  /** Ends the head. A page that writes <html> gets a body, because most pages write both. */
  #startBody(): void {
    this.#isInBody = true;
    while (this.current !== undefined && this.current.name !== "html") this.close();
    if (this.current !== undefined && this.#body === undefined)
      this.#body = this.insertImplied(tagRules("body"));
  }

  #startTag(closesItself: boolean): void {
    let tag = this.#tag;
    this.#skipsLineFeed = false;
    if (tag === undefined) return;
    this.#tag = undefined;
    if (this.isInForeignContext()) {
      if (!this.#endsForeign(tag)) {
        this.insert(tag, false);
        if (closesItself && !tag.isVoid) this.close();
        return;
      }
      while (this.isInForeignContext() && this.open.length > 0) this.close();
      tag = tagRules(tag.name);
    }
    const { rules } = tag;
    if (!this.#isInBody && this.openIsolated === 0 && !this.#isInHead(tag)) return;
    const { name } = tag;
    if (this.current?.name === "colgroup" && name !== "col" && name !== "template") this.close();
    if ((rules & RULE.ownRules) !== 0 && !this.#prepare(tag)) return;
    if (
      this.openParagraphs > 0 &&
      (((rules & RULE.closesP) !== 0 && !(name === "form" && this.isInTable())) ||
        (tag.name === "table" && !this.#isInQuirks))
    )
      this.closeParagraph();
    if ((rules & RULE.heading) !== 0 && ((this.current?.rules ?? 0) & RULE.heading) !== 0)
      this.close();
    if ((rules & RULE.plain) === 0) this.reconstruct(true);
    const isMisplaced =
      ((this.current?.rules ?? 0) & RULE.tableContext) !== 0 && this.#isFostered(tag);
    const isInTable = name === "form" && this.isInTable();
    const element = this.insert(tag, isMisplaced);
    if (tag.isVoid) return;
    if ((rules & RULE.formatting) !== 0) this.formatting.push(tag, element);
    else if ((rules & RULE.marker) !== 0) this.formatting.pushMarker();
    else if (name === "pre" || name === "textarea" || name === "listing")
      this.#skipsLineFeed = true;
    else if (name === "form") {
      if (this.openIsolated === 0) this.#form = element;
      if (isInTable) this.close();
    } else if (name === "body") this.#body = element;
    else if (name === "html") this.#html = element;
    if (closesItself && tag.context !== undefined && tag.context !== HTML_CONTEXT) this.close();
  }

  #endsForeign(tag: TagRules): boolean {
    if ((tag.rules & RULE.leavesForeign) !== 0) return true;
    return (
      tag.name === "font" &&
      ["color", "face", "size"].some((name) => this.getValue(name) !== undefined)
    );
  }

  /** §13.2.6.4.1 to .6, before the body. Returns true if the tag continues as in the body. */
  #isInHead(tag: TagRules): boolean {
    const { name } = tag;
    if ((tag.rules & RULE.headContent) !== 0) return true;
    if (name === "html") return true;
    if (name === "head") {
      const isFirst = !this.#hasHead;
      this.#hasHead = true;
      if (isFirst) this.insert(tag, false);
      return false;
    }
    if (name === "frameset" || name === "frame") {
      while (this.current?.name === "head") this.close();
      this.#isInBody = true;
      return true;
    }
    if (name === "body") {
      while (this.current !== undefined && this.current.name !== "html") this.close();
      this.#isInBody = true;
      this.#body = this.insert(tag, false);
      return false;
    }
    this.#startBody();
    return true;
  }

  /** True if browsers put the tag before the open table. §13.2.6.4.9 */
  #isFostered(tag: TagRules): boolean {
    const { name } = tag;
    if ((tag.rules & RULE.tablePart) !== 0 || KEPT_IN_TABLE.test(name)) return false;
    if (name === "input") return this.getValue("type")?.toLowerCase() !== "hidden";
    if (name === "form") return false;
    return name !== "table";
  }

  /** Actions before an element is inserted. Returns false if it is not inserted. */
  #prepare(tag: TagRules): boolean {
    const { name } = tag;
    if ((tag.rules & RULE.tablePart) !== 0) return this.#prepareTablePart(name);
    switch (name) {
      case "html":
        if (this.#html === undefined && !this.#isInBody && this.openIsolated === 0) return true;
        if (this.openIsolated === 0) this.merge(this.#html);
        return false;
      case "body":
        if (this.openIsolated === 0) this.merge(this.#body);
        return false;
      case "head":
        return false;
      case "li":
        this.closeItem((other) => other === "li");
        return true;
      case "dd":
      case "dt":
        this.closeItem((other) => other === "dd" || other === "dt");
        return true;
      case "form":
        return this.#form === undefined || this.openIsolated > 0;
      case "button": {
        const at = this.inScope("button");
        if (at !== -1) this.closeFrom(at);
        return true;
      }
      case "nobr":
        this.reconstruct(true);
        if (this.inScope(name) !== -1) this.adopt(tag);
        return true;
      case "a":
        this.closeLink(tag);
        return true;
      case "table": {
        const at = this.isInTable() ? this.indexWithin((other) => other === "table") : -1;
        if (at !== -1) this.closeFrom(at);
        return true;
      }
      case "option":
        if (this.current?.name === "option") this.close();
        return true;
      case "optgroup":
        if (this.current?.name === "option") this.close();
        if (this.current?.name === "optgroup") this.close();
        return true;
      case "select":
      case "input": {
        const at = this.inScope("select", (other) => other !== "select");
        if (at !== -1) this.closeFrom(at);
        return at === -1 || name === "input";
      }
      case "rb":
      case "rtc":
        if (this.inScope("ruby") !== -1) this.impliedEnds();
        return true;
      case "rp":
      case "rt":
        if (this.inScope("ruby") !== -1) this.impliedEnds("rtc");
        return true;
      default:
        return true;
    }
  }

  #prepareTablePart(name: string): boolean {
    if (name === "col" && this.current?.name === "colgroup") return true;
    const context = TABLE_CELL.test(name) ? ROWS : name === "tr" ? TABLE_BODIES : TABLE;
    const at = this.indexWithin((other) => context.has(other));
    // Table parts may be in a template without their table.
    if (at === -1) return this.current?.name === "template";
    this.closeFrom(at + 1);
    if (context === ROWS && this.current?.name !== "tr") this.insertImplied(tagRules("tr"));
    return true;
  }

  /** Ends an enclosing SVG or MathML element. Returns false if there is none of that name. */
  #endForeign(tag: TagRules): boolean {
    const { open, bottom } = this;
    for (let at = open.length - 1; at >= bottom; at--) {
      const { name, context } = open[at] as TagRules;
      if (name === tag.name) {
        this.closeFrom(at);
        return true;
      }
      // The outermost SVG or MathML element.
      if (context !== undefined) return false;
    }
    return false;
  }

  #endTag(tag: TagRules): void {
    const { name, rules } = tag;
    if (tag.isVoid) {
      if (name !== "br") return;
      this.resetAttributes();
      this.#tag = tag;
      this.#startTag(false);
      return;
    }
    if (name === "html" || name === "body") return;
    if (name === "p") this.#endParagraph(tag);
    else if ((rules & RULE.formatting) !== 0) this.adopt(tag);
    else if ((rules & RULE.heading) !== 0) this.endHeading();
    else if (name === "form") this.#endForm();
    else if ((rules & (RULE.tablePart | RULE.isolated)) !== 0 || name === "table") {
      const at =
        (rules & RULE.isolated) !== 0
          ? this.lastOpen(name)
          : this.indexWithin((other) => other === name || (name !== "table" && other === "table"));
      if (at !== -1 && this.open[at]?.name === name) this.closeFrom(at);
    } else if ((rules & RULE.scopedEnd) !== 0) {
      const at = name === "li" ? this.inScopeOrList(name) : this.inScope(name);
      if (at !== -1) this.closeFrom(at);
    } else this.endAnyOther(name);
  }

  #endParagraph(tag: TagRules): void {
    const at = this.openParagraphs === 0 ? -1 : this.inButtonScope();
    if (at !== -1) {
      this.closeFrom(at);
      return;
    }
    // Browsers turn an end tag without a start into an empty paragraph.
    if (!this.#isInBody && this.openIsolated === 0) return;
    this.resetAttributes();
    this.insert(tag, ((this.current?.rules ?? 0) & RULE.tableContext) !== 0);
    this.close();
  }

  /** Ends only the form, not what is open in it. §13.2.6.4.7 */
  #endForm(): void {
    if (this.openIsolated > 0) {
      const at = this.inScope("form");
      if (at !== -1) this.closeFrom(at);
      return;
    }
    const form = this.#form;
    this.#form = undefined;
    const at = this.inScope("form");
    if (form === undefined || at === -1) return;
    this.impliedEnds();
    if (at === this.open.length - 1) this.close();
    else if (this.parents[at + 1] === form) this.release(at);
  }
}

/** Elements whose text the tokenizer read as a whole. */
const isRawText = (tag: TagRules | undefined): boolean =>
  tag !== undefined &&
  /^(?:script|style|title|textarea|iframe|noembed|noframes|xmp|plaintext)$/.test(tag.name);

const isBlank = (text: string): boolean => !/[^ \t\n\f\r]/.test(text);
