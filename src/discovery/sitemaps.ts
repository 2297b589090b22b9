// Streams all URLs of a site's sitemaps. Fetching is injected.
import { setImmediate } from "node:timers/promises";
import { isSitemapPath } from "../url/file-type.ts";
import { readDomain, computeReach } from "../url/site.ts";
import { readSitemapText } from "./sitemap-bytes.ts";
import { SitemapReader, type SitemapKind, type SitemapPart } from "./sitemap-reader.ts";

export type SitemapSource = {
  readonly url: string;
  /**
   * declared: listed somewhere. guess: may exist. lastResort: tried only if nothing else had an
   * entry.
   */
  readonly certainty: "declared" | "guess" | "lastResort";
};

export type FetchedSitemap = {
  readonly status: number;
  /** After redirects. */
  readonly url: string;
  readonly contentType: string;
  readonly body: Uint8Array;
};

export type WalkOptions = {
  readonly sources: readonly SitemapSource[];
  /** Rejects if the site is unreachable; the walk continues with the next file. */
  readonly fetch: (url: string) => Promise<FetchedSitemap>;
  /** Rejected entries are counted as foreign and dropped. Without it all are accepted. */
  readonly accepts?: (url: URL) => boolean;
  /** Maximum entries to return; unlimited if undefined. */
  readonly limit?: number;
  readonly maxFiles?: number;
  readonly maxEntriesPerFile?: number;
  /** Ends the walk, also in the middle of a file. */
  readonly signal?: AbortSignal;
};

export type FoundPage = {
  readonly url: string;
  readonly title: string | undefined;
  readonly description: string | undefined;
};

export type SitemapBatch = {
  /** The sitemap that lists them. */
  readonly from: string;
  /** Each URL once per walk. */
  readonly pages: readonly FoundPage[];
};

export type SitemapFile = {
  readonly url: string;
  /** absent: a wrong guess. ignored: fetched, but not a sitemap. */
  readonly outcome: "read" | "absent" | "failed" | "ignored";
  readonly kind: SitemapKind | undefined;
  readonly entries: number;
  /** Entries that were not accepted. */
  readonly foreign: number;
  /** Reason why it failed, was ignored or was not read completely. */
  readonly reason: string | undefined;
};

export type SitemapReport = {
  readonly files: SitemapFile[];
  /** Files dropped because there were too many or they belong to another site. */
  readonly filesOmitted: number;
  /** Reason why the walk ended early. */
  readonly cut: string | undefined;
};

const MAX_NAMED_ERRORS = 3;

/** Describes sitemaps that were not read completely, for the caller; names the first ones. */
export function listSitemapFaults({ files, cut }: SitemapReport): string[] {
  const faults: string[] = [];
  const unread = files.filter(({ outcome }) => outcome === "failed" || outcome === "ignored");
  if (unread.length > 0)
    faults.push(
      `${unread.length} of the site's sitemaps could not be read: ${describeFirst(unread)}.`,
    );
  const short = files.filter(({ outcome, reason }) => outcome === "read" && reason !== undefined);
  if (short.length > 0)
    faults.push(
      `${short.length} of the site's sitemaps ${short.length === 1 ? "was" : "were"} not read completely: ${describeFirst(short)}.`,
    );
  if (cut !== undefined) faults.push(`The sitemaps were not read completely: ${cut}.`);
  return faults;
}

function describeFirst(files: readonly SitemapFile[]): string {
  const names = files
    .slice(0, MAX_NAMED_ERRORS)
    .map(({ url, reason }) => `${url} (${reason ?? "no reason"})`);
  return `${names.join(", ")}${files.length > MAX_NAMED_ERRORS ? " and others" : ""}`;
}

export type SitemapWalk = {
  readonly batches: AsyncIterable<SitemapBatch>;
  /** Updated while the batches are read. */
  readonly report: SitemapReport;
};

