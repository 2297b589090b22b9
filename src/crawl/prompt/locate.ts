// Turns the parts of a site that a prompt names into URL patterns, checked against the site's known
// URLs.
import { compilePattern } from "../../contract/request/patterns.ts";
import type { NotUnderstood, Place, Understood } from "./reading.ts";
import { segmentsOf, singular } from "./subjects.ts";

/** The known URLs of a site; `checked` is false when the site could not be read. */
export type KnownSite = {
  readonly start: URL;
  readonly urls: readonly URL[];
  readonly checked: boolean;
};

export type Located = {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly understood: readonly Understood[];
  readonly notUnderstood: readonly NotUnderstood[];
};

export function locate(places: readonly Place[], site: KnownSite): Located {
  const parts: string[] = [];
  const filters: { kind: Place["what"]["kind"]; patterns: readonly string[] }[] = [];
  const exclude: string[] = [];
  const understood: Understood[] = [];
  const notUnderstood: NotUnderstood[] = [];
  for (const place of places) {
    const located = patternsOf(place, site);
    if (typeof located === "string") {
      notUnderstood.push({ text: place.text, reason: located });
      continue;
    }
    const { patterns, inverted } = located;
    const { kind } = place.what;
    const isExcluded = (place.polarity === "exclude") !== inverted;
    if (isExcluded) exclude.push(...patterns);
    else if (kind === "path" || kind === "words") parts.push(...patterns);
    else filters.push({ kind, patterns });
    const name = isExcluded ? "excludePaths" : "includePaths";
    const as = patterns.length === 0 ? "nothing to leave out" : `${name}: ${patterns.join(", ")}`;
    understood.push({ text: place.text, as });
  }
  return {
    include: unique(narrow(parts, filters)),
    exclude: unique(exclude),
    understood,
    notUnderstood,
  };
}

const unique = (patterns: readonly string[]): string[] => [...new Set(patterns)];

/**
 * A URL is included if one pattern matches, so combined conditions become one pattern: the blog,
 * and a year in it.
 */
function narrow(
  parts: readonly string[],
  filters: readonly { kind: Place["what"]["kind"]; patterns: readonly string[] }[],
): readonly string[] {
  let narrowed = parts;
  for (const { kind, patterns } of filters)
    narrowed =
      narrowed.length === 0
        ? patterns
        : narrowed.flatMap((part) => patterns.map((pattern) => both(part, pattern, kind)));
  return narrowed;
}

function both(part: string, filter: string, kind: Place["what"]["kind"]): string {
  const open = (pattern: string): string =>
    pattern.endsWith("(/|$)") ? `${pattern.slice(0, -"(/|$)".length)}(/.*)?` : `${pattern}.*`;
  return kind === "language"
    ? `${open(filter)}${part.replace(/^\^/, "")}`
    : `${open(part)}${kind === "fileType" ? ".*" : ""}${filter}`;
}

/**
 * `inverted`: the patterns match what is not meant, for example when the requested language is the
 * one without a prefix.
 */
type Found = { readonly patterns: readonly string[]; readonly inverted: boolean };
const found = (...patterns: string[]): Found => ({ patterns, inverted: false });

/** Returns the patterns, or why there are none. */
function patternsOf({ what, polarity }: Place, site: KnownSite): Found | string {
  switch (what.kind) {
    case "path":
      return found(pathPattern(what.path));
    case "words":
      return wordPatterns(what.words, what.within, site);
    case "months":
      return monthPatterns(what.from, what.to, site);
    case "fileType":
      return found(String.raw`\.${what.extension}$`);
    case "language":
      return languagePatterns(what.code, polarity, site);
  }
}

const escape = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);

/** `/blog` matches the blog and everything below; `*` matches anything. */
function pathPattern(path: string): string {
  const plain = path.replace(/\/?\*+$/, "").replace(/\/+$/, "");
  if (plain === "") return "^/";
  return `^${plain.split(/\*+/).map(escape).join(".*")}(/|$)`;
}

const segmentsIn = (url: URL): string[] =>
  readable(url.pathname).toLowerCase().split("/").filter(Boolean);

