import { sql, type Kysely } from "kysely";
import type { ErrorRecord } from "../../errors.ts";
import { toJsonBytes } from "../../runtime/json-bytes.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import type { GroupWriter } from "../database/group-writer.ts";
import { findBytes, keepBytes } from "../blobs/inline-blob.ts";
import { readPageTitle } from "./page-title.ts";
import type { Tables } from "../database/schema.ts";
import { isUuid } from "../database/uuid.ts";
import type { Vault } from "../database/vault.ts";

export type ScrapeRecord = {
  /** UUID version 7, the scrapeId of the response. */
  readonly id: string;
  readonly accountId: string;
  readonly keyId: string;
  readonly requestedUrl: string;
  readonly finalUrl: string | null;
  readonly status: "completed" | "failed";
  /** Status of the page. */
  readonly statusCode: number | null;
  readonly error: ErrorRecord | null;
  /** Without the headers. */
  readonly options: object | null;
  /** The caller's headers, which may be credentials: stored encrypted. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Attempts, times and spans; null for a page of a job. */
  readonly explanation: object | null;
  readonly credits: number;
  readonly createdAt: number;
  readonly expiresAt: number;
};

export type StoredScrape = ScrapeRecord & {
  /** Names of the request headers, also when their values can no longer be decrypted. */
  readonly headerNames: readonly string[];
  /** The caller's document; undefined for a failed scrape or when its blob is gone. */
  readonly document: unknown;
};

export type ScrapeStore = {
  /**
   * Stores a scrape. `load` finds it at once in this process; see GroupWriter for durability.
   * `json` is the serialized document.
   */
  save(scrape: ScrapeRecord, document: unknown, json?: Uint8Array): Promise<void>;
  /** Undefined when unknown or expired. */
  load(id: string, now?: number): Promise<StoredScrape | undefined>;
};

/** Names are readable and values encrypted. A job has the plain values for its work. */
type StoredHeaders = {
  readonly headers?: readonly string[] | Readonly<Record<string, string>>;
  readonly sealedHeaders?: string;
};
type StoredOptions = object & StoredHeaders;

const buildHeadersContext = (id: string): string => `headers of scrape ${id}`;

async function sealHeaders(
  vault: Vault,
  { id, options, headers = {} }: ScrapeRecord,
): Promise<StoredOptions> {
  const names = Object.keys(headers);
  if (names.length === 0) return { ...options, headers: names };
  const bytes = Buffer.from(JSON.stringify(headers));
  const sealed = Buffer.from(await vault.seal(bytes, buildHeadersContext(id)));
  return { ...options, headers: names, sealedHeaders: sealed.toString("base64") };
}

/**
 * Undefined when they were not stored, or were encrypted with a lost key: the scrape is valid
 * without them.
 */
async function openHeaders(
  vault: Vault,
  id: string,
  { headers, sealedHeaders }: StoredHeaders,
): Promise<Readonly<Record<string, string>> | undefined> {
  if (headers !== undefined && !Array.isArray(headers)) return headers as Record<string, string>;
  if (sealedHeaders === undefined) return headers?.length === 0 ? {} : undefined;
  try {
    const bytes = await vault.open(Buffer.from(sealedHeaders, "base64"), buildHeadersContext(id));
    return JSON.parse(Buffer.from(bytes).toString("utf8")) as Record<string, string>;
  } catch {
    return undefined;
  }
}

type ScrapeRow = {
  id: string;
  account_id: string;
  key_id: string;
  requested_url: string;
  final_url: string | null;
  status: "completed" | "failed";
  status_code: number | null;
  error: unknown;
  options: unknown;
  explanation: unknown;
  title: string | null;
  description: string | null;
  document_ref: string | null;
  document_inline: Uint8Array | string | null;
  credits: number;
  created_at: number;
  expires_at: number;
};

const listHeaderNames = (headers: StoredHeaders["headers"] = []): readonly string[] =>
  Array.isArray(headers) ? headers : Object.keys(headers);

