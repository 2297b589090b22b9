/**
 * Formats text as an inline code span. The fence is longer than any run of backticks inside
 * (CommonMark §6.1).
 */
export function toCodeSpan(text: string): string {
  const value = /[\r\n]/.test(text) ? text.replace(/\r\n?|\n/g, " ") : text;
  if (value === "") return "";
  const fence = "`".repeat(measureLongestRun(value, "`") + 1);
  const pad =
    value.startsWith("`") ||
    value.endsWith("`") ||
    (value.startsWith(" ") && value.endsWith(" ") && value.trim() !== "")
      ? " "
      : "";
  return fence + pad + value + pad + fence;
}

/** A pipe after an odd number of backslashes. */
const ESCAPED_PIPE = /(?:^|[^\\])(?:\\\\)*\\\|/;

/**
 * Formats text as code in a table cell. A pipe ends a cell even in code, and its escape would pair
 * with an existing backslash, so such code is written as a tag with character references (GFM
 * §4.10).
 */
export function toCellCode(text: string): string {
  if (!ESCAPED_PIPE.test(text)) return toCodeSpan(text);
  return `<code>${text.replace(/\s+/g, " ").replace(/[!-/:-@[-`{-~]/g, (sign) => `&#${sign.charCodeAt(0)};`)}</code>`;
}

function measureLongestRun(text: string, character: string): number {
  if (!text.includes(character)) return 0;
  let longest = 0;
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    run = text[index] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** Formats a fenced code block. The fence is longer than any run of backticks inside. */
export function toCodeFence(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, measureLongestRun(code, "`") + 1));
  return `${fence}${language}\n${code === "" ? "" : `${code}\n`}${fence}`;
}
