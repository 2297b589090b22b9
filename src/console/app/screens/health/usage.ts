// Usage of this account: credits over time and by key, and its latest requests.
import type { VNode } from "preact";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { useLoad } from "../../ui/use-load.ts";
import { tiles, time } from "../../ui/values.ts";
import { findHistoryPath, type HistoryEntry } from "../playground/history-path.ts";
import { historyTarget } from "../playground/history-target.ts";
import { UsageChart } from "./usage-chart.ts";
import type { UsagePeriod } from "./usage-periods.ts";

type Periods = { readonly periods: readonly UsagePeriod[] };
type Credits = {
  readonly data: { readonly remainingCredits: number; readonly planCredits: number };
};
type Concurrency = { readonly concurrency: number; readonly maxConcurrency: number };
type Activity = { readonly data: readonly HistoryEntry[] };

/** A larger budget means "unlimited": the API family has no value for it. */
const UNLIMITED = 999_999_999;

/** ISO dates sort by time. */
const sumSince = (periods: readonly UsagePeriod[], start: string): number =>
  periods
    .filter(({ startDate }) => startDate >= start)
    .reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);

async function load(signal: AbortSignal) {
  const get = async <T>(path: string, query = {}): Promise<T> =>
    await call<T>("GET", path, { query, signal });
  const now = new Date();
  const month = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1);
  const [credits, days, concurrency, activity] = await Promise.all([
    get<Credits>("/v2/team/credit-usage"),
    get<Periods>("/v2/team/usage", { unit: "day", since: month }),
    get<Concurrency>("/v2/concurrency-check"),
    get<Activity>("/v2/team/activity", { limit: 50 }),
  ]);
  return {
    credits: credits.data,
    today: sumSince(days.periods, now.toISOString().slice(0, 10)),
    month: sumSince(days.periods, ""),
    concurrency,
    activity: activity.data,
  };
}

function target(entry: HistoryEntry): VNode {
  const path = findHistoryPath(entry);
  return path === undefined ? historyTarget(entry) : dom.a({ href: path }, historyTarget(entry));
}

export function Usage(): VNode {
  const loaded = useLoad(load, []);
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(8);
  const { credits, today, month, concurrency, activity } = loaded.value;
  return dom.div(
    { class: "stack gap-l" },
    tiles(
      {
        label: "Credits left",
        value:
          credits.remainingCredits >= UNLIMITED
            ? "no limit"
            : formatNumber(credits.remainingCredits),
        note: "of this key and account",
      },
      { label: "Used today", value: formatNumber(today) },
      { label: "Used this month", value: formatNumber(month) },
      {
        label: "Requests in progress",
        value: formatNumber(concurrency.concurrency),
        note: `of ${formatNumber(concurrency.maxConcurrency)}`,
      },
    ),
    create(UsageChart, {}),
    dom.section(
      { class: "panel table-wrap" },
      dom.div({ class: "panel-head" }, dom.h2(null, "Requests of the last 24 hours")),
      activity.length === 0
        ? empty({
            icon: "clock",
            title: "No requests",
            text: "Requests of this account appear here for a day.",
          })
        : dom.table(
            { class: "table" },
            dom.caption({ class: "visually-hidden" }, "Requests"),
            dom.thead(
              null,
              dom.tr(
                null,
                ...["Endpoint", "Target", "Key", "When"].map((name, at) =>
                  dom.th({ key: name, scope: "col", class: at === 3 ? "end" : "" }, name),
                ),
              ),
            ),
            dom.tbody(
              null,
              ...activity.map((entry) =>
                dom.tr(
                  { key: entry.id },
                  dom.td(
                    null,
                    dom.span({ class: "badge gray" }, entry.endpoint.replaceAll("_", " ")),
                  ),
                  dom.td({ class: "break", dir: "auto" }, target(entry)),
                  dom.td({ class: "faint truncate", dir: "auto" }, entry.api_key?.name ?? "–"),
                  dom.td({ class: "end faint" }, time(entry.created_at)),
                ),
              ),
            ),
          ),
    ),
  );
}
