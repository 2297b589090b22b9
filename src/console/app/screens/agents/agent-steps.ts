// The steps of a run as they happen: what was called, why, what it cost and what it read.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { call } from "../../data/api.ts";
import { formatDuration, pluralize, shortenUrl } from "../../data/format.ts";
import { jsonView } from "../../ui/code-view.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { icon, type IconName } from "../../ui/icons.ts";
import { markdownView } from "../../ui/markdown-view.ts";
import { useLoad } from "../../ui/use-load.ts";
import type { Step } from "./trace.ts";

const ICONS: Readonly<Record<string, IconName>> = {
  scrape: "file",
  read: "file",
  map: "link",
  list: "link",
  search: "search",
  find: "search",
  query: "table",
  thought: "agent",
  plan: "agent",
};

type ReadPage = { readonly title?: unknown; readonly markdown?: unknown };

/** Output of a step as the run received it. */
function StepOutput({ runId, stepId }: { readonly runId: string; readonly stepId: string }): VNode {
  const loaded = useLoad(
    async (signal) => {
      const path = `/v2/agent/${runId}/snapshots/${stepId}`;
      const { snapshot } = await call<{ snapshot: string }>("GET", path, { signal });
      return JSON.parse(snapshot) as unknown;
    },
    [runId, stepId],
  );
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return skeleton(4);
  const { markdown } = loaded.value as ReadPage;
  return dom.div(
    { class: "step-output", tabIndex: 0, role: "region", "aria-label": "What was read" },
    typeof markdown === "string" ? markdownView(markdown) : jsonView(loaded.value),
  );
}

function stepRow(
  step: Step,
  runId: string,
  isOpen: boolean,
  onToggle: () => void,
  now: number,
): VNode {
  const isRunning = step.endedAt === undefined;
  const ms = (step.endedAt ?? now) - step.startedAt;
  const canOpen = step.id !== undefined && !isRunning && step.error === undefined;
  const head = [
    dom.span(
      { class: classes("step-icon", isRunning && "running", step.error !== undefined && "bad") },
      icon(step.error === undefined ? (ICONS[step.tool] ?? "run") : "warn", { size: 14 }),
    ),
    dom.span(
      { class: "grow step-words" },
      dom.span(
        { class: "row" },
        step.id !== undefined && dom.span({ class: "badge" }, step.tool),
        dom.span(
          { class: step.id === undefined ? "soft" : "truncate url", dir: "auto" },
          step.url === undefined ? step.text : shortenUrl(step.url, 70),
        ),
      ),
      dom.span(
        { class: "tiny faint", dir: "auto" },
        [step.reason, step.error ?? step.note].filter((part) => part !== undefined).join(" · "),
      ),
    ),
    step.found.length > 0 && dom.span({ class: "badge green hide-narrow" }, "found data"),
    dom.span(
      { class: "num tiny soft step-cost" },
      isRunning ? "running" : step.id === undefined ? "" : formatDuration(ms),
      step.credits !== undefined && dom.br(null),
      step.credits !== undefined && pluralize(step.credits, "credit"),
    ),
  ];
  return dom.li(
    { key: step.id ?? `${step.tool} ${step.startedAt} ${step.text.slice(0, 20)}` },
    canOpen
      ? dom.button(
          { type: "button", class: "step-row", "aria-expanded": isOpen, onClick: onToggle },
          ...head,
        )
      : dom.div({ class: "step-row" }, ...head),
    isOpen && step.id !== undefined && create(StepOutput, { runId, stepId: step.id }),
  );
}

export function AgentSteps({
  runId,
  steps,
}: {
  readonly runId: string;
  readonly steps: readonly Step[];
}): VNode {
  const [open, setOpen] = useState<string>();
  const now = Date.now();
  if (steps.length === 0)
    return empty({
      icon: "agent",
      title: "No steps yet",
      text: "The first step starts within seconds.",
    });
  return dom.ol(
    { class: "panel step-list", "aria-label": "Steps" },
    ...steps.map((step) =>
      stepRow(
        step,
        runId,
        open !== undefined && open === step.id,
        () => setOpen(open === step.id ? undefined : step.id),
        now,
      ),
    ),
  );
}
