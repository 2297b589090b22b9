// Describes the place of a node: by its name, by its label, heading or column, by its surroundings,
// or by its position.
import type { ProgramSource } from "../../contract/extractors/program.ts";
import type { PageNode } from "../../page-model/node.ts";
import { foldLabel } from "../fold-label.ts";
import type { ExtractorPage, Scope } from "../extractor-page.ts";

export type Place = Pick<ProgramSource, "path" | "anchor">;

const MAX_AROUND = 8;
const NAMING_ATTRIBUTES = [
  "itemprop",
  "property",
  "data-testid",
  "data-test",
  "data-qa",
  "data-field",
  "data-label",
  "name",
  "rel",
  "role",
] as const;
const LANDMARKS: ReadonlySet<string> = new Set(["main", "article", "address", "figure", "hgroup"]);
const STATE_ATTRIBUTES = [
  "disabled",
  "aria-disabled",
  "checked",
  "selected",
  "aria-selected",
  "aria-checked",
  "aria-current",
] as const;
/** Classes for the current state of an element, not its kind. */
const STATES =
  /^(?:active|selected|current|open|closed|first|last|odd|even|hidden|visible|disabled|loaded|lazy\w*|is-.*|has-.*|js-.*|clearfix|row|col.*)$/i;

/** Places of a node within a scope, the firmest kinds first; not checked for uniqueness. */
export function findPlaces(node: PageNode, scope: Scope, page: ExtractorPage): Place[] {
  if (node === scope.root) return [{ path: "." }];
  const around = listAncestors(node, scope, page);
  const own = listCompounds(node);
  const tag = node.element.name;
  const paths = new Set<string>(own);
  const direct = [...own.slice(0, 4), tag];
  for (const [at, outer] of around.entries()) {
    const isNear = at < MAX_AROUND;
    for (const name of listCompounds(outer).slice(0, isNear ? 3 : 1)) {
      if (!isNear && !name.includes("#")) continue;
      for (const each of direct) paths.add(`${name} ${each}`);
      if (at < 5) paths.add(buildChain(name, around.slice(0, at), node, page, "tags"));
    }
  }
  paths.add(tag);
  const positional = buildPositionalPaths(node, around, scope, page);
  const found: Place[] = [...findAnchoredPlaces(node, [...direct, ...paths], scope, page)];
  for (const path of paths) found.push({ path });
  for (const path of positional) found.push({ path });
  return found;
}

/** Paths with positions, for nodes without names. */
function buildPositionalPaths(
  node: PageNode,
  around: readonly PageNode[],
  scope: Scope,
  page: ExtractorPage,
): Set<string> {
  const paths = new Set<string>();
  const tag = node.element.name;
  const nth = `${tag}:nth-of-type(${page.positionOf(node)})`;
  const nthLast = `${tag}:nth-last-of-type(${-page.backPositionOf(node)})`;
  for (const [at, outer] of around.slice(0, 5).entries())
    for (const name of listCompounds(outer).slice(0, 2)) {
      paths.add(buildChain(name, around.slice(0, at), node, page, "positions"));
      if (at === 0) paths.add(`${name} > ${nth}`).add(`${name} > ${nthLast}`);
    }
  if (scope.root !== undefined || scope.from > 0) {
    const whole = scope.root === undefined ? around : around.slice(0, -1);
    if (around.length <= 10) {
      paths
        .add(buildChain("", whole, node, page, "tags"))
        .add(buildChain("", whole, node, page, "positions"));
    }
  }
  return paths;
}

/** A path of children from a named element, or from the scope, down to a node. */
function buildChain(
  name: string,
  between: readonly PageNode[],
  node: PageNode,
  page: ExtractorPage,
  kind: "tags" | "positions",
): string {
  const steps = [...between.toReversed(), node].map((each) =>
    kind === "tags"
      ? each.element.name
      : `${each.element.name}:nth-of-type(${page.positionOf(each)})`,
  );
  return `${name} > ${steps.join(" > ")}`.trim();
}

