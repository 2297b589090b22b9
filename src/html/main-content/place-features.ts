// Features of where a block stands: neighbours, headings, containers, the top candidate.
import { headingLevel, share } from "./page-facts.ts";
import { blockAt, log, type Feature, type PageView } from "./page-view.ts";

const upper = (view: PageView, element: number, steps: number): number => {
  const { parent, container } = view.segmentation.elements;
  let found = element;
  for (let step = 0; step < steps && found >= 0; step++) {
    const up = parent[found]!;
    found = up < 0 ? -1 : container[up]!;
  }
  return found;
};
function around(view: PageView, index: number, reach: number): [from: number, to: number] {
  return [Math.max(index - reach, 0), Math.min(index + reach + 1, view.segmentation.blocks.length)];
}
function windowFeatures(reach: number): Feature[] {
  return [
    [
      `around-${reach}-mean`,
      (view, index) => {
        const [from, to] = around(view, index, reach);
        return log((view.page.sizeBefore[to]! - view.page.sizeBefore[from]!) / (to - from));
      },
    ],
    [
      `around-${reach}-links`,
      (view, index) => {
        const [from, to] = around(view, index, reach);
        return share(
          view.page.linkCharactersBefore[to]! - view.page.linkCharactersBefore[from]!,
          view.page.charactersBefore[to]! - view.page.charactersBefore[from]!,
        );
      },
    ],
    [
      `around-${reach}-prose`,
      (view, index) => {
        const [from, to] = around(view, index, reach);
        return share(
          view.page.proseBefore[to]! - view.page.proseBefore[from]!,
          view.page.sizeBefore[to]! - view.page.sizeBefore[from]!,
        );
      },
    ],
  ];
}
/** The blocks around. */
export const NEIGHBOURS: readonly Feature[] = [
  ...([-2, -1, 1, 2] as const).flatMap((offset): Feature[] => [
    [`size${offset}`, (view, index) => log(blockAt(view, index + offset)?.size ?? 0)],
    [
      `links${offset}`,
      (view, index) => {
        const block = blockAt(view, index + offset);
        return block === undefined ? -1 : share(block.linkCharacters, block.characters);
      },
    ],
  ]),
  [
    "same-container-before",
    (view, index, _, element) => (blockAt(view, index - 1)?.container === element ? 1 : 0),
  ],
  ["heading-1", (view, index) => (index > 0 ? headingLevel(view.segmentation, index - 1) : 0)],
  ["heading+1", (view, index) => headingLevel(view.segmentation, index + 1)],
  ...windowFeatures(4),
  ...windowFeatures(12),
  [
    "prose-before-distance",
    (view, index) =>
      log(view.page.proseBeforeAt[index]! < 0 ? 500 : index - view.page.proseBeforeAt[index]!),
  ],
  [
    "prose-after-distance",
    (view, index) =>
      log(
        view.page.proseAfterAt[index]! >= view.segmentation.blocks.length
          ? 500
          : view.page.proseAfterAt[index]! - index,
      ),
  ],
];

