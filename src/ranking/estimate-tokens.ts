/**
 * Estimates the tokens of a Markdown text without reading it by words: from its characters, and from
 * the bytes that characters beyond ASCII add. Weights are fitted to `countTokens` over Markdown of
 * pages in many languages.
 */
export function estimateTokens(markdown: string): number {
  const more = Buffer.byteLength(markdown) - markdown.length;
  return Math.ceil(markdown.length * PER_CHARACTER + more * PER_BYTE);
}

const PER_CHARACTER = 0.28;
const PER_BYTE = 0.4;
