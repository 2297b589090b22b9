// The interface of search providers. Implementations: index-provider.ts, providers/.
import type { Deadline } from "../deadline.ts";
import type { Category } from "./categories.ts";
import type { TimeRange } from "./time-range.ts";

export type Source = "web" | "news" | "images";

export type ProviderRequest = {
  readonly source: Source;
  /** The caller's query including operators. */
  readonly query: string;
  readonly limit: number;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly categories: readonly Category[];
  /** Two lowercase letters. */
  readonly country: string;
  readonly language: string;
  readonly location: string | undefined;
  /** The raw time range, and the parsed one. */
  readonly tbs: string | undefined;
  readonly range: TimeRange;
  readonly isSafe: boolean | undefined;
  /** Cut descriptions around the matched words. */
  readonly highlights: boolean;
  /** The account whose index is searched. */
  readonly accountId: string;
  /** The hosts of the caller's key; the index gives no text of others. Undefined: no limit. */
  readonly allowHosts?: readonly string[] | undefined;
};

/** One result of any source; undefined for what the provider omits. */
export type FoundResult = {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Date of news, in the provider's format. */
  readonly date?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly imageWidth?: number | undefined;
  readonly imageHeight?: number | undefined;
  readonly isPdf?: boolean | undefined;
};

export type Answer = {
  readonly results: readonly FoundResult[];
  readonly warnings: readonly string[];
};

/** Throws TargetError SEARCH_FAILED, LimitError SEARCH_BUSY, and the deadline's abort reason. */
export type SearchProvider = {
  readonly name: string;
  search(request: ProviderRequest, deadline: Deadline): Promise<Answer>;
};
