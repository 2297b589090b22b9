// Indexes pages in the background: in small groups, and with a small share of the time while the
// process is busy, so that no scrape waits. Waiting text is held in memory up to a limit; beyond it
// the text is read again from the store.
import { setImmediate as nextTurn, setTimeout as pause } from "node:timers/promises";
import type { Logger } from "../logger.ts";
import type { StoredPage } from "../scrape/page.ts";
import type { ScrapeStore } from "../store/captures/scrapes.ts";
import type { SearchPage, SearchPageStore } from "../store/search/search-pages.ts";
import { hashIdentity } from "../url/identity.ts";
import { toCacheUrl } from "../url/cache-url.ts";
import { buildSource, toPageText, type PageSource } from "./page-text.ts";
import { toVector } from "./page-words.ts";
import { loadStem } from "../ranking/stems.ts";

export type IndexerParts = {
  /** Resolve once the store is open. */
  readonly pages: () => Promise<SearchPageStore>;
  readonly scrapes: () => Promise<Pick<ScrapeStore, "load">>;
  readonly log: Logger;
  /** CPU time used by this process, milliseconds. */
  readonly cpuMs?: () => number;
};

export type Indexer = {
  /** Queues a page and returns at once. Pages that must not be found are skipped. */
  enqueuePage(page: StoredPage): void;
  /** Indexes up to `max` waiting pages now, so that a search finds pages scraped just before. */
  catchUp(max?: number): Promise<void>;
  /** Number of waiting pages. */
  waiting(): number;
  /** Stops. Waiting pages are indexed within some seconds or dropped. */
  close(): Promise<void>;
};

type WaitingPage = Omit<StoredPage, "document"> & {
  readonly key: string;
  /** Undefined when the text has to be read again from the store. */
  source: PageSource | undefined;
};

/** Pages per statement, and their text: the embedded database is blocked while it writes them. */
const PAGES_PER_STATEMENT = 8;
const GROUP_BYTES = 400_000;
/** Delay before the first group, so that groups fill up and captures are committed. */
const GATHER_MS = 300;
/** Maximum text held; for further pages only the key is held. A crawl fills it. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;
const MAX_WAITING = 100_000;
/** The process counts as busy above this share of one CPU. */
const MIN_BUSY_SHARE = 0.25;
/** Share of time spent indexing in a busy process; the next constant is for an idle one. */
const MAX_BUSY_SHARE = 0.02;
const MAX_IDLE_SHARE = 0.5;
const POLL_MS = 100;
/** Assumed duration of the first group. */
const FIRST_MS = 10;
const CLOSE_TIMEOUT_MS = 3_000;
const MAX_PAUSE_MS = 500;

const measureCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** The caller closes it before the store. */
export function createIndexer(parts: IndexerParts): Indexer {
  const { log, cpuMs = measureCpuMs } = parts;
  /** By account and page, so that a page scraped again waits once. */
  const waiting = new Map<string, WaitingPage>();
  const closing = new AbortController();
  let heldBytes = 0;
  let lost = 0;
  let running: Promise<void> | undefined;
  let writing: Promise<unknown> = Promise.resolve();

  function enqueuePage(page: StoredPage): void {
    if (closing.signal.aborted || !isWorthFinding(page)) return;
    const url = URL.parse(page.url);
    const key = url === null ? undefined : toCacheUrl(url);
    if (key === undefined) return;
    const { document, ...rest } = page;
    const name = `${page.accountId} ${key}`;
    const before = waiting.get(name)?.source;
    const source =
      heldBytes < MAX_HELD_BYTES ? chooseSource(buildSource(document), before) : undefined;
    release(name);
    if (waiting.size >= MAX_WAITING) release(waiting.keys().next().value ?? "", true);
    waiting.set(name, { ...rest, key, source });
    heldBytes += measureSource(source);
    running ??= run().finally(() => {
      running = undefined;
    });
  }

  function release(name: string, isLost = false): void {
    const known = waiting.get(name);
    if (known === undefined) return;
    waiting.delete(name);
    heldBytes -= measureSource(known.source);
    if (isLost && lost++ === 0) log.warn("indexing cannot keep up; searches miss some pages");
  }

  function take(max: number): WaitingPage[] {
    const group: WaitingPage[] = [];
    let bytes = 0;
    for (const [name, page] of waiting) {
      bytes += measureSource(page.source);
      if (group.length === max || (group.length > 0 && bytes > GROUP_BYTES)) break;
      release(name);
      group.push(page);
    }
    return group;
  }

  async function run(): Promise<void> {
    await pauseFor(GATHER_MS);
    // A burst of scrapes goes first.
    await makeWay(FIRST_MS);
    while (!closing.signal.aborted && waiting.size > 0) {
      const began = performance.now();
      await write(PAGES_PER_STATEMENT);
      await makeWay(performance.now() - began);
    }
  }

  const pauseFor = (ms: number): Promise<void> =>
    pause(ms, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);

  /** Waits until the process is idle or has worked enough for others since the last group. */
  async function makeWay(tookMs: number): Promise<void> {
    const until = cpuMs() + tookMs / MAX_BUSY_SHARE;
    let pauseMs = Math.min(MAX_PAUSE_MS, tookMs / MAX_IDLE_SHARE);
    while (!closing.signal.aborted) {
      const before = { cpu: cpuMs(), at: performance.now() };
      await pauseFor(pauseMs);
      const now = cpuMs();
      if (now >= until || (now - before.cpu) / (performance.now() - before.at) < MIN_BUSY_SHARE)
        return;
      pauseMs = POLL_MS;
    }
  }

  /** Writes one group at a time. */
  function write(max: number): Promise<void> {
    const written = writing.then(() => writeGroup(take(max)));
    writing = written;
    return written;
  }

  async function writeGroup(group: readonly WaitingPage[]): Promise<void> {
    if (group.length === 0) return;
    try {
      const pages: SearchPage[] = [];
      for (const page of group) {
        const ready = await prepare(page, parts);
        if (ready !== undefined) pages.push(ready);
      }
      if (pages.length > 0) await (await parts.pages()).save(pages);
    } catch (error) {
      log.warn({ err: error, pages: group.length }, "failed to index pages; searches miss them");
    }
  }

  return {
    enqueuePage,
    async catchUp(max = Infinity) {
      for (let left = Math.min(max, waiting.size); left > 0 && waiting.size > 0;) {
        const before = waiting.size;
        await write(Math.min(left, PAGES_PER_STATEMENT));
        left -= Math.max(1, before - waiting.size);
      }
      await writing;
    },
    waiting: () => waiting.size,
    async close() {
      closing.abort();
      await running;
      const until = performance.now() + CLOSE_TIMEOUT_MS;
      while (waiting.size > 0 && performance.now() < until) await write(PAGES_PER_STATEMENT);
      await writing;
      if (waiting.size > 0)
        log.warn({ pages: waiting.size }, "pages not indexed before shutdown; searches miss them");
    },
  };
}

const measureSource = (source: PageSource | undefined): number =>
  source === undefined ? 0 : (source.markdown?.length ?? 0) + (source.html?.length ?? 0);

/** False for scrapes without text, such as links only. */
const hasText = ({ markdown, html }: PageSource): boolean =>
  markdown !== undefined || html !== undefined;

const chooseSource = (brought: PageSource, before: PageSource | undefined): PageSource =>
  hasText(brought) ? brought : (before ?? brought);

const FINDABLE: ReadonlySet<string> = new Set(["content", "empty"]);

const isWorthFinding = ({ statusCode, verdict }: StoredPage): boolean =>
  statusCode >= 200 && statusCode < 300 && FINDABLE.has(verdict);

async function prepare(
  page: WaitingPage,
  { scrapes }: IndexerParts,
): Promise<SearchPage | undefined> {
  const source = page.source ?? (await readAgain(page, scrapes));
  if (source === undefined) return undefined;
  const text = toPageText(source, new URL(page.url), page.mimeType === "application/pdf");
  const stem = await loadStem(text.language);
  // Long pages take tens of milliseconds for each step.
  if (text.body.length > LONG_CHARACTERS) await nextTurn();
  const words = toVector(text, stem);
  if (text.body.length > LONG_CHARACTERS) await nextTurn();
  return {
    accountId: page.accountId,
    identity: hashIdentity(page.key),
    cacheKey: page.cacheKey,
    url: page.url,
    title: text.title,
    description: text.description,
    language: text.language,
    isPdf: text.isPdf,
    words,
    text: hasText(source) ? text.body : undefined,
    fetchedAt: page.fetchedAt,
  };
}

const LONG_CHARACTERS = 50_000;

async function readAgain(
  { scrapeId }: WaitingPage,
  scrapes: IndexerParts["scrapes"],
): Promise<PageSource | undefined> {
  const found = await (await scrapes()).load(scrapeId);
  return found?.document === undefined
    ? undefined
    : buildSource(found.document as Parameters<typeof buildSource>[0]);
}
