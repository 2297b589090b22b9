// Monitors with their last checks.
import type { VNode } from "preact";
import type { Monitor, MonitorCheck } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { formatNumber, pluralize } from "../../data/format.ts";
import { navigate, setQuery } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, skeleton } from "../../ui/feedback.ts";
import { statusBadge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { moreRows, startFault, useLongList } from "../../ui/use-long-list.ts";
import { time } from "../../ui/values.ts";
import { changeBars } from "./change-bars.ts";
import { describeSchedule, findLastChange, monitorPath, toBars } from "./monitor-facts.ts";

const CHECKS = 20;
const PAGE = 50;

function RecentChecks({ id }: { readonly id: string }): VNode {
  const loaded = useLoad(
    async (signal) =>
      (
        await call<{ data: readonly MonitorCheck[] }>("GET", `/v2/monitor/${id}/checks`, {
          query: { limit: CHECKS },
          signal,
        })
      ).data,
    [id],
  );
  const checks = loaded.value ?? [];
  if (loaded.state === "loading") return dom.span({ class: "skeleton", style: { width: "60%" } });
  if (checks.length === 0) return dom.span({ class: "faint tiny" }, "no check yet");
  const changed = findLastChange(checks);
  return dom.div(
    null,
    changeBars(toBars(checks), pluralize(checks.length, "check")),
    dom.div(
      { class: "tiny faint" },
      ...(changed === undefined
        ? [`no change in ${pluralize(checks.length, "check")}`]
        : ["changed ", time(changed.finishedAt ?? changed.createdAt)]),
    ),
  );
}

function describeLast({ lastCheckSummary }: Monitor): string {
  if (!lastCheckSummary) return "–";
  const { changed, new: added, removed, error, totalPages } = lastCheckSummary;
  const parts = [
    changed > 0 && `${changed} changed`,
    added > 0 && `${added} new`,
    removed > 0 && `${removed} removed`,
    error > 0 && `${error} failed`,
  ].filter((part) => part !== false);
  return parts.length === 0 ? `${pluralize(totalPages, "page")}, same` : parts.join(", ");
}

function row(monitor: Monitor, index: number): VNode {
  return dom.tr(
    {
      key: monitor.id,
      class: "openable",
      "aria-rowindex": index + 2,
      onClick: () => navigate(monitorPath(monitor)),
    },
    dom.td(null, statusBadge(monitor.status)),
    dom.td(
      { class: "job-target" },
      dom.a({ class: "job-link truncate", href: monitorPath(monitor), dir: "auto" }, monitor.name),
      dom.div({ class: "tiny faint truncate", dir: "auto" }, describeSchedule(monitor)),
    ),
    dom.td({ class: "hide-narrow" }, create(RecentChecks, { id: monitor.id })),
    dom.td(null, describeLast(monitor)),
    dom.td({ class: "num end hide-narrow" }, time(monitor.nextRunAt)),
    dom.td(
      { class: "num end hide-narrow" },
      typeof monitor.estimatedCreditsPerMonth === "number"
        ? formatNumber(monitor.estimatedCreditsPerMonth)
        : "–",
    ),
  );
}

export function MonitorList(): VNode {
  const list = useLongList<Monitor, string>({
    name: "monitors",
    load: async (cursor, signal) => {
      const query = { limit: PAGE, cursor };
      const page = await call<{ data: readonly Monitor[]; cursor: string | null }>(
        "GET",
        "/v2/monitor",
        { query, signal },
      );
      return { rows: page.data, cursor: page.cursor };
    },
    filters: [],
  });
  const { shown: rows, sight } = list;
  if (list.rows === undefined)
    return dom.div(null, startFault(list) || dom.div({ class: "panel panel-body" }, skeleton(6)));
  if (rows.length === 0)
    return empty({
      icon: "clock",
      title: "No monitors yet",
      text: "A monitor checks pages on a schedule, such as “every 15 minutes”, and notifies you when one changes. Counters, dates and banners do not count.",
      action: button({
        label: "New monitor",
        kind: "primary",
        onClick: () => setQuery({ new: "monitor" }),
      }),
    });
  return dom.div(
    { class: "stack" },
    startFault(list),
    dom.div(
      { class: "panel table-wrap" },
      dom.table(
        { class: "table long tall", "aria-rowcount": list.isWhole ? rows.length + 1 : -1 },
        dom.caption({ class: "visually-hidden" }, "Monitors"),
        dom.thead(
          null,
          dom.tr(
            null,
            dom.th({ scope: "col", style: { width: "108px" } }, "State"),
            dom.th({ scope: "col" }, "Monitor"),
            dom.th(
              { scope: "col", class: "hide-narrow", style: { width: "230px" } },
              "Last checks and change",
            ),
            dom.th({ scope: "col", class: "found-cell" }, "Found"),
            dom.th(
              { scope: "col", class: "end hide-narrow", style: { width: "96px" } },
              "Next check",
            ),
            dom.th(
              { scope: "col", class: "end hide-narrow", style: { width: "128px" } },
              "Credits a month",
            ),
          ),
        ),
        dom.tbody(
          { ref: sight.body },
          ...sight.rows((index) => {
            const monitor = rows[index];
            return monitor && row(monitor, index);
          }),
        ),
      ),
    ),
    moreRows(list, "Loading more monitors …"),
  );
}
