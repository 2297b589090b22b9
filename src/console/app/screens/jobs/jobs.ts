// All jobs of the account in one list: running jobs first, then newest first. The address holds the
// filters.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";
import { call } from "../../data/api.ts";
import { formatNumber, pluralize } from "../../data/format.ts";
import { liveJobs, liveTotals, type JobTotals } from "../../data/job-events.ts";
import { useKeys } from "../../data/keys.ts";
import { session } from "../../data/session.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { classes, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { segments, select } from "../../ui/fields.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { meter, time, url } from "../../ui/values.ts";
import { jobPath, jobSpeed } from "./job-facts.ts";
import { isRetryable, retryJobs } from "./retry-jobs.ts";

type Page = {
  readonly jobs: readonly ListedJobBody[];
  readonly totals?: JobTotals;
  readonly cursor: string | null;
};

const PAGE_SIZE = 50;
const FILTER_MS = 250;
const STATES = ["running", "completed", "failed", "cancelled"] as const;

function readFilters(query: URLSearchParams): Record<"kind" | "state" | "text", string> {
  return {
    kind: query.get("kind") ?? "",
    state: query.get("state") ?? "",
    text: query.get("text") ?? "",
  };
}

const matches = (
  job: ListedJobBody,
  { kind, state, text }: ReturnType<typeof readFilters>,
): boolean =>
  (kind === "" || job.kind === kind) &&
  (state === "" || job.state === state) &&
  (text === "" ||
    `${job.url ?? ""} ${job.prompt ?? ""}`.toLowerCase().includes(text.toLowerCase()));

/** Merges events of the stream into the loaded jobs, running ones first. */
function merge(
  loaded: readonly ListedJobBody[],
  filters: ReturnType<typeof readFilters>,
): ListedJobBody[] {
  const all = new Map(loaded.map((job) => [job.id, job]));
  const oldest = loaded.at(-1)?.createdAt ?? "";
  for (const job of liveJobs.value.values())
    if (all.has(job.id) || job.createdAt >= oldest) all.set(job.id, job);
  const byAge = (one: ListedJobBody, other: ListedJobBody): number =>
    other.createdAt.localeCompare(one.createdAt);
  const shown = [...all.values()].filter((job) => matches(job, filters)).toSorted(byAge);
  return [
    ...shown.filter(({ state }) => state === "running"),
    ...shown.filter(({ state }) => state !== "running"),
  ];
}

function progress({ total, completed, failed, state }: ListedJobBody): VNode {
  const whole = Math.max(1, total);
  const parts = [
    { share: completed / whole, color: state === "running" ? "blue" : "green", label: "completed" },
    { share: failed / whole, color: "red", label: "failed" },
  ];
  return meter(
    parts,
    `${pluralize(completed, "page")} of ${formatNumber(total)}, ${formatNumber(failed)} failed`,
  );
}

type RowProps = {
  readonly job: ListedJobBody;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly onSelect: () => void;
};

function row({ job, isCurrent, isSelected, onSelect }: RowProps): VNode {
  const speed = jobSpeed(job);
  return dom.tr(
    {
      key: job.id,
      class: classes("openable", isCurrent && "current"),
      "aria-selected": isSelected,
      onClick: () => navigate(jobPath(job)),
    },
    dom.td(
      { onClick: (event) => event.stopPropagation() },
      dom.input({
        type: "checkbox",
        checked: isSelected,
        "aria-label": `Select ${job.url ?? job.id}`,
        onChange: onSelect,
      }),
    ),
    dom.td(null, statusBadge(job.state)),
    dom.td(
      { class: "hide-narrow" },
      badge(
        job.kind,
        "gray",
        job.kind === "agent" ? "agent" : job.kind === "crawl" ? "folder" : "jobs",
      ),
    ),
    dom.td(
      { class: "job-target" },
      dom.a(
        { href: jobPath(job), class: "job-link", dir: "auto" },
        job.url === null ? (job.prompt ?? job.id) : url(job.url, 60),
      ),
      job.error !== null && dom.div({ class: "tiny fault truncate" }, job.error),
    ),
    dom.td({ class: "job-progress hide-narrow" }, progress(job)),
    dom.td(
      { class: "num end" },
      formatNumber(job.completed),
      dom.span({ class: "faint" }, ` / ${formatNumber(job.total)}`),
    ),
    dom.td({ class: "num end hide-narrow" }, speed),
    dom.td(
      { class: classes("num end hide-narrow", job.failed > 0 ? "red-text" : "faint") },
      formatNumber(job.failed),
    ),
    dom.td({ class: "num end hide-narrow" }, formatNumber(job.creditsUsed)),
    dom.td({ class: "faint hide-narrow" }, job.apiKey.name ?? "–"),
    dom.td({ class: "num end faint hide-narrow" }, time(job.createdAt)),
  );
}

