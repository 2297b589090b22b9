// Reduces a thread to its posts, in place. Each begins with a heading of author and time.
import { type ChildNode, type Element, isTag, type ParentNode } from "domhandler";
import { createElement, createText, rename } from "../parse/nodes.ts";
import type { RemovedElement } from "../clean/removal.ts";
import { detachAll, listElements, foldSpace, setChildren, readText } from "../parse/tree.ts";
import { removeOutside, type KeepOptions } from "../generators/keep-content.ts";
import { shortenQuotes } from "./shorten-quotes.ts";
import { type Post, toTest, type Thread } from "./find-thread.ts";

/** Level of the heading of a post; the thread's title is above it. */
const POST_HEADING = "h3";

/** Replaces the page with its posts. Returns the removed elements if `options.explain` is set. */
export function keepThread(
  root: ParentNode,
  { software, title, posts }: Thread,
  options: Omit<KeepOptions, "url">,
): RemovedElement[] {
  const kept = posts.map(({ body }) => body);
  const outside = title === undefined || isInside(title, new Set(kept)) ? [] : [title];
  const removals = removeOutside(
    [...outside, ...kept, ...posts.flatMap(({ comments }) => comments.map(({ body }) => body))],
    `beside the posts of ${software.name}`,
    options,
  );
  const [isDropped, isQuote] = [toTest(software.drop), toTest(software.quote)];
  for (const body of kept) {
    const inner = listElements(body);
    for (const element of inner) if (isQuote(element)) rename(element, "blockquote");
    detachAll(inner.filter((element) => isDropped(element)));
  }
  shortenQuotes(kept);
  const parts: ChildNode[] = [];
  if (outside[0] !== undefined) parts.push(createHeading("h1", foldSpace(readText(outside[0]))));
  for (const post of posts) parts.push(toSection(post));
  setChildren(root, parts);
  return removals;
}

function toSection(post: Post): Element {
  const section = createElement("section", {});
  const { body } = post;
  detachAll([body]);
  // A body may be a cell of a layout table, which needs its table.
  rename(body, "div");
  setChildren(section, [
    createHeading(POST_HEADING, formatHeading(post)),
    body,
    ...createComments(post.comments),
  ]);
  return section;
}

/** Comments are a list below their post: "**author, time:** text". */
function createComments(comments: readonly Post[]): Element[] {
  if (comments.length === 0) return [];
  const list = createElement("ul", {});
  const items = comments.map((comment) => {
    const item = createElement("li", {});
    const head = createElement("strong", {});
    detachAll([comment.body]);
    setChildren(head, [createText(`${formatHeading(comment)}:`)]);
    setChildren(item, [head, createText(" "), comment.body]);
    return item;
  });
  setChildren(list, items);
  return [list];
}

/** Returns `author, time`, with the votes and whether the answer was accepted. */
function formatHeading({ author, time, votes, isAccepted }: Post): string {
  const who = [author, time].filter((part) => part !== "").join(", ");
  const facts = [
    ...(votes === undefined ? [] : [`${votes} ${Math.abs(votes) === 1 ? "vote" : "votes"}`]),
    ...(isAccepted ? ["accepted"] : []),
  ];
  return [who, ...facts].filter((part) => part !== "").join(" · ");
}

function createHeading(name: string, text: string): Element {
  const element = createElement(name, {});
  setChildren(element, [createText(text)]);
  return element;
}

function isInside(element: Element, outer: ReadonlySet<ParentNode>): boolean {
  for (let node: ParentNode | null = element; node !== null && isTag(node); node = node.parent)
    if (outer.has(node)) return true;
  return false;
}
