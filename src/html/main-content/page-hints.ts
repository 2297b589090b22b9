// What the head and the scripts of a page say about it. Read before they are taken out of the tree.
import { isTag, type Document, type Element } from "domhandler";
import { walk } from "../tree.ts";

/** Kinds of page as numbers a tree can compare: 0 unsaid, 1 article, 2 site or list, 3 product, 4 other. */
export type PageHints = {
  readonly title: string;
  readonly openGraphType: number;
  readonly linkedDataType: number;
  /** What meta elements and linked data call the description, and the body of an article where linked data holds it. */
  readonly description: string;
  readonly body: string;
};

export const NO_HINTS: PageHints = {
  title: "",
  openGraphType: 0,
  linkedDataType: 0,
  description: "",
  body: "",
};

const OPEN_GRAPH: Readonly<Record<string, number>> = {
  article: 1,
  blog: 2,
  website: 2,
  product: 3,
  "og:product": 3,
};
/** The type stands near the beginning of linked data. */
const TYPE_REACH = 20_000;
/** Linked data longer than this is a catalogue. */
const LONGEST_DATA = 300_000;
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  "description",
  "og:description",
  "twitter:description",
]);

/** Reads title, types, descriptions and article bodies from the head, meta elements and linked data. */
export function readPageHints(root: Document): PageHints {
  const hints = { ...NO_HINTS };
  const descriptions: string[] = [];
  const bodies: string[] = [];
  walk(root, (node) => {
    if (!isTag(node)) return "skip";
    if (node.name === "title" && hints.title === "" && isInHead(node))
      hints.title = firstText(node);
    else if (node.name === "meta") {
      const name = (node.attribs["property"] ?? node.attribs["name"] ?? "").toLowerCase();
      const content = node.attribs["content"] ?? "";
      if (name === "og:type") hints.openGraphType = OPEN_GRAPH[content.trim().toLowerCase()] ?? 4;
      else if (DESCRIPTIONS.has(name)) descriptions.push(content);
    } else if (node.name === "script" && node.attribs["type"] === "application/ld+json") {
      const data = firstText(node);
      hints.linkedDataType = linkedDataType(data) || hints.linkedDataType;
      if (data.length < LONGEST_DATA) readLinkedTexts(data, descriptions, bodies);
    }
    return "children";
  });
  return { ...hints, description: descriptions.join("\n"), body: bodies.join("\n") };
}

const isInHead = (node: Element): boolean =>
  node.parent === null || !isTag(node.parent) || node.parent.name !== "svg";

function firstText(element: Element): string {
  const first = element.children[0];
  return first?.type === "text" ? first.data : "";
}

function readLinkedTexts(data: string, descriptions: string[], bodies: string[]): void {
  for (const [, name, value = ""] of data.matchAll(
    /"(description|articleBody)"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"/gs,
  )) {
    const text = value
      .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
      .replaceAll(/\\[nrt]/g, " ")
      .replaceAll(/\\(.)/g, "$1")
      .replaceAll(/<[^>]*>/g, " ");
    (name === "description" ? descriptions : bodies).push(text);
  }
}

function linkedDataType(data: string): number {
  const text = data.slice(0, TYPE_REACH);
  if (/"@type"\s*:\s*\[?\s*"(?:[A-Za-z]*Article|BlogPosting)"/.test(text)) return 1;
  if (/"@type"\s*:\s*\[?\s*"Product"/.test(text)) return 3;
  return /"@type"\s*:\s*\[?\s*"(?:ItemList|CollectionPage)"/.test(text) ? 2 : 0;
}
