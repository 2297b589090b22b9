// Feeds and sitemaps of the pages of a job, built from its documents on request.
import { Readable } from "node:stream";
import type { z } from "zod";
import type {
  crawlFeedQuerySchema,
  PageFeed,
  PageFeedItem,
  sitemapQuerySchema,
} from "../../contract/page/feed.ts";
import type { Document } from "../../contract/page/document.ts";
import type { DocumentJson, PageJobs } from "../../crawl/job.ts";
import { RequestError } from "../../errors.ts";
import { FEED_TYPES, writeFeed } from "../../feeds/write-feed.ts";
import {
  MAX_SITEMAP_URLS,
  SITEMAP_TYPE,
  writeSitemap,
  writeSitemapIndex,
  type SitemapEntry,
} from "../../feeds/write-sitemap.ts";
import type { Call, Handlers } from "../route.ts";
import type { JobRouteParts } from "./jobs.ts";

type Id = { readonly id: string };
type FeedQuery = z.output<typeof crawlFeedQuerySchema>;
type SitemapQuery = z.output<typeof sitemapQuerySchema>;

const MAX_READ_PAGES = 50_000;
const MAX_SUMMARY_CHARACTERS = 500;

export function createJobFileHandlers(
  path: string,
  { jobs, address }: JobRouteParts<PageJobs>,
): Handlers {
  return {
    [`GET ${path}/:id/feed`]: async (call: Call<unknown, FeedQuery, Id>) => {
      const { params, query, identity, request, reply } = call;
      const use = await jobs();
      const { kind } = await use.report(params.id, identity);
      const range = { skip: 0, limit: 1, fate: undefined };
      const [first] = (await use.listLedger(params.id, identity, range)).entries;
      const documents = use.iterateDocuments(params.id, identity, {
        skip: 0,
        limit: MAX_READ_PAGES,
      });
      // The start page of a crawl is what its feed is about.
      const start = kind === "crawl" ? first?.url : undefined;
      const { items, title } = await readItems(documents, start);
      const url = first?.url ?? address(request, `${path}/${params.id}`);
      const feed: PageFeed = {
        title: title ?? URL.parse(url)?.host ?? url,
        url,
        items: sortNewestFirst(items).slice(0, query.limit),
      };
      reply.type(FEED_TYPES[query.format]);
      return writeFeed(feed, query.format, {
        readAt: Date.now(),
        feedUrl: address(request, request.url),
      });
    },

    [`GET ${path}/:id/sitemap.xml`]: async (call: Call<unknown, SitemapQuery, Id>) => {
      const { params, query, identity, request, reply } = call;
      const use = await jobs();
      const { completed } = await use.report(params.id, identity);
      const parts = Math.max(1, Math.ceil(completed / MAX_SITEMAP_URLS));
      reply.type(SITEMAP_TYPE);
      if (query.part === undefined && parts > 1)
        return writeSitemapIndex(
          Array.from({ length: parts }, (_, at) =>
            address(request, `${path}/${params.id}/sitemap.xml?part=${at + 1}`),
          ),
        );
      const part = query.part ?? 1;
      if (part > parts)
        throw new RequestError(
          "NOT_FOUND",
          `This sitemap has ${parts} parts, but no part ${part}.`,
        );
      const documents = use.iterateDocuments(params.id, identity, {
        skip: (part - 1) * MAX_SITEMAP_URLS,
        limit: MAX_SITEMAP_URLS,
      });
      return Readable.from(writeSitemap(toSitemapEntries(documents)), { objectMode: false });
    },
  };
}

const toText = (value: unknown): string | undefined => {
  const [first] = [value].flat();
  return typeof first === "string" && first !== "" ? first : undefined;
};

type FoundPage = {
  /** As requested. */
  readonly source: string;
  /** Final URL. */
  readonly url: string;
  readonly metadata: Document["metadata"];
};

/** Pages that were found, with the facts that they state about themselves. */
async function* readPages(
  groups: AsyncIterable<readonly DocumentJson[]>,
): AsyncGenerator<FoundPage> {
  for await (const group of groups)
    for (const json of group) {
      const { metadata } = JSON.parse(Buffer.from(json).toString("utf8")) as Document;
      const source = toText(metadata.sourceURL);
      const url = toText(metadata.url) ?? source;
      if (url !== undefined && (metadata.statusCode ?? 200) < 400)
        yield { source: source ?? url, url, metadata };
    }
}

/** Returns the pages other than the start page, and the title of that one. */
async function readItems(
  groups: AsyncIterable<readonly DocumentJson[]>,
  start: string | undefined,
): Promise<{ readonly items: PageFeedItem[]; readonly title: string | undefined }> {
  const items = new Map<string, PageFeedItem>();
  let startTitle: string | undefined;
  for await (const { url, source, metadata } of readPages(groups)) {
    const title = toText(metadata["articleTitle"]) ?? toText(metadata.title);
    if (source === start) startTitle = title;
    if (source === start || items.has(url)) continue;
    const date = toText(metadata["publishedTime"]) ?? toText(metadata["modifiedTime"]);
    const summary = toText(metadata.description)?.slice(0, MAX_SUMMARY_CHARACTERS);
    items.set(url, {
      url,
      title: title ?? url,
      ...(date === undefined ? {} : { date }),
      ...(summary === undefined ? {} : { summary }),
    });
  }
  return { items: [...items.values()], title: startTitle };
}

/** Pages without a date come last, in the order of the job. */
function sortNewestFirst(items: readonly PageFeedItem[]): PageFeedItem[] {
  const readTime = ({ date }: PageFeedItem): number => (date && Date.parse(date)) || 0;
  return items
    .map((item) => ({ item, time: readTime(item) }))
    .toSorted((one, other) => other.time - one.time)
    .map(({ item }) => item);
}

async function* toSitemapEntries(
  groups: AsyncIterable<readonly DocumentJson[]>,
): AsyncGenerator<readonly SitemapEntry[]> {
  for await (const { url, metadata } of readPages(groups))
    yield [{ url, changed: toText(metadata["modifiedTime"]) ?? toText(metadata["publishedTime"]) }];
}
