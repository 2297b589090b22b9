// The settings that a job was started with.
import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { ApiError } from "../../data/api.ts";
import { pluralize, toText } from "../../data/format.ts";
import { copyButton } from "../../ui/copy.ts";
import { classes, dom } from "../../ui/dom.ts";
import { empty, errorBox, skeleton } from "../../ui/feedback.ts";
import { jsonView } from "../../ui/code-view.ts";
import { useLoad } from "../../ui/use-load.ts";
import type { Options } from "../playground/modes.ts";
import { listOmitted } from "./omitted-secrets.ts";
import { loadStoredJob } from "./stored-job.ts";

const MAX_LISTED = 20;
/** Fields whose own fields are rows. */
const NESTED: ReadonlySet<string> = new Set(["scrapeOptions", "webhook"]);

const isUrl = (name: string): boolean => name === "url" || name === "urls";
const isText = (value: unknown): boolean => typeof value !== "object" || value === null;

function showValue(name: string, value: unknown): ComponentChildren {
  if (isText(value))
    return dom.span(
      { class: classes("setting-text", isUrl(name) && "url"), dir: "auto" },
      toText(value),
    );
  if (Array.isArray(value) && value.length > 0 && value.every(isText)) {
    const list: readonly unknown[] = value;
    const shown = list.slice(0, MAX_LISTED);
    return dom.ul(
      { class: "setting-list" },
      ...shown.map((one) =>
        dom.li({ dir: "auto", class: classes(isUrl(name) && "url") }, toText(one)),
      ),
      list.length > shown.length &&
        dom.li({ class: "faint" }, `and ${pluralize(list.length - shown.length, "more", "more")}`),
    );
  }
  return jsonView(value);
}

function toRows(given: Options, prefix = ""): [name: string, value: ComponentChildren][] {
  return Object.entries(given).flatMap(([name, value]) =>
    prefix === "" && NESTED.has(name) && !isText(value)
      ? toRows(value as Options, `${name}.`)
      : [[`${prefix}${name}`, showValue(name, value)]],
  );
}

export type JobSettingsProps = { readonly kind: string; readonly id: string };

export function JobSettings({ kind, id }: JobSettingsProps): VNode {
  const loaded = useLoad((signal) => loadStoredJob(kind, id, signal), [kind, id]);
  const [showsAll, setShowsAll] = useState(false);
  if (loaded.state === "failed")
    return loaded.error instanceof ApiError && loaded.error.status === 404
      ? empty({ icon: "file", title: "No settings to show", text: loaded.error.message })
      : errorBox(loaded.error, loaded.reload);
  if (loaded.value === undefined) return dom.div({ class: "panel panel-body" }, skeleton(6));
  const { given, request, omitted } = loaded.value;
  return dom.div(
    { class: "stack" },
    omitted.length > 0 &&
      dom.p(
        { class: "notice" },
        `Secrets are not returned: ${listOmitted(omitted)}. Enter them again when you run the job again.`,
      ),
    dom.div(
      { class: "panel table-wrap" },
      dom.table(
        { class: "table job-settings" },
        dom.caption({ class: "visually-hidden" }, "Settings of the job"),
        dom.thead(
          null,
          dom.tr(null, dom.th({ scope: "col" }, "Setting"), dom.th({ scope: "col" }, "Value")),
        ),
        dom.tbody(
          null,
          ...toRows(given).map(([name, value]) =>
            dom.tr(
              { key: name },
              dom.th({ scope: "row" }, dom.code(null, name)),
              dom.td(null, value),
            ),
          ),
        ),
      ),
    ),
    dom.details(
      {
        class: "fold panel",
        onToggle: (event) => setShowsAll(event.currentTarget.open),
      },
      dom.summary(null, "All settings as JSON, with defaults"),
      showsAll &&
        dom.div(
          { class: "fold-body stack" },
          dom.div(
            { class: "row" },
            copyButton(() => JSON.stringify(request, null, 2), "Copy the settings"),
          ),
          jsonView(request),
        ),
    ),
  );
}
