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
import { empty, skeleton } from "../../ui/feedback.ts";
import { statusBadge } from "../../ui/status.ts";
import { moreRows, startFault, useLongList } from "../../ui/use-long-list.ts";
import { time } from "../../ui/values.ts";
import { mergeJobs } from "../jobs/merge-jobs.ts";

const PAGE = 50;
const ONLY_RUNS = { kind: "agent", state: "", text: "" } as const;
const NUMBER = { width: "104px" };

type Page = { readonly jobs: readonly ListedJobBody[]; readonly cursor: string | null };

const START = "/?mode=agent";

const pathOf = ({ id }: ListedJobBody): string => `/console/agents/${id}`;

function row(job: ListedJobBody, index: number): VNode {
  return dom.tr(
    {
      key: job.id,
      class: "openable",
      "aria-rowindex": index + 2,
      onClick: () => navigate(pathOf(job)),
    },
    dom.td(null, statusBadge(job.state)),
    dom.td(
      { class: "job-target" },
      dom.a({ class: "job-link truncate", href: pathOf(job), dir: "auto" }, job.prompt ?? job.id),
      job.error !== null && dom.div({ class: "tiny fault truncate", title: job.error }, job.error),
    ),
    dom.td({ class: "num end hide-narrow" }, formatNumber(job.completed)),
    dom.td({ class: "num end hide-narrow" }, formatNumber(job.creditsUsed)),
    dom.td({ class: "num end faint" }, time(job.createdAt)),
  );
}

export function Agents(): VNode {
  const list = useLongList<ListedJobBody, string>({
    name: "agents",
    load: async (cursor, signal) => {
      const query = { kind: "agent", limit: PAGE, cursor };
      const page = await call<Page>("GET", "/v2/jobs", { query, signal });
      return { rows: page.jobs, cursor: page.cursor };
    },
    filters: [],
    merge: (rows, isWhole) => mergeJobs(rows, liveJobs.value, ONLY_RUNS, isWhole),
    mergeKeys: [liveJobs.value],
  });
  const { shown, sight } = list;
  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Agent runs",
      text: "Structured data from many pages, from a prompt, with evidence for each value.",
      // The empty state has its own button.
      actions: shown.length > 0 && linkButton(START, "New run", { kind: "primary", icon: "plus" }),
    }),
    startFault(list),
    list.rows === undefined &&
      list.fault === undefined &&
      dom.div({ class: "panel panel-body" }, skeleton(6)),
    list.rows !== undefined &&
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
              { class: "table long", "aria-rowcount": list.isWhole ? shown.length + 1 : -1 },
              dom.caption({ class: "visually-hidden" }, "Agent runs"),
              dom.thead(
                null,
                dom.tr(
                  null,
                  dom.th({ scope: "col", style: { width: "116px" } }, "State"),
                  dom.th({ scope: "col" }, "Prompt"),
                  dom.th({ scope: "col", class: "end hide-narrow", style: NUMBER }, "Pages"),
                  dom.th({ scope: "col", class: "end hide-narrow", style: NUMBER }, "Credits"),
                  dom.th({ scope: "col", class: "end", style: NUMBER }, "Started"),
                ),
              ),
              dom.tbody(
                { ref: sight.body },
                ...sight.rows((index) => {
                  const job = shown[index];
                  return job && row(job, index);
                }),
              ),
            ),
          )),
    moreRows(list, "Loading older runs …"),
  );
}
