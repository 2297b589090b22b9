// Where a run may go. Asked before anything is sent, for redirects as well.
import { resolveUrl } from "../contract/url.ts";
import { toIdentity } from "../url/identity.ts";
import { reachOf } from "../url/site.ts";

/** Spellings of one page: www or not, http or https, a trailing slash. */
const SAME_PAGE = { deduplicateSimilarURLs: true };

export const identityOf = (url: URL): string => toIdentity(url, SAME_PAGE);

export class Fence {
  readonly isStrict: boolean;
  readonly #pages = new Set<string>();
  readonly #sites: URL[] = [];

  /** With `isStrict` the given URLs and nothing else, else their sites with their subdomains. */
  constructor(urls: readonly string[], isStrict: boolean) {
    this.isStrict = isStrict;
    for (const url of urls) this.open(new URL(resolveUrl(url)));
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

  /** One of the URLs that were given. */
  isGiven(url: URL): boolean {
    return this.#pages.has(identityOf(url));
  }
}
