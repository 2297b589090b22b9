import type uPlot from "uplot";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { formatLocalSeconds } from "../data/format.ts";
import { isDark } from "../data/theme.ts";
import { create, dom } from "./dom.ts";
import { findLonePoints } from "./lone-points.ts";

export type Series = {
  readonly label: string;
  readonly color: string;
  /** Null leaves a gap in the line. */
  readonly values: readonly (number | null)[];
};

export type LineChartProps = {
  readonly label: string;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height?: number;
  readonly format?: (value: number) => string;
  /** First and last time on the axis in seconds; by default those of the points. */
  readonly range?: readonly [from: number, to: number];
  /** The smallest value at the top of the axis. */
  readonly minTop?: number;
  /** Names the lines above the chart, with the latest values or those below the pointer. */
  readonly hasLegend?: boolean;
  /** Shown until there are two points. */
  readonly emptyText?: string;
};

/** Resolves a color of the tokens for the canvas. */
function readColor(name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(--${name})`;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

/**
 * Loaded with the first chart. It fails in browsers with an invalid language tag; the numbers are
 * shown beside every chart.
 */
const loadPlot = async (): Promise<typeof uPlot> => (await import("uplot")).default;

/** Lines of several sources may lack their last points for a moment. */
const LATEST_POINTS = 3;

/** The names of the lines with their values at a point; without one the latest values. */
function legend({ series, times, format = String }: LineChartProps, at: number | undefined): VNode {
  const time = at === undefined ? undefined : times[at];
  const valueOf = ({ values }: Series): string => {
    const value =
      at === undefined
        ? values.slice(-LATEST_POINTS).findLast((one) => one !== null)
        : (values[at] ?? undefined);
    return value === undefined || value === null ? "–" : format(value);
  };
  return dom.div(
    { class: "row wrap tiny soft chart-legend" },
    ...series.map((one) =>
      dom.span(
        { key: one.label, class: "row" },
        dom.span({ class: `dot fill-${one.color}`, "aria-hidden": true }),
        `${one.label} ${valueOf(one)}`,
      ),
    ),
    time !== undefined && dom.span({ class: "faint num" }, formatLocalSeconds(time * 1_000)),
  );
}

function LineChart(props: LineChartProps): VNode {
  const {
    label,
    times,
    series,
    height = 150,
    format = String,
    hasLegend = false,
    minTop = 1,
  } = props;
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const range = useRef(props.range);
  range.current = props.range;
  const [Plot, setPlot] = useState<typeof uPlot>();
  const [isMissing, setMissing] = useState(false);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    loadPlot().then(
      (loaded) => setPlot(() => loaded),
      () => setMissing(true),
    );
  }, []);
  const data = [
    times as number[],
    ...series.map(({ values }) => values as (number | null)[]),
  ] as uPlot.AlignedData;
  useEffect(() => {
    const box = element.current;
    if (box === null || Plot === undefined) return undefined;
    const [line, ink] = [readColor("line"), readColor("text-3")];
    const axis = {
      stroke: ink,
      grid: { stroke: line, width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const made = new Plot(
      {
        width: Math.max(200, box.clientWidth),
        height,
        legend: { show: false },
        cursor: { points: { size: 6 }, drag: { x: false, y: false } },
        padding: [8, 8, 0, 0],
        scales: {
          x: { range: (_chart, low, high) => [...(range.current ?? [low, high])] },
          y: { range: (_chart, _low, high) => [0, Math.max(minTop, high * 1.1)] },
        },
        axes: [
          { ...axis, space: 80, size: 40 },
          { ...axis, size: 52, values: (_chart, splits) => splits.map(format) },
        ],
        series: [
          {},
          ...series.map(({ label: name, color }) => ({
            label: name,
            stroke: readColor(color),
            width: 1.5,
            points: {
              show: true,
              size: 4,
              fill: readColor(color),
              // A line needs two neighbors.
              filter: (plot: uPlot, at: number) => findLonePoints(plot.data[at] ?? []),
            },
          })),
        ],
        hooks: { setCursor: [({ cursor }) => setPointed(cursor.idx ?? undefined)] },
      },
      data,
      box,
    );
    chart.current = made;
    const observer = new ResizeObserver(() =>
      made.setSize({ width: Math.max(200, box.clientWidth), height }),
    );
    observer.observe(box);
    return () => {
      observer.disconnect();
      made.destroy();
    };
  }, [Plot, isDark(), series.map(({ label: name }) => name).join(), height]);
  useEffect(() => chart.current?.setData(data), [times, series]);
  const picture = dom.div(
    {
      class: "chart",
      ref: element,
      role: "img",
      "aria-label": label,
      style: { minHeight: `${height}px` },
    },
    isMissing && dom.span({ class: "tiny faint" }, "This browser cannot draw the chart."),
  );
  return hasLegend ? dom.div({ class: "stack tight" }, legend(props, pointed), picture) : picture;
}

/** A chart, or its placeholder until there are two points. */
export const lineChart = (props: LineChartProps): VNode =>
  props.times.length < 2
    ? dom.div(
        { class: "chart-place tiny faint", style: { height: `${props.height ?? 150}px` } },
        props.emptyText ?? "The chart begins in a few seconds.",
      )
    : create(LineChart, props);
