import type uPlot from "uplot";
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { isDark } from "../data/theme.ts";
import { create, dom } from "./dom.ts";

export type Series = {
  readonly label: string;
  readonly color: string;
  readonly values: readonly (number | null)[];
};

export type LineChartProps = {
  readonly label: string;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly series: readonly Series[];
  readonly height?: number;
  readonly format?: (value: number) => string;
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

function LineChart({ label, times, series, height = 150, format = String }: LineChartProps): VNode {
  const element = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot>(undefined);
  const [Plot, setPlot] = useState<typeof uPlot>();
  const [isMissing, setMissing] = useState(false);
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
        scales: { y: { range: (_chart, _low, high) => [0, Math.max(1, high * 1.1)] } },
        axes: [
          { ...axis, space: 80 },
          { ...axis, size: 52, values: (_chart, splits) => splits.map(format) },
        ],
        series: [
          {},
          ...series.map(({ label: name, color }) => ({
            label: name,
            stroke: readColor(color),
            width: 1.5,
            points: { show: false },
          })),
        ],
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
  return dom.div(
    {
      class: "chart",
      ref: element,
      role: "img",
      "aria-label": label,
      style: { minHeight: `${height}px` },
    },
    isMissing && dom.span({ class: "tiny faint" }, "This browser cannot draw the chart."),
  );
}

/** A chart, or its placeholder until there are two points. */
export const lineChart = (props: LineChartProps): VNode =>
  props.times.length < 2
    ? dom.div(
        { class: "chart-place tiny faint", style: { height: `${props.height ?? 150}px` } },
        "The chart begins in a few seconds.",
      )
    : create(LineChart, props);
