// Each scan stops where the next link or image could start, which keeps it linear.
const LABEL = String.raw`\[((?:[^[\]\\]|\\.)*)\]`;
/** May contain one level of parentheses, like URLs of encyclopedias. */
const TARGET = String.raw`\((?:[^()\\\n]|\\.|\((?:[^()\\\n]|\\.)*\))*\)`;
/** A code span of one to three backticks, which may contain shorter runs of them. */
const CODE = "(?<!\\\\)(?:```(?:[^`\\n]|`{1,2}(?!`))+```|``(?:[^`\\n]|`(?!`))+``|`[^`\\n]+`)";
const TEX = String.raw`(?:[^$\\\n]|\\[^\n])+`;
/** TeX between dollar signs, but no amounts: "$5 and $6". */
const MATH = String.raw`(?<![\\$])(?:\$\$${TEX}\$\$|\$(?=\S)${TEX}(?<=\S)\$(?![\d$]))`;
/** Parts of a line whose characters are no markup. */
export const LITERAL = `(?:${CODE}|${MATH})`;
const IMAGE = new RegExp(String.raw`(${LITERAL})|(?<!\\)!${LABEL}${TARGET}`, "gs");
const LINK = new RegExp(String.raw`(${LITERAL})|(?<!\\)${LABEL}${TARGET}`, "gs");

/** Replaces links and images by their texts, except in code spans and formulas. */
export const stripLinks = (markdown: string): string =>
  [IMAGE, LINK].reduce(
    (text, pattern) =>
      text.replaceAll(
        pattern,
        (_found, literal: string | undefined, label: string | undefined) => literal ?? label ?? "",
      ),
    markdown,
  );

/** Replaces each image by a text made from its alternative text, except in code spans and formulas. */
export const replaceImages = (markdown: string, replace: (alt: string) => string): string =>
  markdown.replaceAll(
    IMAGE,
    (_found, literal: string | undefined, alt = "") => literal ?? replace(alt),
  );

const MARKER = String.raw`[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +)?`;
/** Backticks after the fence make it a code span (CommonMark 4.5). */
const OPENING = new RegExp(`^${MARKER}(\`{3,}(?=[^\`]*$)|~{3,})`);
const CLOSING = /^[ >]*(`{3,}|~{3,})[ \t]*$/;

/**
 * Returns the fence of the code block that is open after this line, also in quotes and list items;
 * `open` is the one before it. Undefined in prose. A line is prose if both are undefined.
 */
export function trackFence(line: string, open: string | undefined): string | undefined {
  if (open === undefined) return OPENING.exec(line)?.[1];
  return CLOSING.exec(line)?.[1]?.startsWith(open) === true ? undefined : open;
}

/**
 * Does the same in a part of Markdown with code blocks, which stay as they are. `open` is the fence
 * that the part before left open; the returned one is left open at the end.
 */
export function stripLinksOutsideCode(
  markdown: string,
  open: string | undefined,
): { readonly text: string; readonly open: string | undefined } {
  let fence = open;
  const lines = markdown.split("\n").map((line) => {
    const before = fence;
    fence = trackFence(line, before);
    return before === undefined && fence === undefined ? stripLinks(line) : line;
  });
  return { text: lines.join("\n"), open: fence };
}
