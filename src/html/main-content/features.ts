// What the model is told about a block. Each feature is a name and a function of the page and the block's index; all are cheap.
import type { Document } from "domhandler";
import { segment, type Block, type Segmentation } from "./blocks.ts";
import { FAR, gatherElementFacts, type ElementFacts } from "./element-facts.ts";
import { GROUP_NAMES } from "./name-groups.ts";
import { gatherPageFacts, headingLevel, pageTitle, share, type PageFacts } from "./page-facts.ts";
import { findRepetition, type Kin, type Repetition } from "./repetition.ts";
import { findTopCandidate, type TopCandidate } from "./top-candidate.ts";

export type PageView = {
  readonly segmentation: Segmentation;
  readonly elements: ElementFacts;
  readonly page: PageFacts;
  readonly repetition: Repetition;
  readonly top: TopCandidate;
};

type Feature = readonly [name: string, of: (view: PageView, index: number, block: Block, element: number) => number];

/** Looks at a page once; the features of its blocks are read off this view. */
export function viewPage(root: Document, options: { url: string; title?: string | undefined }): PageView {
  const segmentation = segment(root, options.title ?? pageTitle(root));
  const elements = gatherElementFacts(segmentation);
  const page = gatherPageFacts(root, segmentation, elements, options.url);
  return { segmentation, elements, page, repetition: findRepetition(segmentation, elements), top: findTopCandidate(segmentation, elements) };
}

const log = (value: number): number => Math.log1p(Math.max(value, 0));
const at = (view: PageView, index: number): Block | undefined => view.segmentation.blocks[index];
const upper = (view: PageView, element: number, steps: number): number => {
  const { parent, container } = view.segmentation.elements;
  let found = element;
  for (let step = 0; step < steps && found >= 0; step++) {
    const up = parent[found]!;
    found = up < 0 ? -1 : container[up]!;
  }
  return found;
};
const TAG_KINDS = ["p", "li", "div", "td", "h1", "h2", "h3", "h4", "h5", "h6", "dt", "dd", "pre", "button", "blockquote", "figcaption", "section", "article", "th", "summary"];

const OWN: readonly Feature[] = [
  ["size", (_, __, block) => log(block.size)],
  ["characters", (_, __, block) => log(block.characters)],
  ["link-share", (_, __, block) => share(block.linkCharacters, block.characters)],
  ["links", (_, __, block) => block.links],
  ["word-length", (_, __, block) => share(block.characters, block.words)],
  ["sentence-marks", (_, __, block) => block.sentenceMarks],
  ["commas", (_, __, block) => share(block.commas, block.size)],
  ["ends-sentence", (_, __, block) => (".!?:。！？…\"”".includes(String.fromCharCode(block.last)) ? 1 : 0)],
  ["digit-share", (_, __, block) => share(block.digits, block.characters)],
  ["upper-share", (_, __, block) => share(block.upperCase, block.characters)],
  ["capital-words", (_, __, block) => share(block.capitalWords, block.words)],
  ["separators", (_, __, block) => block.separators],
  ["currencies", (_, __, block) => block.currencies],
  ["bold-share", (_, __, block) => share(block.bold, block.characters)],
  ["title-share", (_, __, block) => share(block.titleWords, block.words)],
  ["title-words", (_, __, block) => block.titleWords],
  ["own-images", (_, __, block) => block.images],
  ["tag", (view, _, __, element) => TAG_KINDS.indexOf(view.segmentation.elements.nodes[element]?.name ?? "")],
  ["copies", (view, index) => view.repetition.copies[index]!],
  ["copies-before", (view, index) => view.repetition.copiesBefore[index]!],
];

const GROUPS: readonly Feature[] = GROUP_NAMES.map((name, group): Feature => [
  name,
  (view, _, __, element) => (element < 0 ? FAR : view.elements.distance[element * GROUP_NAMES.length + group]!),
]);

function kinFeatures(name: string, of: (view: PageView, index: number, element: number) => Kin | undefined): Feature[] {
  const from = (view: PageView, index: number, element: number, read: (kin: Kin, view: PageView) => number): number => {
    const kin = of(view, index, element);
    return kin === undefined ? -1 : read(kin, view);
  };
  return [
    [`${name}-count`, (view, index, _, element) => from(view, index, element, (kin) => log(kin.count))],
    [`${name}-mean`, (view, index, _, element) => from(view, index, element, (kin) => log(kin.size / kin.count))],
    [`${name}-share`, (view, index, _, element) => from(view, index, element, (kin, { page }) => share(kin.size, page.size))],
    [`${name}-links`, (view, index, _, element) => from(view, index, element, (kin) => share(kin.linkCharacters, kin.characters))],
    [
      `${name}-variation`,
      (view, index, _, element) => from(view, index, element, (kin) => Math.sqrt(Math.max(kin.squares / kin.count - (kin.size / kin.count) ** 2, 0)) / (kin.size / kin.count + 1)),
    ],
  ];
}