/** Wire contract 5.6. */
export const MAX_SITEMAP_FILES = 20;
/** Maximum entries per file. The sitemap protocol allows 50,000, but some sites exceed it. */
const MAX_SITEMAP_ENTRIES = 200_000;
const TIME_IS_UP = "the time was up";
const MAX_PREFETCHED = 3;
/** Maximum requested files, including missing ones, as a multiple of the files read. */
const MAX_TRIES = 3;
const MAX_WAITING = 1_000;

/**
 * Returns the locations of sitemaps (wire contract 5.6): the start URL if it is one, below the
 * start URL, in robots.txt, at the main domain of a subdomain, and at the host's root as a last
 * resort.
 */
export function listSitemapSources(start: URL, fromRobots: readonly string[]): SitemapSource[] {
  const sources: SitemapSource[] = [];
  const add = (url: string | undefined, certainty: SitemapSource["certainty"]): void => {
    if (url !== undefined && !sources.some((known) => known.url === url))
      sources.push({ url, certainty });
  };
  if (isSitemapPath(start.pathname)) add(start.href, "declared");
  for (const written of fromRobots) add(URL.parse(written, start.origin)?.href, "declared");
  const root = `${start.origin}/sitemap.xml`;
  const directory = start.pathname.replace(/\/(?:[^/]*\.[^/]*)?$/, "");
  if (directory !== "") add(`${start.origin}${directory}/sitemap.xml`, "guess");
  const domain = readDomain(start);
  if (domain !== undefined && start.hostname !== domain && start.hostname !== `www.${domain}`)
    add(`${start.protocol}//${domain}/sitemap.xml`, "guess");
  add(root, "lastResort");
  return sources;
}

/**
 * Reads sitemaps and those they list, in order, prefetching a few files. Never throws because of
 * the site's responses.
 */
export function walkSitemaps(options: WalkOptions): SitemapWalk {
  const walk = new Walk(options);
  return { batches: walk.batches(), report: walk };
}

type WaitingSitemap = { readonly url: string; readonly certainty: SitemapSource["certainty"] };
type FetchOutcome = FetchedSitemap | { readonly error: string };

class Walk implements SitemapReport {
  readonly files: SitemapFile[] = [];
  filesOmitted = 0;
  cut: string | undefined;
  readonly #options: WalkOptions;
  readonly #waiting: WaitingSitemap[];
  readonly #asked = new Set<string>();
  readonly #given = new Set<string>();
  readonly #fetching = new Map<string, Promise<FetchOutcome>>();

  constructor(options: WalkOptions) {
    this.#options = options;
    this.#waiting = [...options.sources];
    for (const { url } of options.sources) this.#asked.add(url);
  }

  async *batches(): AsyncGenerator<SitemapBatch> {
    const max = this.#options.maxFiles ?? MAX_SITEMAP_FILES;
    for (let next = this.#takeNext(); next !== undefined; next = this.#takeNext()) {
      if (this.cut === undefined && this.#options.signal?.aborted === true) this.cut = TIME_IS_UP;
      const present = this.files.filter(isPresent).length;
      if (this.cut === undefined && (present >= max || this.files.length >= MAX_TRIES * max))
        this.cut = `more than ${max} files`;
      if (this.cut !== undefined) {
        this.filesOmitted +=
          1 + this.#waiting.filter(({ certainty }) => certainty === "declared").length;
        return;
      }
      this.#fetchAhead(next);
      const fetched = await this.#fetch(next.url);
      yield* this.#readFile(next, fetched);
    }
  }

  #takeNext(): WaitingSitemap | undefined {
    const next = this.#waiting.shift();
    return next?.certainty === "lastResort" && this.#given.size > 0 ? this.#takeNext() : next;
  }

