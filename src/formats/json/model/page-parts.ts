// Chooses the lines of a page for a language model and packs them into parts of one size: all lines
// of a small page, the most relevant sections of a large one.
import type { CountedLine, ModelPage } from "../../model/model-page.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, toSingularWords } from "../names/names.ts";

export type PagePart = {
  readonly text: string;
  /** Note to the model about the rest of the page; "" if there is no rest. */
  readonly note: string;
};

export type PageParts = {
  readonly parts: readonly PagePart[];
  /** Lines that are in no part. */
  readonly left: number;
};

export type PartsOptions = {
  readonly wanted: WantedWords;
  /** Tokens of one part. */
  readonly room: number;
  readonly maxParts: number;
  /** True for page order, for answers with lists; otherwise the most relevant parts come first. */
  readonly inOrder: boolean;
};

export type WantedWords = {
  readonly words: ReadonlySet<string>;
  readonly concepts: ReadonlySet<string>;
};

/** Lines below one heading, or a piece of them. */
type Section = {
  readonly lines: readonly CountedLine[];
  readonly at: number;
  readonly tokens: number;
  readonly heading: CountedLine | undefined;
};

/** Share of a part that lines may fill; the rest is for repeated headings and the note. */
const MAX_FILLED_SHARE = 0.9;
const MAX_LABEL = 60;
const MAX_SCORED = 4_000;

export function listWantedWords(shape: Shape, prompt: string): WantedWords {
  const words = new Set(toSingularWords(prompt.slice(0, 10_000)));
  const concepts = new Set<string>();
  const add = (each: Shape): void => {
    for (const [name, property] of each.properties) {
      for (const word of toSingularWords(`${name} ${property.description}`.slice(0, 500)))
        words.add(word);
      for (const concept of parseName(name).concepts) concepts.add(concept);
      add(property);
    }
    if (each.items !== undefined) add(each.items);
  };
  add(shape);
  return { words: new Set([...words].filter((word) => word.length > 2)), concepts };
}

export function choosePageParts(page: ModelPage, options: PartsOptions): PageParts {
  const { room, maxParts, inOrder } = options;
  const most = Math.floor(room * MAX_FILLED_SHARE);
  const lines = page.lines.flatMap((line) => fitLine(line, most));
  const sum = countTokens(lines);
  if (sum <= most) {
    const ordered = [...lines.filter((line) => !line.isAside), ...lines.filter(isOfSite)];
    return { parts: [{ text: joinText(ordered), note: buildNote(page.left) }], left: page.left };
  }
  const scored = splitSections(lines, most / 4).map((section) => ({
    section,
    score: scoreSection(section, options.wanted),
  }));
  const ranked = scored.toSorted(
    (one, other) => other.score - one.score || one.section.at - other.section.at,
  );
  const kept: Section[] = [];
  let tokens = 0;
  let left = page.left;
  for (const { section } of ranked)
    if (tokens + section.tokens <= most * maxParts) {
      kept.push(section);
      tokens += section.tokens;
    } else left += section.lines.length;
  if (inOrder) kept.sort((one, other) => findPlace(one) - findPlace(other));
  const packed = pack(kept, most, maxParts);
  left += packed.left;
  const parts = packed.groups.map((group, at) => ({
    text: joinPartText(group),
    note: [
      packed.groups.length === 1 ? "" : `This is part ${at + 1} of ${packed.groups.length}.`,
      buildNote(left),
    ]
      .filter((text) => text !== "")
      .join(" "),
  }));
  return { parts, left };
}

const buildNote = (left: number): string =>
  left === 0 ? "" : `${left} less relevant lines of the page were left out.`;

const isOfSite = ({ isAside }: CountedLine): boolean => isAside;

const countTokens = (lines: readonly CountedLine[]): number =>
  lines.reduce((all, line) => all + line.tokens, 0);

const joinText = (lines: readonly CountedLine[]): string =>
  lines.map(({ text }) => text).join("\n");

/** Navigation and footer come after the rest of the page. */
const findPlace = ({ at, lines }: Section): number => at + (lines[0]?.isAside === true ? 1e7 : 0);

