// Usage over time as bars, divided by key, outcome or engine; of all keys or of one.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatBytes, formatDuration, formatNumber } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { segments, select } from "../../ui/fields.ts";
import { useLoad } from "../../ui/use-load.ts";
import {
  buildUsageTable,
  byEngine,
  byKey,
  byOutcome,
  findFirstStart,
  listKeys,
  ofKey,
  type UsageColumn,
  type UsagePart,
  type UsagePeriod,
  type UsageTable,
  type UsageUnit,
} from "./usage-periods.ts";

const UNITS: readonly { readonly value: UsageUnit; readonly label: string }[] = [
  { value: "hour", label: "24 hours" },
  { value: "day", label: "31 days" },
  { value: "week", label: "26 weeks" },
  { value: "month", label: "12 months" },
];

type Measure = {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly divide: (period: UsagePeriod) => readonly UsagePart[];
  readonly format: (value: number) => string;
  /**
   * Ids of the parts from the bottom up; they are not keys, so periods of the whole account are
   * read. Without it the largest key is at the bottom.
   */
  readonly order?: readonly string[];
};

/** The median below, what the 95th percentile takes more above it. */
function divideLatency({ latency: { p50, p95 } }: UsagePeriod): readonly UsagePart[] {
  if (p50 === null || p95 === null) return [];
  return [
    { id: "p50", name: "p50", value: p50 },
    { id: "p95", name: "p95", value: Math.max(0, p95 - p50) },
  ];
}

const MEASURES: readonly Measure[] = [
  {
    id: "credits",
    label: "Credits",
    unit: "credits",
    divide: byKey(({ creditsUsed }) => creditsUsed),
    format: formatNumber,
  },
  {
    id: "pages",
    label: "Pages",
    unit: "pages",
    divide: byKey(({ pages }) => pages),
    format: formatNumber,
  },
  {
    id: "outcomes",
    label: "Outcomes",
    unit: "pages",
    divide: byOutcome,
    format: formatNumber,
    order: ["content", "blocked", "thin", "failed"],
  },
  {
    id: "cache",
    label: "Cache hits",
    unit: "pages from the cache",
    divide: byKey(({ cacheHits }) => cacheHits),
    format: formatNumber,
  },
  {
    id: "engines",
    label: "Engines",
    unit: "pages",
    divide: byEngine,
    format: formatNumber,
    order: ["http", "browser", "document", "cache", "none"],
  },
  {
    id: "browser",
    label: "Browser",
    unit: "pages rendered",
    divide: byKey(({ browserPages }) => browserPages),
    format: formatNumber,
  },
  {
    id: "bytes",
    label: "Bytes",
    unit: "fetched",
    divide: byKey(({ bytes }) => bytes),
    format: formatBytes,
  },
  {
    id: "latency",
    label: "Latency",
    unit: "for 95 of 100 pages",
    divide: divideLatency,
    format: formatDuration,
    order: ["p50", "p95"],
  },
];

/** No id of a key. */
const ALL_KEYS = "all";
const COLORS = ["accent", "blue", "amber", "violet", "red", "gray"];
const PART_COLORS: Readonly<Record<string, string>> = {
  content: "green",
  blocked: "amber",
  thin: "gray",
  failed: "red",
  http: "blue",
  browser: "violet",
  document: "amber",
  cache: "green",
  none: "gray",
  p50: "blue",
  p95: "violet",
};

const colorOf = (id: string, at: number): string => PART_COLORS[id] ?? COLORS[at] ?? "gray";

/** The part of a start that tells neighboring bars apart. */
const nameStart = (start: string, unit: UsageUnit): string =>
  unit === "hour" ? start.slice(11, 13) : unit === "month" ? start.slice(5, 7) : start.slice(8, 10);

const describeStart = (start: string, unit: UsageUnit): string =>
  unit === "hour"
    ? `${start.slice(0, 10)} ${start.slice(11, 16)}`
    : unit === "month"
      ? start.slice(0, 7)
      : start.slice(0, 10);

