const LIMITS = (concurrency: string) =>
  `'{"creditBudget":null,"requestsPerMinute":null,"concurrency":' || coalesce(options ->> '${concurrency}', 'null') || '}'`;

/**
 * Running crawls and batches store the limits of their key as jobs of other kinds do. Their runs
 * are made at the start of the workers (`adoptOldJobs` in store/jobs/job-runs.ts), because processes of an
 * older version may still start crawls without one. The tables of their queue, in the schema
 * `quarry_queue`, stay: those processes use them.
 */
export const statements: readonly string[] = [
  `update jobs set options = ('{"limits":' || ${LIMITS("keyConcurrency")} || ',"accountLimits":' ||
       ${LIMITS("accountConcurrency")} || ',' || substr(ltrim(options::text), 2))::json
     where kind in ('crawl', 'batch_scrape') and id in (select job_id from job_progress where state = 'scraping')`,
];
