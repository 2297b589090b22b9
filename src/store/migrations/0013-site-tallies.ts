/** Repeated texts of a host's pages; learned while a job runs, removed at its end. */
export const statements: readonly string[] = [
  `create table site_tallies (
     job_id uuid not null references jobs (id) on delete cascade,
     host text not null,
     tally bytea not null,
     primary key (job_id, host)
   )`,
  `alter table site_tallies alter tally set storage external`,
];
