// Words and blocks of Markdown as a reader sees them, for the scorers. Gives the same answers as
// their own code, in linear time (bracket-scan.ts).
import { visitLinks, replaceLinks, removePictures, removeReferences } from "./bracket-scan.ts";

/** Named character references and their characters, as far as the scorers know them. */
export type Entities = (text: string) => string;

const TAGS =
  /<\/?(?:a|b|i|u|p|em|sup|sub|div|span|img|strong|table|tr|td|th|tbody|thead|center|figure|figcaption|details|summary|mark|kbd|iframe|video|audio|source)(?:\s[^>]*)?>/gi;
const DELIMITER_ROW = /^\s*\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*$/gm;
const RULES = /^\s*(?:=+|-{2,}|\*{3,}|_{3,}|(?:[-*_] ){2,}[-*_])\s*$/gm;
const UNDERSCORES = /(?<![\p{L}\p{N}\\])_{1,3}(?=\S)|(?<=[^\s\\])_{1,3}(?![\p{L}\p{N}])/gu;

const collapseText = (text: string): string =>
  text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ *\n */g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();

/** The words of Markdown, without targets of links, pictures and marks. */
export function readSpokenText(markdown: string, decodeEntities: Entities): string {
  let text = markdown
    .replace(/\r\n?/g, "\n")
    .replace(/^(```|~~~)[^\n]*$/gm, "")
    .replace(/^\s*\[[^\]\n]+\]:\s+\S+.*$/gm, "");
  for (let round = 0; round < 3; round++) {
    text = replaceLinks(text, "![", () => " ");
    text = replaceLinks(text, "[", (label) => label);
  }
  text = removeReferences(text)
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, "$1")
    .replace(/<br\s*\/?>/gi, "\n")
    .replace(TAGS, " ")
    .replace(DELIMITER_ROW, "")
    .replace(/^\s*\|(.*)\|\s*$/gm, (_row, cells: string) => cells.replace(/(?<!\\)\|/g, "  "))
    .replace(/^ {0,3}#{1,6}\s+(.*?)\s*#*$/gm, "$1")
    .replace(RULES, "")
    .replace(/^(\s*>)+ ?/gm, "")
    .replace(/^(\s*)(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?/gm, "$1")
    .replace(/(?<!\\)(\*\*\*|\*\*|\*|~~|``|`)/g, "")
    .replace(UNDERSCORES, "")
    .replace(/\\([\\`*_{}[\]()#+\-.!|<>~$&=:])/g, "$1");
  return collapseText(decodeEntities(text));
}

/** Lower-case words as WCXB's word F1 counts them. */
export const toScoredWords = (text: string): string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The parts of Markdown, each as its words. */
export type Parts = {
  readonly headings: string[];
  readonly levels: string[];
  readonly links: string[];
  readonly items: string[];
  readonly cells: string[];
  readonly tables: string[][];
  readonly code: string[];
};

const FENCED = /^( {0,3})(`{3,}|~{3,})([^\n]*)\n([\s\S]*?)\n\1? {0,3}\2[`~]*\s*$/gm;
const INDENTED = /(?:^|\n\n)((?: {4}|\t)[^\n]*(?:\n(?: {4}|\t)[^\n]*)*)/g;

class PartReader {
  readonly parts: Parts = {
    headings: [],
    levels: [],
    links: [],
    items: [],
    cells: [],
    tables: [],
    code: [],
  };
  readonly #decodeEntities: Entities;

  constructor(decodeEntities: Entities) {
    this.#decodeEntities = decodeEntities;
  }

  read(markdown: string): Parts {
    const body = this.#withoutCode(markdown.replace(/\r\n?/g, "\n"));
    const lines = body.split("\n");
    for (let index = 0; index < lines.length; index++) this.#line(lines, index);
    visitLinks(removePictures(body), (label, target) => {
      const text = this.#words(label);
      if (text !== "") this.parts.links.push(`${text} -> ${toAddressKey(target)}`);
    });
    return this.parts;
  }

  #words(text: string): string {
    return toScoredWords(readSpokenText(text, this.#decodeEntities)).join(" ");
  }

  #withoutCode(body: string): string {
    const { code } = this.parts;
    return body
      .replace(FENCED, (_all, _indent, _fence, _info, text: string) => {
        code.push(toScoredWords(text).join(" "));
        return "";
      })
      .replace(INDENTED, (all: string, text: string) => {
        if (/^\s*(?:[-*+]|\d+[.)])\s/.test(text.trimStart())) return all;
        code.push(toScoredWords(text).join(" "));
        return "\n";
      });
  }

  #line(lines: readonly string[], index: number): void {
    const line = lines[index] as string;
    const before = lines[index - 1] ?? "";
    const heading = /^ {0,3}(#{1,6})\s+(.+?)\s*#*\s*$/.exec(line);
    const item = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)/.exec(line);
    if (heading !== null)
      this.#heading((heading[1] as string).length, this.#words(heading[2] as string));
    else if (
      index > 0 &&
      /^ {0,3}(=+|-+)\s*$/.test(line) &&
      before.trim() !== "" &&
      !/^\s*[|>#*+-]/.test(before)
    )
      this.#heading(line.trim().startsWith("=") ? 1 : 2, this.#words(before));
    else if (item !== null) {
      const text = this.#words(item[1] as string);
      if (text !== "") this.parts.items.push(text);
    }
    if (
      index > 0 &&
      before.includes("|") &&
      line.includes("|") &&
      line.includes("-") &&
      /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line)
    )
      this.#table(lines, index);
  }

  #heading(level: number, text: string): void {
    if (text === "") return;
    this.parts.headings.push(text);
    this.parts.levels.push(`${level} ${text}`);
  }

  #table(lines: readonly string[], delimiters: number): void {
    const rows = [lines[delimiters - 1] as string];
    for (let at = delimiters + 1; at < lines.length; at++) {
      const line = lines[at] as string;
      if (!line.includes("|") || line.trim() === "") break;
      rows.push(line);
    }
    const cells = rows
      .flatMap((row) =>
        row
          .trim()
          .replace(/^\||(?<!\\)\|$/g, "")
          .split(/(?<!\\)\|/),
      )
      .map((cell) => this.#words(cell))
      .filter((cell) => cell !== "");
    this.parts.tables.push(cells);
    this.parts.cells.push(...cells);
  }
}

/** Key that two spellings of the same address share. */
function toAddressKey(written: string): string {
  let address = written.replace(/\\(.)/g, "$1");
  try {
    address = decodeURI(address);
  } catch {
    // Unparsable addresses stay unchanged.
  }
  return address
    .replace(/^https?:\/\/[^/]*/i, "")
    .replace(/[#?].*$/, "")
    .replace(/\/$/, "")
    .toLowerCase();
}

/** Headings, links, list items, tables and listings of Markdown. */
export function listParts(markdown: string, decodeEntities: Entities): Parts {
  return new PartReader(decodeEntities).read(markdown);
}
