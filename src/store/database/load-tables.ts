// The tables of load samples for Kysely.
export type LoadTables = {
  process_samples: {
    step_ms: number;
    /** Start of the period. */
    at: number;
    process: string;
    role: string;
    covered_ms: number;
    memory_bytes: number;
    browser_pages: number;
    browser_waiting: number;
    scrapes: number;
    job_pages: number;
  };
  service_samples: {
    step_ms: number;
    at: number;
    database_bytes: number;
    blob_bytes: number | null;
    blobs_measured_at: number | null;
    crawl_queue_age_ms: number;
    batch_queue_age_ms: number;
  };
};
