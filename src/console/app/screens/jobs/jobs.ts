// All jobs of the account in one list: running jobs first, then newest first. The address holds the
// filters.
import { screenHead } from "../../ui/screen-head.ts";
import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";
import { call } from "../../data/api.ts";
import { formatNumber, pluralize } from "../../data/format.ts";
import { liveJobs, type JobTotals } from "../../data/job-events.ts";
import { useJobTotals } from "../../data/job-totals.ts";
import { useKeys } from "../../data/keys.ts";
import { session } from "../../data/session.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { classes, create, dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { empty, skeleton } from "../../ui/feedback.ts";
import { segments, select } from "../../ui/fields.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { moreRows, startFault, useLongList } from "../../ui/use-long-list.ts";
import { meter, time, url } from "../../ui/values.ts";
import { jobPath, jobSpeed } from "./job-facts.ts";
import { mergeJobs, type JobFilters } from "./merge-jobs.ts";
import { isRetryable, retryJobs } from "./retry-jobs.ts";

type Page = { readonly jobs: readonly ListedJobBody[]; readonly cursor: string | null };

const PAGE_SIZE = 100;
const FILTER_MS = 250;
/** As many as the narrowest column of targets shows: longer ones are shortened in the middle. */
const URL_CHARACTERS = 44;
const STATES = ["running", "completed", "failed", "cancelled"] as const;
/** Requests at the same time when several jobs are cancelled. */
const CANCELLED_AT_ONCE = 6;

const readFilters = (query: URLSearchParams): JobFilters => ({
  kind: query.get("kind") ?? "",
  state: query.get("state") ?? "",
  text: query.get("text") ?? "",
});

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
  readonly index: number;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly onSelect: (id: string) => void;
};

function JobRow(props: RowProps): VNode {
  const { job, index, isCurrent, isSelected } = props;
  // The same element is not compared again: a scroll renders the new rows only.
  return useMemo(() => row(props), [job, index, isCurrent, isSelected]);
}

