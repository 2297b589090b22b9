// Monitors with their last checks.
import type { VNode } from "preact";
import type { Monitor, MonitorCheck } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { formatNumber, pluralize } from "../../data/format.ts";
import { navigate, setQuery } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { statusBadge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";
import { changeBars } from "./change-bars.ts";
import { describeSchedule, findLastChange, monitorPath, toBars } from "./monitor-facts.ts";

const CHECKS = 20;
const MONITORS = 100;

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

function row(monitor: Monitor): VNode {
  return dom.tr(
    { key: monitor.id, class: "openable", onClick: () => navigate(monitorPath(monitor)) },
    dom.td(null, statusBadge(monitor.status)),
    dom.td(
      { class: "job-target" },
      dom.a({ class: "job-link", href: monitorPath(monitor), dir: "auto" }, monitor.name),
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
  const loaded = useLoad(
    async (signal) =>
      (
        await call<{ data: readonly Monitor[] }>("GET", "/v2/monitor", {
          query: { limit: MONITORS },
          signal,
        })
      ).data,
    [],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return dom.div({ class: "panel panel-body" }, skeleton(6));
  if (loaded.value.length === 0)
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
    { class: "panel table-wrap" },
    dom.table(
      { class: "table" },
      dom.caption({ class: "visually-hidden" }, "Monitors"),
      dom.thead(
        null,
        dom.tr(
          null,
          dom.th({ scope: "col" }, "State"),
          dom.th({ scope: "col" }, "Monitor"),
          dom.th({ scope: "col", class: "hide-narrow" }, "Last checks and change"),
          dom.th({ scope: "col" }, "Found"),
          dom.th({ scope: "col", class: "end hide-narrow" }, "Next check"),
          dom.th({ scope: "col", class: "end hide-narrow" }, "Credits a month"),
        ),
      ),
      dom.tbody(null, ...loaded.value.map(row)),
    ),
  );
}
