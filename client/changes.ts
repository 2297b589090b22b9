// Histories of pages that were scraped with changeTracking.
import type { ResourceLink } from "./session.ts";
import type { CallOptions } from "./transport.ts";
import type {
  PageDiff,
  PageDiffQuery,
  PageHistoryList,
  PageVersions,
  PageVersionText,
} from "./wire.ts";

const PATH = "/v2/changes";
const buildPath = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

export class Changes {
  readonly #call: ResourceLink["call"];

  constructor(call: ResourceLink["call"]) {
    this.#call = call;
  }

  /** Pages of the account, last fetched first; pass `before` back until it is null. */
  async list(
    query: { limit?: number; before?: number; text?: string } = {},
    options: CallOptions = {},
  ): Promise<PageHistoryList> {
    return (await this.#call({ method: "GET", path: PATH, query }, options)) as PageHistoryList;
  }

  /** Returns the versions of a page, newest first. */
  async versions(id: string, options: CallOptions = {}): Promise<PageVersions> {
    return (await this.#call({ method: "GET", path: buildPath(id) }, options)) as PageVersions;
  }

  /** Returns the Markdown of one version, and its values if there are any. */
  async version(id: string, version: string, options: CallOptions = {}): Promise<PageVersionText> {
    const path = `${buildPath(id)}/versions/${encodeURIComponent(version)}`;
    return (await this.#call({ method: "GET", path }, options)) as PageVersionText;
  }

  /** Compares two versions, by default the two newest. */
  async diff(
    id: string,
    { ignoreNoise, ...query }: PageDiffQuery = {},
    options: CallOptions = {},
  ): Promise<PageDiff> {
    const given =
      ignoreNoise === undefined ? query : { ...query, ignoreNoise: String(ignoreNoise) };
    const path = `${buildPath(id)}/diff`;
    return (await this.#call({ method: "GET", path, query: given }, options)) as PageDiff;
  }
}
