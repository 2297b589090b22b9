// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
import { EMPTY_ITEM, type Feed, type FeedItem, toIsoDate, MAX_ITEMS, toMarkup } from "./feed.ts";
import { isObject } from "../runtime/is-object.ts";

type Fields = Readonly<Record<string, unknown>>;

const toFields = (value: unknown): Fields => (isObject(value) ? (value as Fields) : {});
const toText = (value: unknown): string => (typeof value === "string" ? value : "");
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the feed, or undefined for other JSON. */
export function readJsonFeed(text: string): Feed | undefined {
  let fields: Fields;
  try {
    fields = toFields(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (!/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//.test(toText(fields["version"])))
    return undefined;
  return {
    kind: "json",
    title: toText(fields["title"]),
    link: toText(fields["home_page_url"]),
    description: toMarkup(toText(fields["description"])),
    language: toText(fields["language"]),
    items: toList(fields["items"])
      .slice(0, MAX_ITEMS)
      .map((item) => readItem(toFields(item))),
  };
}

function readItem(item: Fields): FeedItem {
  const authors = [...toList(item["authors"]), item["author"]].map((author) =>
    toText(toFields(author)["name"]),
  );
  const html = toText(item["content_html"]);
  const text = toText(item["content_text"]) || toText(item["summary"]);
  return {
    ...EMPTY_ITEM,
    title: toText(item["title"]),
    link: toText(item["url"]) || toText(item["external_url"]),
    date: toIsoDate(toText(item["date_published"]) || toText(item["date_modified"])),
    authors: [...new Set(authors.filter((name) => name !== ""))],
    html: html === "" ? toMarkup(text) : html,
    enclosures: toList(item["attachments"]).flatMap((attachment) => {
      const { url, mime_type: mimeType } = toFields(attachment);
      return toText(url) === "" ? [] : [{ url: toText(url), mimeType: toText(mimeType) }];
    }),
  };
}
