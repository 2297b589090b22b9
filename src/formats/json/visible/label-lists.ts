// Finds lists of labels with their values, such as the specifications of a product, for a list of
// objects with a name and a value.
import type { PageNode } from "../../../page-model/node.ts";
import type { Pair, PairKind } from "../../../page-model/pairs.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import { parseName, scoreSimilarity, type Name } from "../names/names.ts";
import type { VisibleScope } from "./visible-scope.ts";

const NAME =
  /^(?:name|label|key|property|attribute|spec|specification|parameter|term|field|title|feature)$/;
const VALUE = /^(?:value|detail|details|content|data)$/;
const LISTED: ReadonlySet<PairKind> = new Set(["term", "row", "neighbors", "colon"]);
/** Names for the properties of a product: the longest list of labels is meant. */
export const PROPERTIES =
  /^(?:spec|specification|technical|detail|attribute|property|parameter|fact|characteristic|eigenschaft|merkmal|daten|caracteristique|caracteristica|caratteristica|especificacion|specificatie|kenmerk|parametr)$/;
const MIN_PAIRS = 3;
const MAX_PAIRS = 500;
const MAX_CLIMBED = 5;

export type LabelList = {
  readonly nameKey: string;
  readonly valueKey: string;
  readonly pairs: readonly Pair[];
};

/** The only list of labels that a property asks for; undefined for other items and without one. */
export function findLabelList(
  wanted: Name,
  items: Shape,
  scope: VisibleScope,
): LabelList | undefined {
  const keys = [...items.properties.keys()];
  const nameKey = keys.find((key) => NAME.test(parseName(key).key));
  const valueKey = keys.find((key) => VALUE.test(parseName(key).key));
  if (keys.length !== 2 || nameKey === undefined || valueKey === undefined) return undefined;
  const lists = groupPairs(scope);
  const titled = lists.filter(({ title }) => scoreSimilarity(wanted, parseName(title)) >= 0.6);
  const isProperties = wanted.words.some((word) => PROPERTIES.test(word));
  const [best, second] = (titled.length > 0 ? titled : isProperties ? lists : []).toSorted(
    (one, other) => other.pairs.length - one.pairs.length,
  );
  if (best === undefined || best.pairs.length === second?.pairs.length) return undefined;
  return { nameKey, valueKey, pairs: best.pairs };
}

type PairGroup = { readonly title: string; readonly pairs: readonly Pair[] };

/** Pairs by the smallest part of the page that has several; each label once. */
function groupPairs(scope: VisibleScope): PairGroup[] {
  const { model } = scope;
  const pairs = scope.pairs
    .filter(
      ({ kind, labelNode, node }) => LISTED.has(kind) && (labelNode !== node || kind === "colon"),
    )
    .slice(0, MAX_PAIRS);
  const groups = new Map<PageNode, Pair[]>();
  for (const pair of pairs) {
    const holder = findHolder(scope, pair, pairs);
    if (holder !== undefined) groups.set(holder, [...(groups.get(holder) ?? []), pair]);
  }
  return [...groups].flatMap(([holder, all]) => {
    const own = all.filter((pair, at) => all.findIndex(({ label }) => label === pair.label) === at);
    return own.length < MIN_PAIRS ? [] : [{ title: findTitle(scope, holder), pairs: own }];
  });

  function findTitle({ model: { sections } }: VisibleScope, holder: PageNode): string {
    const around = sections.filter(({ start, end }) => start <= holder.index && holder.index < end);
    return around.at(-1)?.title ?? readSummary(holder);
  }

  function readSummary(holder: PageNode): string {
    const parent = model.parent(holder);
    const summary =
      parent === undefined
        ? undefined
        : model.children(parent).find(({ element }) => element.name === "summary");
    return summary === undefined ? "" : model.lineOf(summary);
  }
}

function findHolder(
  { model }: VisibleScope,
  { labelNode }: Pair,
  pairs: readonly Pair[],
): PageNode | undefined {
  let at = model.parent(labelNode);
  for (let left = MAX_CLIMBED; at !== undefined && left > 0; left -= 1) {
    const holder = at;
    if (pairs.filter((pair) => model.contains(holder, pair.labelNode)).length >= MIN_PAIRS)
      return holder;
    at = model.parent(at);
  }
  return undefined;
}
