// Finds that a record is free of charge: "Free", or "frei" in a column "Eintritt".
import type { PageNode } from "../../../page-model/node.ts";
import { FREE_OF_CHARGE } from "../values/coerce.ts";
import type { Name } from "../names/names.ts";
import { selectPlacesOfType, type VisibleScope } from "./visible-scope.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

/** The only text of a record without a price that says so. */
function findFreeNode(scope: VisibleScope): PageNode | undefined {
  if (scope.isPage || selectPlacesOfType(scope, "price").length > 0) return undefined;
  const { model } = scope;
  const isFree = (text: string): boolean =>
    text.split(/\s*[·•|]\s*/u).some((part) => FREE_OF_CHARGE.test(part));
  const pieces = scope.pieces.filter((piece) => isFree(model.lineOf(piece)));
  // A header and its cell are one phrase: "Entrada" over "libre".
  const cells = scope.cells
    .filter(({ name, cell }) => FREE_OF_CHARGE.test(`${name} ${cell.text.trim()}`))
    .map(({ cell }) => cell.node)
    .filter((node) => !pieces.some((piece) => model.contains(node, piece)));
  const [node, other] = [...pieces, ...cells];
  return other === undefined ? node : undefined;
}

/** "Free" in place of a price, in a record without one. */
export function findFreePrice(scope: VisibleScope): VisibleAnswer | undefined {
  const node = findFreeNode(scope);
  if (node === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, node, 0, "list", scope.model.lineOf(node));
  return { found: { leaves: [leaf], confidence: "medium", node } };
}

/** True for `free` and `is_free` of a record that is free of charge. */
export function findIsFree({ key }: Name, scope: VisibleScope): VisibleAnswer | undefined {
  if (!/^(?:is )?free(?: of charge| entry| admission)?$/.test(key)) return undefined;
  const node = findFreeNode(scope);
  if (node === undefined) return undefined;
  const leaf = toVisibleLeaf(scope, node, true, "list", scope.model.lineOf(node));
  return { found: { leaves: [leaf], confidence: "medium", node } };
}
