// Reads and changes domhandler trees. Nothing here recurses, so depth costs memory, never stack.
import {
  type AnyNode,
  type ChildNode,
  type Element,
  isTag,
  isText,
  type ParentNode,
} from "domhandler";
import { readCharCode, measureLength } from "./char-code-at.ts";

/** Result of a visitor: descend into the children, skip them, or stop. */
export type Visit = "children" | "skip" | "stop";

/**
 * Walks below `root` in document order, without `root` itself. `enter` may detach or replace its
 * node; the walk continues with what followed it. `leave` runs for each element whose children were
 * visited.
 */
export function walk(
  root: ParentNode,
  enter: (node: ChildNode) => Visit,
  leave?: (element: Element) => void,
): void {
  let node: ChildNode | null = root.children[0] ?? null;
  while (node !== null) {
    const parent: ParentNode | null = node.parent;
    const next: ChildNode | null = node.next;
    const visit = enter(node);
    if (visit === "stop") return;
    if (visit === "children" && isParent(node) && node.parent === parent) {
      const first: ChildNode | undefined = node.children[0];
      if (first !== undefined) {
        node = first;
        continue;
      }
      if (isTag(node)) leave?.(node);
    }
    let following: ChildNode | null = node.parent === null ? next : (node.next ?? null);
    let above: ParentNode | null = parent;
    while (following === null && above !== null && above !== root) {
      const closed: ParentNode = above;
      following = closed.next;
      above = closed.parent;
      if (isTag(closed)) leave?.(closed);
    }
    node = following;
  }
}

/** Pre/post-order visitor. `leave` also runs for elements without children. */
export type TreeVisitor = {
  /** Returns true for an element whose children to visit. */
  enter(node: ChildNode): boolean;
  leave(element: Element): void;
};

/**
 * Visits everything below `root` in document order. The tree must not change meanwhile. For passes
 * over every page, because `walk` with its closures is slower.
 */
export function visitTree(root: ParentNode, visitor: TreeVisitor): void {
  let node: ChildNode | null = root.children[0] ?? null;
  while (node !== null) {
    if (visitor.enter(node)) {
      const element = node as Element;
      const first = element.children[0];
      if (first !== undefined) {
        node = first;
        continue;
      }
      visitor.leave(element);
    }
    let at: ChildNode = node;
    while (at.next === null && at.parent !== null && at.parent !== root) {
      at = at.parent as Element;
      visitor.leave(at);
    }
    node = at.next;
  }
}

function isParent<Node extends AnyNode>(node: Node): node is Node & ParentNode {
  const { type } = node;
  return type !== "text" && type !== "comment" && type !== "directive";
}

/**
 * Returns the next node in document order below `root`, children first unless `skip`, or null at
 * the end. A plain loop over this is faster than `walk` with a visitor.
 */
export function getNextNode(node: AnyNode, root: AnyNode, skip = false): ChildNode | null {
  if (!skip && isParent(node)) {
    const first = node.children[0];
    if (first !== undefined) return first;
  }
  for (let at: AnyNode | null = node; at !== null && at !== root; at = at.parent)
    if (at.next !== null) return at.next;
  return null;
}

/** Returns every element below `root` in document order. */
export function listElements(root: ParentNode): Element[] {
  const found: Element[] = [];
  walk(root, (node) => {
    if (isTag(node)) found.push(node);
    return "children";
  });
  return found;
}

/** Returns the first element below `root` that passes the test. */
export function findElement(
  root: ParentNode,
  test: (element: Element) => boolean,
): Element | undefined {
  const stack: AnyNode[] = [];
  for (let index = root.children.length - 1; index >= 0; index--)
    stack.push(root.children[index] as ChildNode);
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (!isTag(node)) continue;
    if (test(node)) return node;
    for (let index = node.children.length - 1; index >= 0; index--)
      stack.push(node.children[index] as ChildNode);
  }
  return undefined;
}

/** Returns all text below a node as written, cut after about `limit` characters. */
export function readText(node: AnyNode, limit = Number.POSITIVE_INFINITY): string {
  if (isText(node)) return node.data;
  if (!("children" in node)) return "";
  let text = "";
  for (let at = getNextNode(node, node); at !== null; at = getNextNode(at, node)) {
    if (isText(at)) text += at.data;
    if (text.length >= limit) break;
  }
  return text;
}

/** Collapses whitespace to single spaces and trims the ends. */
export function foldSpace(text: string): string {
  return collapseSpace(text).trim();
}

/** Collapses whitespace to single spaces, also at the ends. */
export function collapseSpace(text: string): string {
  return isFolded(text) ? text : text.replace(/\s{2,}|[^\S ]/g, " ");
}

/**
 * True if the only whitespace is single spaces. Most texts are, and the check is cheaper than a
 * replacement.
 */
