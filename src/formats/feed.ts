import type { PageFeed, PageFeedItem } from "../contract/page/feed.ts";
import { stripInvisible } from "../runtime/strip-invisible.ts";
import type { FormatDeclaration } from "./format.ts";
import type { PageView } from "./page/view.ts";

export const NO_LIST =
  "This page has no list of at least three entries with links, so there is no feed.";

/** The entries of a list page: links with titles, dates and summaries. */
export const feed: FormatDeclaration<"feed"> = {
  name: "feed",
  needs: [],
  derive: async () => {
    const [{ readList }, { readFeedItems }, { PageModel }, { numberOrder }, { resolveUrl }] =
      await Promise.all([
        import("./feed/read-list.ts"),
        import("./feed/read-feed-items.ts"),
        import("../page-model/page-model.ts"),
        import("../html/metadata/date-text.ts"),
        import("../html/links/base-url.ts"),
      ]);
    return (view) => {
      const items = view.hasTree() ? readItems(view) : undefined;
      if (items !== undefined) return { feed: toFeed(view, items) };
      view.warnings.push(NO_LIST);
      return {};
    };

    function readItems(view: PageView): PageFeedItem[] | undefined {
      const base = view.getBase();
      const resolve = (address: string): string | undefined => resolveUrl(address, base);
      if (view.kind === "feed") return readFeedItems(view.text, view.input.mimeType, resolve);
      const host = URL.parse(view.input.url)?.hostname ?? "";
      const order = numberOrder(toText(view.getMetadata()["language"]), host);
      const model = new PageModel(view.getDocument(), { order });
      return readList(model, { pageUrl: view.input.url, resolve });
    }
  },
};

function toFeed(view: PageView, items: readonly PageFeedItem[]): PageFeed {
  const { url } = view.input;
  const metadata = view.getMetadata();
  const description = toText(metadata["description"]);
  const language = toText(metadata["language"]);
  return {
    title: toText(metadata["title"]) ?? url,
    url,
    ...(description === undefined ? {} : { description }),
    ...(language === undefined ? {} : { language }),
    items: items.map(stripItem),
  };
}

function stripItem(item: PageFeedItem): PageFeedItem {
  const title = stripInvisible(item.title).trim();
  return {
    ...item,
    title: title === "" ? item.url : title,
    ...(item.summary !== undefined && { summary: stripInvisible(item.summary) }),
  };
}

const toText = (value: string | string[] | undefined): string | undefined => {
  const text = Array.isArray(value) ? value[0] : value;
  return text === "" ? undefined : text;
};
