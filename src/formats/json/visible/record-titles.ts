// Finds titles of a list's records that have no heading, link or bold text: the first text that has
// the same position in almost all of them and differs between records.
import type { PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { PageRecord } from "../../../page-model/records.ts";

const MIN_RECORDS = 3;
const MAX_LOOKED = 40;
const MAX_LENGTH = 120;
/** Minimum shares of records with a text at the position, and of different texts. */
const MIN_PRESENT = 0.8;
const MIN_DIFFERENT = 0.9;

/** Finds the position of the text that names each record; undefined if there is none. */
export function findTitlePlace(
  model: PageModel,
  records: readonly PageRecord[],
): string | undefined {
  if (records.length < MIN_RECORDS) return undefined;
  const looked = records.slice(0, MAX_LOOKED);
  const texts = new Map<string, string[]>();
  for (const record of looked) {
    const seen = new Set<string>();
    for (const { place, node } of listPlaces(model, record)) {
      if (seen.has(place)) continue;
      seen.add(place);
      const known = texts.get(place) ?? [];
      if (isTitleText(model, node)) known.push(model.lineOf(node));
      texts.set(place, known);
    }
  }
  for (const [place, found] of texts)
    if (
      found.length >= looked.length * MIN_PRESENT &&
      new Set(found).size >= found.length * MIN_DIFFERENT
    )
      return place;
  return undefined;
}

/** The node at a position of a record. */
export const findNodeAtPlace = (
  model: PageModel,
  record: PageRecord,
  place: string,
): PageNode | undefined => listPlaces(model, record).find((each) => each.place === place)?.node;

type PlacedNode = { readonly place: string; readonly node: PageNode };

/**
 * The pieces of text of a record with their positions: the elements between, each with its style.
 */
function listPlaces(model: PageModel, { nodes }: PageRecord): PlacedNode[] {
  return nodes.flatMap((root, at) =>
    model.pieces(root).map((node): PlacedNode => {
      const steps: string[] = [];
      for (
        let step: PageNode | undefined = node;
        step !== undefined && step.index >= root.index;
        step = model.parent(step)
      )
        if (step !== root || nodes.length > 1) steps.push(toStyleKey(step));
      return { place: `${nodes.length > 1 ? Math.min(at, 1) : 0}/${steps.join("<")}`, node };
    }),
  );
}

const toStyleKey = ({ element: { name, attribs } }: PageNode): string =>
  `${name}.${attribs["class"] ?? ""}`;

function isTitleText(model: PageModel, node: PageNode): boolean {
  const text = model.lineOf(node);
  // Text that contains other texts is more than the name.
  if (model.children(node).some(({ from, to }) => to > from && to - from < node.to - node.from))
    return false;
  // A label with its value; bold titles may have a colon.
  const isLabeled = /[:：]/.test(text) && !/^(?:b|strong)$/.test(node.element.name);
  return (
    text.length <= MAX_LENGTH &&
    /\p{L}{2}/u.test(text) &&
    !isLabeled &&
    model.typedValues(node).length === 0
  );
}
