// Gives the parts of a reference in a list of publications: authors, title, venue, pages, DOI.
import { isAside, isHidden, type PageNode } from "../../../page-model/node.ts";
import type { PageModel } from "../../../page-model/page-model.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Leaf } from "../declared/finding.ts";
import type { Name } from "../names/names.ts";
import { readCitation, type Citation } from "../values/citation.ts";
import { VisibleScope } from "./visible-scope.ts";
import { isFileOrAddress } from "./visible-title.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

/** Texts of links beside a reference, besides "[PDF]" and addresses. */
const NOTE = /^(?:\[.*|html|arxiv|code|data|slides|full text|link)$/iu;

const MARKS: ReadonlySet<string> = new Set("a i em b strong cite q span".split(" "));

type Reading = { readonly node: PageNode; readonly citation: Citation };
type References = {
  readonly lists: readonly ReferenceList[];
  readonly byNode: ReadonlyMap<PageNode, Citation>;
};

const referencesByModel = new WeakMap<PageModel, References>();

/** The reference that a record is; undefined for any other record. */
const getReference = ({ model, roots: [root], cells }: VisibleScope): Citation | undefined =>
  root === undefined || cells.length > 0 ? undefined : readReferences(model).byNode.get(root);

export const isReference = (scope: VisibleScope): boolean => getReference(scope) !== undefined;

function readItem(model: PageModel, node: PageNode): Reading[] {
  const marks = model
    .below(node)
    .filter(
      (part) =>
        MARKS.has(part.element.name) &&
        part.to > part.from &&
        !isHidden(part) &&
        !isFileOrAddress(model.lineOf(part)) &&
        !NOTE.test(model.lineOf(part)),
    )
    .map(({ from, to }) => ({ from: from - node.from, to: to - node.from }));
  const citation = readCitation(model.text.slice(node.from, node.to), marks);
  if (citation === undefined) return [];
  const doi = citation.doi ?? findLinkedDoi(model, node);
  return [{ node, citation: doi === undefined ? citation : { ...citation, doi } }];
}

/** The DOI to which the only such link of a reference leads. */
function findLinkedDoi(model: PageModel, node: PageNode): string | undefined {
  const found = model.below(node).flatMap(({ element: { attribs } }) => {
    const [, doi] =
      /^https?:\/\/(?:dx\.)?doi\.org\/(10\.\d{4,9}\/[^\s?#]+)$/i.exec(attribs["href"] ?? "") ?? [];
    return doi === undefined ? [] : [doi];
  });
  const [doi, other] = new Set(found);
  return other === undefined ? doi : undefined;
}

type Part = (citation: Citation) => string | number | undefined;

const getPage =
  (at: number): Part =>
  ({ pages }) =>
    pages?.split("–")[at];

/** Parts by the last words of the property's name. */
const PARTS: readonly (readonly [RegExp, Part])[] = [
  [/^(?:first|lead) author(?: name)?$/, ({ authors }) => authors[0]],
  [/(?:^|\s)authors?(?: names?| list)?$/, ({ authorsText }) => authorsText],
  [/^(?:(?:article|paper|work|publication|full)\s)?(?:title|name)$/, ({ title }) => title],
  [/(?:^|\s)year$|^published$/, ({ year }) => year],
  [/(?:^|\s)journal(?: name| title)?$/, ({ venue, isInBook }) => (isInBook ? undefined : venue)],
  [
    /(?:^|\s)(?:venue|container|proceedings|conference|book|publication|published in)(?: name| title)?$/,
    ({ venue }) => venue,
  ],
  [/(?:^|\s)volume(?: number)?$/, ({ volume }) => volume],
  [/(?:^|\s)issue(?: number)?$/, ({ issue }) => issue],
  [/^(?:first|start) page$|^page start$/, getPage(0)],
  [/^(?:last|end) page$|^page end$/, getPage(1)],
  [/^pages?(?: range)?$|^page numbers$/, ({ pages }) => pages],
  [/(?:^|\s)doi$/, ({ doi }) => doi],
];

/** Properties of a work that its reference does not say. */
const PROSE = /(?:^|\s)(?:abstract|summary|description|text|content|body)$/;

/** The part of a reference that a property names; undefined if the record is none. */
export function findCited(
  { key }: Name,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const citation = getReference(scope);
  if (citation !== undefined && PROSE.test(key))
    return { reason: "a reference has no text of this kind" };
  const part = PARTS.find(([pattern]) => pattern.test(key))?.[1];
  if (part === undefined || shape.format !== undefined || shape.enum !== undefined)
    return undefined;
  const value = citation === undefined ? undefined : part(citation);
  const [root] = scope.roots;
  if (value === undefined || root === undefined) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, root, value, "list")],
      confidence: "high",
      // The parts stand in one text, and some are equal: the first of one author.
      isExact: true,
      node: root,
    },
  };
}

/** The authors of a reference, each as written; empty if the record is none. */
export function listCitedAuthors({ key }: Name, scope: VisibleScope): Leaf[] {
  const [root] = scope.roots;
  if (root === undefined || !/(?:^|\s)authors?(?: names?)?$/.test(key)) return [];
  const { authors = [] } = getReference(scope) ?? {};
  return authors.map((name) => toVisibleLeaf(scope, root, name, "list", name));
}

export type ReferenceList = {
  readonly scopes: readonly VisibleScope[];
  /** The heading before the list; "" for several lists together. */
  readonly title: string;
  /** For each reference, the heading of its list, where several lists are joined. */
  readonly groups: readonly string[];
};

