// Values derived from a job's counters.
import type { ListedJobBody } from "../../../../contract/jobs/job-list.ts";
import { session } from "../../data/session.ts";
import { formatDecimal } from "../../data/format.ts";

/** Screen of a job. */
export const jobPath = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  kind === "agent" ? `/console/agents/${id}` : `/console/jobs/${kind}/${id}`;

/** Playground with the settings of the job. */
export const runAgainPath = (kind: string, id: string, url?: string): string =>
  `/?${new URLSearchParams({ mode: kind, ...(url !== undefined && { url }), job: id }).toString()}`;

/** API path of a job. */
export const buildApiPath = (kind: string, id: string): string =>
  `${session.value.jobPaths[kind] ?? `/v2/${kind}`}/${encodeURIComponent(id)}`;

/** Average pages per second. */
export function jobSpeed({ createdAt, completedAt, completed, failed }: ListedJobBody): string {
  const end = completedAt === null ? Date.now() : Date.parse(completedAt);
  const seconds = (end - Date.parse(createdAt)) / 1_000;
  return seconds < 0.5 || completed + failed === 0
    ? "–"
    : formatDecimal((completed + failed) / seconds);
}

export const FATE_COLORS: Readonly<Record<string, string>> = {
  fetched: "green",
  duplicate: "violet",
  scope: "gray",
  robots: "amber",
  depth: "gray",
  limit: "gray",
  fileType: "gray",
  trap: "amber",
  error: "red",
  cancelled: "gray",
  pending: "line",
  working: "blue",
};

export const FATE_WORDS: Readonly<Record<string, string>> = {
  fetched: "fetched",
  duplicate: "duplicate",
  scope: "out of scope",
  robots: "robots.txt",
  depth: "too deep",
  limit: "over the limit",
  fileType: "file type",
  trap: "spider trap",
  error: "error",
  cancelled: "cancelled",
  pending: "queued",
  working: "in progress",
};
