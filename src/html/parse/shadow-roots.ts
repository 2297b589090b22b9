// Flattens declarative shadow roots (WHATWG HTML, §4.12.3 `shadowrootmode`): browsers attach them
// to their host while parsing and show the host's children only in the slots of the root.
import { type ChildNode, type Document, type Element, isTag, isText } from "domhandler";
import { readAttribute, isBlank, setChildren } from "./tree.ts";

/** Attributes of a declarative shadow root. Chrome 90 to 110 read the older one. */
const MODES = ["shadowrootmode", "shadowroot"] as const;
const MODE = /^(?:open|closed)$/i;
/** Hosts inside hosts whose slots are filled. It bounds how often a node is visited. */
const MAX_HOSTS = 12;

/** True if a browser turns the template into a shadow root. */
export const isShadowRoot = ({ name, attribs }: Element): boolean =>
  name === "template" && MODES.some((mode) => MODE.test(attribs[mode] ?? ""));

/**
 * Puts each shadow root in place of its host's children, and those children into its slots.
 * Children without a slot are not shown and are removed. `maxDepth` bounds the depth of the
 * result. Returns true if the tree was changed.
 */
export function flattenShadowRoots(
  document: Document,
  templates: readonly Element[],
  maxDepth: number,
): boolean {
  const hosts = new Set<Element>();
  // Outer roots come first in document order, so an inner host is in place when its turn comes.
  for (const template of templates) {
    const host = template.parent;
    if (host === null || !isTag(host) || !isShadowRoot(template)) continue;
    flatten(host, template, countHostsAround(host, hosts) < MAX_HOSTS ? maxDepth : 0);
    hosts.add(host);
  }
  return hosts.size > 0;
}

function countHostsAround(host: Element, hosts: ReadonlySet<Element>): number {
  let count = 0;
  for (let node = host.parent; node !== null && isTag(node); node = node.parent)
    if (hosts.has(node)) count++;
  return count;
}

/** `maxDepth` 0 puts the host's children behind the root instead of into its slots. */
function flatten(host: Element, template: Element, maxDepth: number): void {
  const shadow = [...template.children];
  // A host has one shadow root; further templates stay templates.
  const light = host.children.filter((child) => child !== template);
  setChildren(template, []);
  setChildren(host, shadow);
  const bySlot = Map.groupBy(light, getSlotName);
  for (const slot of findSlots(shadow)) {
    const name = readAttribute(slot, "name");
    const assigned = bySlot.get(name);
    if (assigned === undefined || !assigned.some(isShown)) continue;
    bySlot.delete(name);
    const outer = slot.attribs["slot"];
    if (outer !== undefined)
      for (const node of assigned) if (isTag(node)) node.attribs["slot"] = outer;
    // Slots inside slots could multiply the depth of the tree.
    if (maxDepth > 0 && measureDepth(slot) + measureHeight(assigned, maxDepth) <= maxDepth)
      setChildren(slot, assigned);
    else setChildren(host, [...host.children, ...assigned]);
  }
}

/** Name of the slot that a child of the host goes into; "" for the default slot. */
const getSlotName = (node: ChildNode): string => (isTag(node) ? readAttribute(node, "slot") : "");

const isShown = (node: ChildNode): boolean => isTag(node) || (isText(node) && !isBlank(node.data));

/** Returns the slots of a shadow root, without those of the shadow roots inside it. */
function findSlots(shadow: readonly ChildNode[]): Element[] {
  const slots: Element[] = [];
  const stack = shadow.toReversed();
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isTag(node) || node.name === "template") continue;
    if (node.name === "slot") slots.push(node);
    for (let at = node.children.length - 1; at >= 0; at--) stack.push(node.children[at]!);
  }
  return slots;
}

function measureDepth(element: Element): number {
  let depth = 0;
  for (let node = element.parent; node !== null; node = node.parent) depth++;
  return depth;
}

/** Levels of elements in these nodes, as far as `limit`. */
function measureHeight(nodes: readonly ChildNode[], limit: number): number {
  let height = 0;
  const stack = nodes.map((node): readonly [ChildNode, number] => [node, 1]);
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [node, level] = entry;
    if (level > height) height = level;
    if (height > limit) return height;
    if (isTag(node)) for (const child of node.children) stack.push([child, level + 1]);
  }
  return height;
}
