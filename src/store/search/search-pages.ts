// Pages of an account as they can be searched (PostgreSQL full text). Whoever calls brings words as tsvector and tsquery
// literals; what they mean is the business of the search.
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type SearchPage = {
  readonly accountId: string;
  /** Of the URL: one page of an account has one entry. */
  readonly identity: bigint;
  /** Under which its capture lies in the cache: without that the entry goes, too. */
  readonly cacheKey: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** Two letters; "" where it is not known. */
  readonly language: string;
  readonly isPdf: boolean;
  /** A tsvector literal. */
  readonly words: string;
  /** To cut a description from; undefined when the scrape was not asked for text: what an older one brought stays. */
  readonly text: string | undefined;
  readonly fetchedAt: number;
};

export type FoundPage = Pick<
  SearchPage,
  "url" | "title" | "description" | "language" | "isPdf" | "fetchedAt"
> & {
  readonly text: string;
  /** Of the words, 0 to 1. */
  readonly rank: number;
  /** How many of the preferred words it has. */
  readonly matched: number;
};

export type SearchPageQuery = {
  readonly accountId: string;
  /** A tsquery literal. */
  readonly words: string;
  /** Of these the more a page has the earlier it comes, before all rank: tsquery literals. */
  readonly preferred?: readonly string[];
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** Beginnings of URLs behind the scheme, one of which must fit: example.com/docs. */
  readonly paths?: readonly string[];
  readonly newestFirst?: boolean;
  readonly limit: number;
};

export type SearchPageStore = {
  /** Each URL of an account at most once in `pages`. An entry that is newer stays. */
  save(pages: readonly SearchPage[]): Promise<void>;
  find(query: SearchPageQuery): Promise<FoundPage[]>;
  /** Languages of an account's pages, the most frequent first. */
  languages(accountId: string): Promise<string[]>;
  /** Of an account, or of all. */
  count(accountId?: string): Promise<number>;
};

/** Title, headings and description, words of the URL, everything else. */
const WEIGHTS = "{0.1, 0.3, 0.6, 1.0}";
/** Divides the rank by the logarithm of the length. */
const BY_LENGTH = 1;
/** Matches that are ranked; of more an arbitrary choice. */
const MAX_RANKED = 5_000;

/** Of captures that the index may hold. */
const CAPTURE_NAME = /^[0-9a-f]{16}/;
/** Captures are named by 64 hexadecimal digits; half of the first 16 is enough to find them again. */
const captureNumber = (cacheKey: string): string =>
  String(BigInt.asIntN(64, BigInt(`0x${cacheKey.slice(0, 16)}`)));

const FASTEST = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const pack = (text: string): string =>
  zstdCompressSync(Buffer.from(text), FASTEST).toString("base64");

const unpack = (body: Uint8Array): string => zstdDecompressSync(body).toString("utf8");

type FoundRow = {
  url: string;
  title: string;
  description: string;
  language: string;
  is_pdf: boolean;
  body: Uint8Array;
  fetched_at: number;
  rank: number;
  matched: number;
};

const WHERE_IT_LIES = sql.raw("capture = excluded.capture, fetched_at = excluded.fetched_at");
const ALL_OF_IT = sql`${WHERE_IT_LIES}, url = excluded.url, title = excluded.title, description = excluded.description,
  language = excluded.language, is_pdf = excluded.is_pdf, words = excluded.words, body = excluded.body`;

/** `newer` says what of an entry that is there becomes that of the new one. */
async function upsert(
  kysely: Kysely<Tables>,
  pages: readonly SearchPage[],
  newer: RawBuilder<unknown>,
): Promise<void> {
  const rows = pages.map((page) => ({
    account_id: page.accountId,
    identity: String(page.identity),
    capture: captureNumber(page.cacheKey),
    url: page.url,
    title: page.title,
    description: page.description,
    language: page.language,
    is_pdf: page.isPdf,
    words: page.words,
    body: pack(page.text ?? ""),
    fetched_at: page.fetchedAt,
  }));
  await sql`
    insert into search_pages (account_id, identity, capture, url, title, description, language, is_pdf, words, body, fetched_at)
    select account_id, identity, capture, url, title, description, language, is_pdf, words::tsvector,
      decode(body, 'base64'), fetched_at
    from json_to_recordset(${toStorableJson(rows)}::json) as given (account_id uuid, identity bigint, capture bigint, url text,
      title text, description text, language text, is_pdf boolean, words text, body text, fetched_at bigint)
    on conflict (account_id, identity) do update set ${newer}
      where search_pages.fetched_at <= excluded.fetched_at`.execute(kysely);
}

