import type { Candidate, PageFacts } from "./facts.ts";
import type { LinkedNode } from "./json-ld.ts";
import type { NumberOrder } from "./date-text.ts";

/** What every rule may look at. */
export type Page = {
  readonly url: string;
  readonly host: string;
  /** What the site is called, when the page says so. */
  readonly siteName: string | undefined;
  /** Says whether a text names the site. */
  readonly isSiteName: (text: string) => boolean;
  readonly facts: PageFacts;
  /** Of its candidates for a date those that may hold one: most are versions and the like, and many rules ask. */
  readonly dated: Pick<PageFacts, "times" | "dates" | "numberTexts">;
  readonly linked: readonly LinkedNode[];
  /** Of these the page's own content, articles before pages. */
  readonly main: readonly LinkedNode[];
  readonly order: NumberOrder;
  /** Titles the page gives itself, the site's name cut off, best first. */
  readonly titles: readonly string[];
  /** The heading a reader takes for the title, when one fits. */
  readonly headline: Candidate | undefined;
  /** Contents of every `meta` of this name, in order, without repeats. */
  readonly metaAll: (key: string) => readonly string[];
  /** Content of the first `meta` whose name, property or itemprop is this, case ignored. */
  readonly meta: (key: string) => string | undefined;
};

/** One place an answer may stand: its name for explanations, and how to read it; undefined or "" when it is not there. */
export type Rule = readonly [source: string, read: (page: Page) => string | undefined];

export type Answer = { readonly value: string; readonly source: string };

/** Asks the rules in order; the first non-empty answer wins. */
export function firstAnswer(rules: readonly Rule[], page: Page): Answer | undefined {
  for (const [source, read] of rules) {
    const value = read(page)?.trim();
    if (value !== undefined && value !== "") return { value, source };
  }
  return undefined;
}

/** One rule for several meta names, tried in order. */
export function metaRule(
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

/** Linked-data things that are this page's content, articles before pages. */
export function mainNodes(linked: readonly LinkedNode[]): readonly LinkedNode[] {
  // A page with several reviews is about what they review; a critic's page is one.
  const isReview = (node: LinkedNode): boolean =>
    node.types.some((type) => type.endsWith("Review"));
  const reviews = linked.filter(isReview).length;
  const articles = linked.filter(
    (node) =>
      node.types.some((type) => ARTICLE.test(type)) &&
      !isListed(node) &&
      (reviews < 2 || !isReview(node)),
  );
  const pages = linked.filter((node) => node.types.some((type) => PAGE.test(type)));
  return [...articles, ...pages];
}

function isListed(node: LinkedNode): boolean {
  return node.types.includes("VideoObject") && node.values("uploadDate").length === 0;
}
