import type { Candidate, PageFacts } from "./facts.ts";
import type { LinkedNode } from "./json-ld.ts";
import type { NumberOrder } from "./date-text.ts";
import type { Post } from "../threads/find-thread.ts";

/** Input of every rule. */
export type Page = {
  readonly url: string;
  readonly host: string;
  /** The site's name, if the page declares one. */
  readonly siteName: string | undefined;
  /** True if a text names the site. */
  readonly isSiteName: (text: string) => boolean;
  readonly facts: PageFacts;
  /**
   * Candidates that may contain a date. Most candidates are versions and the like, and many rules
   * read this list.
   */
  readonly dated: Pick<PageFacts, "times" | "dates" | "numberTexts">;
  readonly linked: readonly LinkedNode[];
  /** Linked data about the page's own content, articles before pages. */
  readonly main: readonly LinkedNode[];
  readonly order: NumberOrder;
  /** True for a date after the fetch. */
  readonly isFuture: (date: string) => boolean;
  /** Returns the post that opens the thread, on pages of known forum software. */
  readonly findFirstPost: () => Post | undefined;
  /** The page's own titles without the site name, best first. */
  readonly titles: readonly string[];
  /** The heading that serves as the title, if one fits. */
  readonly headline: Candidate | undefined;
  /** Returns the contents of every `meta` with this name, in order, without repeats. */
  readonly metaAll: (key: string) => readonly string[];
  /**
   * Returns the content of the first `meta` whose name, property or itemprop matches, ignoring
   * case.
   */
  readonly meta: (key: string) => string | undefined;
};

/**
 * A source of an answer: its name for explanations, and its reader, which returns undefined or ""
 * if missing.
 */
export type Rule = readonly [source: string, read: (page: Page) => string | undefined];

export type Answer = { readonly value: string; readonly source: string };

/** Returns the position of the headline, or else of the first main heading in the page's own part. */
export const findHeadlinePosition = ({ headline, facts }: Page): number | undefined =>
  headline?.position ??
  facts.headings.find(({ mark, place }) => mark === "h1" && place === "own")?.position;

/** Runs the rules in order; the first non-empty answer wins. */
export function findFirstAnswer(rules: readonly Rule[], page: Page): Answer | undefined {
  for (const [source, read] of rules) {
    const value = read(page)?.trim();
    if (value !== undefined && value !== "") return { value, source };
  }
  return undefined;
}

/** Creates one rule for several meta names, tried in order. */
export function createMetaRule(
  keys: readonly string[],
  convert: (value: string, page: Page) => string | undefined,
): Rule {
  return [
    `meta ${keys[0] ?? ""}`,
    (page) => {
      for (const key of keys) {
        const content = page.meta(key);
        const value = content === undefined ? undefined : convert(content, page);
        if (value !== undefined && value !== "") return value;
      }
      return undefined;
    },
  ];
}

const ARTICLE =
  /Article$|^BlogPosting$|^Report$|^DiscussionForumPosting$|^SocialMediaPosting$|^Recipe$|^Review$|^HowTo$|^VideoObject$|^CreativeWork$|^QAPage$|^Question$|^PodcastEpisode$|^Course$/;
const PAGE = /Page$/;

/** Returns the linked data about this page's content, articles before pages. */
export function selectMainNodes(linked: readonly LinkedNode[]): readonly LinkedNode[] {
  // A page with several reviews is about the reviewed item; a critic's page has a single review.
  const isReview = (node: LinkedNode): boolean =>
    node.types.some((type) => type.endsWith("Review"));
  const reviews = linked.filter(isReview).length;
  // An object that lists its reviews is the topic of the page.
  const isReviewed = linked.some((node) => node.values("review").length > 0);
  const articles = linked.filter(
    (node) =>
      node.types.some((type) => ARTICLE.test(type)) &&
      !isListed(node) &&
      !(
        isReview(node) &&
        (reviews > 1 || (isReviewed && node.values("itemReviewed").length === 0))
      ),
  );
  const pages = linked.filter((node) => node.types.some((type) => PAGE.test(type)));
  return [...articles, ...pages];
}

function isListed(node: LinkedNode): boolean {
  return node.types.includes("VideoObject") && node.values("uploadDate").length === 0;
}

/** True for the address of a site's home page, and for no address. */
export function isHomePage(url: string): boolean {
  if (!URL.canParse(url)) return true;
  const { pathname, search } = new URL(url);
  return pathname.length < 2 && search === "";
}

const DECLARED = /^(?:json-ld|meta) /;

/** The rules that read what a page declares about itself, not what it shows. */
export const selectDeclared = (rules: readonly Rule[]): readonly Rule[] =>
  rules.filter(([name]) => DECLARED.test(name));
