// Credits over time as bars, divided by key.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { segments } from "../../ui/fields.ts";
import { useLoad } from "../../ui/use-load.ts";
import {
  buildUsageTable,
  findFirstStart,
  type UsageColumn,
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

const COLORS = ["accent", "blue", "amber", "violet", "red", "gray"];

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
  { keys }: UsageTable,
  unit: UsageUnit,
  most: number,
): VNode {
  const lines = keys.flatMap(({ name }, at) =>
    (parts[at] ?? 0) > 0 ? [`${name}: ${formatNumber(parts[at] ?? 0)}`] : [],
  );
  const text = `${describeStart(start, unit)}: ${formatNumber(total)} credits`;
  return dom.li(
    { key: start, title: [text, ...lines].join("\n") },
    dom.span({ class: "visually-hidden" }, [text, ...lines].join(", ")),
    dom.span(
      {
        class: "bar bar-stack",
        style: { height: total === 0 ? "2px" : `${Math.max(2, (100 * total) / most)}%` },
        "aria-hidden": true,
      },
      ...parts.flatMap((part, at) =>
        part === 0
          ? []
          : [
              dom.span({
                key: at,
                class: `fill-${COLORS[at] ?? "gray"}`,
                style: { flexGrow: String(part) },
              }),
            ],
      ),
    ),
    dom.span({ class: "bar-name", "aria-hidden": true }, nameStart(start, unit)),
  );
}

const legend = ({ keys }: UsageTable): VNode =>
  dom.ul(
    { class: "legend" },
    ...keys.map(({ id, name, total }, at) =>
      dom.li(
        { key: id },
        dom.span({ class: `dot fill-${COLORS[at] ?? "gray"}`, "aria-hidden": true }),
        dom.span({ class: "truncate", dir: "auto", title: name }, name),
        dom.span({ class: "num" }, formatNumber(total)),
      ),
    ),
  );

export function UsageChart(): VNode {
  const [unit, setUnit] = useState<UsageUnit>("day");
  const loaded = useLoad(
    async (signal) => {
      const now = Date.now();
      const query = { unit, byApiKey: true, since: findFirstStart(now, unit) };
      const { periods } = await call<{ periods: readonly UsagePeriod[] }>("GET", "/v2/team/usage", {
        query,
        signal,
      });
      return { unit, table: buildUsageTable(periods, unit, now) };
    },
    [unit],
  );
  const shown = loaded.value;
  const most = Math.max(1, ...(shown?.table.columns ?? []).map(({ total }) => total));
  return dom.section(
    { class: "panel" },
    dom.div(
      { class: "panel-head wrap" },
      dom.h2(null, "Credits over time, by key"),
      dom.span({ class: "tiny faint" }, "UTC"),
      dom.span({ class: "grow" }),
      segments({
        label: "Period",
        value: unit,
        options: UNITS,
        onChange: (value) => setUnit(value as UsageUnit),
      }),
    ),
    dom.div(
      { class: "panel-body stack" },
      loaded.state === "failed"
        ? errorBox(loaded.error, loaded.reload)
        : shown === undefined
          ? skeleton(5)
          : [
              dom.ol(
                { class: "bars", "aria-label": "Credits over time" },
                ...shown.table.columns.map((column) => bar(column, shown.table, shown.unit, most)),
              ),
              shown.table.keys.length === 0
                ? dom.p({ class: "small soft" }, "Nothing was used in this time.")
                : legend(shown.table),
            ],
    ),
  );
}
