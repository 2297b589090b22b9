// Splits a page into an outline and pieces of text, so that a long page does not flood the model.
export type Section = {
  /** s1, s2 … in order. */
  readonly id: string;
  readonly title: string;
  readonly level: number;
  /** Offsets in characters of the Markdown. */
  readonly start: number;
  readonly end: number;
};

const MAX_SECTIONS = 200;
const MAX_TITLE_CHARACTERS = 100;

/** Returns the sections of a page by its headings; s0 is the text before the first. */
export function splitSections(markdown: string): Section[] {
  const heads: { title: string; level: number; start: number }[] = [
    { title: "(beginning)", level: 0, start: 0 },
  ];
  for (const found of markdown.matchAll(/^(#{1,6})\s+(.+)$/gm)) {
    const [, marks = "", title = ""] = found;
    if (heads.length > MAX_SECTIONS) break;
    heads.push({
      title: title.slice(0, MAX_TITLE_CHARACTERS),
      level: marks.length,
      start: found.index,
    });
  }
  return heads
    .map((head, index) => ({
      id: `s${index}`,
      ...head,
      end: heads[index + 1]?.start ?? markdown.length,
    }))
    .filter(({ start, end }) => end > start);
}

/** Returns one line per section with its size, as the model sees it. */
export function buildOutline(sections: readonly Section[]): string {
  return sections
    .map(
      ({ id, title, level, start, end }) =>
        `${"  ".repeat(Math.max(0, level - 1))}${id} ${title} (${end - start} characters)`,
    )
    .join("\n");
}

export type Piece = {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  /** Offset to continue at; undefined at the end. */
  readonly next: number | undefined;
};

/**
 * Returns at most `max` characters from `start`, cut at a line break if possible. `limit` is the
 * end of the section.
 */
export function cutPiece(markdown: string, start: number, max: number, limit: number): Piece {
  const last = Math.min(limit, markdown.length);
  const from = Math.max(0, Math.min(start, last));
  let end = Math.min(last, from + max);
  if (end < last) {
    const line = markdown.lastIndexOf("\n", end);
    if (line > from + max / 2) end = line;
  }
  return { text: markdown.slice(from, end), start: from, end, next: end < last ? end : undefined };
}
