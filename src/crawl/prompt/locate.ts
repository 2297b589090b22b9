// Turns the parts of a site that a prompt names into URL patterns, checked against the site's known
// URLs.
import { compilePattern } from "../../contract/request/patterns.ts";
import type { PromptNotUnderstood, Place, PromptUnderstanding } from "./reading.ts";
import { isSegment, toSingular } from "./section-words.ts";

/** The known URLs of a site; `checked` is false when the site could not be read. */
export type KnownSite = {
  readonly start: URL;
  readonly urls: readonly URL[];
  readonly checked: boolean;
};

export type PlaceMatch = {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly understood: readonly PromptUnderstanding[];
  readonly notUnderstood: readonly PromptNotUnderstood[];
};

export function locate(places: readonly Place[], site: KnownSite): PlaceMatch {
  const include: string[] = [];
  const exclude: string[] = [];
  const understood: PromptUnderstanding[] = [];
  const notUnderstood: PromptNotUnderstood[] = [];
  for (const place of places) {
    const patterns = findPatterns(place, site);
    if (typeof patterns === "string") {
      notUnderstood.push({ text: place.text, reason: patterns });
      continue;
    }
    const isExcluded = place.polarity === "exclude";
    (isExcluded ? exclude : include).push(...patterns);
    const name = isExcluded ? "excludePaths" : "includePaths";
    understood.push({ text: place.text, as: `${name}: ${patterns.join(", ")}` });
  }
  return {
    include: removeDuplicates(include),
    exclude: removeDuplicates(exclude),
    understood,
    notUnderstood,
  };
}

const removeDuplicates = (patterns: readonly string[]): string[] => [...new Set(patterns)];

/** Returns the patterns, or the reason why there are none. */
function findPatterns({ what }: Place, site: KnownSite): readonly string[] | string {
  return what.kind === "path"
    ? [buildPathPattern(what.path)]
    : findWordPatterns(what.words, what.within, site);
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** `/blog` matches the blog and everything below; `*` matches anything. */
function buildPathPattern(path: string): string {
  const plain = path.replace(/\/?\*+$/, "").replace(/\/+$/, "");
  if (plain === "") return "^/";
  return `^${plain.split(/\*+/).map(escape).join(".*")}(/|$)`;
}

const listSegments = (url: URL): string[] =>
  toReadable(url.pathname).toLowerCase().split("/").filter(Boolean);

function toReadable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function findWordPatterns(
  words: readonly string[],
  within: string | undefined,
  site: KnownSite,
): readonly string[] | string {
  // "blog posts from /blog": the words describe the path.
  if (within !== undefined) {
    const named = within.toLowerCase().split("/");
    const isNamed = named.some((segment) => isSegment(segment, words));
    if (isNamed || words.every((word) => ["post", "article", "page"].includes(toSingular(word))))
      return [buildPathPattern(within)];
  }
  if (!site.checked) return "the site could not be looked at";
  const place = within === undefined ? undefined : compilePattern(buildPathPattern(within));
  const urls =
    place === undefined ? site.urls : site.urls.filter(({ pathname }) => place.test(pathname));
  const patterns = buildSegmentPatterns(words, urls);
  if (patterns.length === 0) return describeMissing(words, site);
  if (within === undefined) return patterns;
  const below = buildPathPattern(within).replace("(/|$)", "(/.*)?");
  return patterns.map((pattern) => `${below}${pattern.replace(/^\^/, "")}`);
}

/** Explains why nothing was found; names another host of the site that matches. */
function describeMissing(words: readonly string[], { urls }: KnownSite): string {
  const host = urls.find(({ hostname }) => isSegment(hostname.split(".")[0] ?? "", words))?.host;
  return host === undefined
    ? `none of the ${urls.length} known URLs of the site has a path segment of this name`
    : `that seems to be ${host}: start the crawl there`;
}

/** Directories and pages whose segment is these words, singular or plural. */
function buildSegmentPatterns(words: readonly string[], urls: readonly URL[]): string[] {
  const first = new Map<string, boolean>();
  for (const url of urls)
    for (const [at, segment] of listSegments(url).entries())
      if (isSegment(segment, words)) first.set(segment, (first.get(segment) ?? true) && at === 0);
  return [...first].map(([segment, isFirst]) => `${isFirst ? "^" : ""}/${escape(segment)}(/|$)`);
}