/** The place on the page and in its outline. */
export const POSITION: readonly Feature[] = [
  ["position", (view, index) => index / view.segmentation.blocks.length],
  ["index", (_, index) => log(index)],
  ["index-from-end", (view, index) => log(view.segmentation.blocks.length - index)],
  ["text-before", (view, index) => share(view.page.sizeBefore[index]!, view.page.size)],
  [
    "prose-before",
    (view, index) =>
      share(view.page.proseBefore[index]!, view.page.proseBefore[view.segmentation.blocks.length]!),
  ],
  ["depth", (view, _, __, element) => view.segmentation.elements.depth[element] ?? 0],
  [
    "from-main-heading",
    (view, index) => {
      const main = view.page.mainHeading;
      return main < 0 ? -999 : Math.sign(index - main) * log(Math.abs(index - main));
    },
  ],
  [
    "heading-level",
    (view, index) => {
      const found = view.page.heading[index]!;
      return found < 0 ? 0 : headingLevel(view.segmentation, found);
    },
  ],
  [
    "heading-distance",
    (view, index) => {
      const found = view.page.heading[index]!;
      return found < 0 ? -1 : index - found;
    },
  ],
  [
    "heading-title-words",
    (view, index) => blockAt(view, view.page.heading[index]!)?.titleWords ?? -1,
  ],
  [
    "section-size",
    (view, index) => {
      const found = view.page.heading[index]!;
      return log(
        view.page.sizeBefore[view.page.nextHeading[index]!]! -
          view.page.sizeBefore[Math.max(found, 0)]!,
      );
    },
  ],
  [
    "section-links",
    (view, index) => {
      const from = Math.max(view.page.heading[index]!, 0);
      const to = view.page.nextHeading[index]!;
      return share(
        view.page.linkCharactersBefore[to]! - view.page.linkCharactersBefore[from]!,
        view.page.charactersBefore[to]! - view.page.charactersBefore[from]!,
      );
    },
  ],
  [
    "from-described",
    (view, index) => {
      const at = view.page.described;
      return at < 0 ? -999 : Math.sign(index - at) * log(Math.abs(index - at));
    },
  ],
  ["articles-before", (view, _, __, element) => view.page.articlesBefore[element] ?? 0],
];

function containerFeatures(steps: number): Feature[] {
  return [
    [
      `up${steps}-size`,
      (view, _, __, element) => log(view.elements.size[upper(view, element, steps)] ?? 0),
    ],
    [
      `up${steps}-links`,
      (view, _, __, element) => {
        const up = upper(view, element, steps);
        return up < 0
          ? -1
          : share(view.elements.linkCharacters[up]!, view.elements.characters[up]!);
      },
    ],
    [
      `up${steps}-prose`,
      (view, _, __, element) => {
        const up = upper(view, element, steps);
        return up < 0 ? -1 : share(view.elements.prose[up]!, view.elements.size[up]!);
      },
    ],
    [
      `up${steps}-blocks`,
      (view, _, __, element) => {
        const up = upper(view, element, steps);
        return up < 0
          ? -1
          : log(
              view.segmentation.elements.blockEnd[up]! - view.segmentation.elements.blockStart[up]!,
            );
      },
    ],
  ];
}
/** The block-level elements above. */
export const CONTAINERS: readonly Feature[] = [1, 2, 3, 5].flatMap(containerFeatures);

const spanDistance = (view: PageView, index: number, element: number): number => {
  if (element < 0) return -99;
  const { blockStart, blockEnd } = view.segmentation.elements;
  if (index < blockStart[element]!) return -log(blockStart[element]! - index);
  return index >= blockEnd[element]! ? log(index - blockEnd[element]! + 1) : 0;
};
/** The way to where the article is thought to be. */
export const TOP: readonly Feature[] = [
  ["top-steps", (view, _, __, element) => view.top.stepsToTop[element] ?? 30],
  ["top-span", (view, index) => spanDistance(view, index, view.top.top)],
  ["half-span", (view, index) => spanDistance(view, index, view.top.half)],
  ["most-span", (view, index) => spanDistance(view, index, view.top.most)],
  ["votes", (view, _, __, element) => share(view.top.score[element] ?? 0, view.top.topScore)],
  ["best-votes", (view, _, __, element) => share(view.top.best[element] ?? 0, view.top.topScore)],
  [
    "up-votes",
    (view, _, __, element) => {
      const up = upper(view, element, 1);
      return up < 0 ? 0 : share(view.top.score[up]!, view.top.topScore);
    },
  ],
  ["top-share", (view) => share(view.elements.size[view.top.top] ?? 0, view.page.size)],
  [
    "top-prose-share",
    (view) =>
      share(
        view.elements.prose[view.top.top] ?? 0,
        view.page.proseBefore[view.segmentation.blocks.length]!,
      ),
  ],
  [
    "top-links",
    (view) =>
      share(
        view.elements.linkCharacters[view.top.top] ?? 0,
        view.elements.characters[view.top.top] ?? 0,
      ),
  ],
  ["half-share", (view) => share(view.elements.size[view.top.half] ?? 0, view.page.size)],
];
