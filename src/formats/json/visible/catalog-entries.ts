// Parts of the entries of a library catalog, by the punctuation of catalogs (ISBD): "Tides : a
// history", "Orn : Gull Press, 2021 - 312 p.".
import type { PageNode } from "../../../page-model/node.ts";
import type { Shape } from "../../../runtime/json-schema/shape.ts";
import type { Name } from "../names/names.ts";
import { isPlainText } from "./property-kind.ts";
import { readSubtitle } from "./title-lines.ts";
import type { VisibleScope } from "./visible-scope.ts";
import { findTitleNode } from "./visible-title.ts";
import { toVisibleLeaf, type VisibleAnswer } from "./visible-value.ts";

type Part = { readonly text: string; readonly node: PageNode };
type Entry = {
  readonly publisher?: Part;
  readonly year?: Part;
  readonly pages?: Part;
  readonly subtitle?: Part;
};

const MAX_LINE = 160;
/** "Orn : Gull Press, 2021", with an edition or an extent behind it. */
const IMPRINT =
  /^(?:[^:;,\d]{2,40}\s:\s)?([^:;,]{2,60}),\s\[?[c©]?((?:1[5-9]|20)\d\d)\]?(?=\s*(?:$|[-–—.;(]\s?))/u;
/** "312 p.", "xiv, 276 pages". */
const EXTENT =
  /(?<![\p{L}\d.,:])(\d{1,4})\s?(?:pp?|pages?|seiten|S|blz|pagina['’]s|págs?|páginas|pagine|stron|s|str|sidor|sider|sivua)(?:\.|(?![\p{L}\d]))(?!\s?\d)/u;
const STANDARD_NUMBER = /(?<!\p{L})IS[BS]N(?!\p{L})/u;

const entries = new WeakMap<VisibleScope, Entry>();

function readEntry(scope: VisibleScope): Entry {
  const known = entries.get(scope);
  if (known !== undefined) return known;
  const { model } = scope;
  const lines = scope.pieces.flatMap((node) =>
    node.to - node.from > MAX_LINE * 10
      ? []
      : model
          .textOf(node)
          .split("\n")
          .map((line) => ({ text: line.trim(), node }))
          .filter(({ text }) => text !== "" && text.length <= MAX_LINE),
  );
  const imprints = lines.flatMap(({ text, node }) => {
    const [, publisher = "", year = ""] = IMPRINT.exec(text) ?? [];
    return year === ""
      ? []
      : [{ publisher: { text: publisher.trim(), node }, year: { text: year, node } }];
  });
  const extents = lines.flatMap(({ text, node }) => {
    const [, pages] = EXTENT.exec(text) ?? [];
    return pages === undefined ? [] : [{ text: pages, node }];
  });
  // A name and a year alone may be anything: a catalog gives an extent or a standard number.
  const isEntry =
    imprints.length === 1 &&
    extents.length <= 1 &&
    (extents.length === 1 || lines.some(({ text }) => STANDARD_NUMBER.test(text)));
  const title = isEntry ? findTitleNode(scope) : undefined;
  const subtitle = title === undefined ? undefined : readSubtitle(scope, title);
  const [pages] = extents;
  const entry: Entry = isEntry
    ? { ...imprints[0], ...(pages && { pages }), ...(subtitle && { subtitle }) }
    : {};
  entries.set(scope, entry);
  return entry;
}

const NAMES: readonly (readonly [keyof Entry, RegExp])[] = [
  ["publisher", /^(?:publisher|publisher name|published by)$/],
  ["year", /^(?:publication |published |publishing )?year(?: published| of publication)?$/],
  ["pages", /^(?:page|page count|number of page|total page)$/],
  ["subtitle", /^(?:book )?(?:subtitle|sub title)$/],
];

/** The part of a catalog's entry that a property names; undefined for other records. */
export function findInEntry(
  { key }: Name,
  shape: Shape,
  scope: VisibleScope,
): VisibleAnswer | undefined {
  if (scope.isPage) return undefined;
  const [part] = NAMES.find(([, pattern]) => pattern.test(key)) ?? [];
  if (part === undefined) return undefined;
  const isNumber = shape.kind === "number" || shape.kind === "integer";
  if (isNumber ? part !== "year" && part !== "pages" : !isPlainText(shape)) return undefined;
  const found = readEntry(scope)[part];
  if (found === undefined) return undefined;
  const value = isNumber ? Number(found.text) : found.text;
  const leaf = toVisibleLeaf(scope, found.node, value, "list", found.text);
  return { found: { leaves: [leaf], confidence: "medium", node: found.node } };
}