const cardOf = (view: PageView, element: number): number => (element < 0 ? -1 : view.repetition.card[element]!);
const REPEATED: readonly Feature[] = [
  ...kinFeatures("path", (view, index) => view.repetition.pathKin[index]),
  ...kinFeatures("sibling", (view, _, element) => view.repetition.siblings[element]),
  ...kinFeatures("card", (view, _, element) => view.repetition.siblings[cardOf(view, element)]),
  ["sibling-place", (view, _, __, element) => view.repetition.place[element] ?? 0],
  ["card-place", (view, _, __, element) => view.repetition.place[cardOf(view, element)] ?? -1],
  ["card-size", (view, _, __, element) => log(view.elements.size[cardOf(view, element)] ?? 0)],
  ["card-images", (view, _, __, element) => { const kin = view.repetition.siblings[cardOf(view, element)]; return kin === undefined ? -1 : kin.images / kin.count; }],
  ["card-headings", (view, _, __, element) => { const kin = view.repetition.siblings[cardOf(view, element)]; return kin === undefined ? -1 : kin.headings / kin.count; }],
  ["card-index", (view, index, _, element) => { const card = cardOf(view, element); return card < 0 ? -1 : index - view.segmentation.elements.blockStart[card]!; }],
];

function around(view: PageView, index: number, reach: number): [from: number, to: number] {
  return [Math.max(index - reach, 0), Math.min(index + reach + 1, view.segmentation.blocks.length)];
}
function windowFeatures(reach: number): Feature[] {
  return [
    [`around-${reach}-mean`, (view, index) => { const [from, to] = around(view, index, reach); return log((view.page.sizeBefore[to]! - view.page.sizeBefore[from]!) / (to - from)); }],
    [`around-${reach}-links`, (view, index) => { const [from, to] = around(view, index, reach); return share(view.page.linkCharactersBefore[to]! - view.page.linkCharactersBefore[from]!, view.page.charactersBefore[to]! - view.page.charactersBefore[from]!); }],
    [`around-${reach}-prose`, (view, index) => { const [from, to] = around(view, index, reach); return share(view.page.proseBefore[to]! - view.page.proseBefore[from]!, view.page.sizeBefore[to]! - view.page.sizeBefore[from]!); }],
  ];
}
const NEIGHBOURS: readonly Feature[] = [
  ...([-2, -1, 1, 2] as const).flatMap((offset): Feature[] => [
    [`size${offset}`, (view, index) => log(at(view, index + offset)?.size ?? 0)],
    [`links${offset}`, (view, index) => { const block = at(view, index + offset); return block === undefined ? -1 : share(block.linkCharacters, block.characters); }],
  ]),
  ["same-container-before", (view, index, _, element) => (at(view, index - 1)?.container === element ? 1 : 0)],
  ["heading-1", (view, index) => (index > 0 ? headingLevel(view.segmentation, index - 1) : 0)],
  ["heading+1", (view, index) => headingLevel(view.segmentation, index + 1)],
  ...windowFeatures(4), ...windowFeatures(12),
  ["prose-before-distance", (view, index) => log(view.page.proseBeforeAt[index]! < 0 ? 500 : index - view.page.proseBeforeAt[index]!)],
  ["prose-after-distance", (view, index) => log(view.page.proseAfterAt[index]! >= view.segmentation.blocks.length ? 500 : view.page.proseAfterAt[index]! - index)],
];

const POSITION: readonly Feature[] = [
  ["position", (view, index) => index / view.segmentation.blocks.length],
  ["index", (_, index) => log(index)],
  ["index-from-end", (view, index) => log(view.segmentation.blocks.length - index)],
  ["text-before", (view, index) => share(view.page.sizeBefore[index]!, view.page.size)],
  ["prose-before", (view, index) => share(view.page.proseBefore[index]!, view.page.proseBefore[view.segmentation.blocks.length]!)],
  ["depth", (view, _, __, element) => view.segmentation.elements.depth[element] ?? 0],
  ["from-main-heading", (view, index) => { const main = view.page.mainHeading; return main < 0 ? -999 : Math.sign(index - main) * log(Math.abs(index - main)); }],
  ["heading-level", (view, index) => { const found = view.page.heading[index]!; return found < 0 ? 0 : headingLevel(view.segmentation, found); }],
  ["heading-distance", (view, index) => { const found = view.page.heading[index]!; return found < 0 ? -1 : index - found; }],
  ["heading-title-words", (view, index) => at(view, view.page.heading[index]!)?.titleWords ?? -1],
  ["section-size", (view, index) => { const found = view.page.heading[index]!; return log(view.page.sizeBefore[view.page.nextHeading[index]!]! - view.page.sizeBefore[Math.max(found, 0)]!); }],
  ["section-links", (view, index) => {
    const from = Math.max(view.page.heading[index]!, 0);
    const to = view.page.nextHeading[index]!;
    return share(view.page.linkCharactersBefore[to]! - view.page.linkCharactersBefore[from]!, view.page.charactersBefore[to]! - view.page.charactersBefore[from]!);
  }],
  ["articles-before", (view, _, __, element) => view.page.articlesBefore[element] ?? 0],
];

