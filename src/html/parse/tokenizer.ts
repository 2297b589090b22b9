// Splits HTML into tokens. The page is complete, so this searches for the next relevant character
// instead of stepping through a state machine. WHATWG HTML, §13.2.5.
import { DecodingMode, EntityDecoder, htmlDecodeTree } from "entities/decode";

const TAB = 9;
const LINE_FEED = 10;
const FORM_FEED = 12;
const RETURN = 13;
const SPACE = 32;
const EXCLAMATION = 33;
const QUOTE = 34;
const APOSTROPHE = 39;
const ASTERISK = 42;
const DASH = 45;
const SLASH = 47;
const LESS_THAN = 60;
const EQUALS = 61;
const GREATER = 62;
const QUESTION = 63;
const BRACKET = 91;

/** Elements whose content is text up to their end tag. */
const RAW_NAMES = "script style title textarea iframe noembed noframes xmp plaintext".split(" ");
/** The same, by length of the name. */
const RAW_TEXT: readonly (readonly string[] | undefined)[] = Array.from(
  { length: "plaintext".length + 1 },
  (_, size) => RAW_NAMES.filter((name) => name.length === size),
);
/** Elements whose text may contain character references. */
const isDecoded = (name: string): boolean => name === "title" || name === "textarea";
const CDATA = "[CDATA[";
/**
 * Elements that are closed before the next tag if their end tag is missing. Content of scripts and
 * styles is never shown.
 */
const RECOVERED = new Set(["title", "textarea", "iframe", "xmp", "noembed", "noframes"]);
const MARKUP = /<(?:[a-z/]|!--)/gi;

/**
 * Receives the tokens of a document in order. Positions are offsets in the document; `end` is
 * exclusive.
 */
export type TokenReceiver = {
  ontext(start: number, end: number): void;
  ontextentity(code: number): void;
  onopentagname(start: number, end: number): void;
  onattribname(start: number, end: number): void;
  onattribdata(start: number, end: number): void;
  onattribentity(code: number): void;
  onattribend(): void;
  onopentagend(): void;
  onselfclosingtag(): void;
  onclosetag(start: number, end: number): void;
  /** A document type. */
  ondeclaration(start: number, end: number): void;
  /** The last `marks` characters are the end of the comment syntax. */
  oncomment(start: number, end: number, marks: number): void;
  oncdata(start: number, end: number, marks: number): void;
  /** A raw-text element without end tag ends here. */
  onunclosed(name: string): void;
  /** True if the position is in SVG or MathML, where other names and CDATA sections apply. */
  isInForeignContext(): boolean;
  /** True if the position is inside noscript. */
  isInNoscript(): boolean;
};

export class HtmlTokenizer {
  readonly #callbacks: TokenReceiver;
  readonly #decoder: EntityDecoder;
  readonly #html: string;
  /** Start of the text that belongs to no token yet. */
  #section = 0;
  #reference = 0;
  #inAttribute = false;
  #decoded = false;
  /**
   * The next "&" at or after the last queried position, or the document length if there is none.
   */
  #ampersand = -1;
  /** Names of raw-text elements without an end tag in the rest of the document. */
  readonly #unclosed = new Set<string>();

