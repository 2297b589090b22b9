// What the name of an attribute means to the builder of the tree.
import { TELLING_ATTRIBUTES } from "../evidence/page-notes.ts";

export type AttributeRules = {
  readonly name: string;
  /** An element is noted for it. */
  readonly isTelling: boolean;
  /** Most elements have no others (`mayHaveUnusual`). */
  readonly isUsual: boolean;
};

const USUAL: ReadonlySet<string> = new Set(["class", "href", "id", "title"]);

/** The usual names of attributes, each as one string: comparing and looking up those costs less than cut out ones. */
const ATTRIBUTES: ReadonlyMap<string, AttributeRules> = new Map(
  (
    "accesskey action align alt aria-controls aria-expanded aria-hidden aria-label aria-labelledby async border charset class " +
    "cellpadding cellspacing colspan content data-src datetime dir height hidden href hreflang http-equiv id itemprop " +
    "itemscope itemtype lang loading media method name onclick placeholder property rel role rowspan scope size src srcset " +
    "start style tabindex target title type valign value width xmlns"
  )
    .split(" ")
    .concat(TELLING_ATTRIBUTES)
    .map((name) => [name, newRules(name)]),
);

function newRules(name: string): AttributeRules {
  const isTelling = TELLING_ATTRIBUTES.includes(name);
  return { name, isTelling, isUsual: USUAL.has(name) };
}

/** The rules of an attribute as its name is written. */
export function attributeRules(written: string): AttributeRules {
  const known = ATTRIBUTES.get(written);
  if (known !== undefined) return known;
  const name = written.toLowerCase();
  return ATTRIBUTES.get(name) ?? newRules(name);
}
