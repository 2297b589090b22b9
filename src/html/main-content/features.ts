// What the model is told about a block. Each feature is a name and a function of the page and the block's index; all are cheap.
import { GROUPS, OWN } from "./own-features.ts";
import { share } from "./page-facts.ts";
import { log, type Feature, type PageView } from "./page-view.ts";
import { CONTAINERS, NEIGHBOURS, POSITION, TOP } from "./place-features.ts";
import type { Kin } from "./repetition.ts";

function kinFeatures(
  name: string,
  of: (view: PageView, index: number, element: number) => Kin | undefined,
): Feature[] {
  const from = (
    view: PageView,
    index: number,
    element: number,
    read: (kin: Kin, view: PageView) => number,
  ): number => {
    const kin = of(view, index, element);
    return kin === undefined ? -1 : read(kin, view);
  };
  return [
    [
      `${name}-count`,
      (view, index, _, element) => from(view, index, element, (kin) => log(kin.count)),
    ],
    [
      `${name}-mean`,
      (view, index, _, element) => from(view, index, element, (kin) => log(kin.size / kin.count)),
    ],
    [
      `${name}-share`,
      (view, index, _, element) =>
        from(view, index, element, (kin, { page }) => share(kin.size, page.size)),
    ],
    [
      `${name}-links`,
      (view, index, _, element) =>
        from(view, index, element, (kin) => share(kin.linkCharacters, kin.characters)),
    ],
    [
      `${name}-variation`,
      (view, index, _, element) =>
        from(
          view,
          index,
          element,
          (kin) =>
            Math.sqrt(Math.max(kin.squares / kin.count - (kin.size / kin.count) ** 2, 0)) /
            (kin.size / kin.count + 1),
        ),
    ],
  ];
}

const cardOf = (view: PageView, element: number): number =>
  element < 0 ? -1 : view.repetition.card[element]!;
const REPEATED: readonly Feature[] = [
  ...kinFeatures("path", (view, index) => view.repetition.pathKin[index]),
  ...kinFeatures("sibling", (view, _, element) => view.repetition.siblings[element]),
  ...kinFeatures("card", (view, _, element) => view.repetition.siblings[cardOf(view, element)]),
  ["sibling-place", (view, _, __, element) => view.repetition.place[element] ?? 0],
  ["card-place", (view, _, __, element) => view.repetition.place[cardOf(view, element)] ?? -1],
  ["card-size", (view, _, __, element) => log(view.elements.size[cardOf(view, element)] ?? 0)],
  [
    "card-images",
    (view, _, __, element) => {
      const kin = view.repetition.siblings[cardOf(view, element)];
      return kin === undefined ? -1 : kin.images / kin.count;
    },
  ],
  [
    "card-headings",
    (view, _, __, element) => {
      const kin = view.repetition.siblings[cardOf(view, element)];
      return kin === undefined ? -1 : kin.headings / kin.count;
    },
  ],
  [
    "card-index",
    (view, index, _, element) => {
      const card = cardOf(view, element);
      return card < 0 ? -1 : index - view.segmentation.elements.blockStart[card]!;
    },
  ],
];
const tagCount = (name: string): Feature => [
  `page-${name}`,
  (view) => log(view.page.tags.get(name) ?? 0),
];
const PAGE: readonly Feature[] = [
  ["page-size", (view) => log(view.page.size)],
  ["page-blocks", (view) => log(view.segmentation.blocks.length)],
  ["page-links", (view) => view.page.linkShare],
  ["page-prose", (view) => view.page.proseShare],
  ["page-largest", (view) => log(view.page.largest)],
  ["page-currencies", (view) => share(view.page.currencies, view.segmentation.blocks.length)],
  ["page-noscript", (view) => view.page.noscriptShare],
  ["page-media", (view) => log(view.segmentation.media.length)],
  ["page-body", (view) => view.page.bodyShare],
  ["page-described", (view) => (view.page.described < 0 ? 0 : 1)],
  ["page-type", (view) => view.page.openGraphType],
  ["page-data-type", (view) => view.page.linkedDataType],
  ["slug-hyphens", (view) => view.page.slugHyphens],
  ["slug-length", (view) => view.page.slugLength],
  ["slug-digits", (view) => view.page.slugDigits],
  ...["h1", "h2", "h3", "p", "article", "main", "li", "td", "pre", "form", "button", "section"].map(
    tagCount,
  ),
];

/** All features by name, in the order of a row. */
export const FEATURES: readonly Feature[] = [
  ...OWN,
  ...GROUPS,
  ...REPEATED,
  ...NEIGHBOURS,
  ...POSITION,
  ...CONTAINERS,
  ...TOP,
  ...PAGE,
];

const BY_NAME = new Map(FEATURES);

/** The named features of every block, row after row. Unknown names throw a RangeError: the model and the code do not belong together. */
export function computeFeatures(view: PageView, names: readonly string[]): Float32Array {
  const chosen = names.map((name) => {
    const feature = BY_NAME.get(name);
    if (feature === undefined)
      throw new RangeError(`the model asks for the unknown feature ${name}`);
    return feature;
  });
  const { blocks } = view.segmentation;
  const rows = new Float32Array(blocks.length * names.length);
  blocks.forEach((block, index) => {
    const start = index * names.length;
    for (let feature = 0; feature < chosen.length; feature++)
      rows[start + feature] = chosen[feature]!(view, index, block, block.container);
  });
  return rows;
}
