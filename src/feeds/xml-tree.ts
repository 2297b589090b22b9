// XML as a small tree, read as far as it makes sense: broken parts are left out, entities of a document type are never expanded.
import { SaxesParser } from "saxes";

export type XmlElement = {
  /** As written, in lower case, with its prefix: "content:encoded". */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
};

const MAX_NODES = 200_000;
const MAX_DEPTH = 64;
/** The parser would take all that follows a bare ampersand for the name of an entity. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g;

type Open = { name: string; attributes: Record<string, string>; children: (XmlElement | string)[] };

/** The root element; undefined when there is none. What lies deeper than 64 elements or beyond 200,000 nodes is left out. */
export function readXml(text: string): XmlElement | undefined {
  const top: Open = { name: "", attributes: {}, children: [] };
  const open: Open[] = [top];
  let nodes = 0;
  let skipped = 0;
  const parser = new SaxesParser({ xmlns: false, fragment: true, position: false });
  // With a handler the parser goes on after a fault.
  parser.on("error", () => undefined);
  parser.on("opentag", ({ name, attributes }) => {
    if (++nodes > MAX_NODES || open.length > MAX_DEPTH) {
      skipped++;
      return;
    }
    const element = { name: name.toLowerCase(), attributes, children: [] };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on("closetag", () => {
    if (skipped > 0) skipped--;
    else if (open.length > 1) open.pop();
  });
  const addText = (added: string): void => {
    if (skipped === 0 && open.length > 1 && ++nodes <= MAX_NODES) open.at(-1)?.children.push(added);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.write(text.trimStart().replaceAll(BARE_AMPERSAND, "&amp;")).close();
  return top.children.find((child) => typeof child !== "string");
}

/** The children of an element that have one of these names, in order. */
export const childrenOf = (
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement[] =>
  (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );

/** All text in an element, trimmed; "" without one. */
export function xmlText(element: XmlElement | undefined): string {
  const parts: string[] = [];
  const waiting = [...(element?.children ?? [])].toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === "string") parts.push(node);
    else waiting.push(...node.children.toReversed());
  }
  return parts.join("").trim();
}

/** The text of the first child that has one of the names and is not empty. */
export function textUnder(element: XmlElement | undefined, ...names: readonly string[]): string {
  for (const name of names)
    for (const child of childrenOf(element, name)) {
      const text = xmlText(child);
      if (text !== "") return text;
    }
  return "";
}
