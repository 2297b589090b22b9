// The load over time: the history that the server keeps, and the readings since this screen was opened.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatBytes, formatDecimal, formatDuration, formatLocal } from "../../data/format.ts";
import { hasScope } from "../../data/session.ts";
import { place, setQuery } from "../../router.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox } from "../../ui/feedback.ts";
import { segments } from "../../ui/fields.ts";
import { lineChart } from "../../ui/line-chart.ts";
import {
  joinPoints,
  readGauges,
  readRates,
  readStorage,
  toBrowser,
  toMemory,
  toQueueAge,
  toRates,
  toStorage,
  type LiveGauge,
  type LiveReading,
  type LoadHistory,
  type LoadPoint,
} from "./load-points.ts";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const RANGES = [
  { value: "1h", label: "1 hour", ms: HOUR_MS },
  { value: "6h", label: "6 hours", ms: 6 * HOUR_MS },
  { value: "24h", label: "24 hours", ms: 24 * HOUR_MS },
  { value: "7d", label: "7 days", ms: 7 * 24 * HOUR_MS },
  { value: "30d", label: "30 days", ms: 30 * 24 * HOUR_MS },
] as const;
type Range = (typeof RANGES)[number];
const MAX_RELOAD_MS = 5 * MINUTE_MS;

const NO_HISTORY: LoadHistory = { stepMs: MINUTE_MS, processes: [], service: [] };
const PROCESS_COLORS = ["violet", "blue", "accent", "amber", "red", "gray"] as const;

type HistoryState = {
  readonly range: Range;
  readonly loaded: LoadHistory;
};

/** Loads the history of the range, and again once a period, which replaces live readings. */
function useHistory(
  range: Range,
  clockOffset: number,
): {
  readonly history: LoadHistory | undefined;
  readonly fault: Error | undefined;
  readonly retry: () => void;
} {
  const [state, setState] = useState<HistoryState>();
  const [fault, setFault] = useState<Error>();
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (!hasScope("admin")) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = async (): Promise<void> => {
      let stepMs = MINUTE_MS;
      try {
        if (!document.hidden) {
          const query = { from: Date.now() + clockOffset - range.ms };
          const { data } = await call<{ data: LoadHistory }>("GET", "/admin/history", {
            query,
            signal,
          });
          stepMs = data.stepMs;
          setState({ range, loaded: data });
          setFault(undefined);
        }
      } catch (error) {
        if (!signal.aborted) setFault(error instanceof Error ? error : new Error(String(error)));
      }
      if (signal.aborted) return;
      timer = setTimeout(() => void again(), Math.min(MAX_RELOAD_MS, stepMs));
    };
    const onVisible = (): void => {
      if (document.hidden) return;
      clearTimeout(timer);
      void again();
    };
    document.addEventListener("visibilitychange", onVisible);
    void again();
    return () => {
      controller.abort();
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [range, clockOffset, turn]);
  return {
    history: state?.range === range ? state.loaded : undefined,
    fault,
    retry: () => setTurn((count) => count + 1),
  };
}

type Line = readonly [label: string, color: string];

type Chart = {
  readonly title: string;
  readonly format: (value: number) => string;
  readonly minTop?: number;
  readonly lines: readonly Line[];
  readonly stored: readonly LoadPoint[];
  readonly live: readonly LoadPoint[];
};