  #fetchAhead(first: WaitingSitemap): void {
    for (const { url, certainty } of [first, ...this.#waiting.slice(0, MAX_PREFETCHED)])
      if (certainty !== "lastResort" || first.url === url)
        this.#fetching.set(url, this.#fetch(url));
  }

  #fetch(url: string): Promise<FetchOutcome> {
    return (
      this.#fetching.get(url) ??
      this.#options.fetch(url).catch((error: unknown) => ({
        error: error instanceof Error ? error.message : "no answer",
      }))
    );
  }

  async *#readFile(waiting: WaitingSitemap, fetched: FetchOutcome): AsyncGenerator<SitemapBatch> {
    this.#fetching.delete(waiting.url);
    const { url } = waiting;
    const none = { url, kind: undefined, entries: 0, foreign: 0 };
    if ("error" in fetched) {
      this.files.push({ ...none, outcome: "failed", reason: fetched.error });
      return;
    }
    if (fetched.status < 200 || fetched.status >= 300) {
      const isThere = waiting.certainty === "declared" || isTransient(fetched.status);
      const outcome = isThere ? "failed" : "absent";
      this.files.push({ ...none, outcome, reason: `status ${fetched.status}` });
      return;
    }
    const reader = new SitemapReader();
    const count = { entries: 0, foreign: 0 };
    const max = this.#options.maxEntriesPerFile ?? MAX_SITEMAP_ENTRIES;
    const text = readSitemapText(fetched.body, fetched.contentType);
    let reason: string | undefined;
    for await (const piece of text.pieces) {
      yield* this.#yieldBatches(reader.write(piece), waiting, fetched, count);
      if (count.entries > max) reason = `more than ${max} entries`;
      // The caller may have stopped waiting while a file was read.
      else if (this.#options.signal?.aborted === true) reason = TIME_IS_UP;
      if (reader.isDone || reason !== undefined || this.cut !== undefined) break;
      await setImmediate();
    }
    if (reason === undefined) yield* this.#yieldBatches(reader.end(), waiting, fetched, count);
    const { kind } = reader;
    const isSitemap = kind !== "html" && (kind !== "other" || count.entries > 0);
    const wrong = waiting.certainty === "declared" ? "ignored" : "absent";
    this.files.push({
      url,
      kind,
      ...count,
      outcome: isSitemap ? "read" : wrong,
      reason: reason ?? text.fault() ?? (isSitemap ? undefined : "no sitemap"),
    });
  }

  *#yieldBatches(
    part: SitemapPart,
    { url: from }: WaitingSitemap,
    fetched: FetchedSitemap,
    count: { entries: number; foreign: number },
  ): Generator<SitemapBatch> {
    const { accepts, limit = Number.POSITIVE_INFINITY } = this.#options;
    const max = this.#options.maxEntriesPerFile ?? MAX_SITEMAP_ENTRIES;
    for (const address of part.sitemaps) this.#enqueue(address, fetched.url);
    const pages: FoundPage[] = [];
    for (const { address, title, description } of part.pages) {
      if (++count.entries > max) break;
      const url = URL.parse(address, fetched.url);
      if (url === null || (accepts !== undefined && !accepts(url))) {
        count.foreign++;
        continue;
      }
      if (this.#given.has(url.href)) continue;
      if (this.#given.size >= limit) {
        this.cut ??= `more than ${limit} entries`;
        break;
      }
      this.#given.add(url.href);
      pages.push({ url: url.href, title, description });
    }
    if (pages.length > 0) yield { from, pages };
  }

  /** A sitemap may only list further ones of its own site. */
  #enqueue(address: string, from: string): void {
    const url = URL.parse(address, from);
    if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) return;
    if (this.#asked.has(url.href)) return;
    if (this.#waiting.length >= MAX_WAITING || computeReach(url, new URL(from)) === "external") {
      this.filesOmitted++;
      return;
    }
    this.#asked.add(url.href);
    const lastResort = this.#waiting.findIndex(({ certainty }) => certainty === "lastResort");
    const place = lastResort === -1 ? this.#waiting.length : lastResort;
    this.#waiting.splice(place, 0, { url: url.href, certainty: "declared" });
  }
}

const isPresent = ({ outcome }: SitemapFile): boolean =>
  outcome === "read" || outcome === "ignored";

/** True if the status means that the site is temporarily busy or broken. */
const isTransient = (status: number): boolean => status >= 500 || status === 429;
