/** Samples of the load: of each process, and of what all processes share. */
export const statements: readonly string[] = [
  `create table process_samples (
     step_ms integer not null,
     at bigint not null,
     process text not null,
     role text not null,
     covered_ms bigint not null,
     memory_bytes bigint not null,
     browser_pages integer not null,
     browser_waiting integer not null,
     scrapes bigint not null,
     job_pages bigint not null,
     primary key (step_ms, at, process)
   )`,
  `create table service_samples (
     step_ms integer not null,
     at bigint not null,
     database_bytes bigint not null,
     blob_bytes bigint,
     blobs_measured_at bigint,
     crawl_queue_age_ms bigint not null,
     batch_queue_age_ms bigint not null,
     primary key (step_ms, at)
   )`,
];
