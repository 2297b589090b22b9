// Points of the charts of the load: the stored samples, then the live readings of this screen. Pure,
// so that it is tested without a page.
import { pluralize } from "../../data/format.ts";
import { computeSum, type Metrics } from "../../data/metrics.ts";

type ProcessSample = {
  readonly at: number;
  readonly memoryBytes: number;
  readonly browserPages: number;
  readonly browserWaiting: number;
  readonly scrapes: number;
  readonly jobPages: number;
  readonly coveredMs: number;
};

/** The reply of GET /admin/history. */
export type LoadHistory = {
  readonly stepMs: number;
  readonly processes: readonly {
    readonly name: string;
    readonly role: string;
    readonly samples: readonly ProcessSample[];
  }[];
  readonly service: readonly {
    readonly at: number;
    readonly databaseBytes: number;
    readonly blobBytes: number | null;
    readonly crawlQueueAgeMs: number;
    readonly batchQueueAgeMs: number;
  }[];
};

export type LiveReading = {
  /** Milliseconds since the epoch by the server's clock, as the stored samples have. */
  readonly at: number;
  readonly metrics: Metrics;
};

/** One value for each line of a chart. */
export type LoadPoint = {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly values: readonly (number | null)[];
  readonly isLive?: true;
};

export type ChartData = {
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly lines: readonly (readonly (number | null)[])[];
};

/** Processes with a line of their own; more of them are added up by role. */
const MAX_LINES = 5;
/** The header Date has whole seconds, and the response takes a moment. */
const MAX_CLOCK_NOISE_MS = 3_000;
/** A process that started a moment ago has no rate yet. */
const MIN_COVERED_MS = 5_000;
/** Live readings are seconds apart, and pause while the page is hidden. */
const MAX_LIVE_GAP_MS = 30_000;

/** Milliseconds by which the server's clock is ahead of the browser's; 0 for about the same time. */
export function findClockOffset(date: string | null, now: number): number {
  const offset = Date.parse(date ?? "") - now;
  return Math.abs(offset) > MAX_CLOCK_NOISE_MS ? offset : 0;
}

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

type Group = { readonly label: string; readonly samples: readonly ProcessSample[] };

function groupProcesses({ processes }: LoadHistory): Group[] {
  if (processes.length === 1) return processes.map(({ samples }) => ({ label: "memory", samples }));
  if (processes.length <= MAX_LINES)
    return processes.map(({ name, role, samples }) => ({ label: `${role} ${name}`, samples }));
  return Array.from(
    Map.groupBy(processes, ({ role }) => role),
    ([role, members]) => ({
      label: `${role} (${pluralize(members.length, "process", "processes")})`,
      samples: members.flatMap(({ samples }) => samples),
    }),
  );
}

/** The values of each period, ascending. */
function toPoints<Sample extends { readonly at: number }>(
  samples: readonly Sample[],
  read: (ofPeriod: readonly Sample[]) => readonly (number | null)[],
): LoadPoint[] {
  return Array.from(
    Map.groupBy(samples, ({ at }) => at),
    ([at, ofPeriod]) => ({ at, values: read(ofPeriod) }),
  ).toSorted((one, other) => one.at - other.at);
}

export function toMemory(history: LoadHistory): { labels: string[]; points: LoadPoint[] } {
  const groups = groupProcesses(history);
  const tagged = groups.flatMap(({ samples }, group) =>
    samples.map(({ at, memoryBytes }) => ({ at, memoryBytes, group })),
  );
  const points = toPoints(tagged, (ofPeriod) =>
    groups.map((_, group) => {
      const own = ofPeriod.filter((sample) => sample.group === group);
      return own.length === 0 ? null : sum(own.map(({ memoryBytes }) => memoryBytes));
    }),
  );
  return { labels: groups.map(({ label }) => label), points };
}

const listSamples = ({ processes }: LoadHistory): ProcessSample[] =>
  processes.flatMap(({ samples }) => samples);

/** Pages in use and URLs that wait, of all processes. */
export const toBrowser = (history: LoadHistory): LoadPoint[] =>
  toPoints(listSamples(history), (ofPeriod) => [
    sum(ofPeriod.map(({ browserPages }) => browserPages)),
    sum(ofPeriod.map(({ browserWaiting }) => browserWaiting)),
  ]);

