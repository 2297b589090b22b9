// The spans of a scrape as rows of the waterfall, in the words of people. Pure.
import type { Explanation, TraceSpan } from "./scrape-answer.ts";

export type TraceRow = {
  readonly label: string;
  readonly note: string;
  readonly startMs: number;
  readonly ms: number;
  readonly depth: number;
  readonly failed: boolean;
  /** The longest of the innermost steps. */
  readonly isLongest: boolean;
};

const LABELS: Readonly<Record<string, string>> = {
  "queue.wait": "Wait for a slot",
  "cache.read": "Cache lookup",
  "engine.fetch": "Fetch",
  "engine.attempt": "Try",
  "dns.lookup": "DNS",
  connect: "Connect",
  "http.first_byte": "First byte (TTFB)",
  "http.download": "Download",
  "browser.open": "Open a browser page",
  "browser.navigate": "Navigate",
  "browser.settle": "Render",
  "browser.actions": "Actions",
  "browser.screenshot": "Screenshot",
  "browser.read": "Read the page",
  convert: "Convert",
  "document.parse": "Read the document",
  understand: "Rules and models",
  chat: "Ask the model",
  "result.save": "Store",
  "blob.put": "Write the body",
  "db.group_commit": "Commit",
  "audio.fetch": "Fetch the audio",
};

/** Steps of an explanation without a trace, in their order. */
const STEPS: readonly (readonly [step: string, span: string])[] = [
  ["queue", "queue.wait"],
  ["cache", "cache.read"],
  ["fetch", "engine.fetch"],
  ["derive", "convert"],
  ["understand", "understand"],
  ["save", "result.save"],
];

const toLabel = (name: string): string =>
  LABELS[name] ?? (name.startsWith("convert.") ? name.slice("convert.".length) : name);

function toNote({ attributes = {} }: TraceSpan): string {
  const { "quarry.engine": engine, "quarry.verdict": verdict } = attributes;
  const status = attributes["http.response.status_code"];
  return [engine, status, verdict]
    .filter((part) => part !== undefined)
    .map(String)
    .join(" · ");
}

/** Without a trace, one after the other. */
function fromTimings(timings: Explanation["timings"]): TraceSpan[] {
  let startMs = 0;
  return STEPS.flatMap(([step, name]) => {
    const ms = timings[step];
    if (ms === undefined) return [];
    const span = { name, startMs, ms };
    startMs += ms;
    return [span];
  });
}

export function listTraceRows({ trace, timings }: Explanation): TraceRow[] {
  const spans = trace === undefined || trace.length === 0 ? fromTimings(timings) : trace;
  const children = new Map<number | undefined, number[]>();
  for (const [at, { parent }] of spans.entries()) {
    const siblings = children.get(parent) ?? [];
    siblings.push(at);
    children.set(parent, siblings);
  }
  const innermost = spans.flatMap(({ ms = 0 }, at) => (children.has(at) ? [] : [ms]));
  const longest = Math.max(0, ...innermost);
  const rows: TraceRow[] = [];
  // A span is listed after its parent, so the tree ends.
  const open = (children.get(undefined) ?? []).map((at) => ({ at, depth: 0 })).toReversed();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { at, depth } = next;
    const span = spans[at];
    if (span === undefined) continue;
    const { startMs, ms = 0 } = span;
    const below = children.get(at) ?? [];
    rows.push({
      label: toLabel(span.name),
      note: toNote(span),
      startMs,
      ms,
      depth,
      failed: span.failed === true,
      isLongest: below.length === 0 && ms > 0 && ms === longest,
    });
    const sorted = below.toSorted(
      (one, other) => (spans[one]?.startMs ?? 0) - (spans[other]?.startMs ?? 0),
    );
    for (const child of sorted.toReversed())
      if (child > at) open.push({ at: child, depth: depth + 1 });
  }
  return rows;
}
