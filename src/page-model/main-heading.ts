import { isAside, isHidden, type PageNode } from "./node.ts";

/** The first visible `h1` outside of asides, else the first `h2`. */
export function findMainHeading(nodes: readonly PageNode[]): PageNode | undefined {
  return (
    nodes.find((node) => isTop(node) && isShown(node)) ??
    nodes.find((node) => node.element.name === "h2" && isShown(node))
  );
}

const isTop = ({ element: { name, attribs } }: PageNode): boolean =>
  name === "h1" || (attribs["role"] === "heading" && attribs["aria-level"] === "1");

const isShown = (node: PageNode): boolean =>
  !isHidden(node) && !isAside(node) && node.to > node.from;
