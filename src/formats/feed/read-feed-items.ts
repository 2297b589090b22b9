// The entries of a page that is a feed itself.
import type { PageFeedItem } from "../../contract/page/feed.ts";
import type { FeedItem } from "../../feeds/feed.ts";
import { parseFeed } from "../../feeds/read-feed.ts";
import { parseDateText } from "../../html/metadata/date-text.ts";
import { parseHtml } from "../../html/parse/parse.ts";
import { foldSpace, readText } from "../../html/parse/tree.ts";

const MAX_ITEMS = 1_000;
const MAX_SUMMARY_CHARACTERS = 500;

/** Returns entries with links, nested ones of outlines too; undefined if there are none. */
export function readFeedItems(
  text: string,
  mimeType: string,
  resolve: (address: string) => string | undefined,
): PageFeedItem[] | undefined {
  const items = listEntries(parseFeed(text, mimeType)?.items ?? [])
    .slice(0, MAX_ITEMS)
    .flatMap((item): PageFeedItem[] => {
      const url = item.link === "" ? undefined : resolve(item.link);
      if (url === undefined || !/^https?:\/\//i.test(url)) return [];
      const date = parseDateText(item.date);
      const summary = toSummary(item.html);
      return [
        {
          url,
          title: foldSpace(item.title) || url,
          ...(date === undefined ? {} : { date }),
          ...(summary === "" ? {} : { summary }),
        },
      ];
    });
  return items.length === 0 ? undefined : items;
}

function listEntries(items: readonly FeedItem[]): FeedItem[] {
  const found: FeedItem[] = [];
  const left = [...items].toReversed();
  for (
    let item = left.pop();
    item !== undefined && found.length < 2 * MAX_ITEMS;
    item = left.pop()
  ) {
    found.push(item);
    left.push(...item.items.toReversed());
  }
  return found;
}

const BLOCK = /<\/?(?:p|div|br|li|ul|ol|tr|td|th|h[1-6]|blockquote|pre|hr)\b/gi;

const toSummary = (html: string): string =>
  html === ""
    ? ""
    : foldSpace(
        readText(
          parseHtml(html.slice(0, 20_000).replaceAll(BLOCK, " $&")),
          4 * MAX_SUMMARY_CHARACTERS,
        ),
      ).slice(0, MAX_SUMMARY_CHARACTERS);
