// Counts what a page shows, element by element and text by text, in document order.
import type { Element } from "domhandler";
import { readCharCode, measureLength } from "../parse/char-code-at.ts";

const HIDDEN_TAGS = new Set(["script", "style", "template", "svg", "head"]);
/** Characters kept from the start of the text. */
const OPENING_CHARACTERS = 2_000;
const MAX_TITLE_CHARACTERS = 500;

/** Receives every text, and the start and end of elements in `NOTED.counted`. */
export class TextCounter {
  words = 0;
  noscriptWords = 0;
  scripts = 0;
  passwordInputs = 0;
  /** Text of the first title and of the first main heading. */
  title = "";
  heading = "";
  /** Start of the text, and of the noscript text. */
  opening = "";
  noscriptOpening = "";
  /** Number of open elements of each kind. */
  #silent = 0;
  #noscripts = 0;
  /** The open title or first heading. */
  #reading: Element | undefined;

  enter(element: Element): void {
    const { name } = element;
    switch (name) {
      case "script":
        this.scripts++;
        break;
      case "input":
        if (element.attribs["type"]?.toLowerCase() === "password") this.passwordInputs++;
        return;
      case "title":
        if (this.title === "") this.#reading ??= element;
        return;
      case "h1":
        if (this.heading === "") this.#reading ??= element;
        return;
      case "noscript":
        this.#noscripts++;
        return;
      default:
    }
    if (HIDDEN_TAGS.has(name)) this.#silent++;
  }

  leave(element: Element): void {
    if (HIDDEN_TAGS.has(element.name)) this.#silent--;
    else if (element.name === "noscript") this.#noscripts--;
    if (element === this.#reading) this.#reading = undefined;
  }

  add(text: string): void {
    if (this.#reading !== undefined) {
      if (this.#reading.name === "title") {
        if (this.title.length < MAX_TITLE_CHARACTERS) this.title += text;
      } else if (this.heading.length < MAX_TITLE_CHARACTERS) this.heading += text;
    }
    if (this.#noscripts > 0) {
      this.noscriptWords += countWords(text);
      if (this.noscriptOpening.length < OPENING_CHARACTERS) this.noscriptOpening += text;
    } else if (this.#silent === 0) {
      this.words += countWords(text);
      if (this.opening.length < OPENING_CHARACTERS) this.opening += text;
    }
  }
}

/**
 * Counts runs of non-space; each ideograph, kana or hangul syllable counts as half a word. Word
 * starts are computed without branches, which no CPU could predict here.
 */
function countWords(text: string): number {
  const length = measureLength(text);
  let words = 0;
  let isBehindGap = 1;
  let wide = 0;
  for (let index = 0; index < length; index++) {
    const code = readCharCode(text, index);
    if (code >= 0x2e80 && code <= 0xd7ff) {
      wide++;
      isBehindGap = 1;
      continue;
    }
    const isGap = Number(code <= 32) | Number(code === 0xa0);
    words += isBehindGap & ~isGap;
    isBehindGap = isGap;
  }
  return words + Math.ceil(wide / 2);
}
