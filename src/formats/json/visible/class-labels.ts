// Finds the part of a record whose class is the name of the property: `talk__room` for `room`,
// `jobLocation` for `location`. The class must be that of one part of each record.
import { isHidden, isStruck, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Leaf } from "../declared/finding.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
import type { WantedProperty } from "./label-match.ts";
import { selectOutermost, type VisibleScope } from "./visible-scope.ts";
import { isButton } from "./visible-title.ts";
import { toVisibleLeaf, type VisibleValue } from "./visible-value.ts";

/** Names that style sheets give to every kind of content. */
const OF_LAYOUT =
  /^(?:text|content|body|header|footer|item|row|col|column|label|value|info|meta|details?|data|display|order|block|position|link|image|icon|media|size|color|colour|group|primary|secondary|first|last|active|current|number|count|total|tags?|start|end|surface|cover|top|bottom|left|right)$/;
/** Classes that mean another thing in another language: "local" is the home team in Spanish. */
const AMBIGUOUS =
  /^(?:local|lead|post|note|art|chef|gift|pays|rate|sale|son|mode|place|main|state|release)$/;
/** Elements whose text is a choice or an action. */
const CONTROLS: ReadonlySet<string> = new Set(["button", "input", "select", "option", "label"]);
const isControl = (node: PageNode): boolean => CONTROLS.has(node.element.name) || isButton(node);
const MAX_VALUE = 150;
/** Minimum parts of a class that names a part of each record. */
const MIN_PARTS = 2;

const ABBREVIATIONS: Readonly<Record<string, string>> = {
  org: "organization",
  organisation: "organization",
  desc: "description",
  dept: "department",
  loc: "location",
  cat: "category",
  cond: "condition",
};
const toKey = (words: readonly string[]): string =>
  words.map((word) => ABBREVIATIONS[word] ?? word).join(" ");

/** What build tools add: `card_title__x4Zq`, `_title_8zz4t_16`. */
const BUILT = /__(?=\w*\d)\w{2,8}$|_(?=[a-z]*\d)\w{4,8}_\d{1,4}$/;

/** A CSS module of a component: `SpeakerCard_role__h7LyK` is the part `role` of `SpeakerCard`. */
const CSS_MODULE = /^(\p{Lu}\w*?)_([A-Za-z][A-Za-z-]*)__[\w+-]{5}$/u;

/** A class without modifiers and what build tools add; `block__part` for parts of components. */
const stripClass = (name: string): string =>
  name.replace(CSS_MODULE, "$1__$2").replace(/--.*$/, "").replace(BUILT, "");

const splitWords = (name: string): string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[\s_-]+/)
    .filter((word) => word !== "");

const listClasses = ({ element }: PageNode): string[] =>
  (element.attribs["class"] ?? "").split(/\s+/).filter((name) => name !== "");

const counts = new WeakMap<PageModel, ReadonlyMap<string, number>>();

function countClasses(model: PageModel): ReadonlyMap<string, number> {
  let known = counts.get(model);
  if (known === undefined) {
    const all = new Map<string, number>();
    for (const node of model.nodes)
      for (const name of listClasses(node)) all.set(name, (all.get(name) ?? 0) + 1);
    counts.set(model, all);
    known = all;
  }
  return known;
}

/** True if a class, without the name of the block before it, is the property's name. */
function namesProperty(
  name: string,
  names: readonly Name[],
  blocks: ReadonlySet<string>,
  beside: readonly string[],
): boolean {
  const plain = stripClass(name);
  const words = splitWords(plain);
  if (words.length === 0 || words.length > 4 || words.some((word) => /\d/.test(word))) return false;
  // `product-card__brand` names its block before the part, `jobLocation` in one word.
  const [block = "", part] = plain.split("__");
  const last = part === undefined || !blocks.has(block) ? words.slice(1) : splitWords(part);
  const isNamed = (parts: readonly string[], isSure: boolean): boolean =>
    parts.length > 0 &&
    !(parts.length === 1 && OF_LAYOUT.test(parts[0] ?? "")) &&
    names.some((wanted) => {
      const name = parseName(parts.join(" "));
      if (toKey(wanted.words) === toKey(name.words)) return true;
      // "salle" is the room in French; `text-end` is no end.
      return isSure && !AMBIGUOUS.test(name.key) && scoreSimilarity(wanted, name) >= 0.9;
    });
  // `zelle zelle-rubrik` is a part of `zelle`, too.
  const isPart = part !== undefined || beside.includes(words[0] ?? "");
  return isNamed(words, words.length === 1) || isNamed(last, isPart);
}

