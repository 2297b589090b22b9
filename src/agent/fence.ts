// Where a run may go. Asked before anything is sent, for redirects as well.
import { resolveUrl } from "../contract/request/url.ts";
import { toIdentity } from "../url/identity.ts";
import { reachOf } from "../url/site.ts";

/** Spellings of one page: www or not, http or https, a trailing slash. */
const SAME_PAGE = { deduplicateSimilarURLs: true };

export const identityOf = (url: URL): string => toIdentity(url, SAME_PAGE);

export class Fence {
  readonly isStrict: boolean;
  readonly #pages = new Set<string>();
  readonly #given = new Set<string>();
  readonly #sites: URL[] = [];

  /**
   * With `isStrict` the URLs and nothing else, else their sites with their subdomains. Given by the caller, or with
   * `areGiven` false found by a search.
   */
  constructor(urls: readonly string[], isStrict: boolean, areGiven = true) {
    this.isStrict = isStrict;
    for (const text of urls) {
      const url = new URL(resolveUrl(text));
      this.open(url);
      if (areGiven) this.#given.add(identityOf(url));
    }
  }

  /** The site of a URL may be entered as well. */
  open(url: URL): void {
    this.#pages.add(identityOf(url));
    if (!this.#sites.some((site) => site.host === url.host)) this.#sites.push(url);
  }

  allows(url: URL): boolean {
    if (url.protocol !== "http:" && url.protocol !== "https:") return false;
    if (this.#pages.has(identityOf(url))) return true;
    return !this.isStrict && this.#sites.some((site) => reachOf(url, site) !== "external");
  }

  /** One of the URLs that the caller gave. */
  isGiven(url: URL): boolean {
    return this.#given.has(identityOf(url));
  }
}