/** Scrapes and pages of jobs a second, of all processes. */
export const toRates = (history: LoadHistory): LoadPoint[] =>
  toPoints(listSamples(history), (ofPeriod) => {
    const counted = ofPeriod.filter(({ coveredMs }) => coveredMs >= MIN_COVERED_MS);
    if (counted.length === 0) return [null, null];
    const rate = (read: (sample: ProcessSample) => number): number =>
      sum(counted.map((sample) => (1_000 * read(sample)) / sample.coveredMs));
    return [rate(({ scrapes }) => scrapes), rate(({ jobPages }) => jobPages)];
  });

export const toQueueAge = ({ service }: LoadHistory): LoadPoint[] =>
  toPoints(service, ([sample]) => [
    sample?.crawlQueueAgeMs ?? null,
    sample?.batchQueueAgeMs ?? null,
  ]);

export const toStorage = ({ service }: LoadHistory): LoadPoint[] =>
  toPoints(service, ([sample]) => [sample?.databaseBytes ?? null, sample?.blobBytes ?? null]);

/** A metric with its labels. */
export type LiveGauge = readonly [
  name: string,
  labels?: Readonly<Record<string, string>>,
  factor?: number,
];

export const readGauges = (
  readings: readonly LiveReading[],
  gauges: readonly LiveGauge[],
): LoadPoint[] =>
  readings.map(({ at, metrics }) => ({
    at,
    isLive: true,
    values: gauges.map(([name, labels, factor = 1]) => factor * computeSum(metrics, name, labels)),
  }));

/**
 * Sizes of the database and the files. Until this process has listed the files their number is 0, which
 * is taken as unknown unless the history ends without files.
 */
export const readStorage = (
  readings: readonly LiveReading[],
  { service }: Pick<LoadHistory, "service">,
): LoadPoint[] =>
  readGauges(readings, [["quarry_database_bytes"], ["quarry_blob_bytes"], ["quarry_blobs"]]).map(
    ({ values: [database = null, files = null, count], ...point }) => ({
      ...point,
      values: [database, count === 0 && service.at(-1)?.blobBytes !== 0 ? null : files],
    }),
  );

/** Growth per second of counters between neighboring readings. */
export const readRates = (
  readings: readonly LiveReading[],
  names: readonly string[],
): LoadPoint[] =>
  readings.map(({ at, metrics }, index) => {
    const before = readings[index - 1];
    return {
      at,
      isLive: true,
      values: names.map((name) => {
        if (before === undefined) return null;
        const grown = computeSum(metrics, name) - computeSum(before.metrics, name);
        // The counters of a server that has restarted begin again.
        return grown < 0 ? null : grown / ((at - before.at) / 1_000);
      }),
    };
  });

function isGap(before: LoadPoint, point: LoadPoint, stepMs: number): boolean {
  const distance = point.at - before.at;
  if (before.isLive === true) return distance > MAX_LIVE_GAP_MS;
  // The first live reading follows a sample that was taken up to a period ago.
  return distance > (point.isLive === true ? 2 : 1.5) * stepMs;
}

/**
 * Joins the stored points with the live ones after them, from `from` on. Where the server was down or nothing was read,
 * the lines have a gap.
 */
export function joinPoints(
  stored: readonly LoadPoint[],
  live: readonly LoadPoint[],
  {
    from,
    stepMs,
    lines,
  }: { readonly from: number; readonly stepMs: number; readonly lines: number },
): ChartData {
  const lastAt = stored.at(-1)?.at ?? -Infinity;
  const points = [...stored, ...live.filter(({ at }) => at > lastAt)].filter(
    ({ at }) => at >= from,
  );
  const joined: LoadPoint[] = [];
  for (const point of points) {
    const before = joined.at(-1);
    if (before !== undefined && isGap(before, point, stepMs))
      joined.push({ at: (before.at + point.at) / 2, values: [] });
    joined.push(point);
  }
  return {
    times: joined.map(({ at }) => at / 1_000),
    lines: Array.from({ length: lines }, (_, line) =>
      joined.map(({ values }) => values[line] ?? null),
    ),
  };
}