  constructor(html: string, callbacks: TokenReceiver) {
    this.#html = html;
    this.#callbacks = callbacks;
    this.#decoder = new EntityDecoder(htmlDecodeTree, (code, consumed) =>
      this.#onReference(code, consumed),
    );
  }

  /** Reads the whole document. */
  read(): void {
    const html = this.#html;
    const { length } = html;
    let start = 0;
    let search = 0;
    while (start < length) {
      // Tags follow each other as often as text does, so a check is cheaper than a search.
      let open = html.charCodeAt(search) === LESS_THAN ? search : html.indexOf("<", search);
      if (open === -1) open = length;
      const code = html.charCodeAt(open + 1);
      const isMarkup =
        isLetter(code) || code === SLASH || code === EXCLAMATION || code === QUESTION;
      if (!isMarkup && open < length) {
        search = open + 1;
        continue;
      }
      if (open > start) this.#emitText(start, open);
      if (open === length) return;
      if (isLetter(code)) start = this.#startTag(open + 1);
      else if (code === SLASH) start = this.#endTag(open);
      else if (code === QUESTION) start = this.#readBogusComment(open + 1, open + 1);
      else start = this.#readDeclaration(open);
      search = start;
    }
  }

  #emitText(start: number, end: number): void {
    this.#section = start;
    if (this.#findAmpersand(start) < end) {
      this.#inAttribute = false;
      this.#decodeReferences(start, end, DecodingMode.Legacy);
    }
    if (this.#section < end) this.#callbacks.ontext(this.#section, end);
  }

  #findAmpersand(from: number): number {
    if (this.#ampersand < from) {
      const found = this.#html.indexOf("&", from);
      this.#ampersand = found === -1 ? this.#html.length : found;
    }
    return this.#ampersand;
  }

  #decodeReferences(start: number, end: number, mode: DecodingMode): void {
    let at = this.#findAmpersand(start);
    while (at < end) {
      this.#reference = at;
      this.#decoded = false;
      this.#decoder.startEntity(mode);
      if (this.#decoder.write(this.#html, at + 1) < 0) this.#decoder.end();
      at = this.#findAmpersand(this.#decoded ? this.#section : at + 1);
    }
  }

  #onReference(code: number, consumed: number): void {
    const callbacks = this.#callbacks;
    const { length } = this.#html;
    if (this.#section < this.#reference) {
      if (this.#inAttribute) callbacks.onattribdata(this.#section, this.#reference);
      else callbacks.ontext(this.#section, this.#reference);
    }
    this.#section = Math.min(length, this.#reference + consumed);
    this.#decoded = true;
    if (this.#inAttribute) callbacks.onattribentity(code);
    else callbacks.ontextentity(code);
  }

  /** Reads a start tag from its name on. Returns the position after it. */
  #startTag(nameStart: number): number {
    const html = this.#html;
    const { length } = html;
    const nameEnd = this.#endOfName(nameStart + 1);
    if (nameEnd === length) return length;
    const rawName = this.#findRawName(nameStart, nameEnd);
    this.#callbacks.onopentagname(nameStart, nameEnd);
    let at = nameEnd;
    for (;;) {
      let code = html.charCodeAt(at);
      while (isSpace(code)) code = html.charCodeAt(++at);
      if (at >= length) return length;
      if (code === GREATER) {
        this.#callbacks.onopentagend();
        break;
      }
      if (code !== SLASH) {
        at = this.#readAttribute(at);
        continue;
      }
      do code = html.charCodeAt(++at);
      while (isSpace(code));
      if (code === GREATER) {
        this.#callbacks.onselfclosingtag();
        break;
      }
    }
    return rawName === undefined ? at + 1 : this.#readRawText(at + 1, rawName);
  }

  #endOfName(from: number): number {
    const html = this.#html;
    const { length } = html;
    let at = from;
    while (at < length) {
      const code = html.charCodeAt(at);
      if (code === GREATER || code === SLASH || isSpace(code)) break;
      at++;
    }
    return at;
  }

  #findRawName(start: number, end: number): string | undefined {
    const names = RAW_TEXT[end - start];
    if (names === undefined) return undefined;
    for (const name of names)
      if (isName(name, this.#html, start))
        return this.#callbacks.isInForeignContext() === true ? undefined : name;
    return undefined;
  }

  /** Reads one attribute. Returns the position of the next. */
  #readAttribute(nameStart: number): number {
    const html = this.#html;
    const { length } = html;
    const callbacks = this.#callbacks;
    let at = nameStart + 1;
    let code = html.charCodeAt(at);
    while (at < length && code !== EQUALS && code !== GREATER && code !== SLASH && !isSpace(code))
      code = html.charCodeAt(++at);
    callbacks.onattribname(nameStart, at);
    while (isSpace(code)) code = html.charCodeAt(++at);
    if (code !== EQUALS) {
      callbacks.onattribend();
      return at;
    }
    do code = html.charCodeAt(++at);
    while (isSpace(code));
    if (code === QUOTE || code === APOSTROPHE) {
      const end = html.indexOf(code === QUOTE ? '"' : "'", at + 1);
      if (end === -1) return length;
      this.#readValue(at + 1, end);
      callbacks.onattribend();
      return end + 1;
    }
    let end = at;
    while (end < length && code !== GREATER && !isSpace(code)) code = html.charCodeAt(++end);
    if (end === length) return length;
    this.#readValue(at, end);
    callbacks.onattribend();
    return end;
  }

  #readValue(start: number, end: number): void {
    this.#section = start;
    if (this.#findAmpersand(start) < end) {
      this.#inAttribute = true;
      this.#decodeReferences(start, end, DecodingMode.Attribute);
    }
    if (this.#section < end) this.#callbacks.onattribdata(this.#section, end);
  }

  /** Reads text up to the end tag of this name, and the end tag. */
  #readRawText(start: number, name: string): number {
    const html = this.#html;
    const { length } = html;
    // Browsers with scripts read <noscript> as text, so an element left open in it must not extend
    // beyond its end.
    const isEnclosed = this.#callbacks.isInNoscript();
    let end = name === "plaintext" || this.#unclosed.has(name) ? -1 : html.indexOf("</", start);
    while (
      end !== -1 &&
      !this.#isEndTag(end + 2, name) &&
      !(isEnclosed && this.#isEndTag(end + 2, "noscript"))
    )
      end = html.indexOf("</", end + 2);
    const next = end === -1 ? this.#skipUnclosed(start, name) : -1;
    const stop = end === -1 ? (next === -1 ? length : next) : end;
    if (stop > start) {
      if (isDecoded(name)) this.#emitText(start, stop);
      else this.#callbacks.ontext(start, stop);
    }
    if (next !== -1) this.#callbacks.onunclosed(name);
    return end === -1 ? stop : this.#endTag(end);
  }

  /**
   * Returns the position at which to continue after a raw-text element that never ends, or -1.
   * Browsers show such a page as nothing but the title or text field.
   */
  #skipUnclosed(start: number, name: string): number {
    if (!RECOVERED.has(name) || this.#callbacks.isInNoscript()) return -1;
    this.#unclosed.add(name);
    MARKUP.lastIndex = start;
    return MARKUP.exec(this.#html)?.index ?? -1;
  }

  #isEndTag(at: number, name: string): boolean {
    const end = at + name.length;
    const code = this.#html.charCodeAt(end);
    return (
      (code === GREATER || code === SLASH || isSpace(code)) &&
      this.#html.slice(at, end).toLowerCase() === name
    );
  }

  #endTag(open: number): number {
    const html = this.#html;
    const { length } = html;
    const start = open + 2;
    if (start >= length) {
      this.#callbacks.ontext(open, length);
      return length;
    }
    const code = html.charCodeAt(start);
    if (code === GREATER) return start + 1;
    if (!isLetter(code)) return this.#readBogusComment(start, start);
    const end = this.#endOfName(start + 1);
    if (end === length) return length;
    this.#callbacks.onclosetag(start, end);
    if (html.charCodeAt(end) === GREATER) return end + 1;
    const close = html.indexOf(">", end);
    return close === -1 ? length : close + 1;
  }

  #readDeclaration(open: number): number {
    const html = this.#html;
    const start = open + 2;
    const code = html.charCodeAt(start);
    if (code === DASH && html.charCodeAt(start + 1) === DASH) return this.#readComment(start + 2);
    if (code === BRACKET && html.startsWith(CDATA, start) && this.#knowsCdata(open))
      return this.#readCdata(start + CDATA.length);
    if (html.slice(start, start + 7).toLowerCase() !== "doctype")
      return this.#readBogusComment(start, start);
    const end = html.indexOf(">", start + 7);
    if (end === -1) return html.length;
    this.#callbacks.ondeclaration(start, end);
    return end + 1;
  }

  /**
   * CDATA applies in SVG and MathML, and inside a script comment, which is left alone. In HTML it
   * is a bogus comment.
   */
  #knowsCdata(open: number): boolean {
    return this.#callbacks.isInForeignContext() === true || isBehindScriptComment(this.#html, open);
  }

  #readComment(start: number): number {
    const html = this.#html;
    const { length } = html;
    if (html.charCodeAt(start) === GREATER) return this.#endComment(start, start, 0);
    if (html.startsWith("->", start)) return this.#endComment(start, start + 1, 1);
    for (let at = html.indexOf("--", start); at !== -1; at = html.indexOf("--", at + 1)) {
      const code = html.charCodeAt(at + 2);
      if (code === GREATER) return this.#endComment(start, at + 2, 2);
      if (code === EXCLAMATION && html.charCodeAt(at + 3) === GREATER)
        return this.#endComment(start, at + 3, 3);
    }
    const begun = /(?:--!?|-)$/.exec(html.slice(Math.max(start, length - 3)))?.[0].length ?? 0;
    return this.#endComment(start, length, begun);
  }

  #readCdata(start: number): number {
    const { length } = this.#html;
    const end = this.#html.indexOf("]]>", start);
    if (end === -1) return this.#endComment(start - CDATA.length, length, 0);
    this.#callbacks.oncdata(start, end + 2, 2);
    return end + 3;
  }

  /** Anything else that looks like markup is a comment up to the next ">". */
  #readBogusComment(start: number, search: number): number {
    const end = this.#html.indexOf(">", search);
    return this.#endComment(start, end === -1 ? this.#html.length : end, 0);
  }

  #endComment(start: number, end: number, marks: number): number {
    this.#callbacks.oncomment(start, end, marks);
    return end + 1;
  }
}

const isSpace = (code: number): boolean =>
  code === SPACE || code === LINE_FEED || code === TAB || code === FORM_FEED || code === RETURN;

const isLetter = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90);

/** True if a name is at a position, ignoring case. */
function isName(name: string, html: string, start: number): boolean {
  for (let at = 0; at < name.length; at++)
    if (name.charCodeAt(at) !== (html.charCodeAt(start + at) | 32)) return false;
  return true;
}

/**
 * In HTML `<![CDATA[` opens a comment that ends at the next ">" (WHATWG HTML, bogus comment state).
 * After a slash or star it is a script or style comment and ends at "]]>".
 */
function isBehindScriptComment(html: string, open: number): boolean {
  const before = html.charCodeAt(open - 1);
  const code = before === SPACE ? html.charCodeAt(open - 2) : before;
  return code === SLASH || code === ASTERISK;
}
