// Gives the parts of a reference in a list of publications: authors, title, venue, pages, DOI.
import { isHidden } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Leaf } from "../declared/finding.ts";
import type { Name } from "../names/names.ts";
import { readCitation, type Citation } from "../values/citation.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

const MARKS = ["a", "i", "em", "b", "strong", "cite", "q", "span"] as const;

const readings = new WeakMap<VisibleScope, Citation | "none">();

/** The reference that a record is; undefined for a page, a table row and any other record. */
function readReference(scope: VisibleScope): Citation | undefined {
  const known = readings.get(scope);
  if (known !== undefined) return known === "none" ? undefined : known;
  const citation = readRecord(scope);
  readings.set(scope, citation ?? "none");
  return citation;
}

function readRecord(scope: VisibleScope): Citation | undefined {
  const { model, roots, isPage, cells } = scope;
  const [root, ...others] = roots;
  if (isPage || cells.length > 0 || root === undefined || others.length > 0) return undefined;
  const marks = scope
    .elements(...MARKS)
    .filter((node) => node.to > node.from && !isHidden(node))
    .map(({ from, to }) => ({ from: from - root.from, to: to - root.from }));
  return readCitation(model.text.slice(root.from, root.to), marks);
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
  [/(?:^|\s)(?:title|name)$/, ({ title }) => title],
  [/(?:^|\s)year$|^published$/, ({ year }) => year],
  [
    /(?:^|\s)(?:venue|journal|container|proceedings|conference|publication|published in)(?: name| title)?$/,
    ({ venue }) => venue,
  ],
  [/(?:^|\s)volume(?: number)?$/, ({ volume }) => volume],
  [/(?:^|\s)issue(?: number)?$/, ({ issue }) => issue],
  [/^(?:first|start) page$|^page start$/, getPage(0)],
  [/^(?:last|end) page$|^page end$/, getPage(1)],
  [/^pages?(?: range)?$|^page numbers$/, ({ pages }) => pages],
  [/(?:^|\s)doi$/, ({ doi }) => doi],
];

/** The part of a reference that a property names; undefined if the record is none. */
export function findCited(
  { key }: Name,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  const part = PARTS.find(([pattern]) => pattern.test(key))?.[1];
  if (part === undefined || shape.format !== undefined || shape.enum !== undefined)
    return undefined;
  const citation = readReference(scope);
  const value = citation === undefined ? undefined : part(citation);
  const [root] = scope.roots;
  if (value === undefined || root === undefined) return undefined;
  return {
    found: {
      leaves: [toVisibleLeaf(scope, root, value, "list")],
      confidence: "medium",
      node: root,
    },
  };
}

/** The authors of a reference, each as written; empty if the record is none. */
export function listCitedAuthors({ key }: Name, scope: VisibleScope): Leaf[] {
  const [root] = scope.roots;
  if (root === undefined || !/(?:^|\s)authors?(?: names?)?$/.test(key)) return [];
  const { authors = [] } = readReference(scope) ?? {};
  return authors.map((name) => toVisibleLeaf(scope, root, name, "list", name));
}
