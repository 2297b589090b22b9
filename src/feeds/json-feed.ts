// JSON Feed 1.0 and 1.1 (https://www.jsonfeed.org/version/1.1/).
import { EMPTY_ITEM, type Feed, type FeedItem, isoDate, MAX_ITEMS, toMarkup } from "./feed.ts";
import { isObject } from "../runtime/is-object.ts";

type Fields = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Fields => (isObject(value) ? (value as Fields) : {});
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Returns the feed, or undefined for other JSON. */
export function readJsonFeed(text: string): Feed | undefined {
  let fields: Fields;
  try {
    fields = fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
  if (!/^https?:\/\/(?:www\.)?jsonfeed\.org\/version\//.test(textOf(fields["version"])))
    return undefined;
  return {
    kind: "json",
    title: textOf(fields["title"]),
    link: textOf(fields["home_page_url"]),
    description: toMarkup(textOf(fields["description"])),
    language: textOf(fields["language"]),
    items: listOf(fields["items"])
      .slice(0, MAX_ITEMS)
      .map((item) => readItem(fieldsOf(item))),
  };
}

function readItem(item: Fields): FeedItem {
  const authors = [...listOf(item["authors"]), item["author"]].map((author) =>
    textOf(fieldsOf(author)["name"]),
  );
  const html = textOf(item["content_html"]);
  const text = textOf(item["content_text"]) || textOf(item["summary"]);
  return {
    ...EMPTY_ITEM,
    title: textOf(item["title"]),
    link: textOf(item["url"]) || textOf(item["external_url"]),
    date: isoDate(textOf(item["date_published"]) || textOf(item["date_modified"])),
    authors: [...new Set(authors.filter((name) => name !== ""))],
    html: html === "" ? toMarkup(text) : html,
    enclosures: listOf(item["attachments"]).flatMap((attachment) => {
      const { url, mime_type: mimeType } = fieldsOf(attachment);
      return textOf(url) === "" ? [] : [{ url: textOf(url), mimeType: textOf(mimeType) }];
    }),
  };
}
