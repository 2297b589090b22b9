// What a crawl learns of the texts that its sites repeat, as one process knows it: what the store says, and the pages counted
// here that are not written yet.
import type { ScrapeOptions } from "../contract/page/scrape.ts";
import { SiteTally } from "../store/jobs/site-tally.ts";
import type { PageTexts } from "../store/jobs/site-tallies.ts";

/** Hosts known at once; of others nothing is learned. */
const MAX_HOSTS = 100;
/** Pages between here and the store. */
const MAX_WAITING = 500;
/** Pages whose like is recognised. */
const MAX_SEEN = 20_000;
const NOTHING = new Int32Array();

export class SiteTexts {
  readonly #tallies = new Map<string, SiteTally>();
  readonly #waiting = new Set<PageTexts>();
  readonly #seen = new Set<number>();
  readonly #isWritten: boolean;

  /** With `isWritten` the pages go to the store as well. */
  constructor(isWritten: boolean) {
    this.#isWritten = isWritten;
  }

  /** What most pages of the host repeat so far. */
  known(host: string): Int32Array {
    return this.#tallies.get(host)?.repeated() ?? NOTHING;
  }

  /** Counts a page. Answers it when the store is to count it, too; one with the very texts of an earlier one counts nowhere. */
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
    // Pages that came to nothing are never written.
    const [oldest] = this.#waiting;
    if (this.#waiting.size > MAX_WAITING && oldest !== undefined) this.#waiting.delete(oldest);
    return page;
  }

  /** Takes over what the store says after a commit of some of the pages, which other workers have added to. */
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
 * Whether a crawl with these options leaves out what its sites repeat. Not where the whole page or chosen elements are asked
 * for, nor where pages are compared with earlier versions: one that comes later must not seem to have changed.
 */
export const learnsTexts = ({
  onlyMainContent,
  includeTags,
  formats,
}: Pick<ScrapeOptions, "onlyMainContent" | "includeTags" | "formats">): boolean =>
  onlyMainContent &&
  includeTags.length === 0 &&
  formats.every(({ type }) => type !== "changeTracking");
