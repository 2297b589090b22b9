// Each scan stops where the next link or image could start, which keeps it linear.
const LABEL = String.raw`\[((?:[^[\]\\]|\\.)*)\]`;
/** May contain one level of parentheses, like URLs of encyclopedias. */
const TARGET = String.raw`\((?:[^()\\\n]|\\.|\((?:[^()\\\n]|\\.)*\))*\)`;
const IMAGE = new RegExp(String.raw`(?<!\\)!${LABEL}${TARGET}`, "gs");
const LINK = new RegExp(String.raw`(?<!\\)${LABEL}${TARGET}`, "gs");

/** Replaces links and images by their texts. */
export const stripLinks = (markdown: string): string =>
  markdown.replaceAll(IMAGE, "$1").replaceAll(LINK, "$1");
