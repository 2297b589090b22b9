// Counts what a page shows, element by element and text by text in document order.
import type { Element } from "domhandler";
import { codeAt, lengthOf } from "../parse/char-code-at.ts";

const SILENT = new Set(["script", "style", "template", "svg", "head"]);
/** Characters that are kept of the beginning of the text. */
const OPENING_CHARACTERS = 2_000;
const MAX_TITLE_CHARACTERS = 500;

/** Told of every text, and of the beginning and end of the elements it asks for (`NOTED.counted`). */
export class TextCounter {
  words = 0;
  noscriptWords = 0;
  scripts = 0;
  passwordInputs = 0;
  /** Text of the first title and of the first main heading. */
  title = "";
  heading = "";
  /** How the text begins, and that for readers without script. */
  opening = "";
  noscriptOpening = "";
  /** How many elements of a kind are open. */
  #silent = 0;
  #noscripts = 0;
  /** The title or first heading that is open. */
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
    if (SILENT.has(name)) this.#silent++;
  }

  leave(element: Element): void {
    if (SILENT.has(element.name)) this.#silent--;
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
 * Runs of non-space; each ideograph, kana or hangul syllable counts as half a word. Where words begin is computed: no processor
 * can guess it.
 */
function countWords(text: string): number {
  const length = lengthOf(text);
  let words = 0;
  let isBehindGap = 1;
  let wide = 0;
  for (let index = 0; index < length; index++) {
    const code = codeAt(text, index);
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
