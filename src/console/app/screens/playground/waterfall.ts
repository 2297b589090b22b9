// Timing of a scrape: its spans as bars on one scale, the longest step in color, and the engines
// that were tried.
import type { VNode } from "preact";
import { formatDuration } from "../../data/format.ts";
import { classes, dom } from "../../ui/dom.ts";
import { listTraceRows, type TraceRow } from "./trace-rows.ts";
import { statusBadge } from "../../ui/status.ts";
import type { Attempt, Explanation } from "./scrape-answer.ts";

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

function traceRow(row: TraceRow, total: number, key: number): VNode {
  const left = Math.min(99, (100 * row.startMs) / total);
  const width = Math.max(0.6, Math.min(100 - left, (100 * row.ms) / total));
  const color = row.failed ? "red" : row.isLongest ? "amber" : row.depth > 0 ? "gray" : "accent";
  return dom.li(
    { key, class: classes("waterfall-row", row.depth > 0 && "part"), title: row.note },
    dom.span(
      { class: "waterfall-name", style: { paddingInlineStart: `${14 * row.depth}px` } },
      row.label,
      row.note !== "" && dom.span({ class: "faint" }, ` ${row.note}`),
    ),
    dom.span(
      { class: "waterfall-track", "aria-hidden": true },
      dom.span({
        class: `waterfall-bar fill-${color}`,
        style: { marginInlineStart: `${left}%`, width: `${width}%` },
      }),
    ),
    dom.span(
      { class: "num waterfall-ms" },
      formatDuration(row.ms),
      row.failed && dom.span({ class: "visually-hidden" }, " failed"),
    ),
  );
}

export function waterfall(explanation: Explanation): VNode {
  const { timings, attempts, plan, cache } = explanation;
  const rows = listTraceRows(explanation);
  const total = Math.max(1, timings["total"] ?? 1, ...rows.map(({ startMs, ms }) => startMs + ms));
  return dom.div(
    { class: "stack gap-l" },
    dom.div(
      { class: "row wrap gap-l small soft" },
      dom.span(null, "Total ", dom.strong({ class: "num" }, formatDuration(total))),
      dom.span(null, "Cache ", dom.strong(null, cache)),
      dom.span(
        null,
        "Plan ",
        plan.attempts.map(({ engine, proxy }) => `${engine} (${proxy})`).join(" → "),
      ),
    ),
    dom.ol(
      { class: "waterfall", "aria-label": "Steps" },
      ...rows.map((row, key) => traceRow(row, total, key)),
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