function containerFeatures(steps: number): Feature[] {
  return [
    [`up${steps}-size`, (view, _, __, element) => log(view.elements.size[upper(view, element, steps)] ?? 0)],
    [`up${steps}-links`, (view, _, __, element) => { const up = upper(view, element, steps); return up < 0 ? -1 : share(view.elements.linkCharacters[up]!, view.elements.characters[up]!); }],
    [`up${steps}-prose`, (view, _, __, element) => { const up = upper(view, element, steps); return up < 0 ? -1 : share(view.elements.prose[up]!, view.elements.size[up]!); }],
    [`up${steps}-blocks`, (view, _, __, element) => { const up = upper(view, element, steps); return up < 0 ? -1 : log(view.segmentation.elements.blockEnd[up]! - view.segmentation.elements.blockStart[up]!); }],
  ];
}
const CONTAINERS: readonly Feature[] = [1, 2, 3, 5].flatMap(containerFeatures);

const spanDistance = (view: PageView, index: number, element: number): number => {
  if (element < 0) return -99;
  const { blockStart, blockEnd } = view.segmentation.elements;
  if (index < blockStart[element]!) return -log(blockStart[element]! - index);
  return index >= blockEnd[element]! ? log(index - blockEnd[element]! + 1) : 0;
};
const TOP: readonly Feature[] = [
  ["top-steps", (view, _, __, element) => view.top.stepsToTop[element] ?? 30],
  ["top-span", (view, index) => spanDistance(view, index, view.top.top)],
  ["half-span", (view, index) => spanDistance(view, index, view.top.half)],
  ["most-span", (view, index) => spanDistance(view, index, view.top.most)],
  ["votes", (view, _, __, element) => share(view.top.score[element] ?? 0, view.top.topScore)],
  ["best-votes", (view, _, __, element) => share(view.top.best[element] ?? 0, view.top.topScore)],
  ["up-votes", (view, _, __, element) => { const up = upper(view, element, 1); return up < 0 ? 0 : share(view.top.score[up]!, view.top.topScore); }],
  ["top-share", (view) => share(view.elements.size[view.top.top] ?? 0, view.page.size)],
  ["top-prose-share", (view) => share(view.elements.prose[view.top.top] ?? 0, view.page.proseBefore[view.segmentation.blocks.length]!)],
  ["top-links", (view) => share(view.elements.linkCharacters[view.top.top] ?? 0, view.elements.characters[view.top.top] ?? 0)],
  ["half-share", (view) => share(view.elements.size[view.top.half] ?? 0, view.page.size)],
];

const tagCount = (name: string): Feature => [`page-${name}`, (view) => log(view.page.tags.get(name) ?? 0)];
const PAGE: readonly Feature[] = [
  ["page-size", (view) => log(view.page.size)],
  ["page-blocks", (view) => log(view.segmentation.blocks.length)],
  ["page-links", (view) => view.page.linkShare],
  ["page-prose", (view) => view.page.proseShare],
  ["page-largest", (view) => log(view.page.largest)],
  ["page-currencies", (view) => share(view.page.currencies, view.segmentation.blocks.length)],
  ["page-noscript", (view) => view.page.noscriptShare],
  ["page-media", (view) => log(view.segmentation.media.length)],
  ["page-type", (view) => view.page.openGraphType],
  ["page-data-type", (view) => view.page.linkedDataType],
  ["slug-hyphens", (view) => view.page.slugHyphens],
  ["slug-length", (view) => view.page.slugLength],
  ["slug-digits", (view) => view.page.slugDigits],
  ...["h1", "h2", "h3", "p", "article", "main", "li", "td", "pre", "form", "button", "section"].map(tagCount),
];

/** All features by name, in the order of a row. */
export const FEATURES: readonly Feature[] = [...OWN, ...GROUPS, ...REPEATED, ...NEIGHBOURS, ...POSITION, ...CONTAINERS, ...TOP, ...PAGE];

/** The named features of every block, row after row. Unknown names throw a RangeError: the model and the code do not belong together. */
export function computeFeatures(view: PageView, names: readonly string[]): Float32Array {
  const chosen = names.map((name) => {
    const feature = FEATURES.find(([known]) => known === name);
    if (feature === undefined) throw new RangeError(`the model asks for the unknown feature ${name}`);
    return feature[1];
  });
  const { blocks } = view.segmentation;
  const rows = new Float32Array(blocks.length * names.length);
  blocks.forEach((block, index) => {
    const start = index * names.length;
    for (let feature = 0; feature < chosen.length; feature++) rows[start + feature] = chosen[feature]!(view, index, block, block.container);
  });
  return rows;
}
