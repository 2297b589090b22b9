// One job: its progress, its results and the outcome of every URL.
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";
import { call } from "../../data/api.ts";
import {
  formatDecimal,
  formatDuration,
  formatNumber,
  formatShare,
  pluralize,
} from "../../data/format.ts";
import { liveJobs } from "../../data/job-events.ts";
import { session } from "../../data/session.ts";
import { navigate, place, setQuery } from "../../router.ts";
import { button, linkButton } from "../../ui/button.ts";
import { copyButton } from "../../ui/copy.ts";
import { dialog } from "../../ui/dialog.ts";
import { create, dom } from "../../ui/dom.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { icon } from "../../ui/icons.ts";
import { jsonView } from "../../ui/code-view.ts";
import { lineChart } from "../../ui/line-chart.ts";
import { menu } from "../../ui/menu.ts";
import { badge, statusBadge } from "../../ui/status.ts";
import { tabPanel, tabs } from "../../ui/tabs.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { meter, tiles, time, url } from "../../ui/values.ts";
import type { ScreenProps } from "../screen-view.ts";
import { buildApiPath, jobPath, runAgainPath } from "./job-facts.ts";
import { isRetryable, retryJobs } from "./retry-jobs.ts";
import { JobErrors } from "./job-errors.ts";
import { JobPages } from "./job-pages.ts";
import { JobSettings } from "./job-settings.ts";
import { JobWebhooks } from "./job-webhooks.ts";
import { LedgerView } from "./ledger.ts";

/** Counters of a job from its own route. */
type Status = {
  readonly status: string;
  readonly completed?: number;
  readonly total?: number;
  readonly creditsUsed?: number;
  readonly createdAt?: string;
  readonly completedAt?: string;
  readonly expiresAt?: string;
  readonly warning?: string;
  readonly error?: string;
  readonly data?: unknown;
  /** Data that an agent run found before it failed. */
  readonly partial?: unknown;
};

type Sample = { readonly at: number; readonly done: number };
type Facts = {
  readonly state: string;
  readonly total: number;
  readonly completed: number;
  readonly failed: number;
  readonly credits: number;
  readonly createdAt: string | undefined;
  readonly completedAt: string | undefined;
  readonly expiresAt: string | undefined;
  readonly url: string | undefined;
  readonly prompt: string | undefined;
  readonly keyName: string | undefined;
  readonly error: string | undefined;
};

const MAX_SAMPLES = 600;

function toFacts(status: Status, job: ListedJobBody | undefined): Facts {
  const state =
    job?.state ??
    (status.status === "scraping" || status.status === "processing" ? "running" : status.status);
  return {
    state,
    total: job?.total ?? status.total ?? 0,
    completed: job?.completed ?? status.completed ?? 0,
    failed: job?.failed ?? 0,
    credits: job?.creditsUsed ?? status.creditsUsed ?? 0,
    createdAt: job?.createdAt ?? status.createdAt,
    completedAt: job?.completedAt ?? status.completedAt,
    expiresAt: job?.expiresAt ?? status.expiresAt,
    url: job?.url ?? undefined,
    prompt: job?.prompt ?? undefined,
    keyName: job?.apiKey.name ?? undefined,
    error: job?.error ?? status.error,
  };
}

/** Pages per second between neighboring samples. */
function toRates(samples: readonly Sample[]): { times: number[]; rates: number[] } {
  const times: number[] = [];
  const rates: number[] = [];
  for (const [index, sample] of samples.entries()) {
    const before = samples[Math.max(0, index - 3)];
    if (before === undefined || before === sample) continue;
    times.push(sample.at / 1_000);
    rates.push((1_000 * (sample.done - before.done)) / Math.max(1, sample.at - before.at));
  }
  return { times, rates };
}