const COLUMNS: readonly (readonly [name: string, more: string])[] = [
  ["State", ""],
  ["Kind", "hide-narrow"],
  ["Target", ""],
  ["Progress", "hide-narrow"],
  ["Pages", "end"],
  ["Pages/s", "end hide-narrow"],
  ["Failed", "end hide-narrow"],
  ["Credits", "end hide-narrow"],
  ["Key", "hide-narrow"],
  ["Started", "end hide-narrow"],
];

function stateTabs(current: string, totals: JobTotals | undefined): VNode {
  const count = (state: keyof JobTotals): string => {
    const number = totals?.[state];
    return number === undefined ? "" : ` ${number >= 1000 ? "1,000+" : number}`;
  };
  return segments({
    label: "State",
    value: current,
    options: [
      { value: "", label: "All" },
      ...STATES.map((state) => ({
        value: state,
        label: `${state.charAt(0).toUpperCase()}${state.slice(1)}${count(state)}`,
      })),
    ],
    onChange: (state) => setQuery({ state }),
  });
}

async function cancelAll(jobs: readonly ListedJobBody[]): Promise<void> {
  const results = await Promise.allSettled(
    jobs.map(async ({ path }) => await call("DELETE", path)),
  );
  const failed = results.filter(({ status }) => status === "rejected");
  toast(`${pluralize(jobs.length - failed.length, "job")} cancelled.`);
  for (const one of failed) if (one.status === "rejected") reportError(one.reason);
}