/** Ancestors of a node, the nearest first, up to the scope. */
function listAncestors(node: PageNode, scope: Scope, page: ExtractorPage): PageNode[] {
  const found: PageNode[] = [];
  for (let at = page.model.parent(node); at !== undefined; at = page.model.parent(at)) {
    if (at.index < scope.from || at.element.name === "html") break;
    found.push(at);
    if (at === scope.root) break;
  }
  return found;
}

/** Selectors that identify an element by its kind: naming attributes, id, classes. */
export function listCompounds({ element: { name, attribs } }: PageNode): string[] {
  const found: string[] = [];
  // Custom elements and landmarks are named by their tag.
  if (name.includes("-") || LANDMARKS.has(name)) found.push(name);
  for (const attribute of NAMING_ATTRIBUTES) {
    const value = attribs[attribute];
    if (value !== undefined && /^[\w -]{1,60}$/.test(value))
      found.push(`${name}[${attribute}="${value}"]`);
  }
  const id = attribs["id"];
  if (id !== undefined && /^[A-Za-z][A-Za-z_-]{1,60}\d?$/.test(id)) found.push(`${name}#${id}`);
  const tokens = (attribs["class"] ?? "")
    .split(/\s+/, 16)
    .filter((each) => /^[A-Za-z][\w-]{1,60}$/.test(each) && !/\d{3}/.test(each));
  const classes = tokens.filter((each) => !STATES.test(each));
  const [first, second] = classes;
  for (const each of classes.slice(0, 4)) found.push(`${name}.${each}`);
  if (first !== undefined && second !== undefined) found.push(`${name}.${first}.${second}`);
  for (const attribute of STATE_ATTRIBUTES) {
    const value = attribs[attribute];
    if (value === "" || value === attribute) found.push(`${name}[${attribute}]`);
    else if (value !== undefined && /^[\w-]{1,30}$/.test(value))
      found.push(`${name}[${attribute}="${value}"]`);
  }
  const states = tokens.filter((token) => STATES.test(token));
  for (const each of states.slice(0, 2)) found.push(`${name}.${each}`);
  return found;
}

/** The place of a cell in a table, rows counted from either end. */
function buildRowPaths(node: PageNode, page: ExtractorPage): string[] {
  const row = page.model.parent(node);
  if (row === undefined || !/^(?:tr|li|div)$/.test(row.element.name)) return [];
  const cell = `${node.element.name}:nth-of-type(${page.positionOf(node)})`;
  return [
    `${row.element.name}:nth-of-type(${page.positionOf(row)}) > ${cell}`,
    `${row.element.name}:nth-last-of-type(${-page.backPositionOf(row)}) > ${cell}`,
  ];
}

function findAnchoredPlaces(
  node: PageNode,
  paths: readonly string[],
  scope: Scope,
  page: ExtractorPage,
): Place[] {
  const found: Place[] = [];
  const before = page.labelBefore(node, scope);
  for (const label of page.labelsAround(node, scope)) {
    if (!/\p{L}{2}/u.test(label)) continue;
    const isPair = label !== before;
    for (const path of paths.slice(0, 14)) found.push({ path, anchor: { label } });
    if (isPair || page.pairsOf(label).some((pair) => pair.node === node))
      found.push({ anchor: { label } });
  }
  const column = page.columnOf(node);
  if (column !== "") found.push({ anchor: { column } });
  const section = page.model.sections.findLast(
    ({ start, end, heading }) =>
      node.index >= start && node.index < end && heading.index >= scope.from,
  );
  // The first heading of a page names its item, not a part of it.
  const heading = section === undefined || section.level === 1 ? "" : foldLabel(section.title);
  if (heading !== "")
    for (const path of [...paths.slice(0, 6), ...buildRowPaths(node, page)])
      found.push({ path, anchor: { heading } });
  return found;
}
