// Reduces a page of a known generator to its content, in place.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { rename } from "../parse/nodes.ts";
import type { BlockNote } from "../clean/overlay.ts";
import type { RemovedElement } from "../clean/removal.ts";
import { toRemoval } from "../select/select.ts";
import { detachAll, listElements, findElement, hasText, getNextNode } from "../parse/tree.ts";
import type { GeneratedPage } from "./find-generator.ts";
import type { Generator } from "./generator.ts";
import { ClassLookup, Places } from "./places.ts";
import { readPlace, matchesPlace, type Place } from "./place.ts";
import { convertGridToTable, convertTableToParagraph, addSpaces } from "./layout-tables.ts";

const STEP = "main-content";
const HEADING = /^h[1-6]$/;

export type KeepOptions = {
  /** Address of the page. */
  readonly url: string;
  /** Reports what was removed. */
  readonly explain: boolean;
  /** Called with the removed texts, in order. */
  readonly onBlock?: ((note: BlockNote) => void) | undefined;
};

/** Removes everything but the content. Returns the removed elements if `explain` is set. */
export function keepContent(page: GeneratedPage, options: KeepOptions): RemovedElement[] {
  const { url } = options;
  const { generator, kept, title } = page;
  const parts = kept.flatMap((element) => findParts(generator, element));
  const dropped = parts.filter(({ part, element }) =>
    part.use === "toc" ? linksIntoPage(element, url) : part.use === "drops",
  );
  const removals = removeOutside(kept, `beside the content of ${generator.name}`, options);
  for (const { element, part } of dropped)
    recordRemoval(element, `${part.text} of ${generator.name}`, removals, options);
  detachAll(dropped.map(({ element }) => element));
  for (const { element, part } of parts) {
    if (part.use === "grids") convertGridToTable(element);
    else if (part.use === "lines") convertTableToParagraph(element);
  }
  addSpaces(parts.filter(({ part }) => part.use === "spaced").map(({ element }) => element));
  if (title !== undefined && !isHeading(title) && findElement(title, isHeading) === undefined)
    rename(title, "h1");
  return removals;
}

type TellOptions = Pick<KeepOptions, "explain" | "onBlock">;

/** Removes everything outside these elements and their ancestors. */
export function removeOutside(
  kept: readonly Element[],
  rule: string,
  options: TellOptions,
): RemovedElement[] {
  const removals: RemovedElement[] = [];
  const outside = findOutside(kept);
  for (const node of outside) recordRemoval(node, rule, removals, options);
  detachAll(outside);
  return removals;
}

function recordRemoval(
  node: ChildNode,
  rule: string,
  removals: RemovedElement[],
  { explain, onBlock }: TellOptions,
): void {
  if (explain && isTag(node) && hasText(node)) removals.push(toRemoval(node, STEP, rule));
  if (onBlock !== undefined) noteTexts(node, rule, onBlock);
}

const isHeading = ({ name }: Element): boolean => HEADING.test(name);

/** True if all links of a table of contents point into this page. */
function linksIntoPage(toc: Element, url: string): boolean {
  const links = listElements(toc).filter(({ name }) => name === "a");
  const page = stripFragment(url);
  return links.length > 0 && links.every(({ attribs }) => isLinkTo(page, attribs["href"] ?? ""));
}

function isLinkTo(page: string, href: string): boolean {
  if (!href.includes("#")) return false;
  const address = stripFragment(href);
  return address === "" || URL.parse(address, page)?.href === page;
}

const stripFragment = (address: string): string => address.replace(/#.*$/s, "");

/** Returns everything outside these elements and their ancestors. */
function findOutside(kept: readonly Element[]): ChildNode[] {
  const around = new Set<ParentNode>();
  for (const element of kept)
    for (let node = element.parent; node !== null && !around.has(node); node = getParent(node))
      around.add(node);
  const staying = new Set<ChildNode | ParentNode>([...kept, ...around]);
  const outside: ChildNode[] = [];
  for (const parent of around)
    for (const child of parent.children) if (!staying.has(child)) outside.push(child);
  return outside;
}

const getParent = (node: ParentNode): ParentNode | null => node.parent;

const USES = ["drops", "toc", "grids", "lines", "spaced"] as const;

/** A part that a generator adds to its content, and its purpose. */
type Part = {
  readonly place: Place;
  readonly text: string;
  readonly use: (typeof USES)[number];
};

const partsByGenerator = new Map<Generator, Places<Part>>();

function getParts(generator: Generator): Places<Part> {
  let known = partsByGenerator.get(generator);
  if (known === undefined) {
    known = new Places(
      USES.flatMap((use) =>
        (generator[use] ?? []).map((text) => ({ text, use, place: readPlace(text) })),
      ),
    );
    partsByGenerator.set(generator, known);
  }
  return known;
}

/** Returns the outermost parts in an element, in document order. */
function findParts(
  generator: Generator,
  content: Element,
): { readonly element: Element; readonly part: Part }[] {
  const found: { element: Element; part: Part }[] = [];
  const places = getParts(generator);
  if (places.isEmpty) return found;
  const classes = new ClassLookup(places);
  let node = getNextNode(content, content);
  while (node !== null) {
    const part = isTag(node) ? findPartAt(node, places, classes) : undefined;
    if (isTag(node) && part !== undefined) found.push({ element: node, part });
    node = getNextNode(node, content, part !== undefined);
  }
  return found;
}

function findPartAt(
  element: Element,
  places: Places<Part>,
  classes: ClassLookup<Part>,
): Part | undefined {
  return (
    findFirstMatch(element, classes.of(element)) ??
    findFirstMatch(element, places.ofId(element)) ??
    findFirstMatch(element, places.ofTag(element))
  );
}

function findFirstMatch(element: Element, parts: readonly Part[]): Part | undefined {
  for (const part of parts) if (matchesPlace(element, part.place)) return part;
  return undefined;
}

function noteTexts(root: ChildNode, rule: string, note: (block: BlockNote) => void): void {
  const tell = (node: ChildNode): void => {
    if (isText(node)) note({ texts: [node], isKept: false, rule });
  };
  tell(root);
  for (let node = getNextNode(root, root); node !== null; node = getNextNode(node, root))
    tell(node);
}