function isFolded(text: string): boolean {
  let isBehindBlank = false;
  const length = measureLength(text);
  for (let at = 0; at < length; at++) {
    const code = readCharCode(text, at);
    if (code === 32) {
      if (isBehindBlank) return false;
      isBehindBlank = true;
      continue;
    }
    if ((code >= 9 && code <= 13) || (code >= 128 && isWideSpace(code))) return false;
    isBehindBlank = false;
  }
  return true;
}

/** True if a text is only whitespace. */
export function isBlank(text: string): boolean {
  const length = measureLength(text);
  for (let at = 0; at < length; at++) {
    const code = readCharCode(text, at);
    if (code === 32 || (code >= 9 && code <= 13)) continue;
    if (code < 128 || !isWideSpace(code)) return false;
  }
  return true;
}

/** True if `\s` matches a non-ASCII character. */
function isWideSpace(code: number): boolean {
  if (code < 0x2000) return code === 0xa0 || code === 0x1680;
  if (code > 0x3000) return code === 0xfeff;
  return code <= 0x200a || (code >= 0x2028 && SEPARATE_SPACES.includes(code));
}

const SEPARATE_SPACES: readonly number[] = [0x2028, 0x2029, 0x202f, 0x205f, 0x3000];

/** True if any text below is not just whitespace. */
export function hasText(root: ParentNode): boolean {
  for (let node = getNextNode(root, root); node !== null; node = getNextNode(node, root))
    if (isText(node) && !isBlank(node.data)) return true;
  return false;
}

/** Counts the runs of non-space in a text. */
export function countWords(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}

/** Returns the attribute's value, or "" if missing. */
export function readAttribute(element: Element, name: string): string {
  return element.attribs[name] ?? "";
}

/** True if the element has the attribute, with or without a value. */
export function hasAttribute(element: Element, name: string): boolean {
  return Object.hasOwn(element.attribs, name);
}

/** Removes a node and its children from the tree. */
export function detach(node: ChildNode): void {
  const { parent, prev, next } = node;
  if (prev !== null) prev.next = next;
  if (next !== null) next.prev = prev;
  if (parent !== null) {
    const { children } = parent;
    // Removals are more common at both ends than in the middle of a long list.
    const index = children.at(-1) === node ? children.length - 1 : children.indexOf(node);
    if (index !== -1) children.splice(index, 1);
  }
  node.parent = null;
  node.prev = null;
  node.next = null;
}

/** Removes many nodes at once, in time linear in the nodes and their siblings. */
export function detachAll(nodes: Iterable<ChildNode>): void {
  const leaving = new Set<ChildNode>(nodes);
  const parents = new Set<ParentNode>();
  for (const node of leaving) if (node.parent !== null) parents.add(node.parent);
  for (const parent of parents) {
    const kept: ChildNode[] = [];
    for (const child of parent.children) {
      if (leaving.has(child)) {
        child.parent = null;
        child.prev = null;
        child.next = null;
      } else kept.push(child);
    }
    setChildren(parent, kept);
  }
}

/** Sets the children of a parent. They must be detached or already its children. */
export function setChildren(parent: ParentNode, children: ChildNode[]): void {
  parent.children = children;
  let previous: ChildNode | null = null;
  for (const child of children) {
    child.parent = parent;
    child.prev = previous;
    child.next = null;
    if (previous !== null) previous.next = child;
    previous = child;
  }
}

/** Replaces `node` with `replacement`. */
export function replaceNode(node: ChildNode, replacement: ChildNode): void {
  const { parent, prev, next } = node;
  if (replacement.parent !== null) detach(replacement);
  replacement.parent = parent;
  replacement.prev = prev;
  replacement.next = next;
  if (prev !== null) prev.next = replacement;
  if (next !== null) next.prev = replacement;
  if (parent !== null) {
    const index = parent.children.indexOf(node);
    if (index !== -1) parent.children[index] = replacement;
  }
  node.parent = null;
  node.prev = null;
  node.next = null;
}

/** Returns the path of an element for display: `body > div#page > p.lead`, at most `max` steps. */
export function describePath(element: Element, max = 6): string {
  const steps: string[] = [];
  for (let node: ParentNode | null = element; node !== null && isTag(node); node = node.parent) {
    if (steps.length === max) {
      steps.unshift("…");
      break;
    }
    const { id, class: classes } = node.attribs;
    const mark =
      id !== undefined && id !== ""
        ? `#${id}`
        : classes !== undefined && classes.trim() !== ""
          ? `.${classes.trim().split(/\s+/).slice(0, 2).join(".")}`
          : "";
    steps.unshift(node.name + mark.slice(0, 60));
  }
  return steps.join(" > ");
}
