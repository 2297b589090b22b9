// Reads values in the markup: microdata (WHATWG HTML, microdata) and RDFa Lite 1.1.
import { isTag, type Document, type Element } from "domhandler";
import {
  readAttribute,
  foldSpace,
  hasAttribute,
  getNextNode,
  describePath,
} from "../../../html/parse/tree.ts";
import { toLeaf, shorten, type Thing, type Value } from "./finding.ts";
import { readBlockText } from "./block-text.ts";

type OpenThing = Omit<Thing, "fields"> & {
  readonly fields: Map<string, Value[]>;
  readonly element: Element;
};

const MAX_PROPERTIES = 5_000;

type Dialect = {
  readonly source: "microdata" | "rdfa";
  readonly scope: (element: Element) => boolean;
  readonly type: string;
  readonly property: string;
};

const MICRODATA: Dialect = {
  source: "microdata",
  scope: (element) => hasAttribute(element, "itemscope"),
  type: "itemtype",
  property: "itemprop",
};
const RDFA: Dialect = {
  source: "rdfa",
  scope: (element) => hasAttribute(element, "typeof"),
  type: "typeof",
  property: "property",
};

/**
 * Returns the objects that microdata and RDFa mark, outer before inner. Properties outside any
 * object form a separate one.
 */
export function findThingsInMarkup(
  document: Document,
  resolve: (written: string) => string,
): Thing[] {
  return [...read(document, MICRODATA, resolve), ...read(document, RDFA, resolve)];
}

function read(document: Document, dialect: Dialect, resolve: (written: string) => string): Thing[] {
  const things: OpenThing[] = [];
  const byElement = new Map<Element, OpenThing>();
  let left = MAX_PROPERTIES;
  const loose = open(dialect, undefined);
  for (
    let node = getNextNode(document, document);
    node !== null && left > 0;
    node = getNextNode(node, document)
  ) {
    if (!isTag(node)) continue;
    const isScope = dialect.scope(node);
    const names = readAttribute(node, dialect.property)
      .split(/\s+/)
      .filter((name) => name !== "");
    if (!isScope && names.length === 0) continue;
    left -= 1;
    const owner = findOwner(node, byElement) ?? loose;
    let value: Value | undefined;
    if (isScope) {
      const thing = open(dialect, node);
      byElement.set(node, thing);
      things.push(thing);
      value = thing;
    } else if (node.name !== "meta" || dialect.source === "microdata")
      value = readLeaf(node, dialect, resolve);
    if (value === undefined) continue;
    for (const name of names) {
      const key = name.replace(/^.*[/#:]/, "");
      owner.fields.set(key, [...(owner.fields.get(key) ?? []), value]);
    }
  }
  const filled = things.filter(({ fields }) => fields.size > 0);
  return loose.fields.size > 0 ? [...filled, loose] : filled;
}

function open(dialect: Dialect, element: Element | undefined): OpenThing {
  const written = element === undefined ? "" : readAttribute(element, dialect.type);
  return {
    kind: "thing",
    source: dialect.source,
    types: written
      .split(/\s+/)
      .filter((type) => type !== "")
      .map((type) => type.replace(/^.*[/#:]/, "")),
    fields: new Map(),
    evidence: {
      source: dialect.source,
      ...(element === undefined ? {} : { selector: describePath(element) }),
      text: element === undefined ? "" : shorten(foldSpace(readBlockText(element, 400))),
    },
    element: element as Element,
  };
}

function findOwner(
  element: Element,
  byElement: ReadonlyMap<Element, OpenThing>,
): OpenThing | undefined {
  for (let node = element.parent; node !== null && isTag(node); node = node.parent) {
    const thing = byElement.get(node);
    if (thing !== undefined) return thing;
  }
  return undefined;
}

const ADDRESSES: Readonly<Record<string, string>> = {
  a: "href",
  area: "href",
  link: "href",
  img: "src",
  audio: "src",
  video: "src",
  source: "src",
  embed: "src",
  iframe: "src",
  track: "src",
  object: "data",
};

function readLeaf(
  element: Element,
  { source }: Dialect,
  resolve: (written: string) => string,
): Value | undefined {
  const selector = describePath(element);
  const content = readAttribute(element, "content").trim();
  if (content !== "") return toLeaf(content, { source, selector });
  const address = ADDRESSES[element.name];
  if (address !== undefined) {
    const written =
      readAttribute(element, address).trim() ||
      readAttribute(element, "data-src").trim() ||
      readAttribute(element, "srcset").trim().split(/[\s,]/)[0];
    const text = readBlockText(element, 2_000).trim();
    // A linked name is its text. Only image addresses and empty links are represented by their
    // address.
    if (element.name === "a" && text !== "") return toLeaf(text, { source, selector });
    if (written !== undefined && written !== "")
      return toLeaf(resolve(written), { source, selector });
  }
  const dated = readAttribute(element, "datetime").trim();
  if (dated !== "") return toLeaf(dated, { source, selector });
  const given = readAttribute(element, "value").trim();
  if ((element.name === "data" || element.name === "meter") && given !== "")
    return toLeaf(given, { source, selector });
  const text = readBlockText(element, 20_000).trim();
  return text === "" ? undefined : toLeaf(text, { source, selector });
}
