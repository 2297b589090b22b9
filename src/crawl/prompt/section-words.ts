// Words of a prompt and the path segments of a site that they equal.

/** Words beside the name of a section: "blog posts" is the blog. */
export const GENERIC = new Set([
  "page",
  "post",
  "article",
  "section",
  "part",
  "area",
  "entry",
  "listing",
  "content",
  "material",
  "url",
  "link",
  "subpage",
]);

export function toSingular(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is|ews)$/.test(word) || word.length < 4) return word;
  return word.replace(/s$/, "");
}

/**
 * True if a path segment is these words, singular or plural: "release notes" is `release-notes`.
 */
export function isSegment(segment: string, words: readonly string[]): boolean {
  const own = segment.split(/[-_.+ ]+/).map((part) => toSingular(part));
  const wanted = words.map((word) => toSingular(word));
  return own.length === wanted.length && own.every((part, at) => part === wanted[at]);
}
