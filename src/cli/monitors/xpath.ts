// CSS for the XPath expressions of other tools' lists: paths copied from a browser, tests of
// attributes and positions. Positions in a set, attributes and text nodes have no CSS: the elements
// around them are selected then, and the caller is told.
export type SelectedElements = {
  readonly css: string;
  /** The elements are more than the expression selects. */
  readonly isWider: boolean;
};

type Reader = { readonly text: string; at: number; isWider: boolean };

const NAME = /[a-z][\w-]*|\*/iy;
const POSITION = /\[\s*(?:(\d+)|(last\(\)))\s*\]/y;
/** A position among all matches, such as `[1]` or `[position() <= 3]`. */
const SET_POSITION = /\[\s*(?:\d+|last\(\)|position\(\)[^\]"']*)\s*\]/y;
const TEST =
  /\s*(?:@([a-z][\w-]*)\s*=\s*("[^"\\]*"|'[^'"\\]*')|@([a-z][\w-]*)|(contains|starts-with)\(\s*(?:@([a-z][\w-]*)|(\.|text\(\)))\s*,\s*("[^"\\]*"|'[^'"\\]*')\s*\))\s*/iy;
const END = /(?:\/@[\w:-]+|\/{1,2}text\(\)|\/node\(\)|\/)$/;
const MAX_LENGTH = 2_000;

function take(reader: Reader, pattern: RegExp): RegExpExecArray | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text);
  if (found === null) return undefined;
  reader.at = pattern.lastIndex;
  return found;
}

const quote = (text: string): string => `"${text.slice(1, -1)}"`;

/** The tests between brackets; undefined for one without CSS. */
function readTests(reader: Reader): string | undefined {
  let css = "";
  do {
    const found = take(reader, TEST);
    if (found === undefined) return undefined;
    const [, equal, value = "", present, call, attribute, content, part = ""] = found;
    if (equal !== undefined) css += `[${equal}=${quote(value)}]`;
    else if (present !== undefined) css += `[${present}]`;
    else if (attribute !== undefined)
      css += `[${attribute}${call === "contains" ? "*" : "^"}=${quote(part)}]`;
    else if (content === "." && call === "contains") css += `:contains(${quote(part)})`;
    else return undefined;
  } while (take(reader, /and\b/y) !== undefined);
  return take(reader, /\]/y) === undefined ? undefined : css;
}

function readPredicates(reader: Reader, name: string): string | undefined {
  let css = "";
  for (let isFirst = true; reader.text[reader.at] === "["; isFirst = false) {
    const position = take(reader, POSITION);
    if (position !== undefined) {
      const [, number, last] = position;
      const kind = name === "*" ? "child" : "of-type";
      // After other tests, XPath counts the elements that passed them.
      if (!isFirst) reader.isWider = true;
      else css += last === undefined ? `:nth-${kind}(${number})` : `:nth-last-${kind}(1)`;
      continue;
    }
    if (take(reader, SET_POSITION) !== undefined) {
      reader.isWider = true;
      continue;
    }
    reader.at += 1;
    const tests = readTests(reader);
    if (tests === undefined) return undefined;
    css += tests;
  }
  return css;
}

/** Reads steps up to the end or a closing parenthesis. */
function readSteps(reader: Reader, before: string | undefined): string | undefined {
  let css = before ?? "";
  let parent = "";
  for (;;) {
    const slashes = take(reader, /\/{1,2}/y)?.[0];
    if (slashes === undefined) return css === "" || css === before ? undefined : css;
    take(reader, slashes === "//" ? /descendant::|child::/y : /child::/y);
    const name = take(reader, NAME)?.[0].toLowerCase();
    if (name === undefined) return undefined;
    // A path from the root starts with its element.
    if (css === "" && slashes === "/" && name !== "html") return undefined;
    const predicates = readPredicates(reader, name);
    if (predicates === undefined) return undefined;
    // The parser of HTML puts rows without a tbody into one.
    const join =
      slashes === "//" ? " " : parent === "table" && name === "tr" ? " > tbody > " : " > ";
    css += `${css === "" ? "" : join}${name}${predicates}`;
    parent = name;
    if (reader.at === reader.text.length || reader.text[reader.at] === ")") return css;
  }
}

function readGroup(reader: Reader): string | undefined {
  if (take(reader, /\(/y) === undefined) return readSteps(reader, undefined);
  const css = readGroup(reader);
  if (css === undefined || take(reader, /\)/y) === undefined) return undefined;
  while (reader.text[reader.at] === "[") {
    if (take(reader, SET_POSITION) === undefined) return undefined;
    reader.isWider = true;
  }
  return reader.text[reader.at] === "/" ? readSteps(reader, css) : css;
}

/** Splits at the `|` outside of quotes and brackets. */
function splitUnion(text: string): string[] {
  const parts = [""];
  let mark = "";
  let depth = 0;
  for (const one of text) {
    if (mark !== "") mark = one === mark ? "" : mark;
    else if (one === '"' || one === "'") mark = one;
    else if ("([".includes(one)) depth += 1;
    else if (")]".includes(one)) depth -= 1;
    if (one === "|" && mark === "" && depth === 0) parts.push("");
    else parts.push(`${parts.pop() ?? ""}${one}`);
  }
  return parts.map((part) => part.trim());
}

/** Undefined for an expression whose elements CSS cannot name. */
export function parseXPath(expression: string): SelectedElements | undefined {
  if (expression.length > MAX_LENGTH) return undefined;
  const selectors: string[] = [];
  let isWider = false;
  for (const part of splitUnion(expression.trim())) {
    const text = part.replace(/^\./, "").replace(END, "");
    const reader: Reader = { text, at: 0, isWider: text.length < part.replace(/^\./, "").length };
    const css = readGroup(reader);
    if (css === undefined || reader.at < text.length) return undefined;
    selectors.push(css);
    isWider ||= reader.isWider;
  }
  return { css: selectors.join(", "), isWider };
}