function bar(
  { start, total, parts }: UsageColumn,
  { series }: UsageTable,
  { unit, measure, most }: { unit: UsageUnit; measure: Measure; most: number },
): VNode {
  const lines = series.flatMap(({ name }, at) =>
    (parts[at] ?? 0) > 0 ? [`${name}: ${measure.format(parts[at] ?? 0)}`] : [],
  );
  const text = `${describeStart(start, unit)}: ${measure.format(total)} ${measure.unit}`;
  return dom.li(
    { key: start, title: [text, ...lines].join("\n") },
    dom.span({ class: "visually-hidden" }, [text, ...lines].join(", ")),
    dom.span(
      {
        class: "bar bar-stack",
        // The longest bar and its name below fill the height.
        style: {
          height: `calc(2px + ${(total / most).toFixed(3)} * (100% - 4px - var(--bar-name)))`,
        },
        "aria-hidden": true,
      },
      ...parts.flatMap((part, at) =>
        part === 0
          ? []
          : [
              dom.span({
                key: at,
                class: `fill-${colorOf(series[at]?.id ?? "", at)}`,
                style: { flexGrow: String(part) },
              }),
            ],
      ),
    ),
    dom.span({ class: "bar-name", "aria-hidden": true }, nameStart(start, unit)),
  );
}

const legend = ({ series }: UsageTable, { format, id: measure }: Measure): VNode =>
  dom.ul(
    { class: "legend" },
    ...series.map(({ id, name, total }, at) =>
      dom.li(
        { key: id },
        dom.span({ class: `dot fill-${colorOf(id, at)}`, "aria-hidden": true }),
        dom.span({ class: "truncate", dir: "auto", title: name }, name),
        measure !== "latency" && dom.span({ class: "num" }, format(total)),
      ),
    ),
  );

async function load(unit: UsageUnit, signal: AbortSignal) {
  const now = Date.now();
  const query = { unit, since: findFirstStart(now, unit) };
  const read = async (given: object): Promise<readonly UsagePeriod[]> =>
    (
      await call<{ periods: readonly UsagePeriod[] }>("GET", "/v2/team/usage", {
        query: { ...query, ...given },
        signal,
      })
    ).periods;
  const [keys, whole] = await Promise.all([read({ byApiKey: true }), read({})]);
  return { unit, now, keys, whole };
}

function chart(
  { unit, now, keys, whole }: Awaited<ReturnType<typeof load>>,
  measure: Measure,
  keyId: string | undefined,
): VNode {
  const ofAll = measure.order === undefined ? keys : whole;
  const periods = keyId === undefined ? ofAll : ofKey(keys, keyId);
  const table = buildUsageTable(periods, { unit, now, order: measure.order }, measure.divide);
  const longest = Math.max(0, ...table.columns.map(({ total }) => total));
  return dom.div(
    { class: "stack" },
    dom.div(
      null,
      longest > 0 &&
        dom.div(
          { class: "bars-scale tiny faint num", "aria-hidden": true },
          `${measure.format(longest)} ${measure.unit}`,
        ),
      dom.ol(
        { class: "bars", "aria-label": `${measure.label} over time` },
        ...table.columns.map((column) =>
          bar(column, table, { unit, measure, most: Math.max(1, longest) }),
        ),
      ),
    ),
    table.series.length === 0
      ? dom.p({ class: "small soft" }, "No usage in this period.")
      : legend(table, measure),
  );
}

export function UsageChart(): VNode {
  const [unit, setUnit] = useState<UsageUnit>("day");
  const [shown, setShown] = useState("credits");
  const loaded = useLoad((signal) => load(unit, signal), [unit]);
  const [chosen, setChosen] = useState(ALL_KEYS);
  const keys = listKeys(loaded.value?.keys ?? []);
  const keyId = keys.find(({ id }) => id === chosen)?.id;
  const measure = MEASURES.find(({ id }) => id === shown) ?? (MEASURES[0] as Measure);
  return dom.section(
    { class: "panel" },
    dom.div(
      { class: "panel-head wrap" },
      dom.h2(null, "Usage over time"),
      dom.span({ class: "tiny faint" }, "UTC"),
      dom.span({ class: "grow" }),
      keys.length > 1 &&
        dom.div(
          { class: "key-choice" },
          select({
            "aria-label": "Key",
            value: keyId ?? ALL_KEYS,
            options: [
              { value: ALL_KEYS, label: "All keys" },
              ...keys.map(({ id, name }) => ({ value: id, label: name })),
            ],
            onChange: setChosen,
          }),
        ),
      segments({
        label: "Period",
        value: unit,
        options: UNITS,
        onChange: (value) => setUnit(value as UsageUnit),
      }),
    ),
    dom.div(
      { class: "panel-body stack" },
      dom.div(
        null,
        segments({
          label: "Measure",
          value: measure.id,
          options: MEASURES.map(({ id, label }) => ({ value: id, label })),
          onChange: setShown,
        }),
      ),
      loaded.state === "failed"
        ? errorBox(loaded.error, loaded.reload)
        : loaded.value === undefined
          ? skeleton(5)
          : chart(loaded.value, measure, keyId),
    ),
  );
}
