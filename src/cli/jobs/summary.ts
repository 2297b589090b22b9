// Summaries of a job that has ended or is read once.
import { FATES, type LedgerState } from "../../contract/jobs/url-outcomes.ts";
import type { JobErrors, JobState } from "../../../client/wire.ts";
import type { Hint } from "../terminal/hint.ts";
import { formatDuration, formatPlural, type Paint, type Sums } from "./progress.ts";
import { toPlainLine } from "../terminal/terminal-text.ts";

const MEANINGS: Readonly<Record<LedgerState, string>> = {
  fetched: "in the results",
  duplicate: "same document as another URL",
  scope: "out of scope",
  robots: "forbidden by robots.txt",
  depth: "deeper than --depth allows",
  limit: "more pages than --limit allows",
  fileType: "not HTML, by the file name",
  trap: "held back by the spider-trap detector, such as an endless calendar",
  error: "could not be fetched",
  cancelled: "not reached before the end",
  pending: "queued",
  working: "in progress",
};

const ORDER: readonly LedgerState[] = [...FATES, "pending", "working"];

/** Renders the ledger's sums, one fate per line, with the total. */
export function renderSums(sums: Sums): string[] {
  const rows = ORDER.flatMap((fate): [string, number, string][] => {
    const number = sums[fate] ?? 0;
    return number === 0 ? [] : [[fate, number, MEANINGS[fate]]];
  });
  const total = rows.reduce((sum, [, number]) => sum + number, 0);
  const width = Math.max(...[...rows.map(([, number]) => number), total].map(countDigits));
  const formatLine = (name: string, number: number, meaning: string): string =>
    `  ${name.padEnd(10)} ${number.toLocaleString("en").padStart(width)}  ${meaning}`;
  return [...rows.map((row) => formatLine(...row)), formatLine("URLs seen", total, "")].map(
    (text) => text.trimEnd(),
  );
}

const countDigits = (number: number): number => number.toLocaleString("en").length;

/** Describes the state of the job in one sentence. */
export function renderState(state: JobState, paint: Paint): string {
  const { status, completed, creditsUsed } = state;
  const pages = formatPlural(completed, "page");
  const seconds = state.duration;
  const pace =
    seconds === undefined || seconds <= 0 || completed === 0
      ? ""
      : ` in ${formatDuration(seconds * 1_000)} (${(completed / seconds).toFixed(1)} pages/s)`;
  const credits = formatPlural(creditsUsed, "credit");
  switch (status) {
    case "completed":
      return `${paint("green", "Done:")} ${pages}${pace}, ${credits}.`;
    case "cancelled":
      return `${paint("yellow", "Cancelled:")} ${pages} finished${pace} and kept, ${credits}.`;
    case "failed":
      return `${paint("red", "Failed:")} ${toPlainLine(state.error ?? "no reason was given.")} ${pages}${pace}, ${credits}.`;
    case "scraping":
      return `Running: ${completed.toLocaleString("en")} of ${formatPlural(state.total, "page")} known so far, ${credits}.`;
  }
}

const MAX_ERRORS = 3;

/** Lists the first failed pages with reasons. */
export function renderErrors(
  { errors }: JobErrors,
  noun: string,
  id: string,
  hint: Hint,
): string[] {
  if (errors.length === 0) return [];
  const rest = errors.length - MAX_ERRORS;
  return [
    ...errors
      .slice(0, MAX_ERRORS)
      .map(({ url, error }) => `failed: ${toPlainLine(url)}: ${toPlainLine(error)}`),
    ...(rest > 0 ? [`and ${rest.toLocaleString("en")} more: ${hint(`${noun} errors ${id}`)}`] : []),
  ];
}

/** Renders the server's warnings for the end of the output; API routes in them become commands. */
export function renderWarnings(
  { warning }: JobState,
  paint: Paint,
  noun: string,
  hint: Hint,
): string[] {
  if (warning === undefined) return [];
  const text = toPlainLine(warning)
    .replaceAll(
      /GET \/v\d\/\S+\/([\w-]+)\/errors lists/g,
      (_, id: string) => `${hint(`${noun} errors ${id}`)} lists`,
    )
    .replaceAll("ignoreRobotsTxt", "--ignore-robots");
  return [`${paint("yellow", "warning:")} ${text}`];
}
