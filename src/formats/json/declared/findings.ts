// All data of a page that can fill a schema, inside main content or not.
import type { Document } from "domhandler";
import { resolveUrl } from "../../../html/links/base-url.ts";
import { numberOrder, type NumberOrder } from "../../../html/metadata/date-text.ts";
import { findElement, readText } from "../../../html/parse/tree.ts";
import { toLeaf, type Thing, type Value } from "./finding.ts";
import { findThingsInJson } from "./from-json.ts";
import { findThingsInMarkup } from "./microdata.ts";
import { PageModel } from "../../../page-model/page-model.ts";
import { findThreadThings } from "./thread-things.ts";
import { readScripts } from "./scripts.ts";

const MAX_TITLE_CHARACTERS = 1_000;

export type Findings = {
  /** Linked data, marked-up and embedded things, outer before inner. */
  readonly things: readonly Thing[];
  /** Properties of the page as a whole: meta elements, title, language. */
  readonly page: Thing;
  /** The page's title element and its `og:title`. */
  readonly title: string;
  /** Model of the visible page; undefined for other documents. */
  readonly model: PageModel | undefined;
  readonly resolve: (written: string) => string;
  readonly order: NumberOrder;
};

/** Empty for files, which have no page. */
export const NO_FINDINGS: Findings = {
  things: [],
  page: {
    kind: "thing",
    source: "metadata",
    types: [],
    fields: new Map(),
    evidence: { source: "metadata", text: "" },
  },
  title: "",
  model: undefined,
  resolve: (written) => written,
  order: "day-first",
};

export type PageSource = {
  /** Final URL. */
  readonly url: string;
  /** Base of relative addresses. */
  readonly base: string;
  readonly metadata: Readonly<Record<string, string | string[]>>;
};

export function readFindings(document: Document, source: PageSource): Findings {
  const resolve = (written: string): string => resolveUrl(written, source.base) ?? written;
  const { metadata } = source;
  const language = typeof metadata["language"] === "string" ? metadata["language"] : undefined;
  const order = numberOrder(language, URL.parse(source.url)?.hostname ?? "");
  return {
    things: [
      ...findThingsInJson(readScripts(document)),
      ...findThingsInMarkup(document, resolve),
      ...findThreadThings(document),
    ],
    page: buildPageThing(source),
    title: [readTitle(document), metadata["ogTitle"] ?? []].flat().join(" "),
    model: new PageModel(document, { order }),
    resolve,
    order,
  };
}

/** The title element as written: metadata has only its best part. */
function readTitle(document: Document): string {
  const element = findElement(document, ({ name }) => name === "title");
  return element === undefined ? "" : readText(element, MAX_TITLE_CHARACTERS);
}

/** Meanings of metadata keys with unclear names, the best word first. */
const MEANINGS: Readonly<Record<string, readonly string[]>> = {
  name: ["articleTitle", "title", "ogTitle"],
  description: ["description", "ogDescription"],
  image: ["ogImage", "og:image", "twitter:image"],
  "site name": ["siteName", "ogSiteName", "og:site_name"],
  author: ["author"],
  "date published": ["publishedTime"],
  "date modified": ["modifiedTime"],
  language: ["language"],
  keywords: ["keywords", "article:tag", "articleTag"],
  category: ["article:section", "articleSection"],
  price: ["product:price:amount", "og:price:amount"],
  currency: ["product:price:currency", "og:price:currency"],
  availability: ["product:availability", "og:availability"],
  brand: ["product:brand", "og:brand"],
  sku: ["product:retailer_item_id"],
  logo: ["og:logo"],
  "canonical url": ["canonical", "ogUrl"],
};

function buildPageThing({ url, metadata }: PageSource): Thing {
  const fields = new Map<string, Value[]>();
  for (const [meaning, keys] of Object.entries(MEANINGS)) {
    const key = keys.find((name) => metadata[name] !== undefined);
    if (key === undefined) continue;
    fields.set(
      meaning,
      [metadata[key] ?? []].flat().map((text) => toLeaf(text, { source: "metadata", path: key })),
    );
  }
  fields.set("url", [toLeaf(url, { source: "metadata", path: "url" })]);
  const evidence = { source: "metadata" as const, text: "" };
  return { kind: "thing", source: "metadata", types: [], fields, evidence };
}
