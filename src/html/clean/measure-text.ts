// Size of a tree's text: words, characters, and how many of them are in links.
import { type ChildNode, isTag, isText, type ParentNode } from "domhandler";
import { readCharCode, measureLength } from "../parse/char-code-at.ts";

export type TextSize = {
  /** Words; in scripts without spaces, half of the ideographs. */
  readonly words: number;
  /** Characters without whitespace. */
  readonly characters: number;
  readonly linkCharacters: number;
};

/** Elements whose text is not shown. */
const HIDDEN_TAGS: ReadonlySet<string> = new Set(["script", "style", "template", "head"]);

const isIdeograph = (code: number): boolean =>
  (code >= 0x3040 && code <= 0x9fff) || (code >= 0xf900 && code <= 0xfaff);

/** Measures the text below `root` in one walk. */
export function measureText(root: ParentNode): TextSize {
  let words = 0;
  let ideographs = 0;
  let characters = 0;
  let linkCharacters = 0;
  let links = 0;
  const add = (text: string): void => {
    let isInWord = false;
    let own = 0;
    const length = measureLength(text);
    for (let at = 0; at < length; at++) {
      const code = readCharCode(text, at);
      if (code <= 32 || code === 0xa0 || code === 0x3000) {
        isInWord = false;
        continue;
      }
      own++;
      if (code >= 0x3040 && isIdeograph(code)) {
        ideographs++;
        isInWord = false;
      } else if (!isInWord) {
        words++;
        isInWord = true;
      }
    }
    characters += own;
    if (links > 0) linkCharacters += own;
  };
  let node: ChildNode | null = root.firstChild;
  while (node !== null) {
    if (isText(node)) add(node.data);
    else if (isTag(node) && !HIDDEN_TAGS.has(node.name) && node.firstChild !== null) {
      if (node.name === "a") links++;
      node = node.firstChild;
      continue;
    }
    while (node !== null && node.next === null) {
      const parent: ParentNode | null = node.parent;
      node = parent !== null && parent !== root && isTag(parent) ? parent : null;
      if (node !== null && isTag(node) && node.name === "a") links--;
    }
    if (node !== null) node = node.next;
  }
  return { words: words + Math.ceil(ideographs / 2), characters, linkCharacters };
}