export function Jobs(): VNode {
  const filters = readFilters(place.value.query);
  const [text, setText] = useState(filters.text);
  const [pages, setPages] = useState<Page>();
  const [fault, setFault] = useState<Error>();
  const [isLoading, setLoading] = useState(false);
  const [at, setAt] = useState(-1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);

  const load = async (cursor?: string, signal?: AbortSignal): Promise<void> => {
    setLoading(true);
    try {
      const next = await call<Page>("GET", "/v2/jobs", {
        query: { ...filters, limit: PAGE_SIZE, cursor },
        signal,
      });
      setPages((before) =>
        cursor === undefined || before === undefined
          ? next
          : ({
              ...next,
              totals: before.totals ?? next.totals,
              jobs: [...before.jobs, ...next.jobs],
            } as Page),
      );
      setFault(undefined);
    } catch (error) {
      if (signal?.aborted !== true)
        setFault(error instanceof Error ? error : new Error(String(error)));
    }
    setLoading(false);
  };
  useEffect(() => {
    const controller = new AbortController();
    void load(undefined, controller.signal);
    return () => controller.abort();
  }, [filters.kind, filters.state, filters.text]);
  useEffect(() => {
    if (text === filters.text) return undefined;
    const timer = setTimeout(() => setQuery({ text }), FILTER_MS);
    return () => clearTimeout(timer);
  }, [text]);

  const shown = pages === undefined ? [] : merge(pages.jobs, filters);
  const current = shown[at];
  const chosen = shown.filter(({ id }) => selected.has(id));
  const running = chosen.filter(({ state }) => state === "running");
  const retryable = chosen.filter(isRetryable);
  const toggle = (id: string): void => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    setSelected(next);
  };
  useKeys([
    { keys: "j", text: "Next job", run: () => setAt(Math.min(shown.length - 1, at + 1)) },
    { keys: "k", text: "Previous job", run: () => setAt(Math.max(0, at - 1)) },
    { keys: "Enter", text: "Open the job", run: () => current && navigate(jobPath(current)) },
    { keys: "x", text: "Select the job", run: () => current && toggle(current.id) },
  ]);
  const isFiltered = filters.kind !== "" || filters.state !== "" || filters.text !== "";

  return dom.div(
    { class: "stack gap-l" },
    screenHead({
      title: "Jobs",
      text: "Crawls, batches, extractions and agent runs of this account.",
      actions: linkButton("/?mode=crawl", "New crawl", { kind: "primary", icon: "plus" }),
    }),
    dom.div(
      { class: "row wrap" },
      stateTabs(filters.state, liveTotals.value ?? pages?.totals),
      dom.div(
        { class: "filter-kind" },
        select({
          "aria-label": "Kind",
          value: filters.kind,
          options: [
            { value: "", label: "All kinds" },
            ...Object.keys(session.value.jobPaths).map((kind) => ({ value: kind, label: kind })),
          ],
          onChange: (kind) => setQuery({ kind }),
        }),
      ),
      dom.input({
        class: "input filter-text",
        type: "search",
        "data-filter": "text",
        "aria-label": "Part of the URL or prompt",
        placeholder: "URL or prompt  ( / )",
        value: text,
        onInput: (event) => setText(event.currentTarget.value),
      }),
      chosen.length > 0 &&
        dom.div(
          { class: "row bulk" },
          dom.span({ class: "small" }, `${chosen.length} selected`),
          button({
            label: "Cancel",
            kind: "danger",
            small: true,
            icon: "stop",
            disabled: running.length === 0,
            onClick: () => setAsking(true),
          }),
          button({
            label: "Retry",
            small: true,
            icon: "again",
            disabled: retryable.length === 0,
            title: "Scrape their failed pages again, or start failed jobs again",
            onClick: () => {
              void retryJobs(retryable).then(() => setSelected(new Set()));
            },
          }),
          button({
            label: "Clear",
            kind: "quiet",
            small: true,
            onClick: () => setSelected(new Set()),
          }),
        ),
    ),
    fault !== undefined && errorBox(fault, () => void load()),
    pages === undefined &&
      fault === undefined &&
      dom.div({ class: "panel panel-body jobs-skeleton" }, skeleton(8)),
    pages !== undefined &&
      (shown.length === 0
        ? isFiltered
          ? empty({
              icon: "search",
              title: "No job fits",
              text: "Take a filter away to see more.",
              action: button({
                label: "Clear the filters",
                onClick: () => {
                  setText("");
                  setQuery({ kind: undefined, state: undefined, text: undefined });
                },
              }),
            })
          : empty({
              icon: "jobs",
              title: "No jobs yet",
              text: "A crawl starts at a page, follows the links of the site, and keeps the Markdown of every page.",
              action: linkButton("/?mode=crawl", "Start a crawl", { kind: "primary" }),
            })
        : dom.div(
            { class: "panel table-wrap" },
            dom.table(
              { class: "table jobs" },
              dom.caption({ class: "visually-hidden" }, "Jobs"),
              dom.thead(
                null,
                dom.tr(
                  null,
                  dom.th(
                    { scope: "col" },
                    dom.input({
                      type: "checkbox",
                      "aria-label": "Select all",
                      checked: chosen.length === shown.length,
                      onChange: (event) =>
                        setSelected(
                          event.currentTarget.checked
                            ? new Set(shown.map(({ id }) => id))
                            : new Set(),
                        ),
                    }),
                  ),
                  ...COLUMNS.map(([name, more]) =>
                    dom.th({ key: name, scope: "col", class: more }, name),
                  ),
                ),
              ),
              dom.tbody(
                null,
                ...shown.map((job, index) =>
                  row({
                    job,
                    isCurrent: index === at,
                    isSelected: selected.has(job.id),
                    onSelect: () => toggle(job.id),
                  }),
                ),
              ),
            ),
          )),
    typeof pages?.cursor === "string" &&
      dom.div(
        { class: "row center" },
        button({
          label: isLoading ? "Loading …" : "Older jobs",
          icon: "down",
          disabled: isLoading,
          onClick: () => void load(pages.cursor ?? undefined),
        }),
      ),
    isAsking &&
      dialog({
        title: `Cancel ${pluralize(running.length, "job")}?`,
        onClose: () => setAsking(false),
        body: `${formatNumber(running.reduce((sum, { total, completed, failed }) => sum + Math.max(0, total - completed - failed), 0))} queued URLs are left out. Finished pages stay readable.`,
        foot: [
          button({ label: "Let them run", onClick: () => setAsking(false) }),
          button({
            label: "Cancel the jobs",
            kind: "danger-fill",
            onClick: () => {
              setAsking(false);
              void cancelAll(running).then(() => setSelected(new Set()));
            },
          }),
        ],
      }),
  );
}
