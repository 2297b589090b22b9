// A page as plain nodes: elements a reader or a crawl can notice, with their attributes and texts.
// Scripts, styles, hints for the browser and comments are left out.
import { isTag, isText, type ChildNode, type Element, type ParentNode } from "domhandler";

export type PlainElement = {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly PlainNode[];
};
export type PlainNode = PlainElement | string;

const DROPPED: ReadonlySet<string> = new Set("script style noscript template base".split(" "));
const KEPT_LINKS = /^(?:canonical|alternate|next|prev|author|license)$/i;
const MAX_DEPTH = 200;
export const MAX_NODES = 12_000;

/** Returns the plain children of a node; undefined if the page is too large to compare. */
export function toPlainNodes(root: ParentNode): readonly PlainNode[] | undefined {
  const budget = { left: MAX_NODES };
  const nodes = toNodes(root.children, budget, 0);
  return budget.left < 0 ? undefined : nodes;
}

function toNodes(
  children: readonly ChildNode[],
  budget: { left: number },
  depth: number,
): readonly PlainNode[] {
  const nodes: PlainNode[] = [];
  for (const child of children) {
    if (isText(child)) {
      const last = nodes.at(-1);
      if (typeof last === "string") nodes[nodes.length - 1] = last + child.data;
      else if (child.data !== "") nodes.push(child.data);
    } else if (isTag(child) && !isDropped(child)) {
      budget.left -= 1;
      if (budget.left < 0 || depth > MAX_DEPTH) {
        budget.left = -1;
        return nodes;
      }
      nodes.push({
        name: child.name,
        attributes: new Map(Object.entries(child.attribs)),
        children: toNodes(child.children, budget, depth + 1),
      });
    }
  }
  return nodes;
}

function isDropped({ name, attribs }: Element): boolean {
  if (name === "meta") return attribs["name"] === undefined && attribs["property"] === undefined;
  if (name === "link") return !KEPT_LINKS.test(attribs["rel"] ?? "");
  return DROPPED.has(name);
}

export const isPlainElement = (node: PlainNode): node is PlainElement => typeof node !== "string";

export const isSpace = (node: PlainNode): boolean => typeof node === "string" && node.trim() === "";

/** The element's whole text. */
export function readPlainText(node: PlainNode): string {
  if (typeof node === "string") return node;
  let text = "";
  for (const child of node.children) text += readPlainText(child);
  return text;
}

const VOID: ReadonlySet<string> = new Set(
  "area base br col embed hr img input link meta param source track wbr".split(" "),
);

export const escapeText = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

export const escapeValue = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");

/** Encloses serialized children in the element's tags. */
export const encloseInTags = (name: string, attributes: string, inner: string): string =>
  VOID.has(name) ? `<${name}${attributes}>` : `<${name}${attributes}>${inner}</${name}>`;

export function serializePlain(nodes: readonly PlainNode[]): string {
  return nodes
    .map((node) => {
      if (typeof node === "string") return escapeText(node);
      const attributes = [...node.attributes]
        .map(([name, value]) => ` ${name}="${escapeValue(value)}"`)
        .join("");
      return encloseInTags(node.name, attributes, serializePlain(node.children));
    })
    .join("");
}
