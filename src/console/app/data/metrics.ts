// Parses the part of Prometheus' text format that the console shows.
export type Sample = { readonly labels: Readonly<Record<string, string>>; readonly value: number };
export type Metrics = ReadonlyMap<string, readonly Sample[]>;

const LINE = /^(?<name>[a-zA-Z_:][\w:]*)(?:\{(?<labels>.*)\})? (?<value>\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;

export function parseMetrics(text: string): Metrics {
  const metrics = new Map<string, Sample[]>();
  for (const line of text.split("\n")) {
    const { name, labels = "", value } = LINE.exec(line)?.groups ?? {};
    if (name === undefined || value === undefined) continue;
    const pairs = [...labels.matchAll(LABEL)].map(
      ([, key = "", word = ""]) => [key, word] as const,
    );
    const samples = metrics.get(name) ?? [];
    samples.push({ labels: Object.fromEntries(pairs), value: Number(value) });
    metrics.set(name, samples);
  }
  return metrics;
}

export const computeSum = (
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number =>
  (metrics.get(name) ?? [])
    .filter((sample) => Object.entries(labels).every(([key, word]) => sample.labels[key] === word))
    .reduce((sum, { value }) => sum + value, 0);

/** Sums by the values of one label, largest first. */
export function sumsBy(metrics: Metrics, name: string, label: string): [string, number][] {
  const sums = new Map<string, number>();
  for (const { labels, value } of metrics.get(name) ?? []) {
    const word = labels[label] ?? "";
    sums.set(word, (sums.get(word) ?? 0) + value);
  }
  return [...sums].filter(([, value]) => value > 0).toSorted(([, one], [, other]) => other - one);
}

/**
 * A quantile of a histogram, interpolated within its bucket as Prometheus does; undefined without
 * observations.
 */
export function computeQuantile(
  metrics: Metrics,
  name: string,
  quantile: number,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const counts = new Map<number, number>();
  for (const sample of metrics.get(`${name}_bucket`) ?? []) {
    if (!Object.entries(labels).every(([key, word]) => sample.labels[key] === word)) continue;
    const bound =
      sample.labels["le"] === "+Inf" ? Number.POSITIVE_INFINITY : Number(sample.labels["le"]);
    counts.set(bound, (counts.get(bound) ?? 0) + sample.value);
  }
  const buckets = [...counts].toSorted(([one], [other]) => one - other);
  const total = buckets.at(-1)?.[1] ?? 0;
  if (total === 0) return undefined;
  const rank = quantile * total;
  let [lower, below] = [0, 0];
  for (const [bound, count] of buckets) {
    if (count >= rank)
      return bound === Number.POSITIVE_INFINITY
        ? lower
        : lower + ((bound - lower) * (rank - below)) / Math.max(1, count - below);
    [lower, below] = [bound, count];
  }
  return lower;
}
