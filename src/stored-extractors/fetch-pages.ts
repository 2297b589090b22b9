// Fetches the pages that an extractor learns from or runs on, through ordinary scrapes: their
// engines, cache and credits.
import type { Identity } from "../account/identity.ts";
import type { Document, PageOptions } from "../contract/page/scrape.ts";
import type { Format } from "../contract/page/formats.ts";
import { QuarryError } from "../errors.ts";
import type { Scrape } from "../scrape/scrape.ts";

export type ExtractionCaller = {
  readonly identity: Identity;
  readonly requestId: string;
  readonly base?: string | undefined;
  readonly signal: AbortSignal;
};

export type FetchedPage =
  | { readonly url: string; readonly document: Document; readonly credits: number }
  | { readonly url: string; readonly error: QuarryError };

/** Pages in progress at once. */
const MAX_CONCURRENCY = 4;

/**
 * In the order of the URLs. Errors of single pages are returned; those of the request are thrown.
 */
export async function fetchPages(
  scrape: Scrape,
  urls: readonly string[],
  options: PageOptions,
  formats: readonly Format[],
  caller: ExtractionCaller,
): Promise<FetchedPage[]> {
  const pages: FetchedPage[] = [];
  const left = urls.entries();
  const work = async (): Promise<void> => {
    for (const [at, url] of left) pages[at] = await fetchPage(url);
  };
  await Promise.all(Array.from({ length: Math.min(MAX_CONCURRENCY, urls.length) }, work));
  return pages;

  async function fetchPage(url: string): Promise<FetchedPage> {
    try {
      const { document } = await scrape(
        { ...options, url, formats: [...formats], markdown: undefined },
        { ...caller, explain: false },
      );
      return { url, document, credits: Number(document.metadata.creditsUsed ?? 0) };
    } catch (error) {
      caller.signal.throwIfAborted();
      const isOfRequest =
        error instanceof QuarryError &&
        (error.code === "INSUFFICIENT_CREDITS" || error.code === "NOT_IMPLEMENTED");
      if (error instanceof QuarryError && !isOfRequest) return { url, error };
      throw error;
    }
  }
}
