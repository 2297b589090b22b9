// includePaths and excludePaths (wire contract 5.1).
import { compilePattern } from "../contract/request/patterns.ts";

export type UrlPatterns = {
  readonly size: number;
  /** Returns the first pattern that the URL matches, as `name[2] "/tag/"`, or undefined. */
  readonly match: (url: URL, address: string) => string | undefined;
};

/**
 * Compiles the patterns of one field, once per crawl. A pattern matches anywhere in the pathname,
 * or in the whole address with `onFullUrl`. Addresses with percent-encoding are also matched
 * decoded. Throws a SyntaxError for a pattern that the contract rejects.
 */
export function compilePatterns(
  name: string,
  patterns: readonly string[],
  onFullUrl: boolean,
): UrlPatterns {
  const compiled = patterns.map((source) => ({ source, expression: compilePattern(source) }));
  return {
    size: compiled.length,
    match: (url, address) => {
      if (compiled.length === 0) return undefined;
      const written = onFullUrl ? address : url.pathname;
      const readable = toReadable(written);
      const index = compiled.findIndex(
        ({ expression }) =>
          expression.test(written) || (readable !== written && expression.test(readable)),
      );
      return index === -1
        ? undefined
        : `${name}[${index}] ${JSON.stringify(compiled[index]?.source.slice(0, 200))}`;
    },
  };
}

function toReadable(text: string): string {
  if (!text.includes("%")) return text;
  try {
    return decodeURI(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
