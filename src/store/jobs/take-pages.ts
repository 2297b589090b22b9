// Selects the pages of a job for a claim, and builds the statement that claims them.
import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Claim, FoundUrl, HostPlaces, LeasedPage, Marks } from "./frontier.ts";
import type { Tables } from "../database/schema.ts";

type LeasedRow = {
  identity: string;
  url: string;
  host: string;
  depth: number;
  source: FoundUrl["source"];
  marks: Marks | null;
  sequence: number;
  attempt: number;
};

export type TakeOptions = Pick<
  Claim,
  "worker" | "max" | "leaseMs" | "suspects" | "suspectTries"
> & {
  readonly hosts: HostPlaces;
};

export type Job = { readonly id: string; readonly max: number };

/** Pages examined in order when some hosts are limited, before hosts are examined one by one. */
const MAX_SCANNED_PAGES = 400;

/** Starts without an end from which on a page is a suspect: it may have killed its process. */
export const SUSPECT_AFTER = 3;
/**
 * Claims as a suspect after which a page fails: it ran alone, and each process had lived longer
 * than the one before, so the page kills them.
 */
export const MAX_SUSPECT_TRIES = 4;

/** Condition on frontier rows. */
export function selectSuspects({
  suspects,
  suspectTries = MAX_SUSPECT_TRIES,
}: Pick<Claim, "suspects" | "suspectTries">): RawBuilder<unknown> {
  if (suspects === undefined) return sql``;
  if (suspects === "none") return sql`and attempt < ${sql.lit(SUSPECT_AFTER)}`;
  // A page that reached the maximum is claimed once more, to be failed.
  const end =
    suspectTries >= MAX_SUSPECT_TRIES
      ? sql``
      : sql`and attempt < ${sql.lit(SUSPECT_AFTER + suspectTries)}`;
  return sql`and attempt >= ${sql.lit(SUSPECT_AFTER)} ${end}`;
}

const selectInOrder = (job: Job, take: TakeOptions): RawBuilder<unknown> => sql`
  select identity, depth, sequence from frontier where job_id = ${job.id}::uuid and state = 'ready' ${selectSuspects(take)}
  order by depth, sequence limit ${take.max}::integer`;

const selectPlaces = (host: string, { hosts, max }: TakeOptions): RawBuilder<unknown> =>
  sql`coalesce((${JSON.stringify(hosts)}::jsonb ->> ${sql.ref(host)})::integer, ${max}::integer)`;

/** The first pages in order, without those of full hosts. */
const selectInOrderByPlaces = (job: Job, take: TakeOptions): RawBuilder<unknown> => sql`
  select identity, depth, sequence from (
    select identity, host, depth, sequence, row_number() over (partition by host order by depth, sequence) as place
    from (select identity, host, depth, sequence from frontier
      where job_id = ${job.id}::uuid and state = 'ready' ${selectSuspects(take)}
      order by depth, sequence limit ${sql.lit(MAX_SCANNED_PAGES)}) as first
  ) as placed where place <= ${selectPlaces("host", take)}
  order by depth, sequence limit ${take.max}::integer`;

/**
 * Pages of hosts with places, host by host through the index, because very many others may come
 * first.
 */
const selectHostByHost = (job: Job, take: TakeOptions): RawBuilder<unknown> => sql`
  with recursive waiting (name) as (
    (select host from frontier where job_id = ${job.id}::uuid and state = 'ready' order by host limit 1)
    union all
    select (select host from frontier where job_id = ${job.id}::uuid and state = 'ready' and host > waiting.name
      order by host limit 1) from waiting where waiting.name is not null
  )
  select identity, depth, sequence from waiting cross join lateral (
    select identity, depth, sequence, row_number() over (order by depth, sequence) as place from (
      select identity, depth, sequence from frontier
      where job_id = ${job.id}::uuid and state = 'ready' and host = waiting.name ${selectSuspects(take)}
      order by depth, sequence limit ${take.max}::integer
    ) as first
  ) as placed where name is not null and ${selectPlaces("name", take)} >= place limit ${take.max}::integer`;

/**
 * Live leases are counted in the statement that takes new ones; the job's lock excludes concurrent
 * claims.
 */
async function takeReady(
  kysely: Kysely<Tables>,
  job: Job,
  take: TakeOptions,
  now: number,
  ready: RawBuilder<unknown>,
): Promise<LeasedPage[]> {
  const taken = await sql<LeasedRow>`
    with picked as (
      select identity from (
        (select identity, depth, sequence from frontier
          where job_id = ${job.id}::uuid and state = 'leased' and leased_until <= ${now}::bigint ${selectSuspects(take)})
        union all
        (${ready})
      ) as free order by depth, sequence
      limit (select greatest(0, least(${take.max}::bigint, ${job.max}::bigint - count(*))) from frontier
        where job_id = ${job.id}::uuid and state = 'leased' and leased_until > ${now}::bigint)
    ), served as (
      update job_progress set claimed_at = ${now}::bigint where job_id = ${job.id}::uuid
    )
    update frontier set state = 'leased', worker = ${take.worker}, leased_until = ${now + take.leaseMs}::bigint,
      attempt = attempt + 1
    from picked where frontier.job_id = ${job.id}::uuid and frontier.identity = picked.identity
    returning frontier.identity::text as identity, url, host, depth, source, marks, sequence, attempt`.execute(
    kysely,
  );
  return taken.rows
    .map((row) => ({
      ...row,
      jobId: job.id,
      identity: BigInt(row.identity),
      marks: row.marks ?? {},
    }))
    .sort((one, other) => one.depth - other.depth || one.sequence - other.sequence);
}

/** Returns the remaining places after pages were claimed. */
export function countPlacesLeft(hosts: HostPlaces, taken: readonly LeasedPage[]): HostPlaces {
  const left = { ...hosts };
  for (const { host } of taken) {
    const places = left[host];
    if (places !== undefined) left[host] = places - 1;
  }
  return left;
}

/** Claims pages of a running job for one worker in order, within the places of each host. */
export async function takePages(
  kysely: Kysely<Tables>,
  job: Job,
  take: TakeOptions,
  now: number,
): Promise<LeasedPage[]> {
  if (Object.keys(take.hosts).length === 0)
    return await takeReady(kysely, job, take, now, selectInOrder(job, take));
  const first = await takeReady(kysely, job, take, now, selectInOrderByPlaces(job, take));
  const max = take.max - first.length;
  if (max === 0) return first;
  const rest = { ...take, max, hosts: countPlacesLeft(take.hosts, first) };
  return [...first, ...(await takeReady(kysely, job, rest, now, selectHostByHost(job, rest)))];
}
