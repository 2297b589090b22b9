// Parses XML to a small tree as far as possible: broken parts are skipped, DTD entities are never
// expanded.
import { SaxesParser } from "saxes";

export type XmlElement = {
  /** As written, in lower case, with its prefix: "content:encoded". */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
};

const MAX_NODES = 200_000;
const MAX_DEPTH = 64;
/** The parser would read everything after a bare ampersand as an entity name. */
const BARE_AMPERSAND = /&(?!#?\w{1,31};)/g;

type OpenXmlElement = {
  name: string;
  attributes: Record<string, string>;
  children: (XmlElement | string)[];
};

/**
 * Returns the root element, or undefined if there is none. Drops nodes deeper than 64 elements or
 * beyond 200,000 nodes.
 */
export function readXml(text: string): XmlElement | undefined {
  const top: OpenXmlElement = { name: "", attributes: {}, children: [] };
  const open: OpenXmlElement[] = [top];
  let nodes = 0;
  let skipped = 0;
  const parser = new SaxesParser({ xmlns: false, fragment: true, position: false });
  // With a handler the parser continues after an error.
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

/** Returns the children with one of these names, in order. */
export const listChildren = (
  element: XmlElement | undefined,
  ...names: readonly string[]
): XmlElement[] =>
  (element?.children ?? []).filter(
    (child): child is XmlElement => typeof child !== "string" && names.includes(child.name),
  );

/** Returns all text in an element, trimmed; "" if none. */
export function readXmlText(element: XmlElement | undefined): string {
  const parts: string[] = [];
  const waiting = [...(element?.children ?? [])].toReversed();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (typeof node === "string") parts.push(node);
    else waiting.push(...node.children.toReversed());
  }
  return parts.join("").trim();
}

/** Returns the text of the first non-empty child with one of the names. */
export function readChildText(
  element: XmlElement | undefined,
  ...names: readonly string[]
): string {
  for (const name of names)
    for (const child of listChildren(element, name)) {
      const text = readXmlText(child);
      if (text !== "") return text;
    }
  return "";
}
