// What a search asks of who answers it, and what it gets. One file for each of them: index-provider.ts, providers/.
import type { Deadline } from "../deadline.ts";
import type { Category } from "./categories.ts";
import type { TimeRange } from "./time-range.ts";

export type Source = "web" | "news" | "images";

export type ProviderRequest = {
  readonly source: Source;
  /** As the caller wrote it, operators and all. */
  readonly query: string;
  readonly limit: number;
  readonly includeDomains: readonly string[];
  readonly excludeDomains: readonly string[];
  readonly categories: readonly Category[];
  /** Two letters, lower case. */
  readonly country: string;
  readonly language: string;
  readonly location: string | undefined;
  /** The time range as it was written, and read. */
  readonly tbs: string | undefined;
  readonly range: TimeRange;
  readonly isSafe: boolean | undefined;
  /** Cut descriptions from where the words stand. */
  readonly highlights: boolean;
  /** Whose index is looked through. */
  readonly accountId: string;
};

/** One result, of any source; what the provider does not say is undefined. */
export type Found = {
  readonly url: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  /** Of news, as the provider writes it. */
  readonly date?: string | undefined;
  readonly imageUrl?: string | undefined;
  readonly imageWidth?: number | undefined;
  readonly imageHeight?: number | undefined;
  readonly isPdf?: boolean | undefined;
};

export type Answer = { readonly results: readonly Found[]; readonly warnings: readonly string[] };

/** Throws TargetError SEARCH_FAILED, LimitError SEARCH_BUSY, and what the deadline was aborted with. */
export type SearchProvider = {
  readonly name: string;
  search(request: ProviderRequest, deadline: Deadline): Promise<Answer>;
};
