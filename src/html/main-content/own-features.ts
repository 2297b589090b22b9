// Features of a block's own text and of the names above it.
import { FAR } from "./element-facts.ts";
import { GROUP_NAMES } from "./name-groups.ts";
import { share } from "./page-facts.ts";
import { log, type Feature } from "./page-view.ts";

const TAG_KINDS = [
  "p",
  "li",
  "div",
  "td",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "dt",
  "dd",
  "pre",
  "button",
  "blockquote",
  "figcaption",
  "section",
  "article",
  "th",
  "summary",
];

/** What the text itself looks like. */
export const OWN: readonly Feature[] = [
  ["size", (_, __, block) => log(block.size)],
  ["characters", (_, __, block) => log(block.characters)],
  ["link-share", (_, __, block) => share(block.linkCharacters, block.characters)],
  ["links", (_, __, block) => block.links],
  ["word-length", (_, __, block) => share(block.characters, block.words)],
  ["sentence-marks", (_, __, block) => block.sentenceMarks],
  ["commas", (_, __, block) => share(block.commas, block.size)],
  [
    "ends-sentence",
    (_, __, block) => ('.!?:。！？…"”'.includes(String.fromCharCode(block.last)) ? 1 : 0),
  ],
  ["digit-share", (_, __, block) => share(block.digits, block.characters)],
  ["upper-share", (_, __, block) => share(block.upperCase, block.characters)],
  ["capital-words", (_, __, block) => share(block.capitalWords, block.words)],
  ["separators", (_, __, block) => block.separators],
  ["currencies", (_, __, block) => block.currencies],
  ["bold-share", (_, __, block) => share(block.bold, block.characters)],
  ["title-share", (_, __, block) => share(block.titleWords, block.words)],
  ["title-words", (_, __, block) => block.titleWords],
  ["described-share", (_, __, block) => share(block.describedWords, block.words)],
  ["described-words", (_, __, block) => log(block.describedWords)],
  ["body-share", (_, __, block) => share(block.bodyWords, block.words)],
  ["own-images", (_, __, block) => block.images],
  [
    "tag",
    (view, _, __, element) =>
      TAG_KINDS.indexOf(view.segmentation.elements.nodes[element]?.name ?? ""),
  ],
  ["copies", (view, index) => view.repetition.copies[index]!],
  ["copies-before", (view, index) => view.repetition.copiesBefore[index]!],
];

/** How far up the nearest element of each group of names is. */
export const GROUPS: readonly Feature[] = GROUP_NAMES.map((name, group): Feature => [
  name,
  (view, _, __, element) =>
    element < 0 ? FAR : view.elements.distance[element * GROUP_NAMES.length + group]!,
]);
