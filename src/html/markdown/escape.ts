// Adds backslashes exactly where Markdown would misread the text. CommonMark 0.31, §2.4 and §6.

const PUNCTUATION = /[\p{P}\p{S}]/u;
const SPACE = /\s/;
const SLASH = 47;
const DOT = 46;
const ENTITY = /^&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,31});/;

/** Classifies a character for emphasis. "" (start and end of a line) counts as a space. */
export function classifyCharacter(character: string): "space" | "punctuation" | "letter" {
  if (character === "" || SPACE.test(character)) return "space";
  const code = character.charCodeAt(0);
  if (code < 128)
    return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
      ? "letter"
      : "punctuation";
  return PUNCTUATION.test(character) ? "punctuation" : "letter";
}

export type Flanks = { readonly opens: boolean; readonly closes: boolean };

/**
 * Returns whether a run of `*`, `_` or `~` between these characters can open or close emphasis
 * (CommonMark §6.2).
 */
export function computeFlanks(delimiter: string, before: string, after: string): Flanks {
  const left = classifyCharacter(before);
  const right = classifyCharacter(after);
  const leftFlanking = right !== "space" && (right !== "punctuation" || left !== "letter");
  const rightFlanking = left !== "space" && (left !== "punctuation" || right !== "letter");
  if (delimiter !== "_") return { opens: leftFlanking, closes: rightFlanking };
  return {
    opens: leftFlanking && (!rightFlanking || left === "punctuation"),
    closes: rightFlanking && (!leftFlanking || right === "punctuation"),
  };
}

/**
 * Same for delimiters in text. Some renderers go beyond the specification next to another
 * delimiter, so both count as possible there.
 */
export function mayPair(delimiter: string, before: string, after: string): Flanks {
  const { opens, closes } = computeFlanks(delimiter, before, after);
  return { opens: opens || isDelimiter(after), closes: closes || isDelimiter(before) };
}

const isDelimiter = (character: string): boolean =>
  character === "*" || character === "_" || character === "~";

/** Characters that may need a backslash inside a line. */
export const INLINE_SPECIAL = /[\\`*_~<&[\]!]/;

/** Everything but line ends and harmless printable ASCII; also two spaces. */
const SPECIAL_CHARACTER = /[^\n "-%'-)+-;=-Z^a-}]|[ \n][ \n]/;

/**
 * True if the text can be written within a line unchanged, with line ends as spaces. One test saves
 * most texts four.
 */
export const isPlain = (text: string): boolean => !SPECIAL_CHARACTER.test(text);

export type EscapeContext = {
  /** Delimiters of this line that could pair up if not escaped. */
  readonly pairing: ReadonlySet<string>;
  readonly inLink: boolean;
  /** The characters written before and after this text. */
  readonly before: string;
  readonly after: string;
};

const SPECIALS = new RegExp(INLINE_SPECIAL, "g");

/** Returns the index of the next special character at or after `from`, or -1. */
function findNextSpecial(text: string, from: number): number {
  SPECIALS.lastIndex = from;
  return SPECIALS.test(text) ? SPECIALS.lastIndex - 1 : -1;
}

/** Returns the text with backslashes where this line needs them. */
export function escapeInline(text: string, context: EscapeContext): string {
  const brackets = context.inLink && (text.includes("](") || !isBalanced(text));
  const parts: string[] = [];
  let address: BareAddress | undefined;
  let from = 0;
  for (
    let index = findNextSpecial(text, 0);
    index !== -1;
    index = findNextSpecial(text, index + 1)
  ) {
    const character = text[index] as string;
    const next = text[index + 1] ?? context.after;
    let escape = false;
    switch (character) {
      case "\\":
        escape =
          next === "\n" ||
          (next !== "" && next < "\u007f" && classifyCharacter(next) === "punctuation");
        break;
      case "<":
        escape = /[a-zA-Z/!?]/.test(next);
        break;
      case "&":
        escape = ENTITY.test(text.slice(index, index + 40));
        break;
      case "]":
        escape = brackets || next === "(";
        break;
      case "[":
        escape = brackets;
        break;
      case "!":
        escape = next === "[";
        break;
      case "`":
        escape = context.pairing.has("`");
        break;
      default: {
        if (!context.pairing.has(character)) break;
        let end = index;
        while (text[end + 1] === character) end++;
        const before = text[index - 1] ?? context.before;
        const { opens, closes } = mayPair(character, before, text[end + 1] ?? context.after);
        if (opens || closes) {
          parts.push(text.slice(from, index), `\\${character}`.repeat(end - index + 1));
          from = end + 1;
        }
        index = end;
        continue;
      }
    }
    if (escape) {
      const isSwallowed =
        character === "<" && (address ??= new BareAddress(text, context.before)).reaches(index);
      parts.push(text.slice(from, index), isSwallowed ? "&lt;" : `\\${character}`);
      from = index + 1;
    }
  }
  if (from === 0) return text;
  parts.push(text.slice(from));
  return parts.join("");
}

