// The runs of the agent, newest first.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";
import { call } from "../../data/api.ts";
import { formatNumber } from "../../data/format.ts";
import { liveJobs } from "../../data/job-events.ts";
import { navigate } from "../../router.ts";
import { linkButton } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { statusBadge } from "../../ui/status.ts";
import { useLoad } from "../../ui/use-load.ts";
import { time } from "../../ui/values.ts";

const SHOWN = 100;
const START = "/?mode=agent";

const pathOf = ({ id }: ListedJobBody): string => `/console/agents/${id}`;

function row(job: ListedJobBody): VNode {
  return dom.tr(
    { key: job.id, class: "openable", onClick: () => navigate(pathOf(job)) },
    dom.td(null, statusBadge(job.state)),
    dom.td(
      { class: "prompt-cell" },
      dom.a({ class: "job-link clip", href: pathOf(job), dir: "auto" }, job.prompt ?? job.id),
      job.error !== null && dom.div({ class: "tiny fault clip" }, job.error),
    ),
    dom.td({ class: "num end hide-narrow" }, formatNumber(job.completed)),
    dom.td({ class: "num end hide-narrow" }, formatNumber(job.creditsUsed)),
    dom.td({ class: "num end faint" }, time(job.createdAt)),
  );
}

export function Agents(): VNode {
  const loaded = useLoad(
    async (signal) =>
      (
        await call<{ jobs: readonly ListedJobBody[] }>("GET", "/v2/jobs", {
          query: { kind: "agent", limit: SHOWN },
          signal,
        })
      ).jobs,
    [],
  );
  const known = new Map((loaded.value ?? []).map((job) => [job.id, job]));
  for (const job of liveJobs.value.values()) if (job.kind === "agent") known.set(job.id, job);
  const shown = [...known.values()].toSorted((one, other) =>
    other.createdAt.localeCompare(one.createdAt),
  );
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Agent runs",
      text: "Data over many pages, from a prompt, with the words that state each value.",
      // The empty state has its own button.
      actions: shown.length > 0 && linkButton(START, "New run", { kind: "primary", icon: "plus" }),
    }),
    loaded.state === "failed" && errorBox(loaded.error, loaded.reload),
    loaded.state === "loading" && dom.div({ class: "panel panel-body" }, skeleton(6)),
    loaded.value !== undefined &&
      (shown.length === 0
        ? empty({
            icon: "agent",
            title: "No runs yet",
            text: "Describe a table, such as “the name, price and weight of each lamp on https://example.com”. The agent reads the pages and fills it.",
            action: linkButton(START, "Start a run", { kind: "primary" }),
          })
        : dom.div(
            { class: "panel table-wrap" },
            dom.table(
              { class: "table" },
              dom.caption({ class: "visually-hidden" }, "Agent runs"),
              dom.thead(
                null,
                dom.tr(
                  null,
                  dom.th({ scope: "col" }, "State"),
                  dom.th({ scope: "col" }, "Prompt"),
                  dom.th({ scope: "col", class: "end hide-narrow" }, "Pages"),
                  dom.th({ scope: "col", class: "end hide-narrow" }, "Credits"),
                  dom.th({ scope: "col", class: "end" }, "Started"),
                ),
              ),
              dom.tbody(null, ...shown.map(row)),
            ),
          )),
  );
}
