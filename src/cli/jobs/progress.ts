// Rendering of a running job: pure functions from its numbers to lines.
import { styleText } from "node:util";
import type { JobState, LedgerState } from "../../../client/wire.ts";
import { clip, clipMiddle, toPlainLine, measureWidth } from "../terminal/terminal-text.ts";

export type Sums = Readonly<Partial<Record<LedgerState, number>>>;

export type Progress = {
  /** "Crawling https://example.com/". */
  readonly title: string;
  readonly status: JobState["status"];
  /** Pages in the results. */
  readonly completed: number;
  /** Completed pages plus those known to be fetched. */
  readonly total: number;
  /** URLs by fate; polled less often than the rest. */
  readonly sums: Sums;
  readonly creditsUsed: number;
  /** Undefined until two polls are far enough apart. */
  readonly pagesPerSecond: number | undefined;
  readonly elapsedMs: number;
  /** A URL in progress. */
  readonly current?: string | undefined;
  /** Number of documents written, and the target. */
  readonly written?: { readonly count: number; readonly where: string } | undefined;
  /** A problem that delays the job, such as a server that does not answer. */
  readonly trouble?: string | undefined;
};

export type Paint = (style: "bold" | "dim" | "green" | "red" | "yellow", text: string) => string;

/** Colors as supported by the stream (NO_COLOR, FORCE_COLOR and pipes are respected). */
export const createPainter =
  (stream: NodeJS.WriteStream): Paint =>
  (style, text) =>
    styleText(style, text, { stream });

export const formatPlural = (number: number, noun: string): string =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

/** "0.4 s", "45 s", "3 min 20 s", "2 h 5 min". */
export function formatDuration(ms: number): string {
  if (ms > 0 && ms < 950) return `${Math.max(0.1, ms / 1_000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return join(`${minutes} min`, seconds % 60, "s");
  return join(`${Math.floor(minutes / 60)} h`, minutes % 60, "min");
}

const join = (first: string, rest: number, unit: string): string =>
  rest === 0 ? first : `${first} ${rest} ${unit}`;

const formatRate = (perSecond: number): string =>
  `${perSecond >= 100 ? perSecond.toFixed(0) : perSecond.toFixed(1)} pages/s`;

/** Estimated time for known open pages; undefined if unknown. */
function estimateTimeLeft({
  completed,
  total,
  pagesPerSecond,
  status,
}: Progress): string | undefined {
  const open = total - completed;
  if (status !== "scraping" || open <= 0 || !pagesPerSecond) return undefined;
  return `about ${formatDuration((open / pagesPerSecond) * 1_000)} left`;
}

/** The sums are older than the other numbers, which determine what is open now. */
function computeSums({ sums, status, completed, total }: Progress): Sums {
  if (status !== "scraping" || Object.keys(sums).length === 0) return sums;
  const open = Math.max(0, total - completed);
  const working = Math.min(sums.working ?? 0, open);
  return { ...sums, working, pending: open - working };
}

/** The fates of URLs in few words; zero counts are omitted. */
function listFateWords(progress: Progress): string[] {
  const sums = computeSums(progress);
  const fates: [LedgerState, string][] = [
    ["working", "in progress"],
    ["pending", "queued"],
    ["duplicate", "duplicate"],
    ["scope", "out of scope"],
    ["robots", "blocked by robots.txt"],
    ["depth", "too deep"],
    ["limit", "over the limit"],
    ["fileType", "not HTML"],
    ["trap", "in a spider trap"],
    ["cancelled", "cancelled"],
    ["error", "failed"],
  ];
  return fates.flatMap(([fate, words]) => {
    const number = sums[fate] ?? 0;
    return number === 0 ? [] : [`${number.toLocaleString("en")} ${words}`];
  });
}

const BAR_COLUMNS = 24;

function drawBar(done: number, all: number, paint: Paint): string {
  const full = all === 0 ? 0 : Math.min(BAR_COLUMNS, Math.floor((done / all) * BAR_COLUMNS));
  return `${paint("green", "█".repeat(full))}${paint("dim", "░".repeat(BAR_COLUMNS - full))}`;
}

/** Joins as many parts as fit, first ones first. */
function fit(parts: readonly string[], columns: number, separator = " · "): string {
  let line = "";
  for (const part of parts) {
    const longer = line === "" ? part : `${line}${separator}${part}`;
    if (measureWidth(longer) > columns) break;
    line = longer;
  }
  return line === "" ? clip(parts[0] ?? "", columns) : line;
}

/** Renders the lines of the live display, none wider than `columns`. */
export function renderProgress(progress: Progress, columns: number, paint: Paint): string[] {
  const { completed, total, pagesPerSecond, elapsedMs, creditsUsed, current, written, trouble } =
    progress;
  const room = Math.max(1, columns);
  const left = estimateTimeLeft(progress);
  const withBar = room >= BAR_COLUMNS + 20;
  const head = fit(
    [
      `${completed.toLocaleString("en")} of ${formatPlural(total, "page")}`,
      ...(pagesPerSecond === undefined ? [] : [formatRate(pagesPerSecond)]),
      ...(left === undefined ? [] : [left]),
    ],
    withBar ? room - BAR_COLUMNS - 2 : room,
  );
  const fates = listFateWords(progress);
  const lines = [
    paint("bold", clip(toPlainLine(progress.title), room)),
    withBar ? `${drawBar(completed, total, paint)}  ${head}` : head,
    ...(fates.length === 0 ? [] : [fit(fates, room)]),
    ...(current === undefined ? [] : [paint("dim", clipMiddle(toPlainLine(current), room))]),
    paint(
      "dim",
      fit(
        [
          formatDuration(elapsedMs),
          formatPlural(creditsUsed, "credit"),
          ...(written === undefined
            ? []
            : [`${formatPlural(written.count, "page")} written to ${toPlainLine(written.where)}`]),
        ],
        room,
      ),
    ),
    ...(trouble === undefined ? [] : [paint("yellow", clip(toPlainLine(trouble), room))]),
  ];
  return lines;
}

/** Renders one line for output without a terminal. */
export function renderLine(progress: Progress): string {
  const { completed, total, pagesPerSecond, trouble } = progress;
  const left = estimateTimeLeft(progress);
  return [
    `${completed.toLocaleString("en")} of ${formatPlural(total, "page")}`,
    ...listFateWords(progress),
    ...(pagesPerSecond === undefined ? [] : [formatRate(pagesPerSecond)]),
    ...(left === undefined ? [] : [left]),
    ...(trouble === undefined ? [] : [toPlainLine(trouble)]),
  ].join(", ");
}

export type RateMeter = {
  /** Adds the number of pages done at a time; the rate covers the last `windowMs`. */
  add(atMs: number, done: number): void;
  computeRate(): number | undefined;
};

/** Closer polls give no reliable rate. */
const MIN_SPAN_MS = 900;

export function createRateMeter(windowMs = 15_000): RateMeter {
  const looks: { atMs: number; done: number }[] = [];
  return {
    add(atMs, done) {
      looks.push({ atMs, done });
      while (looks.length > 2 && atMs - (looks[1]?.atMs ?? atMs) >= windowMs) looks.shift();
    },
    computeRate() {
      const [first] = looks;
      const last = looks.at(-1);
      if (first === undefined || last === undefined) return undefined;
      const spanMs = last.atMs - first.atMs;
      return spanMs < MIN_SPAN_MS ? undefined : ((last.done - first.done) / spanMs) * 1_000;
    },
  };
}
