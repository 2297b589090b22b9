// Current load of the server, read every few seconds, with its history.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { send, toApiError } from "../../data/api.ts";
import { formatBytes, formatDuration, formatNumber, formatShare } from "../../data/format.ts";
import {
  parseMetrics,
  computeQuantile,
  computeSum,
  sumsBy,
  type Metrics,
} from "../../data/metrics.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { meter, tiles } from "../../ui/values.ts";
import { FATE_COLORS, FATE_WORDS } from "../jobs/job-facts.ts";
import { LoadCharts } from "./load-charts.ts";
import { findClockOffset, type LiveReading } from "./load-points.ts";

const REFRESH_MS = 4_000;
const MAX_READINGS = 450;
const COLORS = ["green", "blue", "violet", "amber", "red", "gray"];
const OUTCOME_COLORS: Readonly<Record<string, string>> = {
  ok: "green",
  content: "green",
  failed: "red",
  error: "red",
};

/** The server's clock is compared once: times between readings are those of the browser's clock. */
let clockOffset: number | undefined;

async function read(signal: AbortSignal): Promise<LiveReading> {
  const response = await send("GET", "/metrics", { signal });
  if (!response.ok) throw await toApiError(response);
  clockOffset ??= findClockOffset(response.headers.get("date"), Date.now());
  return { at: Date.now() + clockOffset, metrics: parseMetrics(await response.text()) };
}

function shares(
  title: string,
  sums: readonly (readonly [string, number])[],
  colorOf: (name: string, index: number) => string,
  wordOf: (name: string) => string = (name) => name,
): VNode {
  const total = sums.reduce((sum, [, value]) => sum + value, 0);
  return dom.section(
    { class: "panel" },
    dom.div(
      { class: "panel-head" },
      dom.h2({ class: "grow" }, title),
      dom.span({ class: "small faint num" }, formatNumber(total)),
    ),
    dom.div(
      { class: "panel-body stack" },
      total === 0
        ? dom.p({ class: "small soft" }, "None since the server started.")
        : [
            meter(
              sums.map(([name, value], index) => ({
                share: value / total,
                color: colorOf(name, index),
                label: wordOf(name),
              })),
              `${title}: ${sums.map(([name, value]) => `${value} ${wordOf(name)}`).join(", ")}`,
            ),
            dom.ul(
              { class: "share-list" },
              ...sums
                .slice(0, 8)
                .map(([name, value], index) =>
                  dom.li(
                    { key: name },
                    dom.span({ class: `dot fill-${colorOf(name, index)}` }),
                    dom.span({ class: "grow truncate" }, wordOf(name)),
                    dom.span({ class: "num" }, formatNumber(value)),
                    dom.span({ class: "num faint share" }, formatShare(value, total)),
                  ),
                ),
            ),
          ],
    ),
  );
}

const seconds = (value: number | undefined): string =>
  value === undefined ? "–" : formatDuration(value * 1_000);

function routeTable(metrics: Metrics): VNode {
  const name = "quarry_http_request_seconds";
  const routes = sumsBy(metrics, `${name}_count`, "route").filter(
    ([route]) => route.startsWith("/v") || route.startsWith("/mcp"),
  );
  return dom.section(
    { class: "panel table-wrap" },
    dom.div({ class: "panel-head" }, dom.h2(null, "Routes since the start")),
    routes.length === 0
      ? dom.p({ class: "panel-body small soft" }, "No API requests yet.")
      : dom.table(
          { class: "table" },
          dom.caption({ class: "visually-hidden" }, "Requests by route"),
          dom.thead(
            null,
            dom.tr(
              null,
              ...["Route", "Requests", "p50", "p95", "p99"].map((column, at) =>
                dom.th({ key: column, scope: "col", class: at === 0 ? "" : "end" }, column),
              ),
            ),
          ),
          dom.tbody(
            null,
            ...routes
              .slice(0, 20)
              .map(([route, count]) =>
                dom.tr(
                  { key: route },
                  dom.td({ class: "mono tiny" }, route),
                  dom.td({ class: "num end" }, formatNumber(count)),
                  ...[0.5, 0.95, 0.99].map((quantile) =>
                    dom.td(
                      { key: quantile, class: "num end" },
                      seconds(computeQuantile(metrics, name, quantile, { route })),
                    ),
                  ),
                ),
              ),
          ),
        ),
  );
}

