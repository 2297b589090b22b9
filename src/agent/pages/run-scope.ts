// Restricts where a run may go. Checked before every request, redirects included.
import { resolveUrl } from "../../contract/request/url.ts";
import { toIdentity } from "../../url/identity.ts";
import { computeReach } from "../../url/site.ts";

/** Treats variants of one page as equal: www or not, http or https, a trailing slash. */
const SAME_PAGE = { deduplicateSimilarURLs: true };

export const toUrlIdentity = (url: URL): string => toIdentity(url, SAME_PAGE);

export class RunScope {
  readonly isStrict: boolean;
  readonly #pages = new Set<string>();
  readonly #given = new Set<string>();
  readonly #sites: URL[] = [];

  /**
   * `isStrict` allows only these URLs, otherwise their sites with subdomains. `areGiven` is false
   * for search results.
   */
  constructor(urls: readonly string[], isStrict: boolean, areGiven = true) {
    this.isStrict = isStrict;
    for (const text of urls) {
      const url = new URL(resolveUrl(text));
      this.open(url);
      if (areGiven) this.#given.add(toUrlIdentity(url));
    }
  }

  /** Also allows the site of a URL. */
  open(url: URL): void {
    this.#pages.add(toUrlIdentity(url));
    if (!this.#sites.some((site) => site.host === url.host)) this.#sites.push(url);
  }

  allows(url: URL): boolean {
    if (url.protocol !== "http:" && url.protocol !== "https:") return false;
    if (this.#pages.has(toUrlIdentity(url))) return true;
    return !this.isStrict && this.#sites.some((site) => computeReach(url, site) !== "external");
  }

  /** True if the caller gave this URL. */
  isGiven(url: URL): boolean {
    return this.#given.has(toUrlIdentity(url));
  }
}
