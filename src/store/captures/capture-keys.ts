// Knows which cache keys can have a capture. Most scrapes are of new pages, and a query on the
// embedded database costs 1 ms of CPU. Only for a database that no other process writes to.
import { hash } from "node:crypto";
import type { Kysely } from "kysely";
import type { Tables } from "../database/schema.ts";

const PAGE = 5_000;
/** Above this number the memory costs more than the queries: every key counts as possible again. */
const MAX_KEYS = 500_000;

export type CaptureKeys = {
  add(cacheKey: string): void;
  /** False only when there is certainly no capture; never false before all keys are read. */
  mayHave(cacheKey: string): boolean;
};

/** 48 bits: a collision costs one query. */
function computeFingerprint(cacheKey: string): number {
  return Number.parseInt(hash("sha1", cacheKey).slice(0, 12), 16);
}

/** Loads the keys in the background, starting with the first call. */
export function createCaptureKeys(
  kysely: Kysely<Tables>,
  limits: { readonly maxKeys?: number } = {},
): CaptureKeys {
  const { maxKeys = MAX_KEYS } = limits;
  const known = new Set<number>();
  let state: "unread" | "reading" | "complete" | "off" = "unread";

  const isOff = (): boolean => state === "off";

  async function read(): Promise<void> {
    let after = "00000000-0000-0000-0000-000000000000";
    for (;;) {
      const rows = await kysely
        .selectFrom("captures")
        .select(["id", "cache_key"])
        .where("id", ">", after)
        .orderBy("id")
        .limit(PAGE)
        .execute();
      if (isOff()) return;
      for (const { cache_key: key } of rows) known.add(computeFingerprint(key));
      const last = rows.at(-1);
      if (rows.length < PAGE || last === undefined || known.size > maxKeys) return;
      after = last.id;
    }
  }

  function bound(): void {
    if (known.size <= maxKeys) return;
    state = "off";
    known.clear();
  }

  async function start(): Promise<void> {
    state = "reading";
    try {
      await read();
      if (isOff()) return;
      state = "complete";
      bound();
    } catch {
      // The query for a capture reports the error; the keys are read again.
      state = "unread";
    }
  }

  return {
    add(cacheKey) {
      if (state === "off") return;
      known.add(computeFingerprint(cacheKey));
      bound();
    },
    mayHave(cacheKey) {
      if (state === "unread") void start();
      return state !== "complete" || known.has(computeFingerprint(cacheKey));
    },
  };
}
