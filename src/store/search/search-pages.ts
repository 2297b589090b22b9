// The search index of an account's pages (PostgreSQL full text). Callers pass words as tsvector and
// tsquery literals.
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { sql, type Kysely, type RawBuilder } from "kysely";
import { toStorableJson } from "../database/json-rows.ts";
import type { Tables } from "../database/schema.ts";

export type SearchPage = {
  readonly accountId: string;
  /** Identity of the URL: an account has one entry per page. */
  readonly identity: bigint;
  /** Cache key of its capture: the entry is removed with it. */
  readonly cacheKey: string;
  readonly url: string;
  readonly title: string;
  readonly description: string;
  /** Two letters; "" if unknown. */
  readonly language: string;
  readonly isPdf: boolean;
  /** A tsvector literal. */
  readonly words: string;
  /**
   * Text for descriptions; undefined when the scrape had no text. The text of an older entry then
   * stays.
   */
  readonly text: string | undefined;
  readonly fetchedAt: number;
};

export type FoundPage = Pick<
  SearchPage,
  "url" | "title" | "description" | "language" | "isPdf" | "fetchedAt"
> & {
  /** The page's identity, for `texts`. */
  readonly id: string;
  /** Full-text rank of the page for the query's words. */
  readonly rank: number;
};

/** A word or name that pages are ranked by. */
export type RankingTerm = {
  /** A tsquery literal of one word, or of its forms joined by "or". */
  readonly query: string;
  /** Weight. */
  readonly weight: number;
};

export type SearchPageQuery = {
  readonly accountId: string;
  /** A tsquery literal. */
  readonly words: string;
  /** Tsquery literals of which a page must match at least `min`. */
  readonly preferred?: readonly string[];
  readonly min?: number;
  /** Terms that the rank is computed from; without them, all words count alike. */
  readonly terms?: readonly RankingTerm[];
  /** Milliseconds since the epoch. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** URL prefixes after the scheme, one of which must match: example.com/docs. */
  readonly paths?: readonly string[];
  readonly newestFirst?: boolean;
  readonly limit: number;
};

