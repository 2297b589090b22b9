import { sql, type Kysely } from "kysely";
import type { PageTitle } from "../captures/page-title.ts";
import type { Tables } from "../database/schema.ts";

export type SiteUrl = PageTitle & { readonly url: string };

export type SiteUrlStore = {
  /**
   * Returns URLs of a host that an account has fetched, with titles: from its last crawls, then its
   * scrapes. No duplicates, and none with zero data retention. `host` includes a port if there is
   * one.
   */
  find(accountId: string, host: string, limit: number): Promise<SiteUrl[]>;
};

/** Crawls examined, newest first. */
const MAX_JOBS = 100;

export function createSiteUrlStore(kysely: Kysely<Tables>): SiteUrlStore {
  return {
    async find(accountId, host, limit) {
      const starts = [`http://${host}/`, `https://${host}/`] as const;
      const found = await sql<SiteUrl>`
        with recent as (
          select id from jobs where account_id = ${accountId}::uuid and kind = 'crawl' and not zero_data_retention
            and (starts_with(url, ${starts[0]}) or starts_with(url, ${starts[1]}))
          order by created_at desc limit ${sql.lit(MAX_JOBS)}
        ), crawled as (
          select requested_url as url, title, description, 0 as rank from recent join results on results.job_id = recent.id
          where starts_with(requested_url, ${starts[0]}) or starts_with(requested_url, ${starts[1]})
          limit ${limit}::integer
        ), scraped as (
          select final_url as url, title, description, 1 as rank from scrapes
          where account_id = ${accountId}::uuid and status = 'completed' and status_code < 400
            and (starts_with(final_url, ${starts[0]}) or starts_with(final_url, ${starts[1]}))
          limit ${limit}::integer
        )
        select url, (array_agg(title order by rank) filter (where title is not null))[1] as title,
          (array_agg(description order by rank) filter (where description is not null))[1] as description
        from (select * from crawled union all select * from scraped) as known
        group by url order by min(rank), url limit ${limit}::integer`.execute(kysely);
      return found.rows;
    },
  };
}