/** Characters of a reference. */
const MIN_REFERENCE = 40;
const MAX_REFERENCE = 1_200;
/** Share of a list's items that must be references: others are in press, or odd. */
const MIN_SHARE = 0.6;
const MAX_REFERENCES = 2_000;

/**
 * The lists of references on a page, each with those that can be read, and, where there are several,
 * all of them together first.
 */
export const listReferences = (model: PageModel): readonly ReferenceList[] =>
  readReferences(model).lists;

function readReferences(model: PageModel): References {
  const cached = referencesByModel.get(model);
  if (cached !== undefined) return cached;
  const lists: { readonly readings: readonly Reading[]; readonly title: string }[] = [];
  let left = MAX_REFERENCES;
  for (const node of model.nodes) {
    if (!/^(?:ul|ol|div|section|article|main)$/.test(node.element.name) || isAside(node)) continue;
    if (isHidden(node) || left <= 0) continue;
    const items = model
      .children(node)
      .filter((child) => isReferenceCandidate(model, child))
      .slice(0, left);
    left -= items.length;
    const readings = items.flatMap((item) => readItem(model, item));
    const title = findTitle(model, node, items[0] ?? node);
    const firm = readings.filter(({ citation }) => isFirm(citation)).length;
    // The theses of students, below a heading of their own, are not among the publications.
    const isNamed = NAMES_REFERENCES.test(title) || (firm === 0 && YEAR_ALONE.test(title));
    const isRead = readings.length >= items.length * MIN_SHARE && items.length > 0;
    if (isRead && (isNamed || firm >= readings.length * MIN_FIRM)) lists.push({ readings, title });
  }
  // Lists in asides cite other works.
  const main = lists.filter(
    ({ readings: [first] }) => first !== undefined && !isInAside(model, first.node),
  );
  if (main.length > 0) lists.splice(0, lists.length, ...main);
  const all = lists.flatMap(({ readings }) => readings);
  const isAny = all.some(({ citation }) => isFirm(citation));
  const isNamed = lists.some(({ title }) => NAMES_REFERENCES.test(title));
  const references =
    all.length < 2 || !(isAny || isNamed)
      ? { lists: [], byNode: new Map<PageNode, Citation>() }
      : {
          lists: toLists(model, lists),
          byNode: new Map(all.map(({ node, citation }) => [node, citation] as const)),
        };
  referencesByModel.set(model, references);
  return references;
}

function isInAside(model: PageModel, node: PageNode): boolean {
  for (let at: PageNode | undefined = node; at !== undefined; at = model.parent(at))
    if (at.element.name === "aside") return true;
  return false;
}

function toLists(
  model: PageModel,
  lists: readonly { readonly readings: readonly Reading[]; readonly title: string }[],
): ReferenceList[] {
  const toScopes = (readings: readonly Reading[]): VisibleScope[] =>
    readings.map(({ node }) => VisibleScope.record(model, { nodes: [node] }));
  const each = lists
    .filter(({ readings }) => readings.length > 1 || lists.length === 1)
    .map(({ readings, title }) => ({
      scopes: toScopes(readings),
      title,
      groups: readings.map(() => ""),
    }));
  const all = {
    scopes: toScopes(lists.flatMap(({ readings }) => readings)),
    title: "",
    groups: lists.flatMap(({ readings, title }) => readings.map(() => title)),
  };
  return lists.length > 1 ? [all, ...each] : each;
}

/**
 * Comments and notes may start with a name and a year: a reference says where the work appeared.
 */
const isFirm = ({ venue, volume, pages, doi }: Citation): boolean =>
  doi !== undefined || (venue !== undefined && volume !== undefined && pages !== undefined);

const YEAR_ALONE = /^(?:19|20)\d\d$/;
/** Share of firm references in a list whose heading does not name them. */
const MIN_FIRM = 0.5;
const NAMES_REFERENCES =
  /publication|papers|bibliograph|references|works|literatur|schriften|veröffentlich|articles|chapters|proceedings|preprints|thes[ei]s|publicaci|pubblicaz|publicaç|artículos|articoli/iu;

const isReferenceCandidate = (model: PageModel, node: PageNode): boolean =>
  isLikeReference(model, node) &&
  model.pieces(node).length <= MAX_PIECES &&
  // A part of the page with one reference in it.
  !model.children(node).some((child) => isLikeReference(model, child));

const isLikeReference = (model: PageModel, node: PageNode): boolean =>
  node.to - node.from >= MIN_REFERENCE &&
  node.to - node.from <= MAX_REFERENCE &&
  !isHidden(node) &&
  /^(?:li|p|div|ul|ol|section)$/.test(node.element.name) &&
  /(?:19|20)\d\d/.test(model.textOf(node));

const MAX_TITLE = 60;
/** Pieces of text in an item: the reference, and notes or links below it. */
const MAX_PIECES = 4;

/** The short text before a list, such as a bold one, else the heading above it. */
function findTitle(model: PageModel, list: PageNode, item: PageNode): string {
  const before = /^[uo]l$/.test(list.element.name) ? model.previous(list, true) : undefined;
  const isLabel = before !== undefined && /^(?:b|strong|p|div|span)$/.test(before.element.name);
  const line = isLabel ? model.lineOf(before) : "";
  if (line !== "" && line.length <= MAX_TITLE) return line;
  let title = "";
  for (const section of model.sections) {
    if (section.start > item.index) break;
    if (list.index < section.end && item.index < section.end) ({ title } = section);
  }
  return title;
}
