// "Ignore changes like this": shows which stored changes a rule would have silenced, then saves it.
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

export type IgnoreLineProps = {
  readonly monitor: Monitor;
  readonly lines: readonly string[];
  readonly onClose: () => void;
  readonly onSaved: () => void;
};

/** Replays the stored versions with and without the rule. */
async function findSilenced(
  { id, detection = {} }: Monitor,
  line: string,
  signal: AbortSignal,
): Promise<{ readonly before: number; readonly silenced: readonly Replayed[] }> {
  const known = Array.isArray(detection["ignore"]) ? (detection["ignore"] as unknown[]) : [];
  const rules = { detection: { ...detection, ignore: [...known, toLinePattern(line)] } };
  const path = `/v2/monitor/${id}/dry-run`;
  const [now, then] = await Promise.all([
    call<{ data: readonly Replayed[] }>("POST", path, { body: {}, signal }),
    call<{ data: readonly Replayed[] }>("POST", path, { body: rules, signal }),
  ]);
  const notified = now.data.filter(({ notifies }) => notifies);
  const silenced = now.data.filter(
    ({ notifies }, index) => notifies && then.data[index]?.notifies === false,
  );
  return { before: notified.length, silenced };
}

export function IgnoreLine({ monitor, lines, onClose, onSaved }: IgnoreLineProps): VNode {
  const [line, setLine] = useState(lines[0] ?? "");
  const loaded = useLoad((signal) => findSilenced(monitor, line, signal), [line]);
  const save = (): void => {
    call("POST", `/v2/monitor/${monitor.id}/feedback`, { body: { line, verdict: "ignore" } }).then(
      () => {
        toast("Lines like this no longer count.");
        onSaved();
      },
      reportError,
    );
  };
  return dialog({
    title: "Ignore changes like this",
    onClose,
    body: dom.div(
      { class: "stack" },
      dom.fieldset(
        { class: "plain-fieldset stack tight" },
        dom.legend({ class: "label" }, "The line that never counts; its numbers may differ"),
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
                `Would have silenced ${loaded.value.silenced.length} of ${pluralize(loaded.value.before, "stored notification")}.`,
              ),
              dom.ul(
                { class: "small" },
                ...loaded.value.silenced
                  .slice(0, 8)
                  .map((one, index) =>
                    dom.li({ key: index }, url(one.url, 44), ` · ${formatLocal(one.to)}`),
                  ),
              ),
            ),
    ),
    foot: [
      button({ label: "Cancel", onClick: onClose }),
      button({ label: "Ignore", kind: "primary", onClick: save }),
    ],
  });
}
