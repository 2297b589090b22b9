import { sql, type Kysely } from "kysely";
import type { Capture } from "../../capture.ts";
import { LIMITS } from "../../contract/request/limits.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import type { GroupWriter } from "../database/group-writer.ts";
import { findEvidence, keepEvidence, type StoredEvidence } from "./capture-evidence.ts";
import { createCaptureKeys } from "./capture-keys.ts";
import { findBytes, keepBytes } from "../blobs/inline-blob.ts";
import type { StoredFiles } from "../blobs/stored-files.ts";
import type { Tables } from "../database/schema.ts";
import { UnreadableCapture } from "./unreadable-capture.ts";

export type CaptureQuery = {
  /** Maximum age of the entry, milliseconds. */
  readonly maxAgeMs?: number;
  /** Minimum age of the entry, milliseconds. */
  readonly minAgeMs?: number;
  readonly now?: number;
};

export type CaptureStore = {
  /**
   * Stores a capture under `cacheKey`: a hash of the normalized URL and of every option that
   * changes what is fetched. The caller decides what may be stored (nothing personal, nothing with
   * zero data retention).
   */
  save(cacheKey: string, capture: Capture): Promise<void>;
  /** Sets the time of a stored capture that was fetched again unchanged; false if it is gone. */
  renew(cacheKey: string, fetchedAt: number, now: number): Promise<boolean>;
  /**
   * Returns the newest entry within the given ages. An error page (status outside 2xx) yields to an
   * older good page unless at least three error pages are newer (wire contract, cache). Rejects
   * with `UnreadableCapture` when the blob store fails.
   */
  load(cacheKey: string, query: CaptureQuery): Promise<Capture | undefined>;
};

/** Newer error pages that outweigh a good page. */
const ERRORS_TO_WIN = 3;

type CaptureRow = {
  id: string;
  cache_key: string;
  fetched_at: number;
  status_code: number;
  final_url: string;
  about: unknown;
  body_ref: string | null;
  body_inline: Uint8Array | string | null;
  size_bytes: number;
};

/** Fields without a column. */
type CaptureDetails = Omit<
  Capture,
  "body" | "charset" | "finalUrl" | "statusCode" | "fetchedAt" | "evidence"
> & {
  readonly charset: string | null;
  readonly evidence?: StoredEvidence;
};

const isGood = (row: CaptureRow): boolean => row.status_code >= 200 && row.status_code < 300;

/**
 * Stores the fetched pages, which are the cache. `shared`: other processes write to this database
 * too.
 */
export function createCaptureStore(
  kysely: Kysely<Tables>,
  writer: GroupWriter,
  blobs: BlobStore,
  createId: () => string,
  options: { readonly shared: boolean; readonly files: StoredFiles },
): CaptureStore {
  const keys = options.shared ? undefined : createCaptureKeys(kysely);
  const queue = writer.registerTable<CaptureRow>("captures", {
    id: "uuid",
    cache_key: "text",
    fetched_at: "bigint",
    status_code: "integer",
    final_url: "text",
    about: "jsonb",
    body_ref: "text",
    body_inline: "bytea",
    size_bytes: "bigint",
  });

  async function loadNewest(cacheKey: string, from: number, to: number): Promise<CaptureRow[]> {
    const pending = queue
      .pending()
      .filter(
        (row) => row.cache_key === cacheKey && row.fetched_at >= from && row.fetched_at <= to,
      );
    const stored: CaptureRow[] = await kysely
      .selectFrom("captures")
      .selectAll()
      .where("cache_key", "=", cacheKey)
      .where("fetched_at", ">=", from)
      .where("fetched_at", "<=", to)
      .orderBy("fetched_at", "desc")
      .orderBy("id", "desc")
      .limit(ERRORS_TO_WIN)
      .execute();
    const known = new Set(stored.map(({ id }) => id));
    return [...pending.filter(({ id }) => !known.has(id)), ...stored]
      .sort((one, other) => other.fetched_at - one.fetched_at || (other.id < one.id ? -1 : 1))
      .slice(0, ERRORS_TO_WIN);
  }

  return {
    async save(cacheKey, capture) {
      const { body, finalUrl, statusCode, fetchedAt, charset, evidence, ...rest } = capture;
      const until = fetchedAt + LIMITS.screenshot.urlLifeMs;
      const about: CaptureDetails = {
        ...rest,
        charset: charset ?? null,
        ...(evidence === undefined
          ? {}
          : { evidence: await keepEvidence(options.files, evidence, until) }),
      };
      const kept = await keepBytes(blobs, body);
      keys?.add(cacheKey);
      queue.enqueue({
        id: createId(),
        cache_key: cacheKey,
        fetched_at: fetchedAt,
        status_code: statusCode,
        final_url: finalUrl,
        about,
        body_ref: kept.ref,
        body_inline: kept.inline,
        size_bytes: body.byteLength,
      });
    },
    async renew(cacheKey, fetchedAt, now) {
      const { rows } = await sql<{ id: string }>`update captures set fetched_at = ${now}::bigint
        where cache_key = ${cacheKey} and fetched_at = ${fetchedAt}::bigint returning id`.execute(
        kysely,
      );
      return rows.length > 0;
    },
    async load(cacheKey, { maxAgeMs = Infinity, minAgeMs = 0, now = Date.now() }) {
      if (keys?.mayHave(cacheKey) === false) return undefined;
      const from = Number.isFinite(maxAgeMs) ? Math.max(0, now - maxAgeMs) : 0;
      // A good one of the newest three wins. If none is good, three errors are newer than any good
      // one.
      const rows = await loadNewest(cacheKey, Math.ceil(from), Math.floor(now - minAgeMs));
      const row = rows.find(isGood) ?? rows[0];
      if (row === undefined) return undefined;
      const body = await findBytes(blobs, row.body_ref, row.body_inline).catch((cause: unknown) => {
        throw new UnreadableCapture(cause);
      });
      if (body === undefined) return undefined;
      const { charset, evidence, ...about } = row.about as CaptureDetails;
      return {
        ...about,
        ...(evidence === undefined
          ? {}
          : { evidence: await findEvidence(options.files, evidence) }),
        charset: charset ?? undefined,
        finalUrl: row.final_url,
        statusCode: row.status_code,
        fetchedAt: row.fetched_at,
        body,
      };
    },
  };
}
