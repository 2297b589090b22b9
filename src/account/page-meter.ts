// Counts the pages that each key reads, for the usage of its account. The counts are kept in memory
// and added to the store every few seconds; a crash loses those of the last seconds. Charges do not
// depend on them (credits.ts).
import type { EngineName } from "../capture.ts";
import { VERDICT_GROUPS, type VerdictKind } from "../contract/page/verdict.ts";
import type { Logger } from "../logger.ts";
import { LATENCY_LIMITS_MS, NO_PAGES } from "../store/accounts/page-counts.ts";
import type { PageUsageRow, PageUsageStore } from "../store/accounts/page-usage.ts";
import type { Identity } from "./identity.ts";

export type MeteredPage = {
  /** Undefined if the page failed. */
  readonly verdict: VerdictKind | undefined;
  /** What answered; undefined if the page failed. */
  readonly engine: EngineName | undefined;
  /** Bytes of the body if it was fetched, after content decoding. */
  readonly bytes: number;
  /** Milliseconds of the work on it, without the wait for a slot of the account. */
  readonly ms: number;
};

export type PageMeter = {
  count(identity: Pick<Identity, "accountId" | "keyId">, page: MeteredPage): void;
  /** Settles when everything counted before is stored, or the store failed. */
  flush(): Promise<void>;
  /** Stores what is left. */
  close(): Promise<void>;
};

const HOUR_MS = 3_600_000;
const FLUSH_MS = 10_000;
/** During an outage of the database counts of further keys and hours are dropped. */
const MAX_ROWS = 20_000;

function findRange(ms: number): number {
  const at = LATENCY_LIMITS_MS.findIndex((limit) => ms <= limit);
  return at === -1 ? LATENCY_LIMITS_MS.length : at;
}

/** Error pages count as failed: the requested page was not there. */
function toCounts({ verdict, engine, bytes, ms }: MeteredPage) {
  const group = verdict === undefined ? "error" : VERDICT_GROUPS[verdict];
  return {
    pages: 1,
    blocked: Number(group === "blocked"),
    thin: Number(group === "thin"),
    failed: Number(group === "error"),
    cacheHits: Number(engine === "cache"),
    httpPages: Number(engine === "http"),
    browserPages: Number(engine === "browser"),
    documentPages: Number(engine === "document"),
    bytes,
    latency: NO_PAGES.latency.with(findRange(ms), 1),
  };
}

function addCounts(row: PageUsageRow, counts: Omit<PageUsageRow, "accountId" | "keyId" | "hour">) {
  return {
    ...row,
    pages: row.pages + counts.pages,
    blocked: row.blocked + counts.blocked,
    thin: row.thin + counts.thin,
    failed: row.failed + counts.failed,
    cacheHits: row.cacheHits + counts.cacheHits,
    httpPages: row.httpPages + counts.httpPages,
    browserPages: row.browserPages + counts.browserPages,
    documentPages: row.documentPages + counts.documentPages,
    bytes: row.bytes + counts.bytes,
    latency: row.latency.map((count, at) => count + (counts.latency[at] ?? 0)),
  };
}

/** Creates the meter of this process. The caller closes it before the store. */
export function createPageMeter(parts: {
  readonly store: () => Promise<{ readonly pageUsage: PageUsageStore }>;
  readonly log: Logger;
  readonly now?: () => number;
}): PageMeter {
  const { store, log, now = Date.now } = parts;
  let rows = new Map<string, PageUsageRow>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function add(row: PageUsageRow): void {
    const key = `${row.accountId} ${row.keyId} ${row.hour}`;
    const known = rows.get(key);
    if (known === undefined && rows.size >= MAX_ROWS) return;
    rows.set(key, known === undefined ? row : addCounts(known, row));
    timer ??= setTimeout(() => void flush(), FLUSH_MS).unref();
  }

  async function write(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    if (rows.size === 0) return;
    const taken = [...rows.values()];
    rows = new Map();
    try {
      await (await store()).pageUsage.add(taken);
    } catch (error) {
      log.warn({ err: error }, "page counts were not stored; they are tried again");
      for (const row of taken) add(row);
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }

  return {
    count({ accountId, keyId }, page) {
      const hour = Math.floor(now() / HOUR_MS) * HOUR_MS;
      add({ accountId, keyId, hour, ...toCounts(page) });
    },
    flush,
    async close() {
      await flush();
      clearTimeout(timer);
    },
  };
}
