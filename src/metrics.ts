import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** Every counter and timing of the service, in one place; served at /metrics in Prometheus text form. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const seconds = [
    0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120,
  ];
  return {
    registry,
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
    scrapesActive: new Gauge({
      name: "quarry_scrapes_active",
      help: "Scrapes in work.",
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
