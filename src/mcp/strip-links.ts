// Each scan ends where the next link or image could begin, so the time grows with the length of the text.
const LABEL = String.raw`\[((?:[^[\]\\]|\\.)*)\]`;
/** Parentheses of one level may stand in it, as in URLs of encyclopedias. */
const TARGET = String.raw`\((?:[^()\\\n]|\\.|\((?:[^()\\\n]|\\.)*\))*\)`;
const IMAGE = new RegExp(String.raw`(?<!\\)!${LABEL}${TARGET}`, "gs");
const LINK = new RegExp(String.raw`(?<!\\)${LABEL}${TARGET}`, "gs");

/** Markdown with the texts of links and images in their place. */
export const stripLinks = (markdown: string): string =>
  markdown.replaceAll(IMAGE, "$1").replaceAll(LINK, "$1");
