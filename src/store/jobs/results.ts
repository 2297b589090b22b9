// The documents of a job, numbered from 1 without gaps in commit order.
import { sql, type Kysely, type RawBuilder } from "kysely";
import { LIMITS } from "../../contract/request/limits.ts";
import type { ErrorRecord } from "../../errors.ts";
import type { Replica } from "../database/replica.ts";
import type { Tables } from "../database/schema.ts";
import type { Seals } from "../database/seals.ts";

export type ResultRow = {
  readonly sequence: number;
  readonly scrapeId: string;
  readonly requestedUrl: string;
  readonly finalUrl: string;
  readonly credits: number;
  /** The caller's document, JSON in UTF-8; undefined when its blob is gone. */
  readonly json: Uint8Array | undefined;
  /** The parsed document, read on access. */
  readonly document: unknown;
};

export type ResultRange = {
  /** Documents to skip. */
  readonly skip: number;
  readonly limit: number;
  /** Maximum serialized bytes: the document that exceeds it is left out unless it is the first. */
  readonly maxBytes: number;
};

export type FailedPage = {
  /** Sequence of the page within the job. */
  readonly sequence: number;
  readonly url: string;
  /** When it failed, milliseconds since the epoch. */
  readonly at: number;
  readonly error: ErrorRecord;
};

export type ResultStore = {
  listPage(jobId: string, range: ResultRange): Promise<ResultRow[]>;
  /** Yields documents after number `after` in chunks, up to the current end or to `max`. */
  iterateResults(
    jobId: string,
    range?: { readonly after?: number; readonly max?: number | undefined },
  ): AsyncIterable<readonly ResultRow[]>;
  /** Returns one document, for an event about it. */
  load(jobId: string, sequence: number): Promise<ResultRow | undefined>;
  /** In the order of discovery. */
  listFailures(jobId: string, limit: number): Promise<FailedPage[]>;
  /** URLs blocked by robots.txt, in the order of discovery. */
  listRobotsBlocked(jobId: string, limit: number): Promise<string[]>;
};

/** Rows read per chunk. */
const STREAM_ROWS = 50;

type StoredRow = {
  sequence: number;
  scrape_id: string;
  requested_url: string;
  final_url: string;
  credits: number;
  size_bytes: number;
  document_ref: string | null;
  document_inline: Uint8Array | null;
};

const COLUMNS = sql.raw(
  "sequence, scrape_id, requested_url, final_url, credits, size_bytes, document_ref, document_inline",
);

/** Sequences have no gaps, so skipping `skip` documents means starting after that number. */
const selectPage = (
  jobId: string,
  { skip, limit, maxBytes }: ResultRange,
  hasFirst: boolean,
): RawBuilder<StoredRow> => sql<StoredRow>`
  select ${COLUMNS} from (
    select *, sum(size_bytes) over (order by sequence) as bytes_to_here from (
      select * from results where job_id = ${jobId}::uuid and sequence > ${skip}::integer
      order by sequence limit ${limit}::integer) as asked
  ) as summed where bytes_to_here <= ${maxBytes}::bigint
    ${hasFirst ? sql`or sequence = ${skip + 1}::integer` : sql``}
  order by sequence`;

const toText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString("utf8");

/** Pages of documents come from `replica` as far as it has them. */
export function createResultStore(
  kysely: Kysely<Tables>,
  seals: Seals,
  replica?: Replica,
): ResultStore {
  async function read(jobId: string, rows: readonly StoredRow[]): Promise<ResultRow[]> {
    return Promise.all(
      rows.map(async (row) => {
        const json = await seals.find(jobId, row.document_ref, row.document_inline);
        return {
          sequence: row.sequence,
          scrapeId: row.scrape_id,
          requestedUrl: row.requested_url,
          finalUrl: row.final_url,
          credits: row.credits,
          json,
          get document() {
            return json === undefined ? undefined : (JSON.parse(toText(json)) as unknown);
          },
        };
      }),
    );
  }

  async function listPage(jobId: string, range: ResultRange): Promise<ResultRow[]> {
    const copied = (await replica?.query(selectPage(jobId, range, true))) ?? [];
    if (copied.length === range.limit) return read(jobId, copied);
    // A replica may be behind: the rest comes from the primary.
    const rest = {
      skip: range.skip + copied.length,
      limit: range.limit - copied.length,
      maxBytes: copied.reduce((left, { size_bytes }) => left - size_bytes, range.maxBytes),
    };
    const { rows } = await selectPage(jobId, rest, copied.length === 0).execute(kysely);
    return read(jobId, [...copied, ...rows]);
  }

  return {
    listPage,
    async *iterateResults(jobId, { after = 0, max = Infinity } = {}) {
      for (let last = after; last - after < max;) {
        const rows = await listPage(jobId, {
          skip: last,
          limit: Math.min(STREAM_ROWS, max - (last - after)),
          maxBytes: LIMITS.crawl.pageBytes,
        });
        const newest = rows.at(-1);
        if (newest === undefined) return;
        last = newest.sequence;
        yield rows;
      }
    },
    async load(jobId, sequence) {
      const found = await sql<StoredRow>`
        select ${COLUMNS} from results
        where job_id = ${jobId}::uuid and sequence = ${sequence}::integer`.execute(kysely);
      return (await read(jobId, found.rows))[0];
    },
    async listFailures(jobId, limit) {
      const found = await sql<{ sequence: number; url: string; at: number; error: ErrorRecord }>`
        select sequence, url, ended_at as at, error from frontier
        where job_id = ${jobId}::uuid and fate = 'error' order by sequence limit ${limit}::integer`.execute(
        kysely,
      );
      return found.rows;
    },
    async listRobotsBlocked(jobId, limit) {
      const found = await sql<{ url: string }>`
        select url from frontier where job_id = ${jobId}::uuid and fate = 'robots'
        order by sequence limit ${limit}::integer`.execute(kysely);
      return found.rows.map(({ url }) => url);
    },
  };
}
