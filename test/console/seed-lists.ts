// Fills a data folder with long lists: a crawl with a ledger and results, jobs, and requests of the
// account. No server may run on the folder.
import { zstdCompressSync } from "node:zlib";
import { sql } from "kysely";
import type { Config } from "../../src/config.ts";
import { createLogger } from "../../src/logger.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { buildRowInsert, ROWS_PER_BATCH } from "../../src/store/database/json-rows.ts";

export type SeededLists = {
  /** The crawl. Of every twenty of its URLs one is fetched and one failed. */
  readonly crawlId: string;
  /** Every fifth of the other jobs, from the third. */
  readonly failedJobs: number;
  /** Results of the crawl. */
  readonly results: number;
};

const HOST = "shop.example";
const DAY_MS = 86_400_000;
const SECTIONS = 40;

/** A UUID of version 7 with the time of `ms`; `number` makes it unique. */
const buildId = (ms: number, number: number): string => {
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${number.toString(16).padStart(12, "0")}`;
};

export const seededUrl = (sequence: number): string =>
  `https://${HOST}/section-${sequence % SECTIONS}/product-${sequence}`;

/** Of every twenty URLs, in turn. Few are fetched: results take the most time to write. */
const FATES = ["error", "fetched", ...Array.from({ length: 18 }, () => "scope")];

export type ListLengths = {
  /** URLs of the crawl. */
  readonly urls: number;
  readonly jobs: number;
  /** Entries of the history of requests. */
  readonly requests: number;
};

/** Adds the lists to the oldest account and its oldest key. */
export async function seedLists(config: Config, lengths: ListLengths): Promise<SeededLists> {
  const database = await openDatabase(config, createLogger("error"));
  try {
    const { kysely } = database;
    const found = await sql<{ account: string; key: string }>`
      select account_id as account, id as key from api_keys order by created_at limit 1`.execute(
      kysely,
    );
    const [owner] = found.rows;
    if (owner === undefined) throw new Error("The data folder has no key.");
    // A multiple of five seconds: the states of the jobs follow from their seconds.
    const now = Math.floor(Date.now() / 5_000) * 5_000;
    const crawlId = buildId(now, 0);
    const { urls, jobs, requests } = lengths;
    const [fetched, failed] = [Math.floor(urls / 20), Math.floor(urls / 20)];

    // Jobs of three states, a second apart; the crawl is the newest.
    const at = (number: string) => `(${now - 1_000}::bigint - ${number} * 1000)`;
    await sql`insert into jobs (id, account_id, key_id, kind, url, options, max_concurrency,
        zero_data_retention, created_at, expires_at, life_ms)
      select ${crawlId}::uuid, ${owner.account}::uuid, ${owner.key}::uuid, 'crawl', ${`https://${HOST}/`},
        '{}'::json, 2, false, ${now}::bigint, ${now + DAY_MS}::bigint, ${DAY_MS}::bigint
      union all
      select (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
        ${owner.account}::uuid, ${owner.key}::uuid, 'batch_scrape',
        'https://' || ${HOST} || '/list-' || number, '{}'::json, 2, false,
        ${sql.raw(at("number"))}, ${now + DAY_MS}::bigint, ${DAY_MS}::bigint
      from (select number, lpad(to_hex(${sql.raw(at("number"))}), 12, '0') as hex
        from generate_series(1, ${jobs - 1}::integer) as number) as numbered`.execute(kysely);
    await sql`insert into job_progress (job_id, owner_id, job_kind, state, seeding, settled,
        completed_at, error, completed, failed, discovered, credits_used)
      select id, account_id, kind, state, false, true, created_at + 500,
        case when state = 'failed' then '{"code":"SCRAPE_TIMEOUT","message":"The page took too long."}'::jsonb end,
        case when kind = 'crawl' then ${fetched}::integer else 7 end,
        case when kind = 'crawl' then ${failed}::integer when state = 'failed' then 3 else 0 end,
        case when kind = 'crawl' then ${urls}::integer else 10 end, 7
      from (select *, case when kind = 'crawl' or created_at / 1000 % 5 > 1 then 'completed'
          when created_at / 1000 % 5 = 1 then 'failed' else 'cancelled' end as state
        from jobs) as job on conflict do nothing`.execute(kysely);

    await sql`insert into activity (id, account_id, key_id, endpoint, api_version, target, succeeded, created_at)
      select (substr(hex, 1, 8) || '-' || substr(hex, 9, 4) || '-7000-8000-' || lpad(to_hex(number), 12, '0'))::uuid,
        ${owner.account}::uuid, ${owner.key}::uuid, 'map', 'v2',
        'https://' || ${HOST} || '/request-' || number, true, ${now}::bigint - number * 100
      from (select number, lpad(to_hex(${now}::bigint - number * 100), 12, '0') as hex
        from generate_series(1, ${requests}::integer) as number) as numbered`.execute(kysely);

    const fates = sql.raw(
      `(array[${FATES.map((fate) => `'${fate}'`).join(",")}])[1 + number % 20]`,
    );
    await sql`insert into frontier (job_id, identity, sequence, depth, state, source, url, host, fate,
        reason, error, verdict, ended_at)
      select ${crawlId}::uuid, number, number, 1, 'done', 'link',
        'https://' || ${HOST} || '/section-' || number % ${sql.lit(SECTIONS)} || '/product-' || number,
        ${HOST}, fate,
        case fate when 'scope' then 'excludePaths: product' when 'error' then 'The page took too long.' end,
        case fate when 'error' then '{"code":"SCRAPE_TIMEOUT","message":"The page took too long."}'::jsonb end,
        case fate when 'fetched' then 'content' end, ${now}::bigint
      from (select number, ${fates} as fate
        from generate_series(1, ${urls}::integer) as number) as numbered`.execute(kysely);

    const insert = buildRowInsert("results", {
      job_id: "uuid",
      sequence: "integer",
      scrape_id: "uuid",
      requested_url: "text",
      final_url: "text",
      status_code: "integer",
      title: "text",
      document_inline: "bytea",
      size_bytes: "integer",
      credits: "bigint",
      created_at: "bigint",
    });
    let results = 0;
    let batch: object[] = [];
    const flush = async (): Promise<void> => {
      await insert(batch).execute(kysely);
      batch = [];
    };
    for (let number = 1; number <= urls; number++) {
      if (FATES[number % FATES.length] !== "fetched") continue;
      results += 1;
      const url = seededUrl(number);
      const title = `Product ${number}`;
      const document = Buffer.from(
        JSON.stringify({
          markdown: `# ${title}\n\nIt is number ${results} of the results.`,
          metadata: { title, sourceURL: url, url, statusCode: 200, verdict: "content" },
        }),
      );
      batch.push({
        job_id: crawlId,
        sequence: results,
        scrape_id: buildId(now, number),
        requested_url: url,
        final_url: url,
        status_code: 200,
        title,
        document_inline: zstdCompressSync(document).toString("base64"),
        size_bytes: document.byteLength,
        credits: 1,
        created_at: now,
      });
      if (batch.length === ROWS_PER_BATCH) await flush();
    }
    await flush();
    return { crawlId, failedJobs: Math.floor((jobs + 1) / 5), results };
  } finally {
    await database.close();
  }
}