function row({ job, index, isCurrent, isSelected, onSelect }: RowProps): VNode {
  const speed = jobSpeed(job);
  return dom.tr(
    {
      class: classes("openable", isCurrent && "current"),
      "aria-selected": isSelected,
      "aria-rowindex": index + 2,
      onClick: () => navigate(jobPath(job)),
    },
    dom.td(
      { onClick: (event) => event.stopPropagation() },
      dom.input({
        type: "checkbox",
        checked: isSelected,
        "aria-label": `Select ${job.url ?? job.id}`,
        onChange: () => onSelect(job.id),
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
        { href: jobPath(job), class: "job-link truncate", dir: "auto" },
        job.url === null ? (job.prompt ?? job.id) : url(job.url, URL_CHARACTERS),
      ),
      dom.div(
        { class: "only-narrow" },
        dom.div({ class: "tiny faint truncate" }, job.kind, " · ", time(job.createdAt)),
      ),
      job.error !== null &&
        dom.div({ class: "tiny fault truncate", title: job.error, dir: "auto" }, job.error),
    ),
    dom.td({ class: "job-progress hide-medium" }, progress(job)),
    dom.td(
      { class: "num end" },
      formatNumber(job.completed),
      dom.span({ class: "faint hide-narrow" }, ` / ${formatNumber(job.total)}`),
    ),
    dom.td({ class: "num end hide-narrow" }, speed),
    dom.td(
      { class: classes("num end hide-narrow", job.failed > 0 ? "red-text" : "faint") },
      formatNumber(job.failed),
    ),
    dom.td({ class: "num end hide-narrow" }, formatNumber(job.creditsUsed)),
    dom.td(
      { class: "faint truncate hide-narrow", title: job.apiKey.name ?? "" },
      job.apiKey.name ?? "–",
    ),
    dom.td({ class: "num end faint hide-narrow" }, time(job.createdAt)),
  );
}

/** Widths are fixed, so that no column jumps when other rows come into sight. */
const COLUMNS: readonly (readonly [name: string, width: number | undefined, more: string])[] = [
  ["State", 116, ""],
  ["Kind", 92, "hide-narrow"],
  ["Target", undefined, ""],
  ["Progress", 110, "hide-medium"],
  ["Pages", 136, "end"],
  ["Pages/s", 70, "end hide-narrow"],
  ["Failed", 72, "end hide-narrow"],
  ["Credits", 72, "end hide-narrow"],
  ["Key", 92, "hide-narrow"],
  ["Started", 100, "end hide-narrow"],
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
  const faults: unknown[] = [];
  const left = jobs.values();
  const cancelNext = async (): Promise<void> => {
    for (const { path } of left)
      await call("DELETE", path).catch((error: unknown) => faults.push(error));
  };
  await Promise.all(Array.from({ length: CANCELLED_AT_ONCE }, cancelNext));
  toast(`${pluralize(jobs.length - faults.length, "job")} cancelled.`);
  if (faults.length > 0) reportError(faults[0]);
}

export function Jobs(): VNode {
  const filters = readFilters(place.value.query);
  const [text, setText] = useState(filters.text);
  const totals = useJobTotals(filters.kind);
  const [at, setAt] = useState(-1);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const list = useLongList<ListedJobBody, string>({
    name: "jobs",
    load: async (cursor, signal) => {
      const page = await call<Page>("GET", "/v2/jobs", {
        query: { ...filters, limit: PAGE_SIZE, cursor },
        signal,
      });
      return { rows: page.jobs, cursor: page.cursor };
    },
    filters: [filters.kind, filters.state, filters.text],
    merge: (rows, isWhole) => mergeJobs(rows, liveJobs.value, filters, isWhole),
    mergeKeys: [liveJobs.value, filters.kind, filters.state, filters.text],
  });
  const { shown, sight } = list;
  useEffect(() => {
    if (text === filters.text) return undefined;
    const timer = setTimeout(() => setQuery({ text }), FILTER_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const chosen = useMemo(
    () => (selected.size === 0 ? [] : shown.filter(({ id }) => selected.has(id))),
    [shown, selected],
  );
  const running = chosen.filter(({ state }) => state === "running");
  const retryable = chosen.filter(isRetryable);
  const toggle = (id: string): void =>
    setSelected((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  // Keys may be faster than the screen is drawn.
  const reached = useRef(at);
  reached.current = at;
  const moveSelection = (step: number): void => {
    reached.current = Math.max(0, Math.min(shown.length - 1, reached.current + step));
    setAt(reached.current);
    sight.scrollTo(reached.current);
  };
  const withReached = (run: (job: ListedJobBody) => void): void => {
    const job = shown[reached.current];
    if (job !== undefined) run(job);
  };
  useKeys([
    { keys: "j", text: "Next job", run: () => moveSelection(1) },
    { keys: "k", text: "Previous job", run: () => moveSelection(-1) },
    {
      keys: "Enter",
      text: "Open the job",
      run: () => withReached((job) => navigate(jobPath(job))),
    },
    { keys: "x", text: "Select the job", run: () => withReached(({ id }) => toggle(id)) },
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
      // The numbers do not depend on the text.
      stateTabs(filters.state, filters.text === "" ? totals : undefined),
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
    startFault(list),
    list.fault === undefined &&
      (list.rows === undefined || (shown.length === 0 && !list.isWhole)) &&
      dom.div({ class: "panel panel-body jobs-skeleton" }, skeleton(8)),
    list.rows !== undefined &&
      (shown.length > 0 || list.isWhole) &&
      (shown.length === 0
        ? isFiltered
          ? empty({
              icon: "search",
              title: "No matching jobs",
              text: "Clear the filters to see all jobs.",
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
              { class: "table long jobs", "aria-rowcount": list.isWhole ? shown.length + 1 : -1 },
              dom.caption({ class: "visually-hidden" }, "Jobs"),
              dom.thead(
                null,
                dom.tr(
                  null,
                  dom.th(
                    { scope: "col", class: "select-cell" },
                    dom.input({
                      type: "checkbox",
                      "aria-label": "Select all",
                      checked: chosen.length > 0 && chosen.length === shown.length,
                      onChange: (event) =>
                        setSelected(
                          event.currentTarget.checked
                            ? new Set(shown.map(({ id }) => id))
                            : new Set(),
                        ),
                    }),
                  ),
                  ...COLUMNS.map(([name, width, more]) =>
                    dom.th(
                      {
                        key: name,
                        scope: "col",
                        class: more,
                        ...(width !== undefined && { style: { width: `${width}px` } }),
                      },
                      name,
                    ),
                  ),
                ),
              ),
              dom.tbody(
                { ref: sight.body },
                ...sight.rows((index) => {
                  const job = shown[index];
                  return (
                    job &&
                    create(JobRow, {
                      key: job.id,
                      job,
                      index,
                      isCurrent: index === at,
                      isSelected: selected.has(job.id),
                      onSelect: toggle,
                    })
                  );
                }),
              ),
            ),
          )),
    moreRows(list, "Loading older jobs …"),
    isAsking &&
      dialog({
        title: `Cancel ${pluralize(running.length, "job")}?`,
        onClose: () => setAsking(false),
        body: `${formatNumber(running.reduce((sum, { total, completed, failed }) => sum + Math.max(0, total - completed - failed), 0))} queued URLs are skipped. Finished pages are kept.`,
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
