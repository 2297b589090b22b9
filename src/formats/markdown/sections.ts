// Splits a page's Markdown by headings.
import { RequestError } from "../../errors.ts";
import { trimEndMatching } from "../../runtime/trim-end-matching.ts";
import { trackFence } from "./strip-links.ts";
import { toPlainText } from "./to-plain-text.ts";
import { countTokens } from "../../ranking/model-tokens.ts";

export type Section = {
  /** From 1 in page order; 0 is the text before the first heading. */
  readonly number: number;
  /** Level of the heading, 1 to 6; 0 before the first. */
  readonly level: number;
  readonly heading: string;
  /** Headings above it, outermost first. */
  readonly path: readonly string[];
  /** Start in the Markdown, including its heading. */
  readonly start: number;
  /** Start of the next section. */
  readonly end: number;
  /** Start of the next section that is not a subsection. */
  readonly wholeEnd: number;
  /** Tokens of the section with its subsections. */
  readonly tokens: number;
};

const HEADING = /^(#{1,6})[ \t]+(.*)$/;

type HeadingPosition = { readonly level: number; readonly heading: string; readonly start: number };

function findHeadings(markdown: string): HeadingPosition[] {
  const found: HeadingPosition[] = [];
  let fence: string | undefined;
  let start = 0;
  for (const line of markdown.split("\n")) {
    const before = fence;
    fence = trackFence(line, before);
    if (before === undefined && fence === undefined) {
      const [, marks, text = ""] = HEADING.exec(line) ?? [];
      const heading = toPlainText(stripClosing(text.trim())).trim();
      if (marks !== undefined && heading !== "")
        found.push({ level: marks.length, heading, start });
    }
    start += line.length + 1;
  }
  return found;
}

/**
 * A heading may end in number signs after a space: "## Boats ##", but not "## C#" (CommonMark 4.2).
 */
function stripClosing(heading: string): string {
  const rest = trimEndMatching(heading, /#/);
  return rest === "" || /[ \t]$/.test(rest.slice(-1)) ? rest.trimEnd() : heading;
}

/** Returns the sections of a page in order. */
export function splitSections(markdown: string): Section[] {
  const headings = findHeadings(markdown);
  const before = headings[0]?.start ?? markdown.length;
  const all: HeadingPosition[] =
    markdown.slice(0, before).trim() === ""
      ? headings
      : [{ level: 0, heading: "(before the first heading)", start: 0 }, ...headings];
  const hasBefore = all.length > headings.length;
  const ends = all.map((_, index) => all[index + 1]?.start ?? markdown.length);
  const own = all.map(({ start }, index) => countTokens(markdown.slice(start, ends[index])));
  const open: HeadingPosition[] = [];
  return all.map((found, index) => {
    while ((open.at(-1)?.level ?? 0) >= found.level && open.length > 0) open.pop();
    const path = open.map(({ heading }) => heading);
    if (found.level > 0) open.push(found);
    let last = index;
    while (found.level > 0 && (all[last + 1]?.level ?? 0) > found.level) last += 1;
    return {
      ...found,
      number: hasBefore ? index : index + 1,
      path,
      end: ends[index] ?? markdown.length,
      wholeEnd: ends[last] ?? markdown.length,
      tokens: own.slice(index, last + 1).reduce((sum, tokens) => sum + tokens, 0),
    };
  });
}

/** Finds a section by number, or by the words of its heading. Throws NOT_FOUND. */
export function requireSection(sections: readonly Section[], wanted: string): Section {
  const found = findSection(sections, wanted);
  if (found !== undefined) return found;
  throw new RequestError(
    "NOT_FOUND",
    `The page has no section "${wanted}". ${describeNumbers(sections)}; read it without section for the outline.`,
  );
}

function describeNumbers(sections: readonly Section[]): string {
  const [first, last] = [sections[0]?.number, sections.at(-1)?.number];
  if (first === undefined || last === undefined) return "It has no text";
  return first === last ? `Its only section is ${first}` : `Its sections are ${first} to ${last}`;
}

function findSection(sections: readonly Section[], wanted: string): Section | undefined {
  if (/^\d+$/.test(wanted)) return sections.find(({ number }) => number === Number(wanted));
  const words = wanted.trim().toLowerCase();
  return (
    sections.find(({ heading }) => heading.toLowerCase() === words) ??
    sections.find(({ heading }) => heading.toLowerCase().includes(words))
  );
}

/** One line per section; drops deeper levels if all would exceed the token budget. */
export function writeOutline(
  sections: readonly Section[],
  budget: number,
): { readonly lines: string[]; readonly left: number } {
  for (let deepest = 6; deepest >= 1; deepest--) {
    const shown = sections.filter(({ level }) => level <= deepest);
    const lines = shown.map(describeSection);
    if (countTokens(lines.join("\n")) <= budget)
      return { lines, left: sections.length - shown.length };
  }
  const lines: string[] = [];
  let used = 0;
  for (const section of sections.filter(({ level }) => level <= 1)) {
    const line = describeSection(section);
    used += countTokens(line) + 1;
    if (used > budget) break;
    lines.push(line);
  }
  return { lines, left: sections.length - lines.length };
}

const MAX_HEADING = 160;

const describeSection = ({ number, level, heading, tokens }: Section): string =>
  `${"  ".repeat(Math.max(0, level - 1))}${number}. ${heading.slice(0, MAX_HEADING)} (${tokens} tokens)`;