/**
 * A page of a crawl or batch is a scrape too. It lives as long as its job, and with zero data
 * retention only in the job.
 */
function omitHeaders({
  headers: _names,
  sealedHeaders: _values,
  ...options
}: StoredOptions): object {
  return options;
}

async function findJobPage(kysely: Kysely<Tables>, id: string): Promise<ScrapeRow | undefined> {
  const found = await sql<ScrapeRow>`
    select scrape_id as id, account_id, key_id, requested_url, final_url, 'completed' as status, status_code, null as error,
      coalesce(options -> 'page', options) as options, null as explanation, title, description, document_ref, document_inline, credits,
      results.created_at, case when progress.state = 'scraping'
        then greatest(expires_at, ${Date.now()}::bigint + life_ms) else expires_at end as expires_at
    from results join jobs on jobs.id = results.job_id join job_progress as progress on progress.job_id = jobs.id
    where scrape_id = ${id}::uuid and not zero_data_retention`.execute(kysely);
  return found.rows[0];
}

/**
 * Stores results of scrapes by id. With `shared` (several processes on one database) `save` waits
 * for the commit.
 */
export function createScrapeStore(
  kysely: Kysely<Tables>,
  writer: GroupWriter,
  blobs: BlobStore,
  vault: Vault,
  options: { readonly shared: boolean },
): ScrapeStore {
  const queue = writer.registerTable<ScrapeRow>("scrapes", {
    id: "uuid",
    account_id: "uuid",
    key_id: "uuid",
    requested_url: "text",
    final_url: "text",
    status: "text",
    status_code: "integer",
    error: "jsonb",
    options: "jsonb",
    explanation: "jsonb",
    title: "text",
    description: "text",
    document_ref: "text",
    document_inline: "bytea",
    credits: "bigint",
    created_at: "bigint",
    expires_at: "bigint",
  });
  return {
    async save(scrape, document, json) {
      const kept =
        document === undefined
          ? { ref: null, inline: null }
          : await keepBytes(blobs, json ?? toJsonBytes(document));
      queue.enqueue({
        id: scrape.id,
        account_id: scrape.accountId,
        key_id: scrape.keyId,
        requested_url: scrape.requestedUrl,
        final_url: scrape.finalUrl,
        status: scrape.status,
        status_code: scrape.statusCode,
        error: scrape.error,
        options: await sealHeaders(vault, scrape),
        explanation: scrape.explanation,
        ...readPageTitle(document),
        document_ref: kept.ref,
        document_inline: kept.inline,
        credits: scrape.credits,
        created_at: scrape.createdAt,
        expires_at: scrape.expiresAt,
      });
      if (options.shared) await writer.flush();
    },
    async load(id, now = Date.now()) {
      if (!isUuid(id)) return undefined;
      const wanted = id.toLowerCase();
      const row: ScrapeRow | undefined =
        queue.pending().find((pending) => pending.id === wanted) ??
        (await kysely
          .selectFrom("scrapes")
          .selectAll()
          .where("id", "=", wanted)
          .executeTakeFirst()) ??
        (await findJobPage(kysely, wanted));
      if (row === undefined || row.expires_at <= now) return undefined;
      const bytes = await findBytes(blobs, row.document_ref, row.document_inline);
      const kept = row.options as StoredOptions | null;
      const headers = await openHeaders(vault, wanted, kept ?? {});
      return {
        id: row.id,
        accountId: row.account_id,
        keyId: row.key_id,
        requestedUrl: row.requested_url,
        finalUrl: row.final_url,
        status: row.status,
        statusCode: row.status_code,
        error: row.error as ErrorRecord | null,
        options: kept === null ? null : omitHeaders(kept),
        headerNames: listHeaderNames(kept?.headers),
        ...(headers === undefined ? {} : { headers }),
        explanation: row.explanation as object | null,
        credits: row.credits,
        createdAt: row.created_at,
        expiresAt: row.expires_at,
        document:
          bytes === undefined
            ? undefined
            : (JSON.parse(Buffer.from(bytes).toString("utf8")) as unknown),
      };
    },
  };
}
