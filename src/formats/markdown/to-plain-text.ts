// A page's Markdown as text without markup. Code and formulas keep their characters.
import { LITERAL, stripLinks, trackFence } from "./strip-links.ts";

// Each scan stops where other marked text could start, which keeps it linear.
const BOLD = new RegExp(
  String.raw`(${LITERAL})|(?<!\\)(\*\*|__)(?=\S)((?:[^*_\n]|\*(?!\*)|_(?!_))+)(?<=\S)\2`,
  "g",
);
const EMPHASIS = new RegExp(
  String.raw`(${LITERAL})|(?<![\\*])(\*)(?=[^\s*])((?:[^*\n\\]|\\.)+)\*`,
  "g",
);
const STRUCK = new RegExp(String.raw`(${LITERAL})|(?<!\\)(~~)(?=\S)((?:[^~\n]|~(?!~))+)~~`, "g");
const INLINE_TAG = /<\/?(?:sub|sup|kbd|mark|ins)>/g;
const REST = new RegExp(
  String.raw`(${LITERAL})|\\([!"#$%&'()*+,./:;<=>?@[\\\]^_${"`"}{|}~-])`,
  "g",
);

/** Strips headings, quotes, emphasis, links, rules and fences; list marks and table bars stay. */
export function toPlainText(markdown: string): string {
  const parts: string[] = [];
  let fence: string | undefined;
  let prose: string[] = [];
  const endProse = (): void => {
    if (prose.length > 0) parts.push(stripMarkup(prose.join("\n")));
    prose = [];
  };
  for (const line of markdown.split("\n")) {
    const before = fence;
    fence = trackFence(line, before);
    if (before === undefined && fence === undefined) prose.push(line);
    else if (before === undefined) endProse();
    else if (fence !== undefined) parts.push(line);
  }
  endProse();
  return parts.join("\n");
}

const stripMarkup = (markdown: string): string =>
  [BOLD, EMPHASIS, STRUCK]
    .reduce(
      (text, pattern) =>
        text.replaceAll(
          pattern,
          (_found, literal: string | undefined, _mark, words: string | undefined) =>
            literal ?? words ?? "",
        ),
      stripLinks(markdown)
        .replaceAll(/^(?:> ?)+/gm, "")
        .replaceAll(/^#{1,6} +/gm, "")
        .replaceAll(/^\|(?: :?-+:? \|)+$\n?/gm, "")
        .replaceAll(/^(?:---|\*\*\*)$\n?/gm, "")
        .replaceAll(/ {2}$/gm, ""),
    )
    .replaceAll(INLINE_TAG, "")
    .replaceAll(REST, (_found, literal: string | undefined, character: string | undefined) =>
      literal === undefined ? (character ?? "") : literal.replaceAll(/^`+|`+$/g, ""),
    );
