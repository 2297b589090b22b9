// One monitor: its checks with their differences, its channels, and what to do with it.
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type {
  Monitor,
  MonitorCheck,
  MonitorPage,
} from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { pluralize } from "../../data/format.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button } from "../../ui/button.ts";
import { jsonView } from "../../ui/code-view.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { segments } from "../../ui/fields.ts";
import { icon } from "../../ui/icons.ts";
import { screenHead } from "../../ui/screen-head.ts";
import { statusBadge } from "../../ui/status.ts";
import { tabPanel, tabs } from "../../ui/tabs.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { details, time } from "../../ui/values.ts";
import type { ScreenProps } from "../screen-view.ts";
import { checkedPage, hasTextDiff, type JudgedLines } from "./checked-page.ts";
import { LineFeedback } from "./line-feedback.ts";
import { MonitorChannels } from "./monitor-channels.ts";
import { describeSchedule } from "./monitor-facts.ts";
import { MonitorForm } from "./monitor-form.ts";

type Shown = { readonly monitor: Monitor; readonly checks: readonly MonitorCheck[] };

const CHECKS = 50;
const REFRESH_MS = 2_000;
const LIST = "/console/changes?tab=monitors";

async function load(id: string, signal: AbortSignal): Promise<Shown> {
  const [monitor, checks] = await Promise.all([
    call<{ data: Monitor }>("GET", `/v2/monitor/${id}`, { signal }),
    call<{ data: readonly MonitorCheck[] }>("GET", `/v2/monitor/${id}/checks`, {
      query: { limit: CHECKS },
      signal,
    }),
  ]);
  return { monitor: monitor.data, checks: checks.data };
}

const isUnderWay = ({ status }: MonitorCheck): boolean =>
  status === "queued" || status === "running";

function describeCheck({ status, summary }: MonitorCheck): string {
  if (status !== "completed") return status.replaceAll("_", " ");
  if (summary.changed > 0) return `${summary.changed} changed`;
  if (summary.error > 0) return `${summary.error} failed`;
  return summary.new > 0 ? `${summary.new} new` : "same";
}

