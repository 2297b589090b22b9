// What the name of a tag means to the builder of the tree: elements without content, elements that end others, drawings and
// formulas, where names are read otherwise. As htmlparser2's `Parser` has it.
import { Element } from "domhandler";
import { groupsOf, isMountName, NOTED } from "./page-notes.ts";
import { anyTagNumber, TAG_NAMES, tagSet } from "./tag-numbers.ts";

/** How names are read: as HTML, in a drawing, in a formula. */
export const HTML_CONTEXT = 0;
const DRAWING = 1;
const FORMULA = 2;

export type TagRules = {
  /** One string for all elements of the name: comparing it with one in the source compares addresses, not letters. */
  readonly name: string;
  /** Its number (`tag-numbers.ts`). */
  readonly number: number;
  readonly type: Element["type"];
  /** It has no content and no end tag. */
  readonly isVoid: boolean;
  /** Open elements that it ends: 1 at their numbers. */
  readonly closes: Uint8Array | undefined;
  /** How names are read inside it, where that changes. */
  readonly context: number | undefined;
  /** Why it is noted, as bits (`NOTED`). */
  readonly groups: number;
  /** An application mounts into elements of this name. */
  readonly isMount: boolean;
};

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const VOID = toSet(
  "area base basefont br col command embed frame hr img input isindex keygen link meta param source track wbr",
);

const CLOSED_BY: readonly (readonly [names: string, closed: string])[] = [
  ["tr", "tr th td"],
  ["th", "th"],
  ["td", "thead th td"],
  ["body", "head link script"],
  ["a", "a"],
  ["li", "li"],
  ["h1 h2 h3 h4 h5 h6", "h1 h2 h3 h4 h5 h6 p"],
  [
    "select input output button datalist textarea",
    "input option optgroup select button datalist textarea",
  ],
  ["option", "option"],
  ["optgroup", "optgroup option"],
  ["dd dt", "dd dt"],
  ["rt rp", "rt rp"],
  ["tbody tfoot", "thead tbody"],
  [
    "p address article aside blockquote details div dl fieldset figcaption figure footer form header hr main nav ol pre section " +
      "table ul",
    "p",
  ],
];
const CLOSES = new Map(
  CLOSED_BY.flatMap(([names, closed]) => {
    const set = tagSet(closed);
    return names.split(" ").map((name): [string, Uint8Array] => [name, set]);
  }),
);

/** Elements in which names are read otherwise; the last ones hold HTML inside a drawing or formula. */
const CONTEXTS = new Map([
  ["svg", DRAWING],
  ["math", FORMULA],
  ...["mi", "mo", "mn", "ms", "mtext", "annotation-xml", "foreignObject", "desc", "title"].map(
    (name): [string, number] => [name, HTML_CONTEXT],
  ),
]);

/** Names in drawings with their capitals, by the name without. */
const DRAWING_NAMES = new Map(
  (
    "altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix " +
    "feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood " +
    "feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset fePointLight " +
    "feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient radialGradient textPath"
  )
    .split(" ")
    .map((name) => [name.toLowerCase(), name]),
);

function newRules(name: string): TagRules {
  return {
    name,
    number: anyTagNumber(name),
    type: new Element(name, {}).type,
    isVoid: VOID.has(name),
    closes: CLOSES.get(name),
    context: CONTEXTS.get(name),
    groups: groupsOf(name) & ~NOTED.mount,
    isMount: isMountName(name),
  };
}

const KNOWN = new Map(
  // A string that was once the name of a property is kept only once by the engine, like those written in the source.
  Object.keys(
    Object.fromEntries(
      [...TAG_NAMES, ...VOID, ...CLOSES.keys(), ...CONTEXTS.keys()].map((name) => [name, 0]),
    ),
  ).map((name) => [name, newRules(name)]),
);

/** In HTML no name has capitals. */
const KNOWN_IN_HTML = new Map([...KNOWN].filter(([name]) => name === name.toLowerCase()));

const rulesOf = (name: string): TagRules => KNOWN.get(name) ?? newRules(name);

/** The rules of a tag as its name is written in HTML. */
export function tagRules(written: string): TagRules {
  const known = KNOWN_IN_HTML.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase();
  return rulesOf(name === "image" ? "img" : name);
}

/** The rules of a tag inside a drawing or formula, or in HTML inside one; `open` from `bottom` on is what is open around. */
export function tagInDrawing(
  written: string,
  context: number,
  open: readonly TagRules[],
  bottom: number,
): TagRules {
  const name = written.toLowerCase();
  const drawn = DRAWING_NAMES.get(name);
  if (context === DRAWING) return rulesOf(drawn ?? name);
  // The end of an element of the drawing around.
  if (drawn !== undefined)
    for (let at = open.length - 1; at >= bottom; at--)
      if (open[at]?.name === drawn) return rulesOf(drawn);
  return rulesOf(context === HTML_CONTEXT && name === "image" ? "img" : name);
}
