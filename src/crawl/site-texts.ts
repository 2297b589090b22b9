// Repeated texts of a crawl's sites, as known to one process: the store's counts plus unwritten
// counts of its own pages.
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { SiteTally } from "../store/jobs/site-tally.ts";
import type { PageTexts } from "../store/jobs/site-tallies.ts";

/** Hosts tracked at once; nothing is learned about others. */
const MAX_HOSTS = 100;
/** Pages counted here and not yet in the store. */
const MAX_WAITING = 500;
/** Fingerprints of pages whose duplicates are recognized. */
const MAX_SEEN = 20_000;
const NOTHING = new Int32Array();

export class SiteTexts {
  readonly #tallies = new Map<string, SiteTally>();
  readonly #waiting = new Set<PageTexts>();
  readonly #seen = new Set<number>();
  readonly #isWritten: boolean;

  /** `isWritten`: the pages are written to the store as well. */
  constructor(isWritten: boolean) {
    this.#isWritten = isWritten;
  }

  /** Returns the texts that most pages of the host repeat so far. */
  getRepeatedTexts(host: string): Int32Array {
    return this.#tallies.get(host)?.listRepeated() ?? NOTHING;
  }

  /**
   * Counts a page. Returns it if the store should count it too; a duplicate of an earlier page is
   * not counted.
   */
  count(page: PageTexts): PageTexts | undefined {
    const { host, texts } = page;
    let signature = texts.length;
    for (const hash of texts) signature = Math.imul(signature, 31) + hash;
    if (texts.length === 0 || this.#seen.has(signature)) return undefined;
    if (this.#seen.size >= MAX_SEEN) this.#seen.clear();
    this.#seen.add(signature);
    const tally =
      this.#tallies.get(host) ?? (this.#tallies.size < MAX_HOSTS ? new SiteTally() : undefined);
    if (tally === undefined) return undefined;
    this.#tallies.set(host, tally);
    tally.add(texts);
    if (!this.#isWritten) return undefined;
    this.#waiting.add(page);
    // Pages without a result are never written.
    const [oldest] = this.#waiting;
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    return page;
  }

  /** Takes over the store's counts after a commit; other workers have added to them. */
  settle(
    written: readonly (PageTexts | undefined)[],
    tallies: ReadonlyMap<string, SiteTally>,
  ): void {
    for (const page of written) if (page !== undefined) this.#waiting.delete(page);
    for (const [host, tally] of tallies) this.#tallies.set(host, tally);
    for (const { host, texts } of this.#waiting)
      if (tallies.has(host)) this.#tallies.get(host)?.add(texts);
  }
}

/**
 * True if a crawl with these options drops texts that its sites repeat. Not with the whole page or
 * selected elements, nor with change tracking, where a later page must not seem changed.
 */
export const shouldLearnTexts = ({
  onlyMainContent,
  includeTags,
  formats,
}: Pick<ScrapeOptions, "onlyMainContent" | "includeTags" | "formats">): boolean =>
  onlyMainContent &&
  includeTags.length === 0 &&
  formats.every(({ type }) => type !== "changeTracking");
