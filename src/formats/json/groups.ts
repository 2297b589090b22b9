// Finds lists of similar things on a page: data of one type, table rows, repeated cards.
import { isTag, type Element } from "domhandler";
import { attributeOf, foldSpace, pathOf, walk } from "../../html/parse/tree.ts";
import { blockText, isUnseen } from "./block-text.ts";
import { textLeaf } from "./candidates.ts";
import { shorten, toLeaf, type Leaf, type Thing, type Value } from "./finding.ts";
import type { Findings } from "./findings.ts";
import { looksOf } from "./outline.ts";

export type Group = {
  readonly things: readonly Thing[];
  /** Possible names of the group: its type, caption or class. */
  readonly names: readonly string[];
  /** True if it comes from structured data. */
  readonly isMarked: boolean;
};

/** Returns every group of at least two members, structured data first. */
export function groupsOf(findings: Findings): Group[] {
  const { tables, repeaters } = findings.outline;
  return [
    ...groupsByType(findings.things),
    ...tables.slice(0, 60).flatMap((table) => tableGroup(table, findings)),
    ...repeaters.slice(0, 200).flatMap((parent) => cardGroup(parent, findings)),
  ];
}

function groupsByType(things: readonly Thing[]): Group[] {
  const byType = new Map<string, Thing[]>();
  for (const thing of things) {
    const type = `${thing.source} ${thing.types[0] ?? `{${[...thing.fields.keys()].toSorted().slice(0, 12).join(",")}}`}`;
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [thing]);
    else known.push(thing);
  }
  return [...byType.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      things: group,
      names: group[0]?.types ?? [],
      isMarked: group[0]?.source !== "state",
    }))
    .slice(0, 40);
}

/** Reads table rows by the names in the header. */
function tableGroup(table: Element, { resolve }: Findings): Group[] {
  const rows = rowsOf(table);
  const [head, ...body] = rows;
  if (head === undefined || body.length === 0) return [];
  const names = head.map((cell) => cellText(cell));
  const isHead =
    head.every(({ name }) => name === "th") ||
    (head.length > 1 && names.every((name) => name !== "" && !/^\d/.test(name)));
  if (!isHead || names.length < 2) return [];
  const things = body
    .filter((row) => row.length >= names.length - 1 && row.length <= names.length)
    .map((row) => rowThing(row, names, resolve));
  const caption = table.children.find((child) => isTag(child) && child.name === "caption");
  const title = caption !== undefined && isTag(caption) ? [cellText(caption)] : [];
  return things.length === 0 ? [] : [{ things, names: title, isMarked: false }];
}

function rowsOf(table: Element): Element[][] {
  const rows: Element[][] = [];
  walk(table, (node) => {
    if (!isTag(node)) return "skip";
    if (node.name === "table") return "skip";
    if (node.name !== "tr") return "children";
    rows.push(
      node.children.filter(
        (child): child is Element => isTag(child) && (child.name === "td" || child.name === "th"),
      ),
    );
    return rows.length < 2_000 ? "skip" : "stop";
  });
  return rows.filter((row) => row.length > 0);
}

const cellText = (cell: Element): string => foldSpace(blockText(cell, 2_000).replaceAll("\n", " "));

function rowThing(
  row: readonly Element[],
  names: readonly string[],
  resolve: (written: string) => string,
): Thing {
  const fields = new Map<string, Value[]>();
  for (const [at, cell] of row.entries()) {
    const name = names[at] ?? "";
    const text = cellText(cell);
    if (name !== "" && text !== "") fields.set(name, [textLeaf(text, cell, "table")]);
    const link = firstBelow(cell, "a");
    const href = link === undefined ? "" : attributeOf(link, "href");
    if (href !== "" && link !== undefined && !fields.has("url"))
      fields.set("url", [toLeaf(resolve(href), { source: "table", selector: pathOf(link) })]);
  }
  const evidence = { source: "table" as const, text: shorten(row.map(cellText).join(" | ")) };
  return { kind: "thing", source: "table", types: [], fields, evidence };
}

/** Reads similar siblings, each as a thing of its content. */
function cardGroup(parent: Element, { resolve }: Findings): Group[] {
  const byLooks = new Map<string, Element[]>();
  for (const child of parent.children) {
    if (!isTag(child) || isUnseen(child)) continue;
    const looks = looksOf(child);
    const known = byLooks.get(looks);
    if (known === undefined) byLooks.set(looks, [child]);
    else known.push(child);
  }
  return [...byLooks]
    .filter(([, children]) => children.length >= 3)
    .map(([looks, children]) => ({
      things: children.slice(0, 500).map((child) => cardThing(child, resolve)),
      names: [attributeOf(parent, "class"), attributeOf(parent, "id"), looks],
      isMarked: false,
    }))
    .filter(({ things }) => things.some(({ fields }) => fields.size > 1));
}

const PRICE =
  /(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|kr)\b)\s?\d[\d.,\s]*|\d[\d.,\s]*\s?(?:[$€£¥₹]|\b(?:USD|EUR|GBP|CHF|kr|zł)\b)/;

function cardThing(card: Element, resolve: (written: string) => string): Thing {
  const fields = new Map<string, Leaf[]>();
  const give = (name: string, leaf: Leaf): void => {
    if (!fields.has(name)) fields.set(name, [leaf]);
  };
  const giveAddress = (name: string, element: Element, written: string): void => {
    if (written !== "" && !written.startsWith("#") && !written.startsWith("data:"))
      give(name, toLeaf(resolve(written), { source: "list", selector: pathOf(element) }));
  };
  if (card.name === "a") giveAddress("url", card, attributeOf(card, "href"));
  let heading: Leaf | undefined;
  let linked: Leaf | undefined;
  walk(card, (node) => {
    if (!isTag(node)) return "skip";
    if (isUnseen(node)) return "skip";
    const text = foldSpace(blockText(node, 1_000).replaceAll("\n", " "));
    const leaf = textLeaf(text, node, "list");
    if (/^h[1-6]$/.test(node.name) && text !== "") heading ??= leaf;
    if (node.name === "a") {
      giveAddress("url", node, attributeOf(node, "href"));
      if (text !== "") linked ??= leaf;
    }
    if (node.name === "img")
      giveAddress("image", node, attributeOf(node, "data-src") || attributeOf(node, "src"));
    if (node.name === "time" && text !== "")
      give("date", textLeaf(attributeOf(node, "datetime") || text, node, "list"));
    if (text !== "" && text.length < 400)
      for (const name of `${attributeOf(node, "class")} ${attributeOf(node, "itemprop")} ${attributeOf(node, "data-testid")}`.split(
        /\s+/,
      ))
        if (name.length > 2) give(name, leaf);
    if (node.name === "p" && text.length > 40) give("description", leaf);
    return fields.size < 80 ? "children" : "stop";
  });
  const name = heading ?? linked;
  if (name !== undefined) give("name", name);
  const whole = foldSpace(blockText(card, 2_000).replaceAll("\n", " "));
  const price = PRICE.exec(whole)?.[0];
  if (price !== undefined) give("price", textLeaf(price.trim(), card, "list"));
  if (fields.size === 0 && whole !== "") give("text", textLeaf(whole, card, "list"));
  const evidence = { source: "list" as const, selector: pathOf(card), text: shorten(whole) };
  return { kind: "thing", source: "list", types: [], fields, evidence };
}

/** Returns the first descendant with an element name. */
function firstBelow(root: Element, name: string): Element | undefined {
  let found: Element | undefined;
  walk(root, (node) => {
    if (isTag(node) && node.name === name) found = node;
    return found === undefined ? "children" : "stop";
  });
  return found;
}