/** Live readings are of one process: with others beside it they continue only what all share. */
function buildCharts(history: LoadHistory, readings: readonly LiveReading[]): Chart[] {
  const own = history.processes.length > 1 ? [] : readings;
  const gauges = (...given: LiveGauge[]): LoadPoint[] => readGauges(own, given);
  const memory = toMemory(history);
  const names = memory.labels.length === 0 ? ["memory"] : memory.labels;
  return [
    {
      title: "Scrapes and pages a second",
      format: formatDecimal,
      lines: [
        ["scrapes", "accent"],
        ["pages of jobs", "blue"],
      ],
      stored: toRates(history),
      live: readRates(own, ["quarry_scrapes_total", "quarry_job_pages_total"]),
    },
    {
      title: "Memory",
      format: formatBytes,
      lines: names.map((name, at): Line => [name, PROCESS_COLORS[at] ?? "gray"]),
      stored: memory.points,
      live: gauges(["process_resident_memory_bytes"]),
    },
    {
      title: "Browser pages",
      format: formatDecimal,
      lines: [
        ["in use", "accent"],
        ["waiting", "amber"],
      ],
      stored: toBrowser(history),
      live: gauges(
        ["quarry_browser_pages", { state: "active" }],
        ["quarry_browser_pages", { state: "waiting" }],
      ),
    },
    {
      title: "Queue age",
      format: formatDuration,
      minTop: 1_000,
      lines: [
        ["crawls", "blue"],
        ["batches", "violet"],
      ],
      stored: toQueueAge(history),
      live: readGauges(readings, [
        ["quarry_queue_age_seconds", { kind: "crawl" }, 1_000],
        ["quarry_queue_age_seconds", { kind: "batch_scrape" }, 1_000],
      ]),
    },
    {
      title: "Storage",
      format: formatBytes,
      lines: [
        ["database", "violet"],
        ["files", "accent"],
      ],
      stored: toStorage(history),
      live: readStorage(readings, history),
    },
  ];
}

const findFirstAt = ({ service, processes }: LoadHistory): number =>
  Math.min(
    service[0]?.at ?? Infinity,
    ...processes.map(({ samples }) => samples[0]?.at ?? Infinity),
  );

/** What the charts show, in words. */
function describeHistory(history: LoadHistory | undefined, from: number): string {
  if (!hasScope("admin"))
    return "The charts start when you open this screen. Keys with the scope admin see the stored history.";
  if (history === undefined) return "Loading the history…";
  const firstAt = findFirstAt(history);
  const { stepMs } = history;
  const step =
    stepMs === MINUTE_MS
      ? "One sample a minute."
      : `Highest value of each ${stepMs / MINUTE_MS} minutes; rates are averages.`;
  if (firstAt === Infinity)
    return "No samples in this range. The server takes the first one at its start and then one a minute.";
  return firstAt - from > 2 * stepMs ? `${step} First sample: ${formatLocal(firstAt)}.` : step;
}

function chartPanel(
  { title, format, minTop = 1, lines, stored, live }: Chart,
  { from, to, stepMs }: { readonly from: number; readonly to: number; readonly stepMs: number },
): VNode {
  const { times, lines: values } = joinPoints(stored, live, { from, stepMs, lines: lines.length });
  return dom.section(
    { key: title, class: "panel" },
    dom.div({ class: "panel-head" }, dom.h2(null, title)),
    dom.div(
      { class: "panel-body" },
      lineChart({
        label: title,
        times,
        series: lines.map(([label, color], at) => ({ label, color, values: values[at] ?? [] })),
        format,
        minTop,
        hasLegend: true,
        emptyText: "The chart begins with the second sample, in a few seconds.",
        // Without a stored history the readings fill the width.
        ...(stored.length > 0 && { range: [from / 1_000, to / 1_000] as const }),
      }),
    ),
  );
}

export type LoadChartsProps = {
  /** Those of this screen, ascending. */
  readonly readings: readonly LiveReading[];
  /** Milliseconds by which the server's clock is ahead. */
  readonly clockOffset: number;
};

export function LoadCharts({ readings, clockOffset }: LoadChartsProps): VNode {
  const asked = place.value.query.get("range");
  const range = RANGES.find(({ value }) => value === asked) ?? RANGES[0];
  const { history, fault, retry } = useHistory(range, clockOffset);
  const to = readings.at(-1)?.at ?? Date.now() + clockOffset;
  const from = to - range.ms;
  const shown = history ?? NO_HISTORY;
  const frame = { from, to, stepMs: shown.stepMs };
  const [rates, memory, ...rest] = buildCharts(shown, readings).map((chart) =>
    chartPanel(chart, frame),
  );
  return dom.div(
    { class: "stack" },
    dom.div(
      { class: "row wrap" },
      dom.h2(null, "Load over time"),
      dom.span({ class: "small soft grow", role: "status" }, describeHistory(history, from)),
      hasScope("admin") &&
        segments({
          label: "Range",
          value: range.value,
          options: RANGES,
          onChange: (value) => setQuery({ range: value === "1h" ? undefined : value }),
        }),
    ),
    fault !== undefined && errorBox(fault, retry),
    dom.div({ class: "columns" }, rates, memory),
    dom.div({ class: "columns three" }, ...rest),
  );
}
