// Lists the pages that a site's sitemaps name and those fetched of it before, within what the run
// may visit. The sitemap files obey the same limits.
import { createSitemapReader } from "../../crawl/sitemaps/sitemap-urls.ts";
import { Deadline } from "../../deadline.ts";
import type { RobotsStore } from "../../discovery/robots.ts";
import type { FetchFile } from "../../engines/fetch-text.ts";
import { RequestError } from "../../errors.ts";
import type { SiteUrlStore } from "../../store/jobs/site-urls.ts";
import type { RunScope } from "./run-scope.ts";
import type { NotedLink } from "./read-page.ts";

/** `accountId`: owner of the earlier crawls and scrapes that count. */
export type ListSite = (
  site: { readonly start: URL; readonly accountId: string; readonly scope: RunScope },
  signal: AbortSignal,
) => Promise<NotedLink[]>;

const MAX_ENTRIES = 10_000;
const TIMEOUT_MS = 30_000;

/** Returns no pages if the sitemaps cannot be read. */
export function createListSite({
  robots,
  fetchFile,
  siteUrls,
}: {
  readonly robots: RobotsStore;
  readonly fetchFile: FetchFile;
  readonly siteUrls: SiteUrlStore;
}): ListSite {
  return async ({ start, accountId, scope }, signal) => {
    using deadline = Deadline.start(TIMEOUT_MS, signal);
    const read = createSitemapReader({ robots, fetchFile: restrictToScope(fetchFile, scope) });
    const accepts = (url: URL): boolean => scope.allows(url);
    const query = { start, limit: MAX_ENTRIES, accepts, signal: deadline.signal };
    const links: NotedLink[] = [];
    for await (const { pages } of (await read(query)).batches)
      for (const { url, title = "" } of pages)
        links.push({ url, text: title, isMain: false, isNext: false });
    signal.throwIfAborted();
    for (const { url, title } of await siteUrls.find(accountId, start.host, MAX_ENTRIES))
      if (scope.allows(new URL(url)))
        links.push({ url, text: title ?? "", isMain: false, isNext: false });
    return links;
  };
}

function restrictToScope(fetchFile: FetchFile, scope: RunScope): FetchFile {
  const mayRedirect = async (url: URL): Promise<boolean> => scope.allows(url);
  return async (url, options) => {
    if (!scope.allows(new URL(url)))
      throw new RequestError("FORBIDDEN", `${url} is not on a site of the run.`);
    return await fetchFile(url, { ...options, mayRedirect });
  };
}
