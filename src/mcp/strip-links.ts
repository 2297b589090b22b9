// Each scan stops where the next link or image could start, which keeps it linear.
const LABEL = String.raw`\[((?:[^[\]\\]|\\.)*)\]`;
/** May contain one level of parentheses, like URLs of encyclopedias. */
const TARGET = String.raw`\((?:[^()\\\n]|\\.|\((?:[^()\\\n]|\\.)*\))*\)`;
/** A code span; the first form may contain single backticks. */
export const CODE = "(?<!\\\\)(?:``(?:[^`\\n]|`(?!`))+``|`[^`\\n]+`)";
const IMAGE = new RegExp(String.raw`(${CODE})|(?<!\\)!${LABEL}${TARGET}`, "gs");
const LINK = new RegExp(String.raw`(${CODE})|(?<!\\)${LABEL}${TARGET}`, "gs");

/** Replaces links and images by their texts, except in code spans. */
export const stripLinks = (markdown: string): string =>
  [IMAGE, LINK].reduce(
    (text, pattern) =>
      text.replaceAll(
        pattern,
        (_found, code: string | undefined, label: string | undefined) => code ?? label ?? "",
      ),
    markdown,
  );

/** The start or end of a code block, also in quotes and list items. */
export const FENCE = /^[ >]*(?:(?:[-*+]|\d{1,9}[.)]) +)?(`{3,}|~{3,})/;

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
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark?.startsWith(fence) === true) fence = undefined;
      return line;
    }
    if (mark === undefined) return stripLinks(line);
    fence = mark;
    return line;
  });
  return { text: lines.join("\n"), open: fence };
}