function CheckPages({
  monitor,
  checkId,
  isRunning,
  onRules,
}: {
  readonly monitor: Monitor;
  readonly checkId: string;
  readonly isRunning: boolean;
  readonly onRules: () => void;
}): VNode {
  const [judged, setJudged] = useState<JudgedLines>();
  const loaded = useLoad(
    async (signal) =>
      (
        await call<{ data: { pages: readonly MonitorPage[] } }>(
          "GET",
          `/v2/monitor/${monitor.id}/checks/${checkId}`,
          { query: { limit: 100 }, signal },
        )
      ).data.pages,
    [monitor.id, checkId],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return dom.div({ class: "panel panel-body" }, skeleton(6));
  const isQuiet = (page: MonitorPage): boolean => page.status === "same";
  const loud = loaded.value.filter((page) => !isQuiet(page));
  const quiet = loaded.value.filter(isQuiet);
  const mode = place.value.query.get("mode") ?? "words";
  return dom.div(
    { class: "stack" },
    loud.some(hasTextDiff) &&
      dom.div(
        { class: "row" },
        segments({
          label: "Marks",
          value: mode,
          options: [
            { value: "words", label: "Words" },
            { value: "blocks", label: "Blocks" },
          ],
          onChange: (next) => setQuery({ mode: next }),
        }),
      ),
    loud.length === 0
      ? isRunning
        ? empty({
            icon: "clock",
            title: "The check is running",
            text: "Its differences appear here when it has ended.",
          })
        : empty({
            icon: "check",
            title: "Nothing changed",
            text: `${pluralize(quiet.length, "page")} without a change that counts.`,
          })
      : dom.ul(
          { class: "stack gap-l" },
          ...loud.map((page) =>
            checkedPage(page, { marksWords: mode === "words", onJudge: setJudged }),
          ),
        ),
    loud.length > 0 &&
      quiet.length > 0 &&
      dom.p({ class: "small soft" }, `${pluralize(quiet.length, "more page")} without a change.`),
    judged !== undefined &&
      create(LineFeedback, {
        monitor,
        ...judged,
        onClose: () => setJudged(undefined),
        onSaved: () => {
          setJudged(undefined);
          onRules();
        },
      }),
  );
}

function rules(monitor: Monitor): VNode {
  const { targets, when, detection, goal } = monitor;
  return dom.div({ class: "panel panel-body" }, jsonView({ targets, when, detection, goal }));
}

export function MonitorScreen({ id = "" }: ScreenProps): VNode {
  const { query } = place.value;
  const loaded = useLoad((signal) => load(id, signal), [id]);
  const [isRemoving, setRemoving] = useState(false);
  const [isEditing, setEditing] = useState(false);
  const { monitor, checks = [] } = loaded.value ?? {};
  const isChecking = typeof monitor?.currentCheckId === "string" || checks.some(isUnderWay);
  useEffect(() => {
    if (!isChecking) return undefined;
    const timer = setTimeout(loaded.reload, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isChecking, loaded.value]);
  if (loaded.state === "failed" && monitor === undefined)
    return errorBox(loaded.error, loaded.reload);
  if (monitor === undefined)
    return dom.div(
      { class: "stack gap-l" },
      dom.div({ class: "panel panel-body" }, skeleton(2)),
      dom.div({ class: "panel panel-body" }, skeleton(8)),
    );
  const act = (method: string, path: string, body: object | undefined, done: string): void => {
    call(method, `/v2/monitor/${id}${path}`, body === undefined ? {} : { body }).then(() => {
      toast(done);
      loaded.reload();
    }, reportError);
  };
  const isPaused = monitor.status === "paused";
  const isWaiting =
    !isPaused &&
    typeof monitor.pauseUntil === "string" &&
    Date.parse(monitor.pauseUntil) > Date.now();
  const tab = query.get("tab") ?? "checks";
  const chosen = query.get("check") ?? checks[0]?.id;
  const list = [
    { id: "checks", label: "Checks", count: checks.length },
    { id: "channels", label: "Channels", count: monitor.channels?.length ?? 0 },
    { id: "rules", label: "Targets and rules" },
  ];
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: monitor.name,
      parent: { href: LIST, label: "Monitors" },
      state: statusBadge(isChecking ? "running" : monitor.status),
      facts: dom.span({ dir: "auto" }, describeSchedule(monitor)),
      actions: [
        button({
          label: isChecking ? "Checking …" : "Check now",
          icon: "play",
          kind: "primary",
          disabled: isChecking,
          onClick: () => act("POST", "/run", {}, "The check has started."),
        }),
        button({
          label: isPaused ? "Resume" : "Pause",
          onClick: () =>
            act(
              "PATCH",
              "",
              { status: isPaused ? "active" : "paused" },
              isPaused ? "The monitor is resumed." : "No scheduled checks until you resume it.",
            ),
        }),
        button({ label: "Edit", onClick: () => setEditing(true) }),
        button({ label: "Delete", kind: "danger", onClick: () => setRemoving(true) }),
      ],
    }),
    details([
      ["Next check", isPaused ? "paused" : time(monitor.nextRunAt)],
      ["Paused until", isWaiting ? time(monitor.pauseUntil) : undefined],
      ["Last check", time(monitor.lastRunAt)],
      ["Credits a month", monitor.estimatedCreditsPerMonth?.toLocaleString("en-US")],
      ["Goal", monitor.goal],
      [
        "Feed",
        monitor.feedUrl === undefined
          ? undefined
          : dom.span(
              null,
              dom.a({ href: monitor.feedUrl, target: "_blank", rel: "noopener" }, "Atom"),
              " or ",
              dom.a({ href: `${monitor.feedUrl}.rss`, target: "_blank", rel: "noopener" }, "RSS"),
            ),
      ],
    ]),
    tabs({
      label: "Monitor",
      tabs: list,
      current: tab,
      onChange: (next) => setQuery({ tab: next }),
    }),
    tabPanel(
      tab,
      tab === "channels"
        ? create(MonitorChannels, { monitor, onChanged: loaded.reload })
        : tab === "rules"
          ? rules(monitor)
          : checks.length === 0
            ? empty({
                icon: "clock",
                title: "No check yet",
                text: "The first one runs at its next time and keeps the first version of each page.",
              })
            : dom.div(
                { class: "history-columns" },
                dom.nav(
                  { class: "panel version-list", "aria-label": "Checks" },
                  dom.ol(
                    null,
                    ...checks.map((check) =>
                      dom.li(
                        { key: check.id },
                        dom.button(
                          {
                            type: "button",
                            class: classes("version", check.id === chosen && "current"),
                            "aria-pressed": check.id === chosen,
                            onClick: () => setQuery({ check: check.id }),
                          },
                          icon(
                            check.status === "failed"
                              ? "warn"
                              : isUnderWay(check)
                                ? "run"
                                : check.summary.changed > 0
                                  ? "changes"
                                  : "check",
                            { size: 12 },
                          ),
                          dom.span({ class: "grow num" }, time(check.createdAt)),
                          dom.span({ class: "tiny faint" }, describeCheck(check)),
                        ),
                      ),
                    ),
                  ),
                ),
                chosen !== undefined &&
                  create(CheckPages, {
                    key: `${chosen} ${String(isChecking)}`,
                    monitor,
                    checkId: chosen,
                    isRunning: checks.some((check) => check.id === chosen && isUnderWay(check)),
                    onRules: loaded.reload,
                  }),
              ),
    ),
    isEditing &&
      create(MonitorForm, {
        monitor,
        onClose: () => setEditing(false),
        onSaved: () => {
          setEditing(false);
          toast("The monitor is saved.");
          loaded.reload();
        },
      }),
    isRemoving &&
      dialog({
        title: `Delete the monitor ${monitor.name}?`,
        onClose: () => setRemoving(false),
        body: "This permanently deletes its checks, versions and rules.",
        foot: [
          button({ label: "Keep it", onClick: () => setRemoving(false) }),
          button({
            label: "Delete the monitor",
            kind: "danger-fill",
            onClick: () => {
              call("DELETE", `/v2/monitor/${id}`).then(() => {
                toast("The monitor is deleted.");
                navigate(LIST);
              }, reportError);
            },
          }),
        ],
      }),
  );
}
