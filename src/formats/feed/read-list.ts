// The main list of a page as entries with link, title, date and summary: posts, news, documents,
// jobs. Chosen among the repeated records of the page by structure alone.
import type { PageFeedItem } from "../../contract/page/feed.ts";
import { parseDateText, parseUrlDate } from "../../html/metadata/date-text.ts";
import { isHidden, type PageNode } from "../../page-model/node.ts";
import type { PageModel } from "../../page-model/page-model.ts";
import type { PageRecord, RecordSet } from "../../page-model/records.ts";

export type ListOptions = {
  readonly pageUrl: string;
  /** Makes an address of the page absolute. */
  readonly resolve: (address: string) => string | undefined;
};

const MAX_ITEMS = 1_000;
const MIN_ITEMS = 3;
const MAX_TITLE_CHARACTERS = 300;
const MAX_SUMMARY_CHARACTERS = 500;
const MIN_SUMMARY = 30;
/** Maximum characters of a text with a date beside other facts, such as the author. */
const MAX_DATE_LINE = 120;
const MAX_SETS = 60;
/** Minimum share of the records with a link and a title. */
const MIN_COMPLETE = 0.6;
/** Minimum share of the entries with one sign that they are entries, not navigation. */
const MIN_SIGNED = 0.5;
const MIN_TITLE_WORDS = 3;
/** Share of the records whose links all have the same text, such as "Details". */
const MIN_REPEATED = 0.5;

type Entry = {
  readonly item: PageFeedItem;
  readonly hasHeading: boolean;
  readonly words: number;
};

/** Returns the entries in page order; undefined if the page has no list of entries. */
export function readList(model: PageModel, options: ListOptions): PageFeedItem[] | undefined {
  let best: { readonly entries: readonly Entry[]; readonly score: number } | undefined;
  for (const set of selectLargestSets(model)) {
    const entries = readEntries(model, set, options);
    if (entries.length < MIN_ITEMS || entries.length < set.records.length * MIN_COMPLETE) continue;
    if (!isList(entries)) continue;
    const score = scoreEntries(entries);
    if (best === undefined || score > best.score) best = { entries, score };
  }
  return best?.entries.slice(0, MAX_ITEMS).map(({ item }) => item);
}

function selectLargestSets(model: PageModel): RecordSet[] {
  const measure = ({ records }: RecordSet): number =>
    records.reduce((sum, { nodes }) => sum + (nodes.at(-1)?.to ?? 0) - (nodes[0]?.from ?? 0), 0);
  return model.recordSets
    .filter((set) => !set.isAside)
    .map((set) => ({ set, size: measure(set) }))
    .toSorted((one, other) => other.size - one.size)
    .slice(0, MAX_SETS)
    .map(({ set }) => set);
}

const computeShare = (entries: readonly Entry[], test: (entry: Entry) => boolean): number =>
  entries.filter(test).length / entries.length;

/** Most entries have a date or a heading, or titles of several words. */
const isList = (entries: readonly Entry[]): boolean =>
  computeShare(entries, ({ item }) => item.date !== undefined) >= MIN_SIGNED ||
  computeShare(entries, ({ hasHeading }) => hasHeading) >= MIN_SIGNED ||
  computeShare(entries, ({ words }) => words >= MIN_TITLE_WORDS) > MIN_SIGNED;

/** More and richer entries win; ten more entries count as much as a date. */
function scoreEntries(entries: readonly Entry[]): number {
  const quality = entries.reduce(
    (sum, { item, hasHeading, words }) =>
      sum +
      1 +
      (item.date === undefined ? 0 : 1.5) +
      (hasHeading ? 1 : 0) +
      (item.summary === undefined ? 0 : 0.5) +
      Math.min(words, 8) / 8,
    0,
  );
  return Math.sqrt(entries.length) * (quality / entries.length);
}

function readEntries(model: PageModel, set: RecordSet, options: ListOptions): Entry[] {
  const records = set.records.map((record) => describeRecord(model, record, options));
  const repeated = findRepeatedTexts(records);
  const seen = new Set<string>();
  const entries = records.flatMap((record, at) => {
    const entry = readEntry(model, record, repeated, set.groups[at] ?? "");
    if (entry === undefined || seen.has(entry.item.url)) return [];
    seen.add(entry.item.url);
    return [entry];
  });
  const worded = entries.filter(({ item }) => /\p{L}/u.test(item.title));
  // A title such as "1984" among words; numbers alone are those of pages.
  return worded.length > entries.length * MIN_SIGNED ? entries : worded;
}