/**
 * Tracks whether a bare address may reach a position: it would swallow a backslash, so an escaped
 * tag would become a tag (GFM, extended autolinks). Positions must be queried from left to right.
 */
class BareAddress {
  readonly #text: string;
  #read = 0;
  #isOpen: boolean;

  constructor(text: string, before: string) {
    this.#text = text;
    this.#isOpen = before !== "" && !SPACE.test(before);
  }

  reaches(index: number): boolean {
    const text = this.#text;
    for (; this.#read < index; this.#read++) {
      const at = this.#read;
      const code = text.charCodeAt(at);
      if (code <= 32 || (code > 127 && SPACE.test(text.charAt(at)))) this.#isOpen = false;
      else if (code === SLASH) this.#isOpen ||= text.endsWith("://", at + 1);
      else if (code === DOT) this.#isOpen ||= /^www$/i.test(text.slice(Math.max(0, at - 3), at));
    }
    return this.#isOpen;
  }
}

function isBalanced(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "[") open++;
    else if (character === "]" && --open < 0) return false;
  }
  return open === 0;
}

const RULE = /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;
const UNDERLINE = /^(?:=+|-+|\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?)[ \t]*$/;
const FENCE = /^(?:`{3,}[^`]*|~{3,}.*)$/;
const MARKER = /^(?:#{1,6}|[-+*])(?=[ \t]|$)/;
const NUMBER = /^(\d{1,9})([.)])(?=[ \t]|$)/;
const DEFINITION = /^\[[^\]]+\]:/;
const BLOCK_MARKER = /^[#\-+*\d>=`~[_|:•●▪◦‣]/;
/** Lists typed as plain text are meant as lists. A number of four digits is more likely a year. */
const TYPED_NUMBER = /^(\d{1,3}[.)] +)(\S.*)/s;
const TYPED_BULLET = /^[•●▪◦‣] *(?=\S)/;

const TYPED_DASH = /^(- +)([^\s-].*)/s;

/** Escapes the lines of a paragraph. Several lines that start with a dash are a typed list. */
export function escapeLines(lines: readonly string[]): string[] {
  const isList = lines.filter((line) => TYPED_DASH.test(line)).length > 1;
  return lines.map((line, index) => {
    const typed = isList ? TYPED_DASH.exec(line) : null;
    return typed === null
      ? escapeLineStart(line, index > 0)
      : `${typed[1]}${escapeLineStart(typed[2] ?? "", false)}`;
  });
}

/**
 * Escapes block syntax at the start of a paragraph's lines. `continued`: the line follows another.
 * Typed list items become list items.
 */
export function escapeLineStart(line: string, continued: boolean): string {
  if (!BLOCK_MARKER.test(line)) return line;
  if (line.startsWith(">")) return `\\${line}`;
  const typed = TYPED_NUMBER.exec(line);
  if (typed !== null) return `${typed[1]}${escapeLineStart(typed[2] ?? "", false)}`;
  if (TYPED_BULLET.test(line)) return line.replace(TYPED_BULLET, "- ");
  const number = NUMBER.exec(line);
  if (number !== null) return `${number[1]}\\${line.slice(number[1]?.length ?? 0)}`;
  if (
    MARKER.test(line) ||
    RULE.test(line) ||
    FENCE.test(line) ||
    DEFINITION.test(line) ||
    (continued && UNDERLINE.test(line))
  )
    return `\\${line}`;
  return line;
}
