// What the name of a tag means to tree construction. WHATWG HTML, §13.2.
import { Element } from "domhandler";
import { groupsOf, isMountName, NOTED } from "../evidence/page-notes.ts";
import { anyTagNumber, TAG_NAMES } from "./tag-numbers.ts";

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
  /** How tree construction treats it, as bits (`RULE`). */
  readonly rules: number;
  /** How names are read inside it, where that changes. */
  readonly context: number | undefined;
  /** Why it is noted, as bits (`NOTED`). */
  readonly groups: number;
  /** An application mounts into elements of this name. */
  readonly isMount: boolean;
};

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const VOID = toSet(
  "area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr",
);

/** How tree construction treats an element, as bits. WHATWG HTML, §13.2.4 and §13.2.6. */
export const RULE = {
  special: 1,
  /** Ends the search for an element in scope. */
  scope: 2,
  formatting: 4,
  /** Its start tag ends an open paragraph. */
  closesP: 8,
  /** Stays in the head when written there. */
  headContent: 16,
  /** Ends by itself when an element around it ends. */
  impliedEnd: 32,
  heading: 64,
  /** Cannot hold text itself: what is written in it goes before the table. */
  tableContext: 128,
  /** Keeps the formatting elements opened in it to itself. */
  marker: 256,
  /** Its start tag ends a drawing or formula. */
  leavesForeign: 512,
  /** Part of a table; its start tag ends other parts. */
  tablePart: 1024,
  /** Its end tag ends the innermost one of that name in scope, whatever else is open in it. */
  scopedEnd: 2048,
  /** Formatting elements are not opened again for it. */
  plain: 4096,
  /** Its start tag needs rules of its own. */
  ownRules: 8192,
  /** Its content never changes what is open outside. */
  isolated: 16384,
} as const;

const CLOSE_P =
  "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer header hgroup main menu nav " +
  "ol p search section summary ul h1 h2 h3 h4 h5 h6 pre listing plaintext hr xmp";
const RULES: readonly (readonly [rule: number, names: string])[] = [
  [
    RULE.special,
    "address applet area article aside base basefont bgsound blockquote body br button caption center col colgroup dd details dir " +
      "div dl dt embed fieldset figcaption figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe " +
      "img input keygen li link listing main marquee menu meta nav noembed noframes noscript object ol p param plaintext pre script " +
      "search section select source style summary table tbody td template textarea tfoot th thead title tr track ul wbr xmp",
  ],
  [RULE.scope, "applet caption html table td th marquee object select template noscript"],
  [RULE.formatting, "a b big code em font i nobr s small strike strong tt u"],
  [RULE.closesP, `${CLOSE_P} form`],
  [
    RULE.headContent,
    "base basefont bgsound link meta title noscript noframes style script template",
  ],
  [RULE.impliedEnd, "dd dt li optgroup option p rb rp rt rtc"],
  [RULE.heading, "h1 h2 h3 h4 h5 h6"],
  [RULE.tableContext, "table tbody thead tfoot tr"],
  [RULE.marker, "applet marquee object td th caption template noscript"],
  [
    RULE.leavesForeign,
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ol p pre " +
      "ruby s small span strong strike sub sup table tt u ul var",
  ],
  [RULE.tablePart, "caption colgroup col tbody thead tfoot tr td th"],
  [
    RULE.scopedEnd,
    "address applet article aside blockquote button center details dialog dir div dl fieldset figcaption figure footer header hgroup " +
      "listing main marquee menu nav object ol pre search section select summary ul dd dt li",
  ],
  [
    RULE.plain,
    `${CLOSE_P} li dd dt form table caption colgroup col tbody thead tfoot tr td th base basefont bgsound link meta title noscript ` +
      "noframes style script template frameset frame iframe noembed textarea param source track rb rtc rp rt head body html",
  ],
  [
    RULE.ownRules,
    "html head body li dd dt form button a nobr table caption colgroup col tbody thead tfoot tr td th option optgroup select input rb " +
      "rtc rp rt h1 h2 h3 h4 h5 h6",
  ],
  [RULE.isolated, "template noscript"],
];
const RULES_BY_NAME = new Map<string, number>();
for (const [rule, names] of RULES)
  for (const name of names.split(" "))
    RULES_BY_NAME.set(name, (RULES_BY_NAME.get(name) ?? 0) | rule);

/** Elements in which names are read otherwise. */
const CONTEXTS = new Map([
  ["svg", DRAWING],
  ["math", FORMULA],
]);
/** Elements that hold HTML inside a drawing or formula. */
const HTML_IN_DRAWING = toSet("foreignObject desc title");
const HTML_IN_FORMULA = toSet("mi mo mn ms mtext annotation-xml");

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
    rules: RULES_BY_NAME.get(name) ?? 0,
    context: CONTEXTS.get(name),
    groups: groupsOf(name) & ~NOTED.mount,
    isMount: isMountName(name),
  };
}

const KNOWN = new Map(
  // A string that was once the name of a property is kept only once by the engine, like those written in the source.
  Object.keys(
    Object.fromEntries(
      [
        ...TAG_NAMES,
        ...VOID,
        ...RULES_BY_NAME.keys(),
        ...CONTEXTS.keys(),
        ...HTML_IN_DRAWING,
        ...HTML_IN_FORMULA,
      ].map((name) => [name, 0]),
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

const IN_DRAWING = new Map<string, TagRules>();
const IN_FORMULA = new Map<string, TagRules>();

/** The rules of an element of a drawing or formula: those of the HTML element of its name do not hold. */
function foreignRules(name: string, around: number): TagRules {
  const table = around === DRAWING ? IN_DRAWING : IN_FORMULA;
  const known = table.get(name);
  if (known !== undefined) return known;
  const rules = rulesOf(name);
  const holdsHtml = (around === DRAWING ? HTML_IN_DRAWING : HTML_IN_FORMULA).has(name);
  const foreign = {
    ...rules,
    isVoid: false,
    context: holdsHtml ? HTML_CONTEXT : rules.context,
    rules: (rules.rules & RULE.leavesForeign) | (holdsHtml ? RULE.special | RULE.scope : 0),
  };
  if (KNOWN.has(name)) table.set(name, foreign);
  return foreign;
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
  if (context !== HTML_CONTEXT)
    return foreignRules(context === DRAWING ? (drawn ?? name) : name, context);
  // The end of an element of the drawing around.
  if (drawn !== undefined)
    for (let at = open.length - 1; at >= bottom; at--)
      if (open[at]?.name === drawn) return rulesOf(drawn);
  return rulesOf(context === HTML_CONTEXT && name === "image" ? "img" : name);
}