type Link = { readonly node: PageNode; readonly url: string; readonly text: string };
type RecordParts = {
  readonly record: PageRecord;
  readonly links: readonly Link[];
  readonly heading: PageNode | undefined;
};

const MAX_LINKS = 40;

function describeRecord(
  model: PageModel,
  record: PageRecord,
  { resolve, pageUrl }: ListOptions,
): RecordParts {
  const here = stripFragment(pageUrl);
  const links: Link[] = [];
  const addLink = (node: PageNode): void => {
    const written = node.element.attribs["href"] ?? "";
    const url = written === "" || written.startsWith("#") ? undefined : resolve(written);
    if (url === undefined || !/^https?:\/\//i.test(url) || stripFragment(url) === here) return;
    if (links.length < MAX_LINKS) links.push({ node, url, text: model.lineOf(node).trim() });
  };
  let heading: PageNode | undefined;
  let named: PageNode | undefined;
  for (const root of record.nodes) {
    // A card may be inside its link.
    const parent = model.parent(root);
    if (parent?.element.name === "a" && model.children(parent).length === 1) addLink(parent);
    for (const node of model.below(root)) {
      if (isHidden(node)) continue;
      if (node.element.name === "a") addLink(node);
      if (heading === undefined && isHeading(node) && model.lineOf(node).trim() !== "")
        heading = node;
      if (named === undefined && isNamedTitle(node) && model.lineOf(node).trim() !== "")
        named = node;
    }
  }
  return { record, links, heading: heading ?? named };
}

const isHeading = ({ element: { name, attribs } }: PageNode): boolean =>
  /^h[1-6]$/.test(name) || attribs["role"] === "heading";

const TITLE_CLASS = /(?:^|[\s_-])(?:title|headline)(?:$|[\s_-])/i;

/** A title without a heading element, such as `<div class="list-title">`. */
const isNamedTitle = ({ element: { name, attribs } }: PageNode): boolean =>
  name !== "a" && TITLE_CLASS.test(attribs["class"] ?? "");

const stripFragment = (url: string): string => url.replace(/#.*$/s, "");

/** Texts that links of most records have, such as "Read more". */
function findRepeatedTexts(records: readonly RecordParts[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const { links } of records)
    for (const text of new Set(links.map((link) => link.text.toLowerCase())))
      counts.set(text, (counts.get(text) ?? 0) + 1);
  const min = Math.max(2, records.length * MIN_REPEATED);
  return new Set([...counts].flatMap(([text, count]) => (count >= min ? [text] : [])));
}

function readEntry(
  model: PageModel,
  parts: RecordParts,
  repeated: ReadonlySet<string>,
  group: string,
): Entry | undefined {
  const found = findTitle(model, parts, repeated);
  if (found === undefined) return undefined;
  const { url, titleNode } = found;
  const title = found.title.replaceAll(/\s+/g, " ").trim().slice(0, MAX_TITLE_CHARACTERS);
  if (!/[\p{L}\p{N}]/u.test(title)) return undefined;
  const pieces = parts.record.nodes.flatMap((node) => model.pieces(node));
  const date = readDate(model, parts.record, titleNode, group) ?? parseUrlDate(url);
  const summary = readSummary(model, pieces, titleNode, repeated);
  return {
    item: {
      url,
      title,
      ...(date === undefined ? {} : { date }),
      ...(summary === undefined ? {} : { summary }),
    },
    hasHeading: parts.heading !== undefined,
    words: title.split(" ").length,
  };
}

type Title = { readonly title: string; readonly url: string; readonly titleNode: PageNode };

function findTitle(
  model: PageModel,
  { record, links, heading }: RecordParts,
  repeated: ReadonlySet<string>,
): Title | undefined {
  if (links.length === 0) return undefined;
  if (heading !== undefined) {
    const link =
      links.find(({ node }) => model.contains(heading, node) || model.contains(node, heading)) ??
      findOnlyTarget(links) ??
      findTermLink(model, record, links) ??
      links.find(({ text }) => repeated.has(text.toLowerCase()));
    const title = model.lineOf(heading).replace(/^title:/i, "");
    return link && { title, url: link.url, titleNode: heading };
  }
  const named = links.filter(({ text }) => text !== "" && !repeated.has(text.toLowerCase()));
  const longest = Math.max(0, ...named.map(({ text }) => text.length));
  // The first link that is about as long as the longest; author and category are shorter.
  const link = named.find(({ text }) => text.length >= longest * 0.6);
  return link && { title: link.text, url: link.url, titleNode: link.node };
}

/** The link in the term of a description list. */
function findTermLink(
  model: PageModel,
  { nodes: [term] }: PageRecord,
  links: readonly Link[],
): Link | undefined {
  if (term?.element.name !== "dt") return undefined;
  return links.find(({ node }) => model.contains(term, node));
}

const findOnlyTarget = (links: readonly Link[]): Link | undefined =>
  new Set(links.map(({ url }) => stripFragment(url))).size === 1 ? links[0] : undefined;

function readDate(
  model: PageModel,
  { nodes }: PageRecord,
  title: PageNode,
  group: string,
): string | undefined {
  for (const root of nodes)
    for (const node of model.below(root)) {
      const { name, attribs } = node.element;
      if (name !== "time" || isHidden(node)) continue;
      const date = parseDateText(attribs["datetime"] ?? "", model.order);
      if (date !== undefined) return date;
    }
  for (const root of nodes)
    for (const piece of model.pieces(root)) {
      const date = readDateOfPiece(model, piece, title);
      if (date !== undefined) return date;
    }
  return readDateInYear(model, nodes, group);
}

/** Undefined for the title itself and for long texts, whose dates are those of other things. */
function readDateOfPiece(model: PageModel, piece: PageNode, title: PageNode): string | undefined {
  if (piece.to - piece.from > MAX_DATE_LINE || model.contains(title, piece)) return undefined;
  return findDate(model.typedValues(piece), findTitleSpan(model, piece, title));
}

type DateValue = ReturnType<PageModel["typedValues"]>[number];

/** The first date outside the title. */
const findDate = (
  values: readonly DateValue[],
  span: readonly [number, number] | undefined,
): string | undefined =>
  values.find(
    ({ type, at }) => type === "date" && (span === undefined || at < span[0] || at >= span[1]),
  )?.unit;

/** The place of the title in the text of a piece that contains it. */
function findTitleSpan(
  model: PageModel,
  piece: PageNode,
  title: PageNode,
): readonly [number, number] | undefined {
  if (!model.contains(piece, title)) return undefined;
  const text = model.lineOf(title);
  const at = model.lineOf(piece).indexOf(text);
  return at === -1 ? undefined : [at, at + text.length];
}

/** A day and month below a heading that is a year. */
function readDateInYear(
  model: PageModel,
  nodes: readonly PageNode[],
  group: string,
): string | undefined {
  const year = /^(?:19|20)\d\d$/.exec(group.trim())?.[0];
  if (year === undefined) return undefined;
  for (const root of nodes)
    for (const piece of model.pieces(root)) {
      const text = model.lineOf(piece).trim();
      const date =
        text.length <= 20 && !/\d{4}/.test(text) ? parseDateText(`${text} ${year}`) : undefined;
      if (date !== undefined) return date;
    }
  return undefined;
}

/** The first long text beside the title; a paragraph rather than another part. */
function readSummary(
  model: PageModel,
  pieces: readonly PageNode[],
  title: PageNode,
  repeated: ReadonlySet<string>,
): string | undefined {
  const texts = pieces
    .filter((piece) => !model.contains(title, piece) && !model.contains(piece, title))
    .filter((piece) => piece.element.name !== "a")
    .map((piece) => ({
      text: model.lineOf(piece).replaceAll(/\s+/g, " ").trim(),
      isParagraph: piece.element.name === "p",
    }))
    .filter(({ text }) => text.length >= MIN_SUMMARY && !repeated.has(text.toLowerCase()));
  const found = texts.find(({ isParagraph }) => isParagraph) ?? texts[0];
  return found?.text.slice(0, MAX_SUMMARY_CHARACTERS);
}
