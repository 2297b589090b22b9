// Meanings of HTML elements for the Markdown writer.
import type { Element } from "domhandler";
import { mayHaveUncommon, getElementTagNumber } from "../parse/nodes.ts";
import { getTagNumber, TAG_NAMES } from "../parse/tag-numbers.ts";

/**
 * Elements that start and end a block of text. Custom elements (with a dash in the name) count as
 * blocks too.
 */
const BLOCKS: ReadonlySet<string> = new Set(
  (
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption figure " +
    "footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol optgroup p pre section " +
    "search summary table tbody td tfoot th thead tr ul"
  ).split(" "),
);

/** Custom elements that are inline. */
const INLINE_CUSTOM: ReadonlySet<string> = new Set(
  "relative-time time-ago local-time time-until g-emoji tool-tip clipboard-copy mjx-container math-renderer".split(
    " ",
  ),
);

/** Elements whose content is not visible text. */
const HIDDEN_TAGS: ReadonlySet<string> = new Set(
  (
    "script style head title meta link base template noscript noframes select option datalist textarea canvas map " +
    "area svg col colgroup param source track progress meter dialog-backdrop rp"
  ).split(" "),
);

/** Elements that become a mark around their text. */
const MARKS = {
  b: "strong",
  strong: "strong",
  em: "em",
  i: "em",
  dfn: "em",
  var: "em",
  cite: "em",
  del: "del",
  s: "del",
  strike: "del",
  sub: "sub",
  sup: "sup",
  kbd: "kbd",
  mark: "mark",
  ins: "ins",
} as const;

/** Elements whose text is written as inline code. */
const CODES: ReadonlySet<string> = new Set(["code", "tt", "samp"]);

/** Meaning of an element name. */
export type ElementMeaning = {
  /** Its content is not shown as text. */
  readonly isSilent: boolean;
  /** It starts a new line. */
  readonly isBlock: boolean;
  readonly isCode: boolean;
  readonly mark: (typeof MARKS)[keyof typeof MARKS] | undefined;
  /** Heading level, or 0. */
  readonly level: number;
};

function createMeaning(name: string): ElementMeaning {
  return {
    isSilent: HIDDEN_TAGS.has(name),
    isBlock: BLOCKS.has(name) || (name.includes("-") && !INLINE_CUSTOM.has(name)),
    isCode: CODES.has(name),
    mark: Object.hasOwn(MARKS, name) ? MARKS[name as keyof typeof MARKS] : undefined,
    level: parseHeadingLevel(name),
  };
}

/** By tag number. */
const MEANINGS: readonly ElementMeaning[] = ["", ...TAG_NAMES].map(createMeaning);

/** Returns the meaning of an element name. One lookup replaces one per list above. */
export function getMeaning(element: Element, name: string): ElementMeaning {
  const number = name === element.name ? getElementTagNumber(element) : getTagNumber(name);
  return number === 0 ? createMeaning(name) : (MEANINGS[number] as ElementMeaning);
}

const TABLE_ROLES: Readonly<Record<string, string>> = {
  table: "table",
  row: "tr",
  columnheader: "th",
  rowheader: "th",
  cell: "td",
};

/**
 * Returns the name of an element, or the name that its role implies for tables of plain elements
 * (WAI-ARIA §5.3.4).
 */
export function resolveName(element: Element): string {
  const { name } = element;
  if ((name !== "div" && name !== "span") || !mayHaveUncommon(element)) return name;
  const role = element.attribs["role"];
  return role === undefined ? name : (TABLE_ROLES[role] ?? name);
}

/** Returns the level of a heading element, or 0. */
function parseHeadingLevel(name: string): number {
  if (name.length !== 2 || name[0] !== "h") return 0;
  const level = name.charCodeAt(1) - 48;
  return level >= 1 && level <= 6 ? level : 0;
}
