// Suggests the current names of unknown keys: names of older versions, and snake_case.

/** Old keys and their /v2 equivalents. */
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

/** Returns what to write instead of an unknown key; undefined if nothing fits. */
export function findPresentName(key: string): string | undefined {
  if (Object.hasOwn(FORMER, key)) return FORMER[key];
  // A long key is not an old name, so its underscores are not scanned.
  if (key.length > 100 || !/^[a-z]+(?:_[a-z0-9]+)+$/.test(key)) return undefined;
  const name = toCamelCase(key);
  return Object.hasOwn(FORMER, name) ? FORMER[name] : name;
}
