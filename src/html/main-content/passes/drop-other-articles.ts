// Detects other articles on the page: infinite-scroll sites append the next articles in full. Their
// text looks like content, but each has its own title and address.
import type { Element } from "domhandler";
import { readAttribute, findElement } from "../../parse/tree.ts";
import type { Segmentation } from "../blocks/blocks.ts";
import type { ElementFacts } from "../blocks/element-facts.ts";
import { findTitleHeading } from "./keep-title.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber } from "../../parse/tag-numbers.ts";
import {
  MAX_HEADING_INDEX,
  MAX_OTHER_ARTICLE_LEVELS,
  MIN_OTHER_ARTICLE_PROSE,
} from "./thresholds.ts";

const ARTICLE = tagNumber("article");
const ARTICLE_TYPE = /(?:Article|BlogPosting)$/;
/** Attributes with the address that the browser shows when the reader scrolls there. */
const ADDRESSES = [
  "data-url",
  "data-permalink",
  "data-href",
  "data-uri",
  "data-canonical",
  "data-canonical-url",
  "data-article-url",
  "data-post-url",
  "itemid",
  "about",
] as const;

type Article = {
  readonly from: number;
  readonly to: number;
  /** Path of the article's own address, or "" if unknown. */
  readonly path: string;
  readonly heading: number;
  readonly level: number;
};

/**
 * Marks kept blocks of foreign articles as "foreign" if an earlier article is the page's own by
 * address or title. With `isArticle`, a second main heading is enough.
 */
export function dropOtherArticles(
  page: Segmentation,
  facts: ElementFacts,
  asked: { readonly url: string; readonly title: string; readonly isArticle: boolean },
  verdicts: Verdict[],
): void {
  const articles = findArticles(page, facts, asked.url);
  if (articles.length < 2) return;
  const here = toPath(asked.url, asked.url);
  const title = findTitleHeading(page, facts, asked.title);
  const own = articles.find(
    ({ from, to, path }) => (path !== "" && path === here) || (title >= from && title < to),
  );
  if (own === undefined) return;
  for (const article of articles) {
    if (article.from < own.to || article.heading < 0) continue;
    const isElsewhere = article.path !== "" && !isContinuation(own.path || here, article.path);
    const isSecond = asked.isArticle && article.path === "" && article.level === 1;
    if (!isElsewhere && !(isSecond && own.level === 1)) continue;
    for (let index = article.from; index < article.to; index++)
      if (isKept(verdicts[index])) verdicts[index] = "foreign";
  }
}

/**
 * True if `next` continues `path`, as the next pages of an article do. Everything is below the root
 * of a site.
 */
function isContinuation(path: string, next: string): boolean {
  if (path === "/") return true;
  return next.startsWith(path) && !/[\p{L}\p{N}%]/u.test(next.charAt(path.length));
}

/** Returns the outermost articles with text, in order. */
function findArticles(page: Segmentation, facts: ElementFacts, url: string): Article[] {
  const { nodes, tag, blockStart, blockEnd } = page.elements;
  const hasTypes = facts.itemTypes.size > 0;
  const articles: Article[] = [];
  for (let element = 0; element < nodes.length; element++) {
    if (tag[element] !== ARTICLE && !(hasTypes && isTyped(nodes[element]!))) continue;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (from < (articles.at(-1)?.to ?? 0) || facts.prose[element]! < MIN_OTHER_ARTICLE_PROSE)
      continue;
    const heading = findHeading(page, facts, from, to);
    articles.push({
      from,
      to,
      path:
        findArticlePath(page, element, articles.at(-1)?.to ?? 0, url) ||
        findLinkPath(page, heading, url),
      heading,
      level: heading < 0 ? 0 : facts.level[page.blocks[heading]!.container]!,
    });
  }
  return articles;
}

const isTyped = (node: Element): boolean => ARTICLE_TYPE.test(readAttribute(node, "itemtype"));

function findHeading(
  { blocks }: Segmentation,
  facts: ElementFacts,
  from: number,
  to: number,
): number {
  for (let index = from; index < to && index < from + MAX_HEADING_INDEX; index++) {
    const level = facts.level[blocks[index]!.container] ?? 0;
    if (level === 1 || level === 2) return index;
  }
  return -1;
}

/**
 * Returns the path that the article's element or a close ancestor names, if that ancestor contains
 * no earlier article.
 */
function findArticlePath(
  { elements: { nodes, parent, blockStart } }: Segmentation,
  article: number,
  after: number,
  url: string,
): string {
  let element = article;
  for (
    let level = 0;
    level < MAX_OTHER_ARTICLE_LEVELS && element >= 0 && blockStart[element]! >= after;
    level++
  ) {
    for (const name of ADDRESSES) {
      const path = toPath(readAttribute(nodes[element]!, name), url);
      if (path !== "") return path;
    }
    element = parent[element]!;
  }
  return "";
}

/** Returns the path that a heading links to. */
function findLinkPath({ blocks, elements }: Segmentation, heading: number, url: string): string {
  if (heading < 0) return "";
  const node = elements.nodes[blocks[heading]!.container]!;
  const link = findElement(node, (element) => element.name === "a");
  return link === undefined ? "" : toPath(readAttribute(link, "href"), url);
}

/**
 * Returns the path of an address on the same site, without trailing slash, or "" for other sites
 * and bare fragments.
 */
function toPath(address: string, url: string): string {
  if (address === "" || address.startsWith("#") || !URL.canParse(address, url)) return "";
  const { host, pathname } = new URL(address, url);
  return host === new URL(url).host ? pathname.replace(/\/+$/, "") || "/" : "";
}
