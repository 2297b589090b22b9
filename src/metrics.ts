import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/**
 * Every counter and timing of the service in one place; served at /metrics in Prometheus text
 * format.
 */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const readers = new Set<() => Promise<void>>();
  let reading: Promise<unknown> | undefined;
  /** Reads once for all gauges of a report. On failure the last values are reported. */
  const collect = async (): Promise<void> => {
    reading ??= Promise.allSettled(Array.from(readers, (read) => read())).finally(() => {
      reading = undefined;
    });
    await reading;
  };
  const registers = [registry];
  const seconds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
  ];
  return {
    registry,
    /**
     * Calls `read` before gauges are reported. Returns a function that unregisters it.
     */
    onRead(read: () => Promise<void>): () => void {
      readers.add(read);
      return () => void readers.delete(read);
    },
    requests: new Counter({
      name: "quarry_http_requests_total",
      help: "Requests answered, by route and status.",
      labelNames: ["route", "status"],
      registers,
    }),
    requestSeconds: new Histogram({
      name: "quarry_http_request_seconds",
      help: "Time to answer, by route.",
      labelNames: ["route"],
      buckets: seconds,
      registers,
    }),
    acceptSeconds: new Histogram({
      name: "quarry_http_accept_seconds",
      help: "Time a new connection waits to be accepted; measured every 5 s with a connection of its own.",
      buckets: seconds,
      registers,
    }),
    scrapes: new Counter({
      name: "quarry_scrapes_total",
      help: "Scrapes finished, by outcome (ok or error code) and engine.",
      labelNames: ["outcome", "engine"],
      registers,
    }),
    stepSeconds: new Histogram({
      name: "quarry_scrape_step_seconds",
      help: "Time of each step of a scrape.",
      labelNames: ["step"],
      buckets: seconds,
      registers,
    }),
    monitorChecks: new Counter({
      name: "quarry_monitor_checks_total",
      help: "Checks of monitors, by status.",
      labelNames: ["status"],
      registers,
    }),
    monitorLag: new Histogram({
      name: "quarry_monitor_lag_seconds",
      help: "Time from the planned start of a scheduled check to its start.",
      buckets: [1, 2, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600],
      registers,
    }),
    monitorDeliveries: new Counter({
      name: "quarry_monitor_deliveries_total",
      help: "Attempts to deliver notifications of monitors, by outcome (delivered, retry, failed).",
      labelNames: ["outcome"],
      registers,
    }),
    monitorsDue: new Gauge({
      name: "quarry_monitors_due",
      help: "Scheduled checks whose time has come and that have not started, over all processes.",
      registers,
      collect,
    }),
    monitorsBroken: new Gauge({
      name: "quarry_monitors_broken",
      help: "Monitors whose last check could not read a page.",
      registers,
      collect,
    }),
    monitorNoticesWaiting: new Gauge({
      name: "quarry_monitor_notifications_waiting",
      help: "Notifications of monitors waiting to be delivered or retried, over all processes.",
      registers,
      collect,
    }),
    attempts: new Counter({
      name: "quarry_engine_attempts_total",
      help: "Attempts of each engine (cache, http, browser, document), by outcome: the verdict on the page, hit, miss, parsed, unsuitable, or an error code.",
      labelNames: ["engine", "outcome"],
      registers,
    }),
    attemptSeconds: new Histogram({
      name: "quarry_engine_attempt_seconds",
      help: "Time of an attempt with its conversion, by engine.",
      labelNames: ["engine"],
      buckets: seconds,
      registers,
    }),
    browserPages: new Gauge({
      name: "quarry_browser_pages",
      help: "Browser pages of this process, by state: active (serving a URL), idle (open for the next URL of a job) or waiting (URLs without a page).",
      labelNames: ["state"],
      registers,
      collect,
    }),
    browserPagesMax: new Gauge({
      name: "quarry_browser_pages_max",
      help: "Limit of active browser pages; 0 without a browser.",
      registers,
      collect,
    }),
    browserProcesses: new Gauge({
      name: "quarry_browser_processes",
      help: "Browsers that run, with those that end after their last page.",
      registers,
      collect,
    }),
    browserStarts: new Counter({
      name: "quarry_browser_starts_total",
      help: "Starts of a browser, by outcome (started or failed).",
      labelNames: ["outcome"],
      registers,
    }),
    scrapesActive: new Gauge({
      name: "quarry_scrapes_active",
      help: "Scrapes in progress.",
      registers,
    }),
    scrapesWaiting: new Gauge({
      name: "quarry_scrapes_waiting",
      help: "Scrapes waiting for a slot.",
      registers,
    }),
    fetchedBytes: new Counter({
      name: "quarry_fetched_bytes_total",
      help: "Bytes of response bodies after decoding.",
      registers,
    }),
    egressRefused: new Counter({
      name: "quarry_egress_refused_total",
      help: "Connections refused by the egress gate.",
      registers,
    }),
    jobPages: new Counter({
      name: "quarry_job_pages_total",
      help: "Pages of crawls and batches ended by this process, by fate in the ledger.",
      labelNames: ["fate"],
      registers,
    }),
    jobsEnded: new Counter({
      name: "quarry_jobs_ended_total",
      help: "Jobs that ended, by kind and state (completed, failed or cancelled).",
      labelNames: ["kind", "state"],
      registers,
    }),
    jobsRunning: new Gauge({
      name: "quarry_jobs_running",
      help: "Crawls and batches that run, over all processes.",
      labelNames: ["kind"],
      registers,
      collect,
    }),
    frontier: new Gauge({
      name: "quarry_frontier_urls",
      help: "URLs of running jobs over all processes, by state: waiting, active (being fetched) or held (beyond the limit).",
      labelNames: ["kind", "state"],
      registers,
      collect,
    }),
    jobSlots: new Gauge({
      name: "quarry_job_slots",
      help: "Pages of jobs that this process fetches at a time; 0 in a process that works on no jobs.",
      registers,
    }),
    queueAge: new Gauge({
      name: "quarry_queue_age_seconds",
      help: "Age of the oldest URL that waits to be fetched, over all processes; 0 without any.",
      labelNames: ["kind"],
      registers,
      collect,
    }),
    hostsPaused: new Gauge({
      name: "quarry_hosts_paused",
      help: "Hosts from which this process fetches nothing now because they answered 429 or 503, by work (crawl or agent).",
      labelNames: ["work"],
      registers,
      collect,
    }),
    hostPauseSeconds: new Gauge({
      name: "quarry_host_pause_seconds",
      help: "Time left of the longest pause of a host, by work (crawl or agent).",
      labelNames: ["work"],
      registers,
      collect,
    }),
    hostBackoffs: new Counter({
      name: "quarry_host_backoffs_total",
      help: "Pauses that hosts asked for, by status code (429 or 503).",
      labelNames: ["status"],
      registers,
    }),
    databaseBytes: new Gauge({
      name: "quarry_database_bytes",
      help: "Size of the database.",
      registers,
      collect,
    }),
    checkpointAge: new Gauge({
      name: "quarry_database_checkpoint_age_seconds",
      help: "Time since the last checkpoint of the database. It grows while nothing is written.",
      registers,
      collect,
    }),
    logBytes: new Gauge({
      name: "quarry_database_log_bytes",
      help: "Bytes of the write-ahead log since the last checkpoint, which a start after a crash replays.",
      registers,
      collect,
    }),
    blobBytes: new Gauge({
      name: "quarry_blob_bytes",
      help: "Stored bytes of all blobs, measured in the background at most every 10 minutes.",
      registers,
      collect,
    }),
    blobs: new Gauge({
      name: "quarry_blobs",
      help: "Number of blobs, measured with their bytes.",
      registers,
      collect,
    }),
    webhooksWaiting: new Gauge({
      name: "quarry_webhook_events_waiting",
      help: "Events waiting to be delivered or retried, over all processes.",
      registers,
      collect,
    }),
    webhookAttempts: new Counter({
      name: "quarry_webhook_attempts_total",
      help: "Attempts to deliver an event, by outcome (delivered, retry or failed).",
      labelNames: ["outcome"],
      registers,
    }),
    modelCalls: new Counter({
      name: "quarry_model_calls_total",
      help: "Calls to language models, by model and outcome (stop, length, tools, refused or failed).",
      labelNames: ["model", "outcome"],
      registers,
    }),
    modelTokens: new Counter({
      name: "quarry_model_tokens_total",
      help: "Tokens that language models counted, by model and direction (input or output).",
      labelNames: ["model", "direction"],
      registers,
    }),
    credits: new Counter({ name: "quarry_credits_total", help: "Credits charged.", registers }),
  };
}

export type Metrics = ReturnType<typeof createMetrics>;
