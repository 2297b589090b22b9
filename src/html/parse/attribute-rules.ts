// Meaning of an attribute name for the tree builder.
import { NOTABLE_ATTRIBUTES } from "../evidence/element-index.ts";

export type AttributeRules = {
  readonly name: string;
  /** Elements with it are listed in the element index. */
  readonly isNotable: boolean;
  /** A common attribute. Most elements have only these (see `mayHaveUncommon`). */
  readonly isUsual: boolean;
};

const USUAL: ReadonlySet<string> = new Set(["class", "href", "id", "title"]);

/**
 * Common attribute names as interned strings. Comparing and looking up those is cheaper than
 * substrings.
 */
const ATTRIBUTES: ReadonlyMap<string, AttributeRules> = new Map(
  (
    "accesskey action align alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby async border charset class " +
    "cellpadding cellspacing colspan content data-src datetime dir height hidden href hreflang http-equiv id itemprop " +
    "itemscope itemtype lang loading media method name onclick placeholder property rel role rowspan scope size src srcset " +
    "start style tabindex target title type valign value width xmlns"
  )
    .split(" ")
    .concat(NOTABLE_ATTRIBUTES)
    .map((name) => [name, createRules(name)]),
);

function createRules(name: string): AttributeRules {
  const isNotable = NOTABLE_ATTRIBUTES.includes(name);
  return { name, isNotable, isUsual: USUAL.has(name) };
}

/** Returns the rules of an attribute name as written. */
export function getAttributeRules(written: string): AttributeRules {
  const known = ATTRIBUTES.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase();
  return ATTRIBUTES.get(name) ?? createRules(name);
}