export function Overview(): VNode {
  const [readings, setReadings] = useState<readonly LiveReading[]>([]);
  const [fault, setFault] = useState<Error>();
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async (): Promise<void> => {
      try {
        if (!document.hidden) {
          const reading = await read(controller.signal);
          setReadings((before) => [...before.slice(1 - MAX_READINGS), reading]);
          setFault(undefined);
        }
      } catch (error) {
        if (!controller.signal.aborted)
          setFault(error instanceof Error ? error : new Error(String(error)));
      }
      if (!controller.signal.aborted) timer = setTimeout(() => void again(), REFRESH_MS);
    };
    void again();
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, []);
  const latest = readings.at(-1);
  if (latest === undefined)
    return fault === undefined
      ? dom.div(
          { class: "stack gap-l" },
          dom.div({ class: "panel panel-body" }, skeleton(3)),
          dom.div({ class: "panel panel-body" }, skeleton(6)),
        )
      : errorBox(fault);
  const { metrics, at } = latest;
  const scrapeTime = (quantile: number): string =>
    seconds(
      computeQuantile(metrics, "quarry_http_request_seconds", quantile, { route: "/v2/scrape" }),
    );
  const scrapes = computeSum(metrics, "quarry_scrapes_total");
  const cached = computeSum(metrics, "quarry_scrapes_total", { engine: "cache" });
  const started = computeSum(metrics, "process_start_time_seconds") * 1_000;
  return dom.div(
    { class: "stack gap-l" },
    fault !== undefined && errorBox(fault),
    tiles(
      {
        label: "In progress",
        value: formatNumber(computeSum(metrics, "quarry_scrapes_active")),
        note: `${formatNumber(computeSum(metrics, "quarry_scrapes_waiting"))} waiting`,
      },
      {
        label: "Scrapes",
        value: formatNumber(scrapes),
        note: `${formatShare(cached, scrapes)} from the cache`,
      },
      {
        label: "Jobs running",
        value: formatNumber(computeSum(metrics, "quarry_jobs_running")),
        note: `${formatNumber(computeSum(metrics, "quarry_frontier_urls", { state: "waiting" }))} URLs queued`,
      },
      {
        label: "Scrape, median",
        value: scrapeTime(0.5),
        note: `p95 ${scrapeTime(0.95)}`,
      },
      {
        label: "Fetched",
        value: formatBytes(computeSum(metrics, "quarry_fetched_bytes_total")),
        note: `${formatNumber(computeSum(metrics, "quarry_credits_total"))} credits`,
      },
      {
        label: "Memory",
        value: formatBytes(computeSum(metrics, "process_resident_memory_bytes")),
        note: `loop lag p99 ${seconds(computeSum(metrics, "nodejs_eventloop_lag_p99_seconds"))}`,
      },
      {
        label: "Uptime",
        value: formatDuration(at - started),
        note: `${formatNumber(computeSum(metrics, "quarry_egress_refused_total"))} refused by egress`,
      },
    ),
    create(LoadCharts, { readings, clockOffset: clockOffset ?? 0 }),
    dom.div(
      { class: "columns three" },
      shares(
        "Outcomes of scrapes",
        sumsBy(metrics, "quarry_scrapes_total", "outcome"),
        (name, index) => OUTCOME_COLORS[name] ?? COLORS[(index + 3) % COLORS.length] ?? "gray",
      ),
      shares(
        "Engines",
        sumsBy(metrics, "quarry_scrapes_total", "engine"),
        (_name, index) => COLORS[index % COLORS.length] ?? "gray",
      ),
      shares(
        "Pages of jobs",
        sumsBy(metrics, "quarry_job_pages_total", "fate"),
        (name) => FATE_COLORS[name] ?? "gray",
        (name) => FATE_WORDS[name] ?? name,
      ),
    ),
    routeTable(metrics),
  );
}
