// Redraws tables that a generator uses only for layout, and grids that are tables in meaning.
import { type ChildNode, type Element, isTag, isText, type ParentNode } from "domhandler";
import { createElement, createText, rename } from "../parse/nodes.ts";
import { readAttribute, isBlank, getNextNode, setChildren } from "../parse/tree.ts";
import { parseClassNames } from "./place.ts";

const isHead = (element: Element): boolean =>
  parseClassNames(readAttribute(element, "class")).has("table-header");

/** Turns a grid into table rows, in place, if it consists of plain cells that fill them. */
export function convertGridToTable(grid: Element): void {
  const cells = grid.children.filter(isTag);
  const isPlain = cells.every(({ name }) => name === "div");
  if (!isPlain || grid.children.some((child) => isText(child) && !isBlank(child.data))) return;
  const first = cells.findIndex((cell) => !isHead(cell));
  const columns = first === -1 ? cells.length : first;
  if (columns < 2 || cells.length % columns > 0) return;
  const rows: Element[] = [];
  for (let at = 0; at < cells.length; at += columns) {
    const row = createElement("tr", {});
    const own = cells.slice(at, at + columns);
    for (const cell of own) rename(cell, at === 0 ? "th" : "td");
    setChildren(row, own);
    rows.push(row);
  }
  rename(grid, "table");
  setChildren(grid, rows);
}

/** Turns a table into a paragraph with the content of its cells in order. */
export function convertTableToParagraph(table: Element): void {
  const line: ChildNode[] = [];
  let isCell = false;
  for (
    let node = getNextNode(table, table);
    node !== null;
    node = getNextNode(node, table, isCell)
  ) {
    isCell = isTag(node) && (node.name === "td" || node.name === "th");
    if (isTag(node) && isCell) line.push(...node.children, createText(" "));
  }
  rename(table, "p");
  setChildren(table, line);
}

/** Puts a space after each element. */
export function addSpaces(elements: readonly Element[]): void {
  const spaced = new Set<ChildNode>(elements);
  const parents = new Set<ParentNode>();
  for (const { parent } of elements) if (parent !== null) parents.add(parent);
  for (const parent of parents) {
    const children: ChildNode[] = [];
    for (const child of parent.children) {
      children.push(child);
      if (spaced.has(child)) children.push(createText(" "));
    }
    setChildren(parent, children);
  }
}
