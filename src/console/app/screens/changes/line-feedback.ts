// "Ignore changes like this" and "This matters": shows which stored changes a rule would have silenced
// or let through, then saves it.
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { Monitor } from "../../../../contract/jobs/monitor-report.ts";
import { call } from "../../data/api.ts";
import { formatLocal, pluralize } from "../../data/format.ts";
import { button } from "../../ui/button.ts";
import { dom } from "../../ui/dom.ts";
import { dialog } from "../../ui/dialog.ts";
import { errorBox, skeleton } from "../../ui/feedback.ts";
import { reportError, toast } from "../../ui/toast.ts";
import { useLoad } from "../../ui/use-load.ts";
import { url } from "../../ui/values.ts";
import { toLinePattern } from "./monitor-facts.ts";

type Replayed = {
  readonly url: string;
  readonly to: string;
  readonly changed: boolean;
  readonly notifies: boolean;
};

export type Verdict = "ignore" | "matters";

export type LineFeedbackProps = {
  readonly monitor: Monitor;
  readonly verdict: Verdict;
  readonly lines: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
};

const TEXTS = {
  ignore: {
    title: "Ignore changes like this",
    legend: "Line to ignore; its numbers may differ",
    save: "Ignore",
    saved: "Lines like this are now ignored.",
    describe: (count: number, before: number) =>
      `Would have silenced ${count} of ${pluralize(before, "stored notification")}.`,
  },
  matters: {
    title: "This matters",
    legend: "Line to always report; its numbers may differ",
    save: "Always count it",
    saved: "Lines like this are now always reported.",
    describe: (count: number) =>
      `Would have notified of ${pluralize(count, "more stored difference")}.`,
  },
} as const;

/** Replays the stored versions with and without the rule; returns those that it decides. */
async function findDecided(
  { id, detection = {} }: Monitor,
  verdict: Verdict,
  line: string,
  signal: AbortSignal,
): Promise<{ readonly before: number; readonly decided: readonly Replayed[] }> {
  const pattern = toLinePattern(line);
  const list = (name: string): unknown[] =>
    (Array.isArray(detection[name]) ? (detection[name] as unknown[]) : []).filter(
      (known) => known !== pattern,
    );
  const [name, other] =
    verdict === "ignore" ? (["ignore", "watch"] as const) : (["watch", "ignore"] as const);
  const rules = {
    detection: { ...detection, [name]: [...list(name), pattern], [other]: list(other) },
  };
  const path = `/v2/monitor/${id}/dry-run`;
  const [now, then] = await Promise.all([
    call<{ data: readonly Replayed[] }>("POST", path, { body: {}, signal }),
    call<{ data: readonly Replayed[] }>("POST", path, { body: rules, signal }),
  ]);
  const notified = now.data.filter(({ notifies }) => notifies);
  const decided = now.data.filter(
    ({ notifies }, index) =>
      notifies === (verdict === "ignore") && then.data[index]?.notifies === (verdict === "matters"),
  );
  return { before: notified.length, decided };
}

export function LineFeedback(props: LineFeedbackProps): VNode {
  const { monitor, verdict, lines, onClose, onSaved } = props;
  const texts = TEXTS[verdict];
  const [line, setLine] = useState(lines[0] ?? "");
  const loaded = useLoad((signal) => findDecided(monitor, verdict, line, signal), [line]);
  const save = (): void => {
    call("POST", `/v2/monitor/${monitor.id}/feedback`, { body: { line, verdict } }).then(() => {
      toast(texts.saved);
      onSaved();
    }, reportError);
  };
  return dialog({
    title: texts.title,
    onClose,
    body: dom.div(
      { class: "stack" },
      dom.fieldset(
        { class: "plain-fieldset stack tight" },
        dom.legend({ class: "label" }, texts.legend),
        ...lines.map((one) =>
          dom.label(
            { key: one, class: "check" },
            dom.input({
              type: "radio",
              name: "ignored-line",
              checked: one === line,
              onChange: () => setLine(one),
            }),
            dom.code({ dir: "auto", class: "ignored-line" }, one),
          ),
        ),
      ),
      loaded.state === "failed"
        ? errorBox(loaded.error, loaded.reload)
        : loaded.value === undefined
          ? skeleton(2)
          : dom.div(
              { class: "stack tight" },
              dom.p(
                { class: "small soft", role: "status" },
                texts.describe(loaded.value.decided.length, loaded.value.before),
              ),
              dom.ul(
                { class: "small" },
                ...loaded.value.decided
                  .slice(0, 8)
                  .map((one, index) =>
                    dom.li({ key: index }, url(one.url, 44), ` · ${formatLocal(one.to)}`),
                  ),
              ),
            ),
    ),
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      button({ label: texts.save, kind: "primary", onClick: save }),
    ],
  });
}
