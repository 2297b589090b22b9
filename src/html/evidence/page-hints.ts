// Reads what the head and the scripts say about the page, before they are removed from the tree.
import { isTag, type Document, type Element } from "domhandler";
import { getHeadElements } from "../parse/parse.ts";
import { readProducts, type ProductData } from "./product-data.ts";

export type PageHints = {
  readonly title: string;
  /** Page type as a number for the decision tree: 0 unknown, 1 article, 2 list, 3 product. */
  readonly linkedDataType: number;
  /** The description in meta elements and linked data. */
  readonly description: string;
  /** The page's `og:type`, in lower case. */
  readonly openGraphType: string;
  /** Types that linked data names near its start. */
  readonly dataTypes: ReadonlySet<string>;
  /** The generators that the page declares, one per line. */
  readonly generator: string;
  /** The products that linked data describes. */
  readonly products: readonly ProductData[];
};

export const NO_HINTS: PageHints = {
  title: "",
  linkedDataType: 0,
  description: "",
  openGraphType: "",
  dataTypes: new Set(),
  generator: "",
  products: [],
};

/** The type is expected within this many characters of linked data. */
const MAX_TYPE_DISTANCE = 20_000;
/** Longer linked data is a catalogue. */
const MAX_DATA_CHARACTERS = 300_000;
const DATA_TYPE = /"@type"\s*:(?:\s*\[)?\s*"([A-Za-z]+)"/g;
const DESCRIPTIONS: ReadonlySet<string> = new Set([
  "description",
  "og:description",
  "twitter:description",
]);

/** Reads title, type and descriptions from the head, meta elements and linked data. */
export function readPageHints(root: Document): PageHints {
  const dataTypes = new Set<string>();
  const products: ProductData[] = [];
  const hints = { ...NO_HINTS, dataTypes, products };
  const descriptions: string[] = [];
  const generators: string[] = [];
  for (const sign of getHeadElements(root)) {
    if (sign.name === "title" && hints.title === "" && isInHead(sign))
      hints.title = findFirstText(sign);
    else if (sign.name === "meta") {
      const name = (sign.attribs["property"] ?? sign.attribs["name"] ?? "").toLowerCase();
      if (DESCRIPTIONS.has(name)) descriptions.push(sign.attribs["content"] ?? "");
      else if (name === "og:type")
        hints.openGraphType = (sign.attribs["content"] ?? "").trim().toLowerCase();
      else if (name === "generator") generators.push((sign.attribs["content"] ?? "").trim());
    } else if (sign.name === "script" && sign.attribs["type"] === "application/ld+json") {
      const data = findFirstText(sign);
      hints.linkedDataType = findLinkedDataType(data) || hints.linkedDataType;
      for (const [, type = ""] of data.slice(0, MAX_TYPE_DISTANCE).matchAll(DATA_TYPE))
        dataTypes.add(type);
      if (data.length >= MAX_DATA_CHARACTERS) continue;
      readDescriptions(data, descriptions);
      if (/"Product(?:Group)?"/.test(data)) products.push(...readProducts(data));
    }
  }
  return { ...hints, description: descriptions.join("\n"), generator: generators.join("\n") };
}

const isInHead = (node: Element): boolean =>
  node.parent === null || !isTag(node.parent) || node.parent.name !== "svg";

function findFirstText(element: Element): string {
  const first = element.children[0];
  return first?.type === "text" ? first.data : "";
}

function readDescriptions(data: string, descriptions: string[]): void {
  for (const [, value = ""] of data.matchAll(/"description"\s*:\s*"([^"\\]*(?:\\.[^"\\]*)*)"/gs))
    descriptions.push(
      value
        .replaceAll(/\\u([\da-f]{4})/gi, (_, code: string) =>
          String.fromCharCode(parseInt(code, 16)),
        )
        .replaceAll(/\\[nrt]/g, " ")
        .replaceAll(/\\(.)/g, "$1")
        .replaceAll(/<[^<>]*>/g, " "),
    );
}

function findLinkedDataType(data: string): number {
  const text = data.slice(0, MAX_TYPE_DISTANCE);
  if (/"@type"\s*:(?:\s*\[)?\s*"(?:[A-Za-z]*Article|BlogPosting)"/.test(text)) return 1;
  if (/"@type"\s*:(?:\s*\[)?\s*"Product"/.test(text)) return 3;
  return /"@type"\s*:(?:\s*\[)?\s*"(?:ItemList|CollectionPage)"/.test(text) ? 2 : 0;
}
