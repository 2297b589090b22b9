// Which pages of a job a claim takes, and the statement that takes them.
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

export type Take = Pick<Claim, "worker" | "most" | "leaseMs" | "suspects" | "suspectTries"> & {
  readonly hosts: HostPlaces;
};

export type Job = { readonly id: string; readonly most: number };

/** Pages looked at in their order when some hosts may not have all of them, before the hosts are looked at one by one. */
const LOOKED_AT = 400;

/** Times a page was begun and came to no end, from which on it is a suspect: its process may have died of it. */
export const SUSPECT_AFTER = 3;
/**
 * Claims of a page as a suspect after which it is given up: nothing else was done, and each process had lived longer than the
 * one before, so the page ends them.
 */
export const MAX_SUSPECT_TRIES = 4;

/** Of rows of the frontier; part of a condition. */
export function ofSuspects({
  suspects,
  suspectTries = MAX_SUSPECT_TRIES,
}: Pick<Claim, "suspects" | "suspectTries">): RawBuilder<unknown> {
  if (suspects === undefined) return sql``;
  if (suspects === "none") return sql`and attempt < ${sql.lit(SUSPECT_AFTER)}`;
  // One that was tried as often as it may be is taken once more, to be given up.
  const end =
    suspectTries >= MAX_SUSPECT_TRIES
      ? sql``
      : sql`and attempt < ${sql.lit(SUSPECT_AFTER + suspectTries)}`;
  return sql`and attempt >= ${sql.lit(SUSPECT_AFTER)} ${end}`;
}

const inOrder = (job: Job, take: Take): RawBuilder<unknown> => sql`
  select identity, depth, sequence from frontier where job_id = ${job.id}::uuid and state = 'ready' ${ofSuspects(take)}
  order by depth, sequence limit ${take.most}::integer`;

const placesOf = (host: string, { hosts, most }: Take): RawBuilder<unknown> =>
  sql`coalesce((${JSON.stringify(hosts)}::jsonb ->> ${sql.ref(host)})::integer, ${most}::integer)`;

/** The first pages, without those that their host has no place for. */
const inOrderByPlaces = (job: Job, take: Take): RawBuilder<unknown> => sql`
  select identity, depth, sequence from (
    select identity, host, depth, sequence, row_number() over (partition by host order by depth, sequence) as place
    from (select identity, host, depth, sequence from frontier
      where job_id = ${job.id}::uuid and state = 'ready' ${ofSuspects(take)}
      order by depth, sequence limit ${sql.lit(LOOKED_AT)}) as first
  ) as placed where place <= ${placesOf("host", take)}
  order by depth, sequence limit ${take.most}::integer`;

/** Pages of hosts that have places, from host to host by the index: what lies before them may be very much. */
const hostByHost = (job: Job, take: Take): RawBuilder<unknown> => sql`
  with recursive waiting (name) as (
    (select host from frontier where job_id = ${job.id}::uuid and state = 'ready' order by host limit 1)
    union all
    select (select host from frontier where job_id = ${job.id}::uuid and state = 'ready' and host > waiting.name
      order by host limit 1) from waiting where waiting.name is not null
  )
  select identity, depth, sequence from waiting cross join lateral (
    select identity, depth, sequence, row_number() over (order by depth, sequence) as place from (
      select identity, depth, sequence from frontier
      where job_id = ${job.id}::uuid and state = 'ready' and host = waiting.name ${ofSuspects(take)}
      order by depth, sequence limit ${take.most}::integer
    ) as first
  ) as placed where name is not null and ${placesOf("name", take)} >= place limit ${take.most}::integer`;

/** Live leases are counted in the statement that takes new ones; the lock of the job keeps others from doing the same. */
async function takeReady(
  kysely: Kysely<Tables>,
  job: Job,
  take: Take,
  now: number,
  ready: RawBuilder<unknown>,
): Promise<LeasedPage[]> {
  const taken = await sql<LeasedRow>`
    with picked as (
      select identity from (
        (select identity, depth, sequence from frontier
          where job_id = ${job.id}::uuid and state = 'leased' and leased_until <= ${now}::bigint ${ofSuspects(take)})
        union all
        (${ready})
      ) as free order by depth, sequence
      limit (select greatest(0, least(${take.most}::bigint, ${job.most}::bigint - count(*))) from frontier
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

/** What is left of the places when pages were taken. */
export function placesLeft(hosts: HostPlaces, taken: readonly LeasedPage[]): HostPlaces {
  const left = { ...hosts };
  for (const { host } of taken) {
    const places = left[host];
    if (places !== undefined) left[host] = places - 1;
  }
  return left;
}

/** Takes pages of a running job for one worker, in their order, no more of a host than it has places for. */
export async function takePages(
  kysely: Kysely<Tables>,
  job: Job,
  take: Take,
  now: number,
): Promise<LeasedPage[]> {
  if (Object.keys(take.hosts).length === 0)
    return await takeReady(kysely, job, take, now, inOrder(job, take));
  const first = await takeReady(kysely, job, take, now, inOrderByPlaces(job, take));
  const most = take.most - first.length;
  if (most === 0) return first;
  const rest = { ...take, most, hosts: placesLeft(take.hosts, first) };
  return [...first, ...(await takeReady(kysely, job, rest, now, hostByHost(job, rest)))];
}
