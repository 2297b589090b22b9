// Codes of allergens or notes behind the name of a dish: "4, 9, 12", "A, G".
import { isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Leaf } from "../declared/finding.ts";
import type { Name } from "../names/names.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf } from "./visible-value.ts";

const CODES = /^(?:\d{1,2}|\p{Lu})(?:\s?,\s?(?:\d{1,2}|\p{Lu}))+$/u;
const ONE_CODE = /^(?:\d{1,2}|\p{Lu})$/u;
/** "12,50" is a price. */
const AMOUNT = /^\d{1,2}[.,]\d{2}$/;
const CODE = /\d{1,2}|\p{Lu}/gu;

/** Classes, or names without one, that at least two elements with several codes have. */
const codeClasses = new WeakMap<PageModel, ReadonlySet<string>>();

function listCodeClasses(model: PageModel): ReadonlySet<string> {
  let classes = codeClasses.get(model);
  if (classes === undefined) {
    const coded = model.nodes.filter(
      (node) =>
        node.to - node.from <= MAX_CODES &&
        CODES.test(model.lineOf(node)) &&
        !AMOUNT.test(model.lineOf(node)),
    );
    const names = coded.map(({ element }) => element.attribs["class"] ?? element.name);
    classes = new Set(names.filter((name, at) => names.indexOf(name) < at));
    codeClasses.set(model, classes);
  }
  return classes;
}

const MAX_CODES = 60;

export function isCodes(model: PageModel, node: PageNode): boolean {
  if (node.to - node.from > MAX_CODES) return false;
  const text = model.lineOf(node);
  if (!CODES.test(text) && !ONE_CODE.test(text)) return false;
  const { name, attribs } = node.element;
  const mark = attribs["class"] ?? name;
  return listCodeClasses(model).has(mark);
}

/**
 * The codes of a dish for `allergens`, where codes are asked for: whole numbers, or texts that the
 * description calls codes, numbers or letters.
 */
export function listAllergenCodes(
  { concepts }: Name,
  { items, description }: Shape,
  scope: VisibleScope,
): Leaf[] {
  if (scope.isPage || !concepts.has("allergens") || items === undefined) return [];
  const wantsCodes =
    items.kind === "integer" || OF_CODES.test(`${description} ${items.description}`);
  if (!wantsCodes) return [];
  const { model } = scope;
  const coded = scope.roots
    .flatMap((root) => model.below(root))
    .filter((node) => !scope.roots.includes(node) && !isHidden(node) && isCodes(model, node))
    .filter((node) => !AMOUNT.test(model.lineOf(node)));
  const [node] = coded;
  // The element and those in it; codes in two places are those of two things.
  if (node === undefined || coded.some((other) => !model.contains(node, other))) return [];
  const text = model.lineOf(node);
  return (text.match(CODE) ?? []).map((code) => toVisibleLeaf(scope, node, code, "list", text));
}

const OF_CODES = /\b(?:codes?|numbers?|letters?)\b/i;