/** The outermost parts of a record with a class that names the property. */
function listNamedParts(names: readonly Name[], scope: VisibleScope): PageNode[] {
  const all = countClasses(scope.model);
  const blocks = new Set(
    scope.roots.flatMap(listClasses).flatMap((name) => [name, CSS_MODULE.exec(name)?.[1] ?? name]),
  );
  const found = scope.roots.flatMap((root) =>
    scope.model.below(root).filter(
      (node) =>
        node.index !== root.index &&
        // A part of several texts has more than the value.
        scope.model.pieces(node).length === 1 &&
        !hasLinkInText(scope.model, node) &&
        !isHidden(node) &&
        !isStruck(node) &&
        !isControl(node) &&
        listClasses(node).some(
          (name, _, beside) =>
            (all.get(name) ?? 0) >= MIN_PARTS && namesProperty(name, names, blocks, beside),
        ),
    ),
  );
  return selectOutermost(scope.model, found);
}

/** A link in a line of other words: "Sold by Ada's Books, Leeds" has more than the seller. */
const hasLinkInText = (model: PageModel, node: PageNode): boolean =>
  model
    .below(node)
    .some(
      ({ element, from, to }) =>
        element.name === "a" && to > from && to - from < node.to - node.from - 1,
    );

/** The text of a part without the parts inside it that have a class of their own. */
function readOwnText({ model }: VisibleScope, node: PageNode): string {
  let text = "";
  let at = node.from;
  for (const child of model.children(node)) {
    if (child.to <= child.from || listClasses(child).length === 0) continue;
    text += `${model.text.slice(at, child.from)} `;
    at = Math.max(at, child.to);
  }
  return `${text}${model.text.slice(at, node.to)}`.replaceAll(/\s+/g, " ").trim();
}

/** "With Ada Holm" in the part of a guest, "by Ada Holm" in that of an author, by language: "Mit" is a name elsewhere. */
const WITH: Readonly<Record<string, RegExp>> = {
  en: /^(?:[Ww]ith|[Bb]y)\s+(?=\p{Lu})/u,
  de: /^(?:[Mm]it|[Vv]on)\s+(?=\p{Lu})/u,
  fr: /^(?:[Aa]vec|[Pp]ar)\s+(?=\p{Lu})/u,
  es: /^(?:[Cc]on|[Pp]or)\s+(?=\p{Lu})/u,
  pt: /^(?:[Cc]om|[Pp]or)\s+(?=\p{Lu})/u,
  it: /^(?:[Cc]on|[Dd]i)\s+(?=\p{Lu})/u,
  // "Met Opera" is a name.
  nl: /^(?:[Mm]et|[Dd]oor)\s+(?=\p{Lu}\S*\s\p{Lu})/u,
};

const PERSON = /^(?:guest|author|speaker|host|artist|presenter|moderator|instructor|teacher)$/;

const isValue = (text: string): boolean => /[\p{L}\d]/u.test(text) && text.length <= MAX_VALUE;

/** The text of the part of a record whose class is the property's name; undefined if there is none. */
export function findByClass(wanted: WantedProperty, scope: VisibleScope): VisibleValue | undefined {
  if (scope.isPage) return undefined;
  const [node, other] = listNamedParts([wanted.base, wanted.name], scope);
  if (node === undefined || other !== undefined) return undefined;
  const text = readOwnText(scope, node);
  if (!isValue(text)) return undefined;
  // "To the shop" names the property and no value.
  if (parseName(text).words.some((word) => wanted.base.words.includes(word))) return undefined;
  const isOfPerson = wanted.base.words.some((word) => PERSON.test(word));
  const lead = isOfPerson ? WITH[scope.model.language] : undefined;
  const value = lead === undefined ? text : text.replace(lead, "");
  const leaves = [toVisibleLeaf(scope, node, value, "list", text)];
  return { leaves, confidence: "medium", node };
}

/** The texts of all parts of a record whose class is the property's name. */
export function listByClass(names: readonly Name[], scope: VisibleScope): Leaf[] {
  if (scope.isPage) return [];
  return listNamedParts(names, scope).flatMap((node) => {
    const text = readOwnText(scope, node);
    return isValue(text) ? [toVisibleLeaf(scope, node, text, "list", text)] : [];
  });
}

/** True for a heading whose class is the name of something else than a title: `lot__artist`. */
export const hasOtherName = (node: PageNode): boolean =>
  listClasses(node).some((name) => {
    const part = stripClass(name).split("__").at(-1) ?? "";
    const { concepts } = parseName(splitWords(part).at(-1) ?? "");
    return concepts.size > 0 && !concepts.has("name");
  });
