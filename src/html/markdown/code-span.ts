/** Text as an inline code span: the fence is longer than any run of backticks inside (CommonMark §6.1). */
export function toCodeSpan(text: string): string {
  const value = text.replace(/\r\n?|\n/g, " ");
  if (value === "") return "";
  const fence = "`".repeat(longestRun(value, "`") + 1);
  const pad =
    value.startsWith("`") ||
    value.endsWith("`") ||
    (value.startsWith(" ") && value.endsWith(" ") && value.trim() !== "")
      ? " "
      : "";
  return fence + pad + value + pad + fence;
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (let index = 0; index < text.length; index++) {
    run = text[index] === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}

/** A fenced code block; the fence is longer than any run of backticks inside. */
export function toCodeFence(code: string, language: string): string {
  const fence = "`".repeat(Math.max(3, longestRun(code, "`") + 1));
  return `${fence}${language}\n${code === "" ? "" : `${code}\n`}${fence}`;
}