/** A line longer than a part is cut into several. */
function fitLine(line: CountedLine, most: number): CountedLine[] {
  if (line.tokens <= most) return [line];
  const pieces = Math.ceil((line.tokens * 1.2) / most);
  const length = Math.ceil(line.text.length / pieces);
  return Array.from({ length: pieces }, (_, at) => ({
    ...line,
    text: line.text.slice(at * length, (at + 1) * length),
    tokens: Math.floor(most / 1.1),
  }));
}

function splitSections(lines: readonly CountedLine[], most: number): Section[] {
  const sections: Section[] = [];
  let open: CountedLine[] = [];
  let tokens = 0;
  let heading: CountedLine | undefined;
  const end = (): void => {
    if (open.length > 0) sections.push({ lines: open, at: sections.length, tokens, heading });
    open = [];
    tokens = 0;
  };
  for (const line of lines) {
    const before = open.at(-1);
    const isOther =
      before !== undefined && (before.isAside !== line.isAside || before.isData !== line.isData);
    // A heading directly below a heading does not start a section.
    const opens = line.level > 0 && before !== undefined && before.level === 0;
    if (isOther || opens || tokens + line.tokens > most) end();
    if (isOther) heading = undefined;
    if (line.level > 0) heading = line;
    open.push(line);
    tokens += line.tokens;
  }
  end();
  return sections;
}

function scoreSection({ lines, heading }: Section, { words, concepts }: WantedWords): number {
  const found = new Set<string>();
  let score = 0;
  let length = 0;
  const isBelow = heading !== undefined && !lines.includes(heading);
  for (const line of isBelow ? [heading, ...lines] : lines) {
    if (length > MAX_SCORED) break;
    length += line.text.length;
    for (const word of toSingularWords(line.text.slice(0, MAX_SCORED)))
      if (words.has(word)) found.add(word);
    for (const label of listLabels(line))
      for (const concept of parseName(label).concepts)
        if (concepts.has(concept)) found.add(`concept ${concept}`);
    if (line.level === 1 && !isBelow) score += 1;
  }
  score += found.size;
  if (lines[0]?.isData === true) score += 2;
  return lines[0]?.isAside === true ? score * 0.3 : score;
}

const listLabels = ({ text, places }: CountedLine): string[] => [
  ...places.map(({ words }) => words).filter((words) => words.length <= MAX_LABEL),
  ...(text.match(/[\p{L}\p{N} ]{2,60}(?=:)/gu) ?? []),
];

/** Fills parts evenly, so that the last one is not just a few lines. */
function pack(
  sections: readonly Section[],
  most: number,
  maxParts: number,
): { groups: readonly (readonly Section[])[]; left: number } {
  const all = sections.reduce((sum, { tokens }) => sum + tokens, 0);
  const target = all / Math.max(1, Math.ceil(all / most));
  const groups: Section[][] = [];
  let tokens = 0;
  let left = 0;
  for (const section of sections) {
    const open = groups.at(-1);
    const isFull = tokens + section.tokens > most;
    if (open !== undefined && !isFull && tokens + section.tokens / 2 < target) {
      open.push(section);
      tokens += section.tokens;
    } else if (groups.length < maxParts) {
      groups.push([section]);
      ({ tokens } = section);
    } else if (isFull || open === undefined) left += section.lines.length;
    else {
      open.push(section);
      tokens += section.tokens;
    }
  }
  return { groups, left };
}

/**
 * Returns sections in page order. A section repeats a heading that is in another part, and rows
 * repeat the names of their columns.
 */
function joinPartText(sections: readonly Section[]): string {
  const lines: string[] = [];
  let heading: CountedLine | undefined;
  for (const section of sections.toSorted((one, other) => findPlace(one) - findPlace(other))) {
    const [first] = section.lines;
    if (
      section.heading !== undefined &&
      section.heading !== heading &&
      !section.lines.includes(section.heading)
    )
      lines.push(`${section.heading.text} (continued)`);
    heading = section.heading;
    const head = first?.headLine;
    if (head !== undefined && !lines.includes(head)) lines.push(`${head} (column names)`);
    lines.push(...section.lines.map(({ text }) => text));
  }
  return lines.join("\n");
}