export function createSearchPageStore(kysely: Kysely<Tables>): SearchPageStore {
  return {
    async save(pages) {
      const plain = pages.filter(({ text }) => text !== undefined);
      const textless = pages.filter(({ text }) => text === undefined);
      if (plain.length > 0) await upsert(kysely, plain, ALL_OF_IT);
      if (textless.length > 0) await upsert(kysely, textless, WHERE_IT_LIES);
    },
    async find({ accountId, words, preferred = [], since, until, paths = [], newestFirst, limit }) {
      const conditions = [sql`words @@ ${words}::tsquery`, sql`account_id = ${accountId}::uuid`];
      if (since !== undefined) conditions.push(sql`fetched_at >= ${since}::bigint`);
      if (until !== undefined) conditions.push(sql`fetched_at <= ${until}::bigint`);
      if (paths.length > 0) conditions.push(isBelow(paths));
      const matched = preferred.map((one) => sql`(words @@ ${one}::tsquery)::int`);
      const count = matched.length === 0 ? sql`0` : sql.join(matched, sql` + `);
      const order = newestFirst === true ? sql`fetched_at desc` : sql`matched desc, rank desc`;
      const found = await sql<FoundRow>`
        select url, title, description, language, is_pdf, body, fetched_at, rank, matched from (
          select *, ts_rank(${WEIGHTS}::float4[], words, ${words}::tsquery, ${sql.lit(BY_LENGTH)}) as rank, ${count} as matched
          from (select * from search_pages where ${sql.join(conditions, sql` and `)} limit ${sql.lit(MAX_RANKED)}) as matching
        ) as ranked order by ${order}, url limit ${limit}::integer`.execute(kysely);
      return found.rows.map(({ is_pdf: isPdf, fetched_at: fetchedAt, body, ...same }) => ({
        ...same,
        isPdf,
        fetchedAt,
        text: unpack(body),
      }));
    },
    async languages(accountId) {
      const found = await sql<{ language: string }>`
        select language from search_pages where account_id = ${accountId}::uuid and language <> ''
        group by language order by count(*) desc limit 12`.execute(kysely);
      return found.rows.map(({ language }) => language);
    },
    async count(accountId) {
      const whose = accountId === undefined ? sql`` : sql`where account_id = ${accountId}::uuid`;
      const found = await sql<{ count: number }>`
        select count(*) as count from search_pages ${whose}`.execute(kysely);
      return found.rows[0]?.count ?? 0;
    },
  };
}

/** One of the paths, or on a host below its host. */
function isBelow(paths: readonly string[]) {
  const rest = sql`substr(url, strpos(url, '://') + 3)`;
  const parts = paths.map((path) => {
    const slash = path.indexOf("/");
    const host = path.slice(0, slash);
    const below = path.slice(slash);
    const plainHost = sql`split_part(split_part(${rest}, '/', 1), ':', 1)`;
    return sql`((${plainHost} = ${host} or ${plainHost} like ${`%.${escapeLike(host)}`})
      and starts_with(substr(${rest}, length(split_part(${rest}, '/', 1)) + 1), ${below}))`;
  });
  return sql`(${sql.join(parts, sql` or `)})`;
}

const escapeLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`);

/** Entries whose capture is gone. */
export async function forgetCaptures(
  kysely: Kysely<Tables>,
  cacheKeys: readonly string[],
): Promise<void> {
  const given = cacheKeys
    .filter((key) => CAPTURE_NAME.test(key))
    .map((key) => ({ key, number: captureNumber(key) }));
  if (given.length === 0) return;
  await sql`
    delete from search_pages where capture in (
      select number from json_to_recordset(${JSON.stringify(given)}::json) as given (key text, number bigint)
      where not exists (select 1 from captures where cache_key = key))`.execute(kysely);
}

/** Rows removed after which their place is made free at once. */
const WORTH_A_VACUUM = 1_000;

/**
 * Removes the entries fetched longest ago beyond `most`, and beyond the quota of their account. `tidy` makes the place free that replaced ones have left: nothing in
 * the embedded database does so by itself.
 */
export async function keepNewestPages(
  kysely: Kysely<Tables>,
  most: number,
  tidy: boolean,
): Promise<number> {
  // First, so that one account beyond its quota costs others nothing.
  const ofAccounts = await sql<{ identity: string }>`
    delete from search_pages where (account_id, identity) in (
      select account_id, identity from (
        select account_id, identity, index_pages, row_number() over (partition by account_id order by fetched_at desc) as place
        from search_pages join accounts on accounts.id = account_id where index_pages is not null
      ) as placed where place > index_pages)
    returning identity::text`.execute(kysely);
  const removed = await sql<{ identity: string }>`
    with many as (select count(*) - ${most}::bigint as surplus from search_pages)
    delete from search_pages where (account_id, identity) in (
      select account_id, identity from search_pages where (select surplus from many) > 0
      order by fetched_at limit greatest(0, (select surplus from many)))
    returning identity::text`.execute(kysely);
  const length = removed.rows.length + ofAccounts.rows.length;
  if (tidy || length > WORTH_A_VACUUM) await sql`vacuum search_pages`.execute(kysely);
  return length;
}