export type SearchPageStore = {
  /** Stores pages; each URL of an account at most once in `pages`. A newer entry stays. */
  save(pages: readonly SearchPage[]): Promise<void>;
  /** Finds pages, best rank first. */
  find(query: SearchPageQuery): Promise<FoundPage[]>;
  /** Texts of found pages by their ids. */
  listTexts(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Number of pages that match each tsquery literal; counting stops at `MAX_COUNTED`. */
  countFrequencies(accountId: string, queries: readonly string[]): Promise<number[]>;
  /** Languages of an account's pages, most frequent first. */
  listLanguages(accountId: string): Promise<string[]>;
  /** Number of pages of an account, or of all. */
  count(accountId?: string): Promise<number>;
};

/** Weights: everything else, URL words, headings and description, title. */
const WEIGHTS = "{0.2, 0.3, 0.6, 1.0}";
/** Maximum matches that are ranked; beyond that the choice is arbitrary. */
const MAX_RANKED = 3_000;
/** Maximum pages counted for the frequency of a word: more of them are as good as all. */
export const MAX_COUNTED = 2_000;

/** Cache keys of captures that can be indexed. */
const CAPTURE_NAME = /^[0-9a-f]{16}/;
/** Captures have 64 hexadecimal digits; the first 16 identify them. */
const captureNumber = (cacheKey: string): string =>
  String(BigInt.asIntN(64, BigInt(`0x${cacheKey.slice(0, 16)}`)));

const FASTEST_COMPRESSION = { params: { [constants.ZSTD_c_compressionLevel]: 1 } };
const pack = (text: string): string =>
  zstdCompressSync(Buffer.from(text), FASTEST_COMPRESSION).toString("base64");

const unpack = (body: string): string =>
  zstdDecompressSync(Buffer.from(body, "base64")).toString("utf8");

type FoundRow = {
  url: string;
  title: string;
  description: string;
  language: string;
  is_pdf: boolean;
  id: string;
  fetched_at: number;
  rank: number;
};

const CAPTURE_COLUMNS = sql.raw("capture = excluded.capture, fetched_at = excluded.fetched_at");
const ALL_COLUMNS = sql`${CAPTURE_COLUMNS}, url = excluded.url, title = excluded.title, description = excluded.description,
  language = excluded.language, is_pdf = excluded.is_pdf, words = excluded.words, body = excluded.body`;

/** `newer` defines how an existing entry is merged with the new one. */
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
      if (plain.length > 0) await upsert(kysely, plain, ALL_COLUMNS);
      if (textless.length > 0) await upsert(kysely, textless, CAPTURE_COLUMNS);
    },
    async find(query) {
      const { words, preferred = [], min = 0, terms = [], newestFirst, limit } = query;
      const conditions = buildConditions(query);
      const asked = terms.length === 0 ? [{ query: words, weight: 1 }] : terms;
      // With a single word, ts_rank is a saturating sum over its occurrences, weighted by field; it
      // is divided by the number of forms. Their weighted sum is close to BM25.
      const ranks = asked.map(
        ({ query: one, weight }) =>
          sql`${weight * one.split("|").length}::float8 * ts_rank(${WEIGHTS}::float4[], words, ${one}::tsquery)`,
      );
      const matched = preferred.map((one) => sql`(words @@ ${one}::tsquery)::int`);
      const enough =
        min === 0 ? sql`` : sql`where ${sql.join(matched, sql` + `)} >= ${min}::integer`;
      const order = newestFirst === true ? sql`fetched_at desc` : sql`rank desc`;
      // The words of a long page are stored outside its row (TOAST); the concatenation reads them
      // once.
      const found = await sql<FoundRow>`
        select url, title, description, language, is_pdf, identity::text as id, fetched_at,
          ${sql.join(ranks, sql` + `)} as rank
        from (select url, title, description, language, is_pdf, identity, fetched_at, words || ''::tsvector as words
          from search_pages where ${sql.join(conditions, sql` and `)} limit ${sql.lit(MAX_RANKED)} offset 0) as matching
        ${enough} order by ${order}, url limit ${limit}::integer`.execute(kysely);
      return found.rows.map(({ is_pdf: isPdf, fetched_at: fetchedAt, ...same }) => ({
        ...same,
        isPdf,
        fetchedAt,
      }));
    },
    async listTexts(accountId, ids) {
      if (ids.length === 0) return new Map();
      // As base64: reading bytes from their hexadecimal form takes several times as long.
      const found = await sql<{ id: string; body: string }>`
        select identity::text as id, encode(body, 'base64') as body from search_pages where account_id = ${accountId}::uuid
          and identity in (${sql.join(ids.map((id) => sql`${id}::bigint`))})`.execute(kysely);
      return new Map(found.rows.map(({ id, body }) => [id, unpack(body)]));
    },
    async countFrequencies(accountId, queries) {
      if (queries.length === 0) return [];
      const counts = queries.map(
        (query, at) => sql`(select count(*) from (
          select 1 from search_pages where account_id = ${accountId}::uuid and words @@ ${query}::tsquery
          limit ${sql.lit(MAX_COUNTED)}) as counted)::int as ${sql.ref(`n${at}`)}`,
      );
      const found = await sql<Record<string, number>>`select ${sql.join(counts)}`.execute(kysely);
      return queries.map((_, at) => found.rows[0]?.[`n${at}`] ?? 0);
    },
    async listLanguages(accountId) {
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

function buildConditions({ accountId, words, since, until, paths = [] }: SearchPageQuery) {
  const conditions = [sql`words @@ ${words}::tsquery`, sql`account_id = ${accountId}::uuid`];
  if (since !== undefined) conditions.push(sql`fetched_at >= ${since}::bigint`);
  if (until !== undefined) conditions.push(sql`fetched_at <= ${until}::bigint`);
  if (paths.length > 0) conditions.push(isBelow(paths));
  return conditions;
}

/** Matches one of the paths, or a subdomain of its host. */
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

/** Removes entries whose capture is gone. */
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

/** Removed rows after which the space is freed at once. */
const MIN_VACUUM_ROWS = 1_000;

/**
 * Removes the oldest entries beyond `max` and beyond their account's quota. `tidy` frees the space
 * of replaced entries, because the embedded database has no autovacuum.
 */
export async function keepNewestPages(
  kysely: Kysely<Tables>,
  max: number,
  tidy: boolean,
): Promise<number> {
  // First, so that an account beyond its quota costs others nothing.
  const ofAccounts = await sql<{ identity: string }>`
    delete from search_pages where (account_id, identity) in (
      select account_id, identity from (
        select account_id, identity, index_pages, row_number() over (partition by account_id order by fetched_at desc) as place
        from search_pages join accounts on accounts.id = account_id where index_pages is not null
      ) as placed where place > index_pages)
    returning identity::text`.execute(kysely);
  const removed = await sql<{ identity: string }>`
    with many as (select count(*) - ${max}::bigint as surplus from search_pages)
    delete from search_pages where (account_id, identity) in (
      select account_id, identity from search_pages where (select surplus from many) > 0
      order by fetched_at limit greatest(0, (select surplus from many)))
    returning identity::text`.execute(kysely);
  const length = removed.rows.length + ofAccounts.rows.length;
  if (tidy || length > MIN_VACUUM_ROWS) await sql`vacuum search_pages`.execute(kysely);
  return length;
}
