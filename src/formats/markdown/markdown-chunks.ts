// Cuts Markdown between its blocks: to a number of tokens, and into chunks.
import type { ChunkOptions, MarkdownChunk } from "../../contract/page/markdown.ts";
import type { Heading, TopBlock } from "../../html/markdown/block-writer.ts";

/** Counts tokens and takes pieces that fit; loaded only when a request needs it. */
export type Tokenizer = {
  countTokens(text: string): number;
  takeTokens(
    text: string,
    budget: number,
    from?: number,
  ): { readonly text: string; readonly next: number | undefined };
};

/** A piece of a block that fits, and its position in the Markdown. */
type Piece = {
  readonly kind: TopBlock["kind"];
  readonly text: string;
  readonly heading: Heading | undefined;
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
};

export const BETWEEN_BLOCKS = "\n\n";
/** Tokens of an empty line, counted generously. */
const EMPTY_LINE_TOKENS = 2;

/** Blocks that may be cut. */
const HAS_LINES: ReadonlySet<TopBlock["kind"]> = new Set(["table", "code", "bullets", "numbers"]);

/** Returns the first blocks that fit, and the first rows, lines or items of the next one. */
export function cutBlocks(
  blocks: readonly TopBlock[],
  max: number,
  tokenizer: Tokenizer,
): TopBlock[] {
  const kept: TopBlock[] = [];
  let left = max;
  for (const block of blocks) {
    const tokens = tokenizer.countTokens(block.text);
    if (tokens <= left) {
      kept.push(block);
      left -= tokens + EMPTY_LINE_TOKENS;
      continue;
    }
    // A paragraph is cut only where more than half of the room would stay empty.
    if (kept.length > 0 && !HAS_LINES.has(block.kind) && left <= max / 2) break;
    const [piece] = splitBlock(block, 0, Math.max(1, left), tokenizer);
    if (piece !== undefined && piece.tokens <= left) kept.push({ ...block, text: piece.text });
    break;
  }
  // A heading without its text is useless at the end.
  while (kept.length > 1 && kept.length < blocks.length && kept.at(-1)?.heading !== undefined)
    kept.pop();
  return kept;
}

