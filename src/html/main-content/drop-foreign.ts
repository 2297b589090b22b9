// Other articles in the same page: sites load the next one below the one that was asked for, whole, and the next below that. It reads
// like the text, since it is one, but it has a title of its own and an address of its own.
import type { Element } from "domhandler";
import { attributeOf, findElement } from "../parse/tree.ts";
import type { Segmentation } from "./blocks.ts";
import type { ElementFacts } from "./element-facts.ts";
import { titleHeading } from "./keep-title.ts";
import { isKept, type Verdict } from "./verdict.ts";
import { tagNumber } from "../parse/tag-numbers.ts";

/** Fewest words of running text in an article; shorter ones are teasers, which the model knows. */
const MIN_PROSE = 80;
const ARTICLE = tagNumber("article");
const ARTICLE_TYPE = /(?:Article|BlogPosting)$/;
/** Where a site notes down the address that the browser's bar shows when a reader gets there. */
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
/** Elements looked at for an address: an article and those around it. */
const LEVELS = 3;
/** An article's heading is one of its first blocks. */
const NEAR = 6;

type Article = {
  readonly from: number;
  readonly to: number;
  /** The path of its own address; "" where none is told. */
  readonly path: string;
  readonly heading: number;
  readonly level: number;
};

/**
 * Turns kept blocks of foreign articles into "foreign", where one before them is the page's own by its address or title. `isArticle`:
 * the page may be one; then a second main heading is enough.
 */
export function dropForeign(
  page: Segmentation,
  facts: ElementFacts,
  asked: { readonly url: string; readonly title: string; readonly isArticle: boolean },
  verdicts: Verdict[],
): void {
  const articles = articlesOf(page, facts, asked.url);
  if (articles.length < 2) return;
  const here = pathOf(asked.url, asked.url);
  const title = titleHeading(page, facts, asked.title);
  const own = articles.find(
    ({ from, to, path }) => (path !== "" && path === here) || (title >= from && title < to),
  );
  if (own === undefined) return;
  for (const article of articles) {
    if (article.from < own.to || article.heading < 0) continue;
    const isElsewhere = article.path !== "" && !goesOn(own.path || here, article.path);
    const isSecond = asked.isArticle && article.path === "" && article.level === 1;
    if (!isElsewhere && !(isSecond && own.level === 1)) continue;
    for (let index = article.from; index < article.to; index++)
      if (isKept(verdicts[index])) verdicts[index] = "foreign";
  }
}

/** Whether an address is below another, as those of an article's next pages are. Below the root is all of a site. */
function goesOn(path: string, next: string): boolean {
  if (path === "/") return true;
  return next.startsWith(path) && !/[\p{L}\p{N}%]/u.test(next.charAt(path.length));
}

/** The outermost articles with a text, in order. */
function articlesOf(page: Segmentation, facts: ElementFacts, url: string): Article[] {
  const { nodes, tag, blockStart, blockEnd } = page.elements;
  const hasTypes = facts.itemTypes.size > 0;
  const articles: Article[] = [];
  for (let element = 0; element < nodes.length; element++) {
    if (tag[element] !== ARTICLE && !(hasTypes && isTyped(nodes[element]!))) continue;
    const from = blockStart[element]!;
    const to = blockEnd[element]!;
    if (from < (articles.at(-1)?.to ?? 0) || facts.prose[element]! < MIN_PROSE) continue;
    const heading = headingOf(page, facts, from, to);
    articles.push({
      from,
      to,
      path: addressOf(page, element, articles.at(-1)?.to ?? 0, url) || linkOf(page, heading, url),
      heading,
      level: heading < 0 ? 0 : facts.level[page.blocks[heading]!.container]!,
    });
  }
  return articles;
}

const isTyped = (node: Element): boolean => ARTICLE_TYPE.test(attributeOf(node, "itemtype"));

function headingOf(
  { blocks }: Segmentation,
  facts: ElementFacts,
  from: number,
  to: number,
): number {
  for (let index = from; index < to && index < from + NEAR; index++) {
    const level = facts.level[blocks[index]!.container] ?? 0;
    if (level === 1 || level === 2) return index;
  }
  return -1;
}

/** The path that an article's element names, or one near around it that holds no article before it. */
function addressOf(
  { elements: { nodes, parent, blockStart } }: Segmentation,
  article: number,
  after: number,
  url: string,
): string {
  let element = article;
  for (let level = 0; level < LEVELS && element >= 0 && blockStart[element]! >= after; level++) {
    for (const name of ADDRESSES) {
      const path = pathOf(attributeOf(nodes[element]!, name), url);
      if (path !== "") return path;
    }
    element = parent[element]!;
  }
  return "";
}

/** The path that a heading leads to. */
function linkOf({ blocks, elements }: Segmentation, heading: number, url: string): string {
  if (heading < 0) return "";
  const node = elements.nodes[blocks[heading]!.container]!;
  const link = findElement(node, (element) => element.name === "a");
  return link === undefined ? "" : pathOf(attributeOf(link, "href"), url);
}

/** The path of an address on the same site, without a slash at its end; "" for any other and for a bare fragment. */
function pathOf(address: string, url: string): string {
  if (address === "" || address.startsWith("#") || !URL.canParse(address, url)) return "";
  const { host, pathname } = new URL(address, url);
  return host === new URL(url).host ? pathname.replace(/\/+$/, "") || "/" : "";
}
