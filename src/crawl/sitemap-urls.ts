/** URLs of the sitemaps of the site that a URL belongs to, in their order; ends early when `signal` aborts. */
export type ReadSite = (site: URL, signal: AbortSignal) => AsyncIterable<string>;
