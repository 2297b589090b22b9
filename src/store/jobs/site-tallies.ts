// Text statistics of a crawl's hosts, one bounded row each. Read and written under the job's lock
// in the transaction that finishes pages, so that workers share what they see.
import { sql, type RawBuilder, type Transaction } from "kysely";
import type { Tables } from "../database/schema.ts";
import { SiteTally } from "./site-tally.ts";

/** A finished page for its site's tally. */
export type PageTexts = { readonly host: string; readonly texts: Int32Array };

/** Maximum tracked hosts of a job. A crawl that follows external links meets most hosts once. */
const MAX_HOSTS = 100;

type Row = { host: string | null; tally: Uint8Array | null; hosts: number };

/** Adds pages to the tallies of their hosts, as they will be after the write. */
export async function countTexts(
  transaction: Transaction<Tables>,
  jobId: string,
  pages: readonly PageTexts[],
): Promise<ReadonlyMap<string, SiteTally>> {
  const tallies = new Map<string, SiteTally>();
  if (pages.length === 0) return tallies;
  const hosts = [...new Set(pages.map(({ host }) => host))];
  const found = await sql<Row>`
    with known as (select host, tally from site_tallies where job_id = ${jobId}::uuid)
    select host, tally, 0 as hosts from known
      where host in (select json_array_elements_text(${JSON.stringify(hosts)}::json))
    union all select null, null, count(*)::integer from known`.execute(transaction);
  let room = MAX_HOSTS;
  for (const { host, tally, hosts: known } of found.rows) {
    if (host !== null && tally !== null) tallies.set(host, SiteTally.parse(tally));
    room -= known;
  }
  for (const { host, texts } of pages) {
    let tally = tallies.get(host);
    if (tally === undefined) {
      if (room <= 0) continue;
      room -= 1;
      tally = new SiteTally();
      tallies.set(host, tally);
    }
    tally.add(texts);
  }
  return tallies;
}

/** Builds the statement that writes them. */
export function buildTallyUpdate(
  jobId: string,
  tallies: ReadonlyMap<string, SiteTally>,
): RawBuilder<unknown> {
  const rows = [...tallies].map(([host, tally]) => ({
    host,
    tally: Buffer.from(tally.toBytes()).toString("base64"),
  }));
  return sql`insert into site_tallies (job_id, host, tally)
    select ${jobId}::uuid, host, decode(tally, 'base64')
    from json_to_recordset(${JSON.stringify(rows)}::json) as given (host text, tally text)
    on conflict (job_id, host) do update set tally = excluded.tally`;
}

/** Builds the statement that removes those of an ended job. */
export const dropTallies = (jobId: string): RawBuilder<unknown> =>
  sql`delete from site_tallies where job_id = ${jobId}::uuid`;