function readable(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function wordPatterns(
  words: readonly string[],
  within: string | undefined,
  site: KnownSite,
): Found | string {
  const segments = segmentsOf(words);
  const place = within === undefined ? undefined : compilePattern(pathPattern(within));
  // "blog posts from /blog": the words describe the path.
  if (within !== undefined && place !== undefined) {
    const named = within.toLowerCase().split("/");
    const isNamed = segments?.some((segment) => named.includes(segment)) ?? false;
    if (isNamed || words.every((word) => ["post", "article", "page"].includes(singular(word))))
      return found(pathPattern(within));
  }
  if (!site.checked) {
    if (segments === undefined) return "the site could not be looked at";
    return found(`/(${segments.map(escape).join("|")})(/|$)`);
  }
  const urls =
    place === undefined ? site.urls : site.urls.filter(({ pathname }) => place.test(pathname));
  const patterns =
    segments === undefined ? slugPatterns(words, urls) : segmentPatterns(segments, urls);
  if (patterns.length === 0) return missing(segments ?? [], site);
  if (within === undefined) return found(...patterns);
  const below = pathPattern(within).replace("(/|$)", "(/.*)?");
  return found(...patterns.map((pattern) => `${below}${pattern.replace(/^\^/, "")}`));
}

/** Explains why nothing was found; names another host of the site that matches. */
function missing(segments: readonly string[], { urls }: KnownSite): string {
  const host = urls.find(({ hostname }) => segments.includes(hostname.split(".")[0] ?? ""))?.host;
  return host === undefined
    ? `none of the ${urls.length} known URLs of the site has this name`
    : `that seems to be ${host}: start the crawl there`;
}

/** Directories and pages with these names, the most usual name first. */
function segmentPatterns(segments: readonly string[], urls: readonly URL[]): string[] {
  const patterns: string[] = [];
  for (const segment of segments) {
    const deeper = urls.map(segmentsIn).filter((parts) => parts.includes(segment));
    if (deeper.length === 0) continue;
    const isFirst = deeper.every((parts) => parts[0] === segment);
    patterns.push(`${isFirst ? "^" : ""}/${escape(segment)}(/|$)`);
  }
  return patterns;
}

/** URLs that contain all the words, singular or plural. */
function slugPatterns(words: readonly string[], urls: readonly URL[]): string[] {
  const stems = words.map((word) => singular(word));
  // A short word counts only beside a longer one: "c-api".
  if (!stems.some((stem) => stem.length >= 3)) return [];
  const parts = stems.map((stem) => `${escape(stem)}(?:s|es)?`);
  const asOne = `/(?:[^/]*[-_.])?${parts.join("[-_.+ ]?")}(?:[-_.][^/]*)?(/|$)`;
  const pattern = new RegExp(asOne, "i");
  return urls.some(({ pathname }) => pattern.test(readable(pathname))) ? [asOne] : [];
}

const YEAR_IN_PATH = /[/_-]((?:19|20)\d\d)(?:[/_-](0?[1-9]|1[0-2]))?(?=[/_.-]|$)/;

function monthPatterns(from: number, to: number, { urls, checked }: KnownSite): Found | string {
  if (!checked) return "the site could not be looked at";
  const dated = urls.flatMap(({ pathname }) => {
    const match = YEAR_IN_PATH.exec(pathname);
    return match === null ? [] : [{ year: Number(match[1]), month: match[2] }];
  });
  if (dated.length === 0) return "the URLs of this site contain no years";
  const years = [...new Set(dated.map(({ year }) => year))].toSorted((one, other) => one - other);
  const hasMonths = dated.some(({ month }) => month !== undefined);
  const first = Math.floor(from / 12);
  const last = Math.floor(to / 12);
  const whole = years.filter((year) => year * 12 >= from && year * 12 + 11 <= to);
  const patterns = whole.length === 0 ? [] : [`[/_-](${whole.join("|")})([/_.-]|$)`];
  for (const year of new Set([first, last])) {
    if (whole.includes(year) || !years.includes(year)) continue;
    if (!hasMonths) return "the URLs of this site contain years but no months";
    const wanted = Array.from({ length: 12 }, (_, month) => month).filter(
      (month) => year * 12 + month >= from && year * 12 + month <= to,
    );
    patterns.push(
      `[/_-]${year}[/_-](${wanted.map((month) => `0?${month + 1}`).join("|")})([/_.-]|$)`,
    );
  }
  if (patterns.length > 0) return found(...patterns);
  return `the URLs of this site contain the years ${years[0]} to ${years.at(-1)}`;
}

const LANGUAGE_PREFIX = /^\/([a-z]{2})(?:-[a-z]{2})?(?=\/|$)/i;
const CODES = new Set(
  "en de fr es it pt nl pl ru ja zh ko sv da no nb fi cs tr ar el hu ro uk he".split(" "),
);
const prefixPattern = (code: string): string => `^/${code}(-[A-Za-z]{2})?(/|$)`;

function languagePatterns(
  code: string,
  polarity: Place["polarity"],
  { start, urls, checked }: KnownSite,
): Found | string {
  if (!checked) return "the site could not be looked at";
  const prefixOf = ({ pathname }: URL): string | undefined => {
    const prefix = LANGUAGE_PREFIX.exec(pathname)?.[1]?.toLowerCase();
    return prefix !== undefined && CODES.has(prefix) ? prefix : undefined;
  };
  const prefixes = [
    ...new Set(urls.map(prefixOf).filter((prefix) => prefix !== undefined)),
  ].toSorted(byText);
  if (prefixes.length === 0) return "the URLs of this site do not tell languages apart";
  if (code === "others") {
    const own = prefixOf(start);
    return {
      patterns: prefixes.filter((prefix) => prefix !== own).map(prefixPattern),
      inverted: false,
    };
  }
  if (prefixes.includes(code)) return found(prefixPattern(code));
  // The language without a prefix is the default one: exclude the others. It cannot be excluded
  // itself.
  if (polarity === "exclude") return { patterns: [], inverted: false };
  return { patterns: prefixes.map(prefixPattern), inverted: true };
}

const byText = (one: string, other: string): number => (one < other ? -1 : 1);
