// What callers mean by keys that /v2 does not know: names of older versions, and snake_case.

/** By the key: what says the same in /v2. */
const FORMER: Readonly<Record<string, string>> = {
  allowBackwardLinks: "crawlEntireDomain",
  allowBackwardCrawling: "crawlEntireDomain",
  changeTrackingOptions: 'formats: [{ type: "changeTracking", … }]',
  extract: 'formats: [{ type: "json", prompt, schema }]',
  extractorOptions: 'formats: [{ type: "json", prompt, schema }]',
  ignoreSitemap: 'sitemap: "skip"',
  jsonOptions: 'formats: [{ type: "json", prompt, schema }]',
  jsonSchema: 'formats: [{ type: "json", schema }]',
  maxDepth: "maxDiscoveryDepth",
  onlyIncludeTags: "includeTags",
  pageOptions: "scrapeOptions",
  parsePDF: "parsers",
  removeTags: "excludeTags",
  screenshotOptions: 'formats: [{ type: "screenshot", … }]',
  sitemapOnly: 'sitemap: "only"',
};

const toCamelCase = (key: string): string =>
  key.replaceAll(/_+([a-z0-9])/g, (_match, letter: string) => letter.toUpperCase());

/** What to write in place of a key that is not known, or undefined when it is not known what is meant by it. */
export function findPresentName(key: string): string | undefined {
  if (Object.hasOwn(FORMER, key)) return FORMER[key];
  // A long key is no name; its underscores are not worth the walk.
  if (key.length > 100 || !/^[a-z]+(?:_[a-z0-9]+)+$/.test(key)) return undefined;
  const name = toCamelCase(key);
  return Object.hasOwn(FORMER, name) ? FORMER[name] : name;
}
