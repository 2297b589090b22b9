// Usage of this account: credits by day and by key, and its latest requests.
import type { VNode } from "preact";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { badge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { meter, tiles, time, url } from "../../ui/values.ts";

type Period = {
  readonly startDate: string | null;
  readonly creditsUsed: number;
  readonly apiKey?: string;
};
type History = { readonly periods: readonly Period[] };
type Credits = {
  readonly data: { readonly remainingCredits: number; readonly planCredits: number };
};
type Concurrency = { readonly concurrency: number; readonly maxConcurrency: number };
type Activity = {
  readonly data: readonly {
    readonly id: string;
    readonly endpoint: string;
    readonly created_at: string;
    readonly target: string | null;
  }[];
};

/** A larger budget means "unlimited": the API family has no value for it. */
const UNLIMITED = 999_999_999;
const MAX_DAYS = 31;

async function load(signal: AbortSignal) {
  const get = async <T>(path: string, query = {}): Promise<T> =>
    await call<T>("GET", path, { query, signal });
  const [credits, byDay, byKey, concurrency, activity] = await Promise.all([
    get<Credits>("/v2/team/credit-usage"),
    get<History>("/v2/team/credit-usage/historical", { timeRange: "day" }),
    get<History>("/v2/team/credit-usage/historical", { byApiKey: true }),
    get<Concurrency>("/v2/concurrency-check"),
    get<Activity>("/v2/team/activity", { limit: 50 }),
  ]);
  return {
    credits: credits.data,
    days: byDay.periods.slice(-MAX_DAYS),
    keys: byKey.periods,
    concurrency,
    activity: activity.data,
  };
}

function dayBars(days: readonly Period[]): VNode {
  const most = Math.max(1, ...days.map(({ creditsUsed }) => creditsUsed));
  return dom.ol(
    { class: "bars", "aria-label": "Credits by day" },
    ...days.map(({ startDate, creditsUsed }) => {
      const day = (startDate ?? "").slice(0, 10);
      return dom.li(
        { key: day, title: `${day}: ${formatNumber(creditsUsed)} credits` },
        dom.span({ class: "visually-hidden" }, `${day}: ${creditsUsed}`),
        dom.span({
          class: "bar fill-accent",
          style: { height: `${Math.max(2, (100 * creditsUsed) / most)}%` },
          "aria-hidden": true,
        }),
        dom.span({ class: "bar-name", "aria-hidden": true }, day.slice(8)),
      );
    }),
  );
}

function keyTable(keys: readonly Period[]): VNode {
  const sums = new Map<string, number>();
  for (const { apiKey = "–", creditsUsed } of keys)
    sums.set(apiKey, (sums.get(apiKey) ?? 0) + creditsUsed);
  const total = Math.max(
    1,
    [...sums.values()].reduce((sum, value) => sum + value, 0),
  );
  return dom.ul(
    { class: "share-list" },
    ...[...sums]
      .toSorted(([, one], [, other]) => other - one)
      .map(([name, value]) =>
        dom.li(
          { key: name },
          dom.span({ class: "key-name truncate" }, name),
          dom.span(
            { class: "grow" },
            meter(
              [{ share: value / total, color: "accent", label: name }],
              `${name}: ${value} credits`,
            ),
          ),
          dom.span({ class: "num" }, formatNumber(value)),
        ),
      ),
  );
}

export function Usage(): VNode {
  const loaded = useLoad(load, []);
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(8);
  const { credits, days, keys, concurrency, activity } = loaded.value;
  const month = keys.reduce((sum, { creditsUsed }) => sum + creditsUsed, 0);
  const today = days.at(-1)?.creditsUsed ?? 0;
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
    dom.div(
      { class: "columns" },
      dom.section(
        { class: "panel" },
        dom.div(
          { class: "panel-head" },
          dom.h2(null, "Credits by day"),
          dom.span({ class: "tiny faint" }, "UTC"),
        ),
        dom.div(
          { class: "panel-body" },
          days.length === 0
            ? dom.p({ class: "small soft" }, "Nothing was used yet.")
            : dayBars(days),
        ),
      ),
      dom.section(
        { class: "panel" },
        dom.div({ class: "panel-head" }, dom.h2(null, "Credits by key, this month")),
        dom.div(
          { class: "panel-body" },
          keys.length === 0
            ? dom.p({ class: "small soft" }, "Nothing was used yet.")
            : keyTable(keys),
        ),
      ),
    ),
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
                ...["Endpoint", "Target", "When"].map((name, at) =>
                  dom.th({ key: name, scope: "col", class: at === 2 ? "end" : "" }, name),
                ),
              ),
            ),
            dom.tbody(
              null,
              ...activity.map(({ id, endpoint, target, created_at: at }) =>
                dom.tr(
                  { key: id },
                  dom.td(null, badge(endpoint.replaceAll("_", " "), "gray", "dash")),
                  dom.td(
                    { class: "break", dir: "auto" },
                    target === null ? dom.span({ class: "faint" }, "–") : url(target, 90),
                  ),
                  dom.td({ class: "end faint" }, time(at)),
                ),
              ),
            ),
          ),
    ),
  );
}
