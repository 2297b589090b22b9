// One run of the agent: its steps live, the data as it grows, evidence for each cell, and the cost
// against the budget.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { AgentEvent } from "../../../../contract/jobs/agent-trace.ts";
import type { AgentStatusResponse } from "../../../../contract/jobs/agent.ts";
import { call } from "../../data/api.ts";
import { formatDuration, formatNumber, pluralize } from "../../data/format.ts";
import { place, setQuery } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { jsonView } from "../../ui/code-view.ts";
import { copyButton } from "../../ui/copy.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { statusBadge } from "../../ui/status.ts";
import { tabPanel, tabs } from "../../ui/tabs.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { meter, tiles, time } from "../../ui/values.ts";
import type { ScreenProps } from "../screen-view.ts";
import { AgentSteps } from "./agent-steps.ts";
import { AgentTable, type Sources } from "./agent-table.ts";
import { runAgainPath } from "../jobs/job-facts.ts";
import { JobSettings } from "../jobs/job-settings.ts";
import { mergeFound, toSteps, type Step } from "./trace.ts";

type Run = AgentStatusResponse & { readonly sources?: Sources };
type Shown = { readonly run: Run; readonly events: readonly AgentEvent[] };

const REFRESH_MS = 1_000;

async function load(id: string, signal: AbortSignal): Promise<Shown> {
  const [run, { events }] = await Promise.all([
    call<Run>("GET", `/v2/agent/${id}`, { signal }),
    call<{ events: readonly AgentEvent[] }>("GET", `/v2/agent/${id}/trace`, { signal }),
  ]);
  return { run, events };
}

/** The text of a page as a step of the run read it. */
async function readPage(
  id: string,
  steps: readonly Step[],
  url: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const step = steps.find((one) => one.url === url && one.endedAt !== undefined);
  if (step?.id === undefined) return undefined;
  const path = `/v2/agent/${id}/snapshots/${step.id}`;
  const { snapshot } = await call<{ snapshot: string }>("GET", path, { signal });
  const { markdown } = JSON.parse(snapshot) as { readonly markdown?: unknown };
  return typeof markdown === "string" ? markdown : undefined;
}

function budget(
  { creditsUsed = 0, maxCredits, tokensUsed }: Run,
  ms: number,
  steps: number,
): VNode {
  const share = maxCredits === undefined ? 0 : creditsUsed / Math.max(1, maxCredits);
  return tiles(
    {
      label: "Credits",
      value: formatNumber(creditsUsed),
      note:
        maxCredits === undefined
          ? ""
          : dom.span(
              { class: "stack tight" },
              `of at most ${formatNumber(maxCredits)}`,
              meter(
                [
                  {
                    share: Math.min(1, share),
                    color: share > 0.9 ? "amber" : "blue",
                    label: "used",
                  },
                ],
                `${creditsUsed} of ${maxCredits} credits`,
              ),
            ),
    },
    {
      label: "Tokens",
      value: tokensUsed === undefined ? "–" : formatNumber(tokensUsed),
      note: tokensUsed === 0 ? "no model was used" : "read and written by the model",
    },
    { label: "Steps", value: formatNumber(steps), note: "" },
    { label: "Time", value: formatDuration(ms), note: "" },
  );
}

const outcomeOf = ({ status, stopReason }: Run): string =>
  status === "processing"
    ? "running"
    : status === "failed" && stopReason === "cancelled"
      ? "cancelled"
      : status;

export function AgentRun({ id = "" }: ScreenProps): VNode {
  const loaded = useLoad((signal) => load(id, signal), [id]);
  const [isStopping, setStopping] = useState(false);
  const { run, events = [] } = loaded.value ?? {};
  const isRunning = run?.status === "processing";
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setTimeout(loaded.reload, REFRESH_MS);
    return () => clearTimeout(timer);
  }, [isRunning, loaded.value]);
  if (loaded.state === "failed" && run === undefined) return errorBox(loaded.error, loaded.reload);
  if (run === undefined)
    return dom.div(
      { class: "stack gap-l" },
      dom.div({ class: "panel panel-body" }, skeleton(3)),
      dom.div({ class: "panel panel-body" }, skeleton(8)),
    );
  const steps = toSteps(events);
  const ended = events.find(({ type }) => type === "run.finished")?.occurredAt;
  const began = events[0]?.occurredAt;
  const ms =
    began === undefined
      ? 0
      : Math.max(0, (ended === undefined ? Date.now() : Date.parse(ended)) - Date.parse(began));
  const data = run.data ?? run.partial ?? mergeFound(steps);
  const calls = steps.filter((step) => step.id !== undefined).length;
  const list = [
    { id: "table", label: "Data" },
    { id: "json", label: "JSON" },
    { id: "settings", label: "Settings" },
  ];
  const asked = place.value.query.get("tab");
  const tab = list.find((one) => one.id === asked)?.id ?? "table";
  const stop = (): void => {
    setStopping(true);
    call("DELETE", `/v2/agent/${id}`).then(
      () => {
        toast("The run was stopped. Its findings are kept.");
        loaded.reload();
      },
      (error: unknown) => reportError(error),
    );
  };
  const prompt = run.prompt ?? "Agent run";
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: prompt,
      parent: { href: "/console/agents", label: "Agent runs" },
      state: statusBadge(outcomeOf(run)),
      facts: [
        dom.code(null, id),
        copyButton(id, "Copy the id"),
        began !== undefined && time(began),
        !isRunning && dom.span({ class: "no-wrap" }, "expires ", time(run.expiresAt)),
      ],
      actions: [
        linkButton(runAgainPath("agent", id), "Run again", { icon: "again" }),
        isRunning &&
          button({
            label: isStopping ? "Stopping …" : "Stop",
            kind: "danger",
            icon: "stop",
            disabled: isStopping,
            onClick: stop,
          }),
      ],
    }),
    run.error !== undefined &&
      run.stopReason !== "cancelled" &&
      dom.div({ class: "error-box", role: "alert" }, dom.strong(null, run.error)),
    run.warning !== undefined && dom.div({ class: "notice" }, run.warning),
    run.message !== undefined && dom.p({ class: "soft" }, run.message),
    budget(run, ms, calls),
    dom.div(
      { class: "agent-columns" },
      dom.section(
        { class: "stack", "aria-label": "Data" },
        tabs({
          label: "Data",
          tabs: list,
          current: tab,
          onChange: (next) => setQuery({ tab: next }),
        }),
        tabPanel(
          tab,
          isRunning &&
            tab !== "settings" &&
            dom.p(
              { class: "tiny soft", role: "status" },
              "Found on the pages so far. The final data is checked and may have fewer rows.",
            ),
          tab === "settings" && create(JobSettings, { key: id, kind: "agent", id }),
          tab === "json" && jsonView(data),
          tab === "table" &&
            create(AgentTable, {
              data,
              sources: isRunning ? undefined : (run.sources ?? {}),
              isRunning,
              read: (url, signal) => readPage(id, steps, url, signal),
            }),
        ),
      ),
      dom.section(
        { class: "stack", "aria-label": "Steps" },
        dom.div(
          { class: "row spread section-head" },
          dom.h2(null, "Steps"),
          dom.span({ class: "small soft num" }, pluralize(calls, "call")),
        ),
        create(AgentSteps, { runId: id, steps }),
      ),
    ),
  );
}