function RateChart({
  done,
  isRunning,
}: {
  readonly done: number;
  readonly isRunning: boolean;
}): VNode | null {
  const [samples, setSamples] = useState<readonly Sample[]>([]);
  const latest = useRef(done);
  latest.current = done;
  useEffect(() => {
    if (!isRunning) return undefined;
    const add = (): void =>
      setSamples((before) => [
        ...before.slice(-MAX_SAMPLES),
        { at: Date.now(), done: latest.current },
      ]);
    add();
    const timer = setInterval(add, 1_000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const { times, rates } = toRates(samples);
  if (times.length < 2)
    return isRunning
      ? dom.div({ class: "chart-place tiny faint" }, "The rate appears here in a few seconds.")
      : null;
  return lineChart({
    label: "Pages a second",
    times,
    series: [{ label: "pages/s", color: "accent", values: rates }],
    height: 120,
    format: formatDecimal,
  });
}

function exportMenu(path: string): VNode {
  return menu({
    label: "Export",
    button: [icon("download"), "Export", icon("down", { size: 12 })],
    items: (close) => [
      dom.a(
        { href: `${path}/export?format=zip`, download: "pages.zip", onClick: close },
        "Pages as Markdown files (ZIP)",
      ),
      dom.a(
        { href: `${path}/export?format=ndjson`, download: "pages.ndjson", onClick: close },
        "Pages as NDJSON",
      ),
      dom.a(
        { href: `${path}/export?format=csv`, download: "pages.csv", onClick: close },
        "Pages as CSV",
      ),
      dom.a(
        { href: `${path}/ledger?format=csv`, download: "ledger.csv", onClick: close },
        "Ledger as CSV",
      ),
      dom.a(
        { href: `${path}/ledger?format=ndjson`, download: "ledger.ndjson", onClick: close },
        "Ledger as NDJSON",
      ),
    ],
  });
}

function counters(facts: Facts): VNode {
  const done = facts.completed + facts.failed;
  const end = facts.completedAt === undefined ? Date.now() : Date.parse(facts.completedAt);
  const ms = facts.createdAt === undefined ? 0 : Math.max(0, end - Date.parse(facts.createdAt));
  const rate = ms > 500 ? done / (ms / 1_000) : 0;
  const left =
    facts.state === "running" && rate > 0 ? ((facts.total - done) / rate) * 1_000 : undefined;
  return tiles(
    {
      label: "Pages",
      value: formatNumber(facts.completed),
      note: `of ${formatNumber(facts.total)} known`,
    },
    { label: "Failed", value: formatNumber(facts.failed), note: formatShare(facts.failed, done) },
    {
      label: "Pages a second",
      value: rate === 0 ? "–" : formatDecimal(rate),
      note: left === undefined ? "on average" : `about ${formatDuration(left)} left`,
    },
    {
      label: "Time",
      value: formatDuration(ms),
      note: facts.createdAt === undefined ? "" : time(facts.createdAt),
    },
    {
      label: "Credits",
      value: formatNumber(facts.credits),
      note: facts.keyName === undefined ? "" : `key ${facts.keyName}`,
    },
  );
}

const hasPages = (kind: string): boolean => session.value.pageKinds.includes(kind);

export function Job({ kind = "crawl", id = "" }: ScreenProps): VNode {
  const path = buildApiPath(kind, id);
  const job = liveJobs.value.get(id);
  const hasEnded = job !== undefined && job.state !== "running";
  const loaded = useLoad(
    (signal) => call<Status>("GET", path, { query: hasPages(kind) ? { limit: 1 } : {}, signal }),
    [path, hasEnded],
  );
  // Older jobs, which are not in the stream.
  const listed = useLoad(
    async (signal) =>
      (
        await call<{ jobs: ListedJobBody[] }>("GET", "/v2/jobs", {
          query: { kind, limit: 100 },
          signal,
        })
      ).jobs.find((one) => one.id === id),
    [id, hasEnded],
  );
  const [isAsking, setAsking] = useState(false);
  if (loaded.state === "failed") return errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined)
    return dom.div(
      { class: "stack gap-l" },
      dom.div({ class: "panel panel-body" }, skeleton(3)),
      dom.div({ class: "panel panel-body" }, skeleton(8)),
    );
  const facts = toFacts(loaded.value, job ?? listed.value);
  const isRunning = facts.state === "running";
  const { warning } = loaded.value;
  const list = !hasPages(kind)
    ? [
        { id: "data", label: "Data" },
        { id: "settings", label: "Settings" },
      ]
    : [
        { id: "ledger", label: "Ledger" },
        { id: "pages", label: "Pages", count: facts.completed },
        { id: "errors", label: "Errors", count: facts.failed },
        { id: "webhooks", label: "Webhooks" },
        { id: "settings", label: "Settings" },
      ];
  const asked = place.value.query.get("tab");
  const current = list.find((tab) => tab.id === asked)?.id ?? list[0]?.id ?? "";
  const cancel = (): void => {
    setAsking(false);
    call("DELETE", path).then(
      () => {
        toast("The job is cancelled. Finished pages are kept.");
        loaded.reload();
      },
      (error: unknown) => reportError(error),
    );
  };
  const retry = (): void => {
    void retryJobs([{ path }]).then(
      ([retried]) => retried !== undefined && navigate(jobPath(retried)),
    );
  };
  return dom.div(
    { class: "stack gap-l" },
    dom.div(
      { class: "screen-head" },
      dom.div(
        { class: "grow stack tight" },
        dom.div(
          { class: "row wrap" },
          dom.a({ href: "/console/jobs", class: "small" }, "Jobs"),
          dom.span({ class: "faint" }, "/"),
          badge(kind, "gray", kind === "crawl" ? "folder" : "jobs"),
          statusBadge(facts.state),
        ),
        dom.h1(
          { class: "job-title", dir: "auto" },
          facts.url === undefined ? (facts.prompt ?? kind) : url(facts.url, 90),
        ),
        dom.div(
          { class: "row wrap tiny faint" },
          dom.code(null, id),
          copyButton(id, "Copy the id"),
          !isRunning &&
            facts.expiresAt !== undefined &&
            dom.span({ class: "no-wrap" }, "expires ", time(facts.expiresAt)),
        ),
      ),
      dom.div(
        { class: "row wrap" },
        hasPages(kind) && exportMenu(path),
        isRetryable({ ...facts, kind }) &&
          button({
            label:
              hasPages(kind) && facts.completed > 0
                ? `Retry ${pluralize(facts.failed, "failed page")}`
                : "Retry",
            icon: "again",
            onClick: retry,
          }),
        linkButton(runAgainPath(kind, id, facts.url), "Run again", {
          icon: "again",
          title: "Opens these settings in the playground, where you can change them",
        }),
        isRunning &&
          button({ label: "Cancel", kind: "danger", icon: "stop", onClick: () => setAsking(true) }),
      ),
    ),
    facts.error !== undefined &&
      dom.div({ class: "error-box", role: "alert" }, dom.strong(null, facts.error)),
    typeof warning === "string" && dom.div({ class: "notice" }, warning),
    counters(facts),
    isRunning &&
      meter(
        [
          { share: facts.completed / Math.max(1, facts.total), color: "blue", label: "completed" },
          { share: facts.failed / Math.max(1, facts.total), color: "red", label: "failed" },
        ],
        `${pluralize(facts.completed, "page")} of ${facts.total}`,
      ),
    isRunning &&
      dom.div(
        { class: "panel panel-body" },
        create(RateChart, { done: facts.completed + facts.failed, isRunning }),
      ),
    dom.div(
      { class: "stack" },
      tabs({ label: "Job", tabs: list, current, onChange: (tab) => setQuery({ tab }) }),
      tabPanel(
        current,
        current === "ledger" && create(LedgerView, { key: path, path, isRunning }),
        current === "pages" && create(JobPages, { key: path, path, completed: facts.completed }),
        current === "errors" && create(JobErrors, { path, failed: facts.failed }),
        current === "webhooks" && create(JobWebhooks, { path, version: hasEnded ? 1 : 0 }),
        current === "settings" && create(JobSettings, { key: path, kind, id }),
        current === "data" && jsonView(loaded.value.data ?? loaded.value.partial ?? null),
      ),
    ),
    isAsking &&
      dialog({
        title: "Cancel this job?",
        onClose: () => setAsking(false),
        body: `${formatNumber(Math.max(0, facts.total - facts.completed - facts.failed))} queued URLs are skipped. The ${pluralize(facts.completed, "finished page")} are kept.`,
        foot: [
          button({ label: "Let it run", onClick: () => setAsking(false) }),
          button({ label: "Cancel the job", kind: "danger-fill", onClick: cancel }),
        ],
      }),
  );
}
