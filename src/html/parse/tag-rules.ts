// Meaning of a tag name for tree construction. WHATWG HTML, §13.2.
import { Element } from "domhandler";
import { getGroupBits, isMountName, NOTED } from "../evidence/element-index.ts";
import { getTagNumber, TAG_NAMES } from "./tag-numbers.ts";

/** Name context: HTML, SVG or MathML. */
export const HTML_CONTEXT = 0;
const SVG_CONTEXT = 1;
const MATHML_CONTEXT = 2;

export type TagRules = {
  /** One interned string per name, so that comparisons compare pointers. */
  readonly name: string;
  /** Its number (`tag-numbers.ts`). */
  readonly number: number;
  readonly type: Element["type"];
  /** It has no content and no end tag. */
  readonly isVoid: boolean;
  /** Tree construction rules, as bits (`RULE`). */
  readonly rules: number;
  /** Name context inside it, if that changes. */
  readonly context: number | undefined;
  /** Its groups in the element index, as bits (`NOTED`). */
  readonly groups: number;
  /** True for mount points of an application. */
  readonly isMount: boolean;
};

const toSet = (names: string): ReadonlySet<string> => new Set(names.split(" "));

const VOID = toSet(
  "area base basefont bgsound br col command embed frame hr img input isindex keygen link meta param source track wbr",
);

/** Tree construction rules of an element, as bits. WHATWG HTML, §13.2.4 and §13.2.6. */
export const RULE = {
  special: 1,
  /** Ends the search for an element in scope. */
  scope: 2,
  formatting: 4,
  /** Its start tag ends an open paragraph. */
  closesP: 8,
  /** Stays in the head if written there. */
  headContent: 16,
  /** Ends implicitly when an ancestor ends. */
  impliedEnd: 32,
  heading: 64,
  /** Cannot contain text itself; text inside it goes before the table. */
  tableContext: 128,
  /** Scopes the formatting elements opened in it. */
  marker: 256,
  /** Its start tag ends SVG or MathML. */
  leavesForeign: 512,
  /** Part of a table; its start tag ends other parts. */
  tablePart: 1024,
  /**
   * Its end tag ends the innermost element of that name in scope, regardless of other open
   * elements.
   */
  scopedEnd: 2048,
  /** Formatting elements are not reopened for it. */
  plain: 4096,
  /** Its start tag has its own rule. */
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

/** Elements inside which names are read differently. */
const CONTEXTS = new Map([
  ["svg", SVG_CONTEXT],
  ["math", MATHML_CONTEXT],
]);
/** Elements that contain HTML inside SVG or MathML. */
const HTML_IN_DRAWING = toSet("foreignObject desc title");
const HTML_IN_FORMULA = toSet("mi mo mn ms mtext annotation-xml");

/** Case-sensitive SVG names by lower-case name. */
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

function createRules(name: string): TagRules {
  return {
    name,
    number: getTagNumber(name),
    type: new Element(name, {}).type,
    isVoid: VOID.has(name),
    rules: RULES_BY_NAME.get(name) ?? 0,
    context: CONTEXTS.get(name),
    groups: getGroupBits(name) & ~NOTED.mount,
    isMount: isMountName(name),
  };
}

const KNOWN = new Map(
  // Object keys are interned by the engine, like string literals.
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
  ).map((name) => [name, createRules(name)]),
);

/** HTML names are lower-case. */
const KNOWN_IN_HTML = new Map([...KNOWN].filter(([name]) => name === name.toLowerCase()));

const getRules = (name: string): TagRules => KNOWN.get(name) ?? createRules(name);

/** Returns the rules of a tag name as written in HTML. */
export function tagRules(written: string): TagRules {
  const known = KNOWN_IN_HTML.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase();
  return getRules(name === "image" ? "img" : name);
}

const IN_DRAWING = new Map<string, TagRules>();
const IN_FORMULA = new Map<string, TagRules>();

/** Returns the rules of an SVG or MathML element; the HTML rules of its name do not apply. */
function createForeignRules(name: string, around: number): TagRules {
  const table = around === SVG_CONTEXT ? IN_DRAWING : IN_FORMULA;
  const known = table.get(name);
  if (known !== undefined) return known;
  const rules = getRules(name);
  const holdsHtml = (around === SVG_CONTEXT ? HTML_IN_DRAWING : HTML_IN_FORMULA).has(name);
  const foreign = {
    ...rules,
    isVoid: false,
    context: holdsHtml ? HTML_CONTEXT : rules.context,
    rules: (rules.rules & RULE.leavesForeign) | (holdsHtml ? RULE.special | RULE.scope : 0),
  };
  if (KNOWN.has(name)) table.set(name, foreign);
  return foreign;
}

/**
 * Returns the rules of a tag inside SVG or MathML, or in HTML inside one. `open` from `bottom` on
 * is the enclosing context.
 */
export function tagInDrawing(
  written: string,
  context: number,
  open: readonly TagRules[],
  bottom: number,
): TagRules {
  const name = written.toLowerCase();
  const drawn = DRAWING_NAMES.get(name);
  if (context !== HTML_CONTEXT)
    return createForeignRules(context === SVG_CONTEXT ? (drawn ?? name) : name, context);
  // The end tag of an enclosing SVG or MathML element.
  if (drawn !== undefined)
    for (let at = open.length - 1; at >= bottom; at--)
      if (open[at]?.name === drawn) return getRules(drawn);
  return getRules(context === HTML_CONTEXT && name === "image" ? "img" : name);
}
