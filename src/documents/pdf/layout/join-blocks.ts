// Joins paragraphs and tables that continue in the next column or page.
import { type Block, joinInlineText, type Inline } from "./block.ts";
import { keepsHyphen, type Vocabulary } from "./inlines.ts";

export function joinBlocks(blocks: readonly Block[], vocabulary: Vocabulary): Block[] {
  const joined: Block[] = [];
  for (const block of blocks) {
    // A paragraph continues after the footnotes of its page.
    const at = joined.findLastIndex(({ kind }) => kind !== "footnote");
    const before = joined[at];
    const whole = before === undefined ? undefined : join(before, block, vocabulary);
    if (whole === undefined) joined.push(block);
    else joined[at] = whole;
  }
  return joined;
}

function join(before: Block, block: Block, vocabulary: Vocabulary): Block | undefined {
  if (
    before.kind === "paragraph" &&
    block.kind === "paragraph" &&
    isContinuation(before.content, block.content)
  ) {
    return { ...before, content: joinText(before.content, block.content, vocabulary) };
  }
  if (before.kind === "table" && block.kind === "table" && block.page > before.page) {
    const countColumns = (rows: typeof block.rows): number =>
      Math.max(...rows.map((row) => row.reduce((sum, { columns }) => sum + columns, 0)));
    if (countColumns(before.rows) !== countColumns(block.rows)) return undefined;
    const joinRowText = (row: (typeof block.rows)[number] | undefined): string =>
      (row ?? []).map(({ content }) => joinInlineText(content)).join("|");
    const [first, ...rest] = block.rows;
    const repeats = joinRowText(first) === joinRowText(before.rows[0]);
    return {
      ...before,
      rows: [...before.rows, ...(repeats || first === undefined ? rest : [first, ...rest])],
    };
  }
  return undefined;
}

/** True for a paragraph without an end, followed by one that starts mid-sentence. */
function isContinuation(upper: readonly Inline[], lower: readonly Inline[]): boolean {
  const [end, start] = [joinInlineText(upper).trimEnd(), joinInlineText(lower)];
  return end.length > 40 && !/[.!?:;…"”»)]$/u.test(end) && /^[\p{Ll}(]/u.test(start);
}

function joinText(
  upper: readonly Inline[],
  lower: readonly Inline[],
  vocabulary: Vocabulary,
): Inline[] {
  const last = upper.at(-1) as Inline;
  const text = last.text.trimEnd();
  const divided = /\p{L}[-\u2010]$/u.test(text);
  const drops = divided && !keepsHyphen(text, joinInlineText(lower), vocabulary);
  const end = { ...last, text: drops ? text.slice(0, -1) : divided ? text : `${text} ` };
  return [...upper.slice(0, -1), end, ...lower];
}