/** `offset`: where the blocks start in the Markdown. */
export function chunkBlocks(
  blocks: readonly TopBlock[],
  options: ChunkOptions,
  page: { readonly url: string; readonly offset: number },
  tokenizer: Tokenizer,
): MarkdownChunk[] {
  const chunks: MarkdownChunk[] = [];
  const open: Heading[] = [];
  const base = page.url.replace(/#.*$/s, "");
  let start = page.offset;
  let chunk = new OpenChunk(options.tokens);

  const close = (): void => {
    if (chunk.own.length === 0) return;
    const { path, fragment } = chunk;
    const text = chunk.pieces.map((piece) => piece.text).join(BETWEEN_BLOCKS);
    chunks.push({
      index: chunks.length,
      text,
      tokens: tokenizer.countTokens(text),
      path,
      ...(fragment === undefined ? {} : { fragment }),
      url: fragment === undefined ? base : `${base}#${fragment}`,
      start: chunk.own[0]?.start ?? 0,
      end: chunk.own.at(-1)?.end ?? 0,
    });
  };

  for (const block of blocks) {
    const pieces = splitBlock(block, start, options.tokens, tokenizer);
    start += block.text.length + BETWEEN_BLOCKS.length;
    for (const piece of pieces) {
      const { heading } = piece;
      if (heading !== undefined && options.byHeading && chunk.hasText) {
        close();
        chunk = new OpenChunk(options.tokens);
      } else if (!chunk.fits(piece)) {
        // Headings at the end belong to the next chunk.
        const headings = chunk.takeHeadings();
        const overlap = heading === undefined && headings.length === 0 ? options.overlap : 0;
        const repeated = overlap === 0 ? [] : takeTail(chunk.own, overlap, tokenizer);
        close();
        chunk = new OpenChunk(options.tokens);
        for (const moved of headings) chunk.add(moved, open);
        // A piece that does not fit beside its headings: they are as long as a chunk.
        if (!chunk.fits(piece)) {
          close();
          chunk = new OpenChunk(options.tokens);
        }
        chunk.repeatEnd(repeated, piece);
      }
      if (heading !== undefined) {
        while (open.length > 0 && (open.at(-1)?.level ?? 0) >= heading.level) open.pop();
        open.push(heading);
      }
      chunk.add(piece, open);
    }
  }
  close();
  return chunks;
}

class OpenChunk {
  readonly #max: number;
  /** Pieces repeated from the last chunk. */
  #repeated: readonly Piece[] = [];
  readonly own: Piece[] = [];
  path: string[] = [];
  fragment: string | undefined;
  /** True if it holds more than headings. */
  hasText = false;
  #tokens = 0;

  constructor(max: number) {
    this.#max = max;
  }

  get pieces(): Piece[] {
    return [...this.#repeated, ...this.own];
  }

  fits({ tokens }: Piece): boolean {
    return this.#tokens === 0 || this.#tokens + EMPTY_LINE_TOKENS + tokens <= this.#max;
  }

  /** Repeats the end of the last chunk, as far as `next` still fits. */
  repeatEnd(pieces: readonly Piece[], next: Piece): void {
    const tokens = pieces.reduce((sum, piece) => sum + piece.tokens + EMPTY_LINE_TOKENS, 0);
    if (this.own.length > 0 || tokens + next.tokens > this.#max) return;
    this.#repeated = pieces;
    this.#tokens = tokens;
  }

  /** Its path is the one of its first text, or of its last heading before that. */
  add(piece: Piece, open: readonly Heading[]): void {
    if (!this.hasText && (this.own.length === 0 || piece.heading !== undefined)) {
      this.path = open.map(({ text }) => text);
      this.fragment = open.findLast(({ anchor }) => anchor !== undefined)?.anchor;
    }
    this.own.push(piece);
    this.hasText ||= piece.heading === undefined;
    this.#tokens += piece.tokens + (this.#tokens === 0 ? 0 : EMPTY_LINE_TOKENS);
  }

  /** Removes the headings at the end; nothing if there is no text before them. */
  takeHeadings(): Piece[] {
    if (!this.hasText) return [];
    const headings: Piece[] = [];
    while (this.own.at(-1)?.heading !== undefined) headings.unshift(this.own.pop() as Piece);
    return headings;
  }
}

/**
 * Returns the end of a chunk within a budget: whole pieces, or the last sentences of plain text.
 */
function takeTail(pieces: readonly Piece[], budget: number, tokenizer: Tokenizer): Piece[] {
  const tail: Piece[] = [];
  let left = budget;
  for (const piece of pieces.toReversed()) {
    if (piece.heading !== undefined || piece.tokens > left) break;
    tail.unshift(piece);
    left -= piece.tokens + EMPTY_LINE_TOKENS;
  }
  const last = pieces.at(-1);
  if (tail.length > 0 || last === undefined || last.kind !== "paragraph") return tail;
  // Inside of links, code and emphasis a sentence cannot be cut.
  if (/[[\]`*_<]/.test(last.text)) return tail;
  const sentences = last.text.split(/(?<=[.!?。！？])\s/);
  let from = sentences.length;
  for (; from > 0; from--) {
    left -= tokenizer.countTokens(sentences[from - 1] ?? "") + 1;
    if (left < 0) break;
  }
  const text = sentences.slice(from).join(" ");
  return text === "" ? [] : [{ ...last, text, tokens: tokenizer.countTokens(text) }];
}

/** Splits a block that is too large between its lines, and lines between words. */
function splitBlock(
  { kind, text, heading }: TopBlock,
  start: number,
  max: number,
  tokenizer: Tokenizer,
): Piece[] {
  const tokens = tokenizer.countTokens(text);
  if (tokens <= max) return [{ kind, text, heading, start, end: start + text.length, tokens }];
  const frame = readFrame(kind, text);
  const around = tokenizer.countTokens(frame.head + frame.foot) + EMPTY_LINE_TOKENS;
  // A table whose head is as large as a chunk is split as text.
  const isFramed = around <= max / 2;
  const { head, foot } = isFramed ? frame : { head: "", foot: "" };
  const room = isFramed ? max - around : max;
  const pieces: Piece[] = [];
  const first = isFramed ? head.length : 0;
  const last = text.length - (isFramed ? foot.length : 0);
  let from = first;
  let to = first;
  let left = room;
  const push = (): void => {
    const body = text.slice(from, to).trimEnd();
    if (body !== "") {
      const whole = `${head}${body}${foot}`;
      const isFirst = pieces.length === 0;
      pieces.push({
        kind,
        text: whole,
        heading: isFirst ? heading : undefined,
        start: start + (isFirst ? 0 : from),
        end: start + (to === last ? text.length : to),
        tokens: tokenizer.countTokens(whole),
      });
    }
    from = to;
    left = room;
  };
  for (const line of text.slice(first, last).split(/(?<=\n)/)) {
    let rest = line;
    let tokens = tokenizer.countTokens(line);
    if (tokens > left) push();
    while (tokens > room) {
      const taken = takeWords(rest, room, tokenizer);
      to += taken.length;
      push();
      rest = rest.slice(taken.length);
      tokens = rest.length > taken.length ? room + 1 : tokenizer.countTokens(rest);
    }
    to += rest.length;
    left -= tokens;
  }
  push();
  return pieces;
}

/** Takes the first words that fit, at least one character. */
function takeWords(text: string, room: number, tokenizer: Tokenizer): string {
  let { text: taken } = tokenizer.takeTokens(text, room);
  while (taken.length > 1 && tokenizer.countTokens(taken) > room) {
    const half = taken.slice(0, Math.ceil(taken.length / 2));
    const space = half.lastIndexOf(" ");
    taken = space > 0 ? half.slice(0, space + 1) : half;
  }
  // Never between the halves of a surrogate pair.
  return /[\uD800-\uDBFF]$/.test(taken) ? text.slice(0, taken.length + 1) : taken;
}

/** Text that is repeated in each part of a split block. */
function readFrame(kind: TopBlock["kind"], text: string): { head: string; foot: string } {
  const lines = text.split("\n", 2);
  if (kind === "table" && lines.length === 2) return { head: `${lines.join("\n")}\n`, foot: "" };
  if (kind === "code") return { head: `${lines[0]}\n`, foot: text.slice(text.lastIndexOf("\n")) };
  return { head: "", foot: "" };
}
