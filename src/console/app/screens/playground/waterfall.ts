// Timing of the steps: bars in order on one scale, the longest in color.
import type { VNode } from "preact";
import { formatDuration } from "../../data/format.ts";
import { classes, dom } from "../../ui/dom.ts";
import { statusBadge } from "../../ui/status.ts";
import type { Attempt, Explanation } from "./scrape-answer.ts";

type Step = {
  readonly name: string;
  readonly ms: number;
  readonly from: number;
  readonly isPart: boolean;
};

/** Consecutive steps; the others are parts of "convert". */
const STEPS: readonly (readonly [name: string, label: string])[] = [
  ["queue", "Wait for a slot"],
  ["cache", "Look into the cache"],
  ["fetch", "Fetch"],
  ["derive", "Convert"],
  ["understand", "Understand"],
  ["save", "Store"],
];

const PARTS: readonly string[] = [
  "decode",
  "parse",
  "metadata",
  "content",
  "markdown",
  "links",
  "images",
  "json",
  "html",
];

function listSteps(timings: Explanation["timings"]): Step[] {
  const steps: Step[] = [];
  let from = 0;
  for (const [name, label] of STEPS) {
    const ms = timings[name];
    if (ms === undefined) continue;
    steps.push({ name: label, ms, from, isPart: false });
    if (name === "derive") {
      let inside = from;
      for (const part of PARTS) {
        const partMs = timings[part];
        if (partMs === undefined) continue;
        steps.push({ name: part, ms: partMs, from: Math.min(inside, from + ms), isPart: true });
        inside += partMs;
      }
    }
    from += ms;
  }
  return steps;
}

function stepRow(step: Step, total: number, longest: number): VNode {
  const left = Math.min(99, (100 * step.from) / total);
  const width = Math.max(0.6, Math.min(100 - left, (100 * step.ms) / total));
  return dom.li(
    { key: step.name, class: classes("waterfall-row", step.isPart && "part") },
    dom.span({ class: "waterfall-name" }, step.name),
    dom.span(
      { class: "waterfall-track", "aria-hidden": true },
      dom.span({
        class: classes(
          "waterfall-bar",
          step.ms === longest && !step.isPart
            ? "fill-amber"
            : step.isPart
              ? "fill-line"
              : "fill-accent",
        ),
        style: { marginInlineStart: `${left}%`, width: `${width}%` },
      }),
    ),
    dom.span({ class: "num waterfall-ms" }, formatDuration(step.ms)),
  );
}

function attemptRow(attempt: Attempt, index: number): VNode {
  const { engine, proxy, renderedBy, outcome, statusCode, verdict, ms } = attempt;
  return dom.tr(
    { key: index },
    dom.td({ class: "num" }, index + 1),
    dom.td(
      null,
      dom.strong(null, engine),
      renderedBy !== undefined && dom.span({ class: "faint" }, ` ${renderedBy}`),
    ),
    dom.td(null, proxy),
    dom.td({ class: "num" }, statusCode ?? "–"),
    dom.td(
      null,
      outcome === "captured"
        ? statusBadge(verdict?.kind ?? "ok")
        : dom.span({ class: "badge red" }, outcome),
    ),
    dom.td({ class: "soft" }, verdict?.reason ?? ""),
    dom.td({ class: "num end" }, formatDuration(ms)),
  );
}

export function waterfall({ timings, attempts, plan, cache }: Explanation): VNode {
  const total = timings["total"] ?? 1;
  const steps = listSteps(timings);
  const longest = Math.max(0, ...steps.filter(({ isPart }) => !isPart).map(({ ms }) => ms));
  return dom.div(
    { class: "stack gap-l" },
    dom.div(
      { class: "row wrap small soft" },
      dom.span(null, "Total ", dom.strong({ class: "num" }, formatDuration(total))),
      dom.span(null, "· cache ", dom.strong(null, cache)),
      dom.span(
        null,
        "· plan ",
        plan.attempts.map(({ engine, proxy }) => `${engine} (${proxy})`).join(" → "),
      ),
    ),
    dom.ol(
      { class: "waterfall", "aria-label": "Steps" },
      ...steps.map((step) => stepRow(step, total, longest)),
    ),
    attempts.length > 0 &&
      dom.div(
        { class: "table-wrap" },
        dom.table(
          { class: "table" },
          dom.caption({ class: "visually-hidden" }, "Engines tried"),
          dom.thead(
            null,
            dom.tr(
              null,
              ...["#", "Engine", "Proxy", "Status", "Verdict", "Reason", "Time"].map((name, at) =>
                dom.th({ key: name, scope: "col", class: at === 6 ? "end" : "" }, name),
              ),
            ),
          ),
          dom.tbody(null, ...attempts.map(attemptRow)),
        ),
      ),
    attempts.length === 0 &&
      dom.p(
        { class: "small soft" },
        "Nothing was fetched: the answer comes from the stored capture.",
      ),
  );
}
